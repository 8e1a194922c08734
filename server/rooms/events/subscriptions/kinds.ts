/** The fields of an event that determine its kind. */
type EventParts = {
  class_uid?: number
  activity_name?: string
  status_id?: number
  status_code?: string
  api?: { operation?: string; response?: object }
}

const failure = 2
const authenticationClass = 3002

/** Operator commands contain spaces. */
const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9._-]+/g, '.')

/**
 * The kind of an event of the system log, by which subscriptions select: the operation that caused it, `denied.` and the
 * operation if it was refused, `alert.` and a code if the program itself detected a problem, and for sign-ins and access
 * tokens `authentication.logon.success` and the like.
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

/** What is wrong with a kind, or with a pattern for kinds in which one `*` matches any characters; null if nothing is. */
export function kindProblem(text: string): string | null {
  if (text === '') return 'must not be empty'
  if (!pattern.test(text))
    return 'must be an event kind such as app.v1.Apps.Create, or contain one * as in app.v1.* or denied.*'
  return null
}

/** One `*` splits a pattern into a prefix and a suffix: no pattern can be slow. */
function matcherOf(text: string): (kind: string) => boolean {
  const [start = '', end] = text.split('*')
  if (end === undefined) return (kind) => kind === start
  return (kind) => kind.length >= start.length + end.length && kind.startsWith(start) && kind.endsWith(end)
}

/** Whether a subscription names this kind. */
export function kindsMatcher(kinds: readonly string[]): (kind: string) => boolean {
  const matchers = kinds.map(matcherOf)
  return (kind) => matchers.some((matches) => matches(kind))
}
