import type { AttentionItem, AttentionKind } from '../../client/attention.ts'
import { pageOf, type Thing } from '../../parts/things.ts'

type Place = {
  /** The page that lists all of the kind. */
  list: string
  /** The page where one of them is fixed, if that is not its own page. */
  one?: (thing: Thing) => string | null
}

const entitlementTab =
  (tab: string) =>
  (thing: Thing): string =>
    `${pageOf(thing)}/${tab}`
const nowhere = (): null => null

const places: Readonly<Record<AttentionKind, Place>> = {
  ATTENTION_KIND_UNSPECIFIED: { list: '/' },
  ATTENTION_KIND_DECISIONS_WAITING: { list: '/decide' },
  ATTENTION_KIND_RUNS_HELD: { list: '/rules?state=paused', one: entitlementTab('automation') },
  ATTENTION_KIND_SYNCS_HELD: { list: '/connectors' },
  ATTENTION_KIND_DIRECTORIES_HELD: { list: '/directories' },
  ATTENTION_KIND_LEAVERS_WITH_ACCESS: { list: '/grants?leavers=yes' },
  ATTENTION_KIND_RULES_FAILING: { list: '/rules?state=failing', one: entitlementTab('runs') },
  ATTENTION_KIND_SYNCS_FAILING: { list: '/connectors' },
  ATTENTION_KIND_DIRECTORIES_FAILING: { list: '/directories' },
  ATTENTION_KIND_TASKS_STUCK: { list: '/tasks?state=stuck' },
  ATTENTION_KIND_JOBS_STUCK: { list: '/jobs?state=stuck', one: () => '/jobs?state=stuck' },
  ATTENTION_KIND_EXPORTS_FAILING: { list: '/log/exports' },
  ATTENTION_KIND_SUBSCRIPTIONS_FAILING: { list: '/subscriptions' },
  ATTENTION_KIND_WEBHOOKS_FAILING: { list: '/webhooks' },
  ATTENTION_KIND_NOTIFICATIONS_NOT_SENT: {
    list: '/settings/organisation-notifications',
    one: () => '/settings/organisation-notifications',
  },
  ATTENTION_KIND_CLOCK_NOT_TRUSTED: { list: '/grants?ends=30d', one: nowhere },
  ATTENTION_KIND_CONNECTOR_CREDENTIALS_EXPIRING: { list: '/connectors' },
  ATTENTION_KIND_DIRECTORY_TOKENS_EXPIRING: { list: '/directories' },
  // Everyone's, or the caller's own: see below.
  ATTENTION_KIND_CREDENTIALS_EXPIRING: { list: '' },
  ATTENTION_KIND_CHANGES_WAITING: { list: '/tasks?state=open' },
  ATTENTION_KIND_REQUESTS_WAITING: { list: '/tasks?state=open&step=approval&order=oldest' },
  ATTENTION_KIND_ENTITLEMENTS_WITHOUT_APPROVER: { list: '/policies/unanswerable', one: entitlementTab('requests') },
  ATTENTION_KIND_DRIFT: { list: '/drift', one: ({ id }) => `/drift?app=${id}` },
  ATTENTION_KIND_ACCOUNTS_WITHOUT_OWNER: { list: '/accounts?owner=none' },
  ATTENTION_KIND_DIRECTORY_CONFLICTS: { list: '/directories' },
  ATTENTION_KIND_RULES_PAUSED: { list: '/rules?state=paused', one: entitlementTab('automation') },
  ATTENTION_KIND_MAIL_NOT_CONFIGURED: { list: '/settings/organisation-notifications' },
  ATTENTION_KIND_APPS_RECORDS_ONLY: { list: '/coverage', one: ({ id }) => `/apps/${id}/connectors` },
  ATTENTION_KIND_APPS_WITHOUT_OWNER: { list: '/apps?owner=none', one: ({ id }) => `/apps/${id}/owners` },
  ATTENTION_KIND_ENTITLEMENTS_WITHOUT_OWNER: { list: '/entitlements?owner=none', one: entitlementTab('owners') },
  ATTENTION_KIND_ACCESS_ENDING: { list: '/grants?ends=30d' },
}

type Caller = { may(permission: string): boolean }

const credentialsPage = ({ may }: Caller): string =>
  may('credentials.read') ? '/settings/everyone' : '/settings/credentials'

/** The page where one example is fixed; null if the caller cannot open it. */
export function placeOf(kind: AttentionKind, example: Thing, caller: Caller): string | null {
  if (example.type === 'credential') return credentialsPage(caller)
  if (example.id === '') return null
  const { one = pageOf } = places[kind]
  return one(example)
}

/** Lists that owners cannot open or filter as others do: the permission that this takes, and where owners go instead. */
const listsOfAll: Partial<Record<AttentionKind, { permission: string; ofOwners: 'app' | 'one' }>> = {
  ATTENTION_KIND_SYNCS_HELD: { permission: 'apps.read', ofOwners: 'one' },
  ATTENTION_KIND_SYNCS_FAILING: { permission: 'apps.read', ofOwners: 'one' },
  ATTENTION_KIND_CONNECTOR_CREDENTIALS_EXPIRING: { permission: 'apps.read', ofOwners: 'one' },
  ATTENTION_KIND_ACCOUNTS_WITHOUT_OWNER: { permission: 'accounts.read', ofOwners: 'app' },
  ATTENTION_KIND_ENTITLEMENTS_WITHOUT_OWNER: { permission: 'entitlements.read', ofOwners: 'one' },
}

export type PlaceOfAll = {
  to: string
  /** What the button says instead of the remedy, if the place is not of all things; else empty. */
  label: string
}

/** The page where all things of an item are fixed: if there is only one, its own page; for owners, that of the first. */
export function placeOfAll({ kind, count, examples }: AttentionItem, caller: Caller): PlaceOfAll {
  const [first] = examples
  const ownPage = first ? placeOf(kind, first, caller) : null
  if (count === 1 && ownPage) return { to: ownPage, label: '' }
  if (kind === 'ATTENTION_KIND_CREDENTIALS_EXPIRING') return { to: credentialsPage(caller), label: '' }
  const limited = listsOfAll[kind]
  if (!first || !ownPage || !limited || caller.may(limited.permission)) return { to: places[kind].list, label: '' }
  return limited.ofOwners === 'app'
    ? { to: `/apps/${first.appId}/accounts`, label: `Accounts of ${first.about}` }
    : { to: ownPage, label: `Open ${first.displayName}` }
}
