import { mayEverywhere } from '#authority/may.ts'
import type { Call } from '#kernel/routes.ts'
import type { AccessData, Grant, Source } from '#rooms/foundation/evidence/index.ts'
import { type Confirmed, chainOf, confirmationOf, confirmationWords } from '../decide.ts'
import type { Carried, HistoryRow, Read } from '../facts.ts'
import { listCarried, listLastReads, listReads } from '../store/apps.ts'
import { around, findEvents, type Wanted } from './cite.ts'
import { findEnforcers, isBuiltIn } from './enforcers.ts'
import { findGivers, type Giver } from './givers.ts'
import { readRequests, requestOf } from './requests.ts'
import { keyOf, type Row } from './rows.ts'

const rowsAtOnce = 500

/** What is known of the apps of some rows until a moment. */
type AppFacts = {
  carriedOf: (row: Row) => Carried[]
  readOf: (importId: string) => Read | undefined
  lastReadOf: (connectorId: string) => Date | undefined
}

async function readApps(call: Call, rows: readonly Row[], at: Date): Promise<AppFacts> {
  const [db, tenantId] = [call.db, call.tenant.id]
  const carried: Carried[] = []
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    carried.push(...(await listCarried(db, tenantId, rows.slice(from, from + rowsAtOnce), at)))
  const imported = rows.flatMap(({ held }) => held.filter(({ source }) => source === 'import'))
  const importIds = [...new Set(imported.map(({ grantedBy }) => grantedBy))]
  const reads = await listReads(db, tenantId, importIds, [...new Set(rows.map(({ appId }) => appId))])
  const connectorIds = [...new Set(reads.map(({ connectorId }) => connectorId))].filter((id) => id !== '')
  const last = await listLastReads(db, tenantId, connectorIds, at)
  const [byHolding, byImport] = [Map.groupBy(carried, keyOf), new Map(reads.map((read) => [read.importId, read]))]
  const lastOf = new Map(last.map(({ connectorId, endedAt }) => [connectorId, endedAt]))
  return {
    carriedOf: (row) => byHolding.get(keyOf(row)) ?? [],
    readOf: (importId) => byImport.get(importId),
    lastReadOf: (connectorId) => lastOf.get(connectorId),
  }
}

export type Gathered = Pick<AccessData, 'grants' | 'requests'> & {
  /** The events that these cite; null if its reader may not read the log. */
  cited: Set<string> | null
  /** Whether all of the log was searched that may have them. */
  isSearched: boolean
}

type Looked = Omit<Wanted, 'found'>
/** Has events looked for. They are in the list once they are found. */
type Cite = (looked: readonly Looked[]) => string[]

function citing(): { cite: Cite; wanted: Wanted[] } {
  const wanted: Wanted[] = []
  const cite: Cite = (looked) => {
    const eventIds: string[] = []
    const found = (id: string): void => void (eventIds.includes(id) || eventIds.push(id))
    for (const each of looked) wanted.push({ ...each, found })
    return eventIds
  }
  return { cite, wanted }
}

/** All that a pack says of some rows. */
export async function gather(call: Call, rows: readonly Row[], at: Date): Promise<Gathered> {
  const told = await readRequests(call, rows)
  const givers = await findGivers(call, rows)
  const enforcedBy = await findEnforcers(call, rows)
  const apps = await readApps(call, rows, at)
  const { cite, wanted } = citing()
  const current = new Set(rows.flatMap(({ held }) => held.map(({ grantedBy }) => grantedBy)))
  const requests = [...told.values()].flatMap((each) => {
    const request = current.has(each.id) ? requestOf(each) : null
    const looked = each.times.map((time) => ({ ids: [each.id], ...around(time) }))
    return request ? [{ ...request, eventIds: cite(looked) }] : []
  })
  const shown = new Set(requests.map(({ id }) => id))
  const grants = rows.map((row): Grant => {
    const chains = row.held.map((each) => chainOf(each, row.rows))
    const saidOf = (id: string) => told.get(id)?.provisioned ?? undefined
    const facts = { ...apps, chains, carried: apps.carriedOf(row), saidOf, isBuiltIn: isBuiltIn(row), at }
    const confirmed = confirmationOf(facts)
    const isHidden = confirmed.is === 'person said' && !row.held.some(({ grantedBy }) => shown.has(grantedBy))
    const { app, entitlement, user, account } = row
    return {
      ...{ app, entitlement, user, account },
      ...timesOf(row.held),
      sources: chains.map((chain) => sourceOf(row, chain, { giverOf: (id) => givers.get(id), shown, apps, cite })),
      inApp: inAppOf(isHidden ? { ...confirmed, by: null } : confirmed, app.name, cite),
      enforcement: enforcedBy(row),
    }
  })
  const seesLog = mayEverywhere(call.actor, 'systemlog.read')
  const isSearched = !seesLog || (await findEvents(call, wanted))
  const cited = new Set([
    ...grants.flatMap(({ sources, inApp }) => [...sources.flatMap(({ eventIds }) => eventIds), ...inApp.eventIds]),
    ...requests.flatMap(({ eventIds }) => eventIds),
  ])
  return { grants, requests, cited: seesLog ? cited : null, isSearched }
}

function timesOf(held: readonly HistoryRow[]): Pick<Grant, 'since' | 'expiresAt'> {
  const since = new Date(Math.min(...held.map(({ grantedAt }) => grantedAt.getTime())))
  const end = Math.max(...held.map(({ expiresAt }) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY))
  return { since: since.toISOString(), expiresAt: Number.isFinite(end) ? new Date(end).toISOString() : null }
}

type Around = { giverOf: (id: string) => Giver | undefined; shown: ReadonlySet<string>; apps: AppFacts; cite: Cite }

function sourceOf(row: Row, chain: readonly HistoryRow[], { giverOf, shown, apps, cite }: Around): Source {
  const [current] = chain as readonly [HistoryRow]
  const { source, grantedBy, grantedAt, expiresAt, reason } = current
  return {
    source,
    since: grantedAt.toISOString(),
    recordedAt: (chain.at(-1) ?? current).beganAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    reason,
    ...(giverOf(grantedBy) ?? { by: null, rule: null }),
    requestId: shown.has(grantedBy) ? grantedBy : '',
    eventIds: cite(chain.flatMap((each) => eventsOf(row, each, apps))),
  }
}

/**
 * The events that recorded a row of the history. Those of manual grants and of rules name the grant, others what granted
 * it: an import, a request, an access profile and its member.
 */
function eventsOf(row: Row, { id, source, grantedBy, beganAt }: HistoryRow, apps: AppFacts): Looked[] {
  if (source === 'import') return readEvents(apps.readOf(grantedBy))
  if (source === 'request') return [{ ids: [grantedBy], ...around(beganAt) }]
  if (source === 'profile' && row.user) return [{ ids: [grantedBy, row.user.id], ...around(beganAt) }]
  return [{ ids: [id], ...around(beganAt) }]
}

const readEvents = (read: Read | null | undefined): Looked[] =>
  read ? [{ ids: [read.importId], ...around(read.beganAt, read.finishedAt) }] : []

function inAppOf({ is, at, by, carried, read }: Confirmed, app: string, cite: Cite): Grant['inApp'] {
  const task = carried ? [{ ids: [carried.id], ...around(carried.endedAt ?? carried.createdAt) }] : []
  const words = confirmationWords({ is, at, by }, app || 'the app')
  return { is, words, at: at?.toISOString() ?? null, by, eventIds: cite([...task, ...readEvents(read)]) }
}
