/** What is read of an event to know its kind. */
type EventParts = {
  class_uid?: number
  activity_name?: string
  status_id?: number
  status_code?: string
  api?: { operation?: string; response?: object }
}

const failure = 2
const authenticationClass = 3002

/** Operator commands are written with spaces. */
const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9._-]+/g, '.')

/**
 * The kind of an event of the system log, by which subscriptions choose: the operation that caused it, `denied.` and the
 * operation where it was refused, `alert.` and a code where the program itself found something wrong, and for sign-ins and access tokens
 * `authentication.logon.success` and the like.
 */
export function kindOf(event: EventParts): string {
  if (event.class_uid === authenticationClass)
    return plain(
      `authentication.${(event.activity_name ?? 'other').toLowerCase()}.${event.status_id === failure ? 'failure' : 'success'}`,
    )
  const operation = plain(event.api?.operation || 'unknown')
  if (event.status_id !== failure) return operation
  return event.api?.response ? `denied.${operation}` : `alert.${plain(event.status_code || 'unknown')}`
}

export const testKind = 'bailiwick.v1.Subscriptions.TestMessage'

const pattern = /^[A-Za-z0-9._-]*\*?[A-Za-z0-9._-]*$/

/** What is wrong with what is to be a kind, or kinds with one `*` for any characters; null where nothing is. */
export function kindProblem(text: string): string | null {
  if (text === '') return 'must not be empty'
  if (!pattern.test(text))
    return 'must be an event kind such as app.v1.Apps.Create, or contain one * as in app.v1.* or denied.*'
  return null
}

/** One `*` is a beginning and an end: no pattern can be slow. */
function matcherOf(text: string): (kind: string) => boolean {
  const [start = '', end] = text.split('*')
  if (end === undefined) return (kind) => kind === start
  return (kind) => kind.length >= start.length + end.length && kind.startsWith(start) && kind.endsWith(end)
}

/** Whether a kind is one of those that a subscription names. */
export function kindsMatcher(kinds: readonly string[]): (kind: string) => boolean {
  const matchers = kinds.map(matcherOf)
  return (kind) => matchers.some((matches) => matches(kind))
}
