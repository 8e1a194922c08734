import { denied, may, mayOf } from '#authority/may.ts'
import { type Expanded, expansion } from '#kernel/expand.ts'
import type { Page } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Reads, transactOnce } from '#kernel/sql.ts'
import { findUser, findUsers, putUser, userNotFound } from '#rooms/identity/users/index.ts'
import { findAccounts, listAllAccountsOf, putAccount, putApps } from '#rooms/records/accounts/index.ts'
import {
  appNotFound,
  entitlementAsNeighbour,
  entitlementNotFound,
  findAppsUncounted,
  findEntitlementsUncounted,
} from '#rooms/records/apps/index.ts'
import { nameCauses } from './causes.ts'
import { type CauseRef, type ChangeKind, changeKinds, type Scope, type Span, type Subject } from './change.ts'
import { actionFor, bucketsOf, causeOfGrant, subjectsIn } from './decide.ts'
import { countGrantChanges, listGrantChanges, listReasonsThen, lookedMax } from './store/grants.ts'
import { setTimeLimit } from './store/limits.ts'
import { findResourceNames } from './store/names.ts'
import { countThings, listThings } from './store/things.ts'
import { kindOnWire, subjectOnWire, unitOnWire } from './view.ts'

/** How many changes of a kind are counted at most. */
const countMax = lookedMax

const defaultMs = 7 * 86_400_000

export function spanOf(call: Call, { from, to }: { from: Date | null; to: Date | null }): Span {
  const now = call.now()
  if (to !== null && to > now) throw invalid({ field: 'to', description: 'must not be in the future' })
  const until = to ?? now
  // Nothing here is older than 1970, and parts of a chart that begin before the year 1 are not valid times in PostgreSQL.
  const since = new Date(Math.max(from?.getTime() ?? until.getTime() - defaultMs, 0))
  if (since >= until) throw invalid({ field: 'from', description: 'must be before the second moment' })
  return { from: since, to: until }
}

/** The accounts of a person are those that they have now: earlier owners of an account are not kept. */
export async function scopeOfUser(call: Call, userId: string): Promise<Scope> {
  const { actor, db, tenant } = call
  const isSeen = mayOf(actor, 'user.read-grants', userId)
  const user = isSeen ? await findUser(db, tenant.id, userId, call.now()) : null
  if (!user) throw userNotFound(userId)
  return { kind: 'user', userId, accounts: await listAllAccountsOf(db, tenant.id, [userId]) }
}

/** Also of one that was deleted since. */
export async function scopeOfApp(call: Call, appId: string): Promise<Scope> {
  const [app] = await findAppsUncounted(call.db, call.tenant.id, [appId])
  if (!app) throw appNotFound(appId)
  return { kind: 'app', appId }
}

export async function scopeOfEntitlement(call: Call, appId: string, id: string): Promise<Scope> {
  const [entitlement] = await findEntitlementsUncounted(call.db, call.tenant.id, [{ appId, id }])
  if (!entitlement) throw entitlementNotFound(appId, id)
  return { kind: 'entitlement', appId, id }
}

/** Callers who see their own access see their own accounts; everything else requires the same permissions as its lists. */
const maySee = ({ actor }: Call, scope: Scope, subject: Subject): boolean => {
  const action = actionFor[subject]
  const isOwn = scope.kind === 'user' && scope.userId === actor.userId && subject === 'account'
  return action === null || isOwn || may(actor, action)
}

/** Limits the time for which long periods of large tenants are searched. */
const timed = <T>(call: Call, work: (db: Reads) => Promise<T>): Promise<T> =>
  transactOnce(call.db, async (tx) => {
    await setTimeLimit(tx)
    return work(tx)
  })

