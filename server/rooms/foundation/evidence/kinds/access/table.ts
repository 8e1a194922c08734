import { byteOrderMark, type Cell, csvLine } from '#kernel/csv.ts'
import type { AccessData, Grant } from './data.ts'
import { accountWords, approvalsOf, personWords, type Requests, reasonsOf, requestsById, sourceWord } from './words.ts'

type Column = readonly [header: string, value: (grant: Grant, requests: Requests, data: AccessData) => Cell]

const of = ({ sources }: Grant, requests: Requests) => sources.flatMap(({ requestId }) => requests.get(requestId) ?? [])

const eventsOf = (grant: Grant, requests: Requests): Set<string> =>
  new Set([
    ...grant.sources.flatMap(({ eventIds }) => eventIds),
    ...of(grant, requests).flatMap(({ eventIds }) => eventIds),
    ...grant.inApp.eventIds,
  ])

const columns: readonly Column[] = [
  ['Person', personWords],
  ['Email', ({ user, account }) => user?.email || account.email],
  ['User status', ({ user }) => user?.status ?? ''],
  ['Account', accountWords],
  ['App', ({ app }) => app.name],
  ['Entitlement', ({ entitlement }) => entitlement.name],
  ['As of', (_grant, _requests, { asOf }) => asOf],
  ['Since', ({ since }) => since],
  ['Expires', ({ expiresAt }) => expiresAt],
  ['Why', (grant, requests) => grant.sources.map((source) => sourceWord(requests, source)).join('; ')],
  ['Reason', (grant, requests) => reasonsOf(requests, grant).join('; ')],
  ['Rule', ({ sources }) => sources.flatMap(({ rule }) => (rule?.expression ? [rule.expression] : [])).join('; ')],
  [
    'Requests',
    (grant, requests) =>
      of(grant, requests)
        .map(({ number }) => `#${number}`)
        .join('; '),
  ],
  ['Approved by', (grant, requests) => approvalsOf(requests, grant).join('; ')],
  ['In the app', ({ inApp }) => inApp.words],
  ['In the app at', ({ inApp }) => inApp.at],
  ['Changes are carried out by', ({ enforcement }) => enforcement],
  ['User ID', ({ user }) => user?.id ?? ''],
  ['Account ID', ({ account }) => account.id],
  ['App ID', ({ app }) => app.id],
  ['Entitlement ID', ({ entitlement }) => entitlement.id],
  ['Events', (grant, requests) => [...eventsOf(grant, requests)].join(' ')],
]

/** A line for each grant: an entitlement of an account. */
export function tableOf(data: AccessData): Buffer {
  const requests = requestsById(data)
  const lines = data.grants.map((grant) => csvLine(columns.map(([, value]) => value(grant, requests, data))))
  return Buffer.from(byteOrderMark + csvLine(columns.map(([header]) => header)) + lines.join(''))
}
