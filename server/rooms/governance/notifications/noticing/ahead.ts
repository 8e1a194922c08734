import { type Tx, transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import type { Noticed } from '../noticed.ts'
import { admit } from '../outbox/admit.ts'
import { listKeepers, listOperationsContacts, listPrincipalOwners } from '../people.ts'
import { cursorAt, leads, listToldTenants } from './log.ts'
import {
  type Cursor,
  listEndingCredentials,
  listEndingGrants,
  listReadTenants,
  listTroubled,
  lockCursor,
  moveAhead,
} from './store.ts'

const perTurn = 500
/** The saved position may be this far behind the current time while nothing is found. */
const moveMs = 3_600_000

/**
 * Notes what follows from the time alone: access and credentials that end soon, and connectors whose syncs fail. The time up
 * to which ends were checked is saved, so each is noted once, regardless of how often this runs.
 */
export async function noticeAhead(world: World): Promise<void> {
  const told = await listToldTenants(world)
  const tenantIds = await listReadTenants(world.db)
  await forEachTenant(told === null ? tenantIds : tenantIds.filter((id) => told.has(id)), (tenantId) =>
    transact(world.db, (tx) => ahead(tx, world, tenantId)),
  )
}

async function ahead(tx: Tx, world: World, tenantId: number): Promise<void> {
  const cursor = await lockCursor(tx, tenantId)
  if (!cursor) return
  const now = world.now()
  const reach = cursorAt(cursor.sealNumber, now)
  const [days, day, credentials] = [
    await endings(
      tx,
      tenantId,
      { after: cursor.daysAheadUntil, until: reach.daysAheadUntil, leadMs: leads.daysMs },
      'days',
    ),
    await endings(
      tx,
      tenantId,
      { after: cursor.dayAheadUntil, until: reach.dayAheadUntil, leadMs: leads.dayMs },
      'day',
    ),
    await endingCredentials(tx, world, tenantId, cursor, reach),
  ]
  await admit(tx, world, tenantId, [
    ...days.noticed,
    ...day.noticed,
    ...credentials.noticed,
    ...(await troubles(tx, world, tenantId)),
  ])
  // Saving the position each time would wake the whole system, even though nothing was found.
  const isMoved = [days, day, credentials].some(({ noticed }) => noticed.length > 0)
  if (isMoved || reach.dayAheadUntil.getTime() - cursor.dayAheadUntil.getTime() > moveMs)
    await moveAhead(tx, tenantId, {
      daysAheadUntil: days.until,
      dayAheadUntil: day.until,
      credentialsUntil: credentials.until,
    })
}

type Window = { after: Date; until: Date; leadMs: number }
type Looked = { noticed: Noticed[]; until: Date }

/**
 * After a full page the next check begins where this one ended; what ends at the same moment as the last row is checked
 * again.
 */
const untilOf = (rows: readonly { endsAt: Date }[], window: Window): Date => {
  const last = rows.length === perTurn ? rows.at(-1)?.endsAt : undefined
  const next = last ? new Date(Math.max(last.getTime() - 1, window.after.getTime() + 1)) : window.until
  // The clock may have been set back: the position never moves back.
  return next > window.after ? next : window.after
}

async function endings(tx: Tx, tenantId: number, window: Window, lead: string): Promise<Looked> {
  const rows = window.until > window.after ? await listEndingGrants(tx, tenantId, window, perTurn) : []
  const noticed = rows.map(({ userId, endsAt, ...of }): Noticed => {
    const data = { ...of, holderId: userId, endsAt: endsAt.toISOString() }
    const key = `ends ${of.grantId} ${lead}`
    return { userId, kind: 'expiringAccess', key, taskId: '', stepId: '', data, dueAt: null }
  })
  return { noticed, until: untilOf(rows, window) }
}

async function endingCredentials(
  tx: Tx,
  world: World,
  tenantId: number,
  { credentialsUntil: after }: Cursor,
  { credentialsUntil: until }: Cursor,
): Promise<Looked> {
  const window = { after, until, leadMs: leads.credentialMs }
  const rows = until > after ? await listEndingCredentials(tx, tenantId, window, perTurn) : []
  const noticed: Noticed[] = []
  for (const { credentialId, userId, isPrincipal, endsAt } of rows) {
    const people = isPrincipal ? await listPrincipalOwners(tx, world, tenantId, userId) : [userId]
    const data = { credentialId, endsAt: endsAt.toISOString() }
    for (const person of people)
      noticed.push({
        userId: person,
        kind: 'system',
        key: `credential ${credentialId} ${data.endsAt}`,
        taskId: '',
        stepId: '',
        data,
        dueAt: null,
      })
  }
  return { noticed, until: untilOf(rows, window) }
}

async function troubles(tx: Tx, world: World, tenantId: number): Promise<Noticed[]> {
  const noticed: Noticed[] = []
  const troubled = await listTroubled(tx, tenantId)
  const contacts = troubled.length > 0 ? await listOperationsContacts(tx, world, tenantId) : []
  for (const { connectorId, appId, state, lastDone } of troubled) {
    const data = { connectorId, appId, state }
    const key = `sync ${connectorId} ${state} ${lastDone}`
    for (const userId of [...(await listKeepers(tx, world, tenantId, { connectorId, appId })), ...contacts])
      noticed.push({ userId, kind: 'connectorIssues', key, taskId: '', stepId: '', data, dueAt: null })
  }
  return noticed
}