export async function summarize(call: Call, scope: Scope, span: Span) {
  const seen = subjectsIn(scope).filter((subject) => maySee(call, scope, subject))
  const buckets = bucketsOf(span)
  const counts: { subject: Subject; kind: ChangeKind; count: number; isMore: boolean }[] = []
  const periods = Array.from({ length: buckets.count }, (_, place) => ({
    beginsAt: new Date(buckets.beginsAt.getTime() + place * buckets.ms),
    added: 0,
    removed: 0,
    changed: 0,
  }))
  await timed(call, async (db) => {
    const found = await countGrantChanges(db, call.tenant.id, { scope, span }, buckets)
    for (const kind of changeKinds) {
      const own = found.counts.filter(({ change }) => change === kind)
      const count = own.reduce((sum, each) => sum + each.count, 0)
      counts.push({ subject: 'grant', kind, count, isMore: found.more.has(kind) })
    }
    for (const { change, bucket, count } of found.counts) {
      const period = periods[bucket]
      if (period) period[change] += count
    }
    for (const subject of seen) {
      if (subject === 'grant') continue
      const asked = { scope, span, kinds: changeKinds }
      for (const { change, count } of await countThings(db, call.tenant.id, subject, asked, countMax))
        counts.push({ subject, kind: change, count, isMore: false })
    }
  })
  return {
    ...span,
    counts: counts.map(({ subject, kind, count, isMore }) => ({
      subject: subjectOnWire(subject),
      kind: kindOnWire(kind),
      count: Math.min(count, countMax),
      isMore: isMore || count > countMax,
    })),
    unit: unitOnWire(buckets.unit),
    periods,
    withoutHistory: withoutHistory(scope),
  }
}

const withoutHistory = ({ kind }: Scope): string[] => [
  'The status, names, departments and other attributes of users and accounts',
  ...(kind === 'user' ? ['Which accounts belonged to this person: the current accounts are compared'] : []),
  ...(kind === 'tenant' || kind === 'app' ? ['Names and settings of apps, entitlements and resources'] : []),
  ...(kind === 'user' ? [] : ['Rules that were edited again after the second moment']),
]

export type Asked = { subject: Subject; kinds: readonly ChangeKind[] }

/** A page of differences of one kind of thing, with the names of everything that they refer to. */
export async function list(call: Call, scope: Scope, span: Span, { subject, kinds }: Asked, page: Page) {
  if (!subjectsIn(scope).includes(subject)) throw invalid({ field: 'subject', description: 'is not compared here' })
  const action = actionFor[subject]
  if (action !== null && !maySee(call, scope, subject)) throw denied(action)
  return subject === 'grant'
    ? listGrants(call, scope, span, kinds, page)
    : listOthers(call, scope, span, { subject, kinds }, page)
}

const placeOf = ({ at, id }: { at: Date; id: string }): [string, string] => [at.toISOString(), id]
const keyOf = (of: { appId: string; entitlementId: string; accountId: string }): string =>
  `${of.appId} ${of.entitlementId} ${of.accountId}`

async function listGrants(call: Call, scope: Scope, span: Span, kinds: readonly ChangeKind[], page: Page) {
  const { rows, stoppedAt } = await timed(call, (db) =>
    listGrantChanges(db, call.tenant.id, { scope, span }, kinds, page),
  )
  const cut = page.cut(rows, placeOf, (row) => row)
  const reasons = Map.groupBy(await listReasonsThen(call.db, call.tenant.id, span, cut.list), keyOf)
  const causes = cut.list.map((row) => causeOfGrant(row.change, reasons.get(keyOf(row)) ?? []))
  const expanded = expansion(null)
  const accounts = await putAccounts(call, expanded, cut.list)
  const owners = new Map(accounts.map(({ appId, id, identityUserId }) => [`${appId} ${id}`, identityUserId]))
  await Promise.all([
    putApps(
      call,
      expanded,
      cut.list.map(({ appId }) => appId),
    ),
    putEntitlements(call, expanded, cut.list),
    putUsers(call, expanded, [...owners.values(), ...giversOf(causes)]),
  ])
  const named = await nameCauses(call, causes)
  return {
    list: cut.list.map((row, place) => ({
      id: row.id,
      subject: subjectOnWire('grant'),
      kind: kindOnWire(row.change),
      changedAt: row.at,
      appId: row.appId,
      appEntitlementId: row.entitlementId,
      appUserId: row.accountId,
      userId: owners.get(`${row.appId} ${row.accountId}`) ?? '',
      objectKind: '',
      objectAppId: '',
      objectTypeId: '',
      objectId: '',
      objectDisplayName: '',
      roleSlug: '',
      displayName: '',
      before: (reasons.get(keyOf(row)) ?? []).filter(({ wasHeld }) => wasHeld),
      after: (reasons.get(keyOf(row)) ?? []).filter(({ isHeld }) => isHeld),
      cause: named[place] ?? null,
    })),
    expanded: expanded.list(),
    nextPageToken: stoppedAt ? page.tokenAfter(stoppedAt) : cut.nextPageToken,
  }
}

