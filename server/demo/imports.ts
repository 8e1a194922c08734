import { idMaker } from '#kernel/ids.ts'
import type { Tx } from '#kernel/sql.ts'
import type { CauseBy } from '#rooms/foundation/systemlog/index.ts'
import { insertUsers } from '#rooms/identity/users/index.ts'
import { insertAccounts } from '#rooms/records/accounts/index.ts'
import { insertApps, insertEntitlements, insertResources, insertResourceTypes } from '#rooms/records/apps/index.ts'
import { insertGrants, type NewGrant } from '#rooms/records/grants/index.ts'
import { type Import, insertImport, type KindName, kindNames } from '#rooms/records/imports/index.ts'
import { type Company, demoImport } from './company.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const firstDays = 730
const weeklyFromDays = 56
const bytesPerLine = 180

/**
 * When the company's records were imported: every four weeks for two years, every week lately, and the last time an hour
 * ago.
 */
function timesOf(now: Date): Date[] {
  const before = (days: number): Date => new Date(now.getTime() - days * dayMs)
  const times: Date[] = []
  for (let days = firstDays; days > weeklyFromDays; days -= 28) times.push(before(days))
  for (let days = weeklyFromDays; days > 0; days -= 7) times.push(before(days))
  return [...times, new Date(now.getTime() - hourMs)]
}

type Rows = Pick<Company, 'users' | 'apps' | 'resourceTypes' | 'resources' | 'entitlements' | 'accounts'> & {
  grants: NewGrant[]
}
/** One import, and the records that came with it. Manual grants are added to the import that follows them. */
type Batch = { done: Import; rows: Rows }

const noRows = (): Rows => ({
  users: [],
  apps: [],
  resourceTypes: [],
  resources: [],
  entitlements: [],
  accounts: [],
  grants: [],
})

/**
 * The records of the company by the imports that brought them, as if each had been done in its time: the source of a grant
 * can be opened, and there are two years of history to look at.
 */
function importsOf(company: Company, now: Date): Batch[] {
  const times = timesOf(now)
  const placeAfter = (at: Date): number => {
    const found = times.findIndex((time) => time >= at)
    return found === -1 ? times.length - 1 : found
  }
  const timeAt = (place: number): Date => times[place] as Date
  const giver = company.users.find(({ jobTitle }) => jobTitle === 'Systems Administration Manager')
  const ids = times.map((time) => idMaker(() => time.getTime())())
  const rows = times.map(noRows)
  const at = (place: number): Rows => rows[place] as Rows

  Object.assign(at(0), {
    apps: company.apps,
    resourceTypes: company.resourceTypes,
    resources: company.resources,
    entitlements: company.entitlements,
  })
  const placeOfUser = new Map<string, number>()
  for (const user of company.users) {
    const startDate = (user.profile as { startDate?: string } | undefined)?.startDate
    const place = startDate ? placeAfter(new Date(startDate)) : 0
    placeOfUser.set(user.id, place)
    at(place).users.push(user)
  }
  const placeOfGrant = (grant: NewGrant, ofUser: number): number =>
    Math.max(ofUser, placeAfter(grant.grantedAt ?? timeAt(0)))
  const grantsOf = Map.groupBy(company.grants, ({ accountId }) => accountId)
  for (const account of company.accounts) {
    const ofUser = placeOfUser.get(account.userId ?? '') ?? 0
    const own = (grantsOf.get(account.id) ?? []).map((grant) => ({ grant, place: placeOfGrant(grant, ofUser) }))
    const place = Math.min(...own.map((each) => each.place), own.length === 0 ? ofUser : times.length - 1)
    at(place).accounts.push(account)
    for (const { grant, place: given } of own) {
      const by = { importedAt: timeAt(given), importId: ids[given] as string, isLater: given > place }
      at(given).grants.push(placed(grant, by))
    }
  }

  const total = Object.fromEntries(kindNames.map((kind) => [kind, 0])) as Record<KindName, number>
  return rows.map((each, place) => {
    const counts = kindNames.map((kind) => {
      const added = cameBy(each, kind)
      const unchanged = total[kind]
      total[kind] += added
      return { kind, added, changed: 0, unchanged, removed: 0 }
    })
    const lineCount = counts.reduce((sum, { added, unchanged }) => sum + added + unchanged, 0)
    const finishedAt = timeAt(place)
    const done: Import = {
      id: ids[place] as string,
      format: 'jsonl',
      isFull: false,
      isForced: false,
      userId: giver?.id ?? '',
      userName: giver?.displayName ?? '',
      lineCount,
      byteCount: lineCount * bytesPerLine,
      counts,
      ignoredFields: [],
      appId: '',
      notes: [],
      startedAt: new Date(finishedAt.getTime() - 4_000),
      finishedAt,
    }
    return { done, rows: each }
  })
}

type By = { importedAt: Date; importId: string; isLater: boolean }

/**
 * A grant as its import recorded it: from the time of the import, with the import as its source. A manual grant begins when
 * it was granted, if its account existed by then.
 */
function placed(grant: NewGrant, { importedAt, importId, isLater }: By): NewGrant {
  const granted = grant.grantedAt && grant.grantedAt < importedAt ? grant.grantedAt : importedAt
  if (grant.grantedBy !== demoImport) {
    const beganAt = isLater ? granted : importedAt
    return { ...grant, grantedAt: beganAt, beganAt }
  }
  return { ...grant, grantedBy: importId, grantedAt: granted, beganAt: importedAt }
}

const tables: Readonly<Record<KindName, keyof Rows>> = {
  user: 'users',
  app: 'apps',
  resource_type: 'resourceTypes',
  resource: 'resources',
  entitlement: 'entitlements',
  account: 'accounts',
  grant: 'grants',
}
const cameBy = (rows: Rows, kind: KindName): number =>
  kind === 'grant' ? rows.grants.filter(({ source }) => source === 'import').length : rows[tables[kind]].length

/** Inserts the records of the company into a tenant, each in its time, with the imports that brought them. */
export async function loadImports(
  tx: Tx,
  first: CauseBy<'operator'>,
  company: Company,
  now: Date,
  onProgress: (share: number) => void,
): Promise<void> {
  const tenantId = first.tenant.id
  const batches = importsOf(company, now)
  for (const [place, { done, rows }] of batches.entries()) {
    const at = done.finishedAt
    await insertUsers(tx, tenantId, rows.users, at)
    await insertApps(tx, tenantId, rows.apps, at)
    await insertResourceTypes(tx, tenantId, rows.resourceTypes, at)
    await insertResources(tx, tenantId, rows.resources, at)
    await insertEntitlements(tx, tenantId, rows.entitlements, at)
    await insertAccounts(tx, tenantId, rows.accounts, at)
    onProgress((0.5 * (place + 1)) / batches.length)
  }
  // Each has the time when it began, so all are inserted at once.
  await insertGrants(
    tx,
    first,
    batches.flatMap(({ rows }) => rows.grants),
    now,
  )
  onProgress(1)
  await Promise.all(batches.map(({ done }) => insertImport(tx, tenantId, done)))
}
