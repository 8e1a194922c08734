import type { AccessData, Grant, Request, Source } from './data.ts'

const sourceWords: Readonly<Record<string, string>> = {
  manual: 'Granted manually',
  import: 'Imported',
  rule: 'Rule',
  request: 'Request',
  profile: 'Access profile',
  directory: 'Directory',
}

/** `2026-08-01 00:00:00 UTC` */
export const timeWords = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`

export const dateWords = (time: string | null): string => time?.slice(0, 10) ?? ''

/** The first of these that says something. */
const first = (...texts: readonly string[]): string => texts.find((text) => text !== '') ?? ''

export const personWords = ({ user, account }: Grant): string =>
  user ? first(user.name, user.email, user.id) : first(account.name, account.username, account.id)

export const accountWords = ({ account }: Grant): string => first(account.username, account.email, account.name)

export type Requests = ReadonlyMap<string, Request>
export const requestsById = ({ requests }: AccessData): Requests => new Map(requests.map((each) => [each.id, each]))

/** `Rule Everyone in IT (version 3)`, `Request #17`, `Granted manually by Nina`. */
export function sourceWord(requests: Requests, source: Source): string {
  const what = sourceWords[source.source] ?? source.source
  const request = requests.get(source.requestId)
  if (request) return `${what} #${request.number}`
  const name = source.by?.name ?? ''
  if (source.rule) return `${what}${name === '' ? '' : ` ${name}`} (version ${source.rule.version})`
  if (name === '') return what
  // The name of an import is its time.
  if (source.source === 'import') return /^\d{4}-/.test(name) ? `${what} ${timeWords(name)}` : `${what}: ${name}`
  return source.source === 'manual' ? `${what} by ${name}` : `${what}: ${name}`
}

/** The approvals that count, of all requests of a grant. */
export function approvalsOf(requests: Requests, { sources }: Grant): string[] {
  return sources.flatMap((source) =>
    (requests.get(source.requestId)?.decisions ?? [])
      .filter(({ what, counts }) => counts && /^(?:approved|accepted|skipped)\b/.test(what))
      .map(({ by, at, what }) => `${by ? first(by.name, by.id) : 'Bailiwick'}, ${what}, ${timeWords(at)}`),
  )
}

export const reasonsOf = (requests: Requests, { sources }: Grant): string[] =>
  sources
    .map((source) => first(source.reason, requests.get(source.requestId)?.description ?? ''))
    .filter((reason) => reason !== '')