async function listOthers(call: Call, scope: Scope, span: Span, { subject, kinds }: Asked, page: Page) {
  const asked = { scope, span, kinds }
  const of = subject as Exclude<Subject, 'grant'>
  const rows = await timed(call, (db) => listThings(db, call.tenant.id, of, asked, page))
  const cut = page.cut(rows, placeOf, (row) => row)
  const owned = (kind: string) => cut.list.filter(({ objectKind }) => objectKind === kind)
  const ownedRefs = (kind: string) => owned(kind).map(({ objectAppId: appId, objectId: id }) => ({ appId, id }))
  const causes = cut.list.map(({ by, objectAppId }): CauseRef | null =>
    by === '' ? null : { kind: 'unspecified', id: by, appId: objectAppId, entitlementId: '' },
  )
  const expanded = expansion(null)
  await Promise.all([
    putApps(
      call,
      expanded,
      cut.list.flatMap(({ appId, objectAppId }) => [appId, objectAppId]).filter((id) => id !== ''),
    ),
    putAccounts(call, expanded, [
      ...cut.list.filter(({ accountId }) => accountId !== ''),
      ...ownedRefs('account').map(({ appId, id }) => ({ appId, accountId: id })),
    ]),
    putEntitlements(call, expanded, [
      ...cut.list.filter(({ entitlementId }) => entitlementId !== ''),
      ...ownedRefs('entitlement').map(({ appId, id }) => ({ appId, entitlementId: id })),
    ]),
    putUsers(call, expanded, [
      ...cut.list.map(({ userId }) => userId),
      ...ownedRefs('user').map(({ id }) => id),
      ...giversOf(causes),
    ]),
  ])
  const [named, resources] = await Promise.all([
    nameCauses(call, causes),
    findResourceNames(
      call.db,
      call.tenant.id,
      owned('resource').map(({ objectAppId: appId, objectTypeId: typeId, objectId: id }) => ({ appId, typeId, id })),
    ),
  ])
  return {
    list: cut.list.map((row, place) => ({
      id: row.id,
      subject: subjectOnWire(subject),
      kind: kindOnWire(row.change),
      changedAt: row.at,
      appId: row.appId,
      appEntitlementId: row.entitlementId,
      appUserId: row.accountId,
      userId: row.userId,
      objectKind: row.objectKind,
      objectAppId: row.objectAppId,
      objectTypeId: row.objectTypeId,
      objectId: row.objectId,
      objectDisplayName: resources.get(`${row.objectAppId} ${row.objectTypeId} ${row.objectId}`) ?? '',
      roleSlug: row.roleSlug,
      displayName: row.name,
      before: [],
      after: [],
      cause: named[place] ?? null,
    })),
    expanded: expanded.list(),
    nextPageToken: cut.nextPageToken,
  }
}

const giversOf = (causes: readonly (CauseRef | null)[]): string[] =>
  causes.flatMap((cause) => (cause ? [cause.id] : []))

const distinct = <T>(values: readonly T[], key: (value: T) => string): T[] => [
  ...new Map(values.map((value) => [key(value), value])).values(),
]

async function putAccounts(call: Call, expanded: Expanded, of: readonly { appId: string; accountId: string }[]) {
  const refs = distinct(
    of.map(({ appId, accountId }) => ({ appId, id: accountId })),
    ({ appId, id }) => `${appId} ${id}`,
  )
  const accounts = refs.length > 0 ? await findAccounts(call.db, call.tenant.id, refs) : []
  for (const account of accounts) putAccount(expanded, account)
  return accounts
}

async function putEntitlements(
  call: Call,
  expanded: Expanded,
  of: readonly { appId: string; entitlementId: string }[],
): Promise<void> {
  const refs = distinct(
    of.map(({ appId, entitlementId }) => ({ appId, id: entitlementId })),
    ({ appId, id }) => `${appId} ${id}`,
  )
  const found = refs.length > 0 ? await findEntitlementsUncounted(call.db, call.tenant.id, refs) : []
  for (const each of found) expanded.put('app.v1.AppEntitlement', each.id, entitlementAsNeighbour(each))
}

/** Adds the users among ids that may also belong to other things. */
async function putUsers(call: Call, expanded: Expanded, ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(ids)].filter((id) => id !== '')
  for (const user of await findUsers(call.db, call.tenant.id, wanted, call.now())) putUser(expanded, user)
}
