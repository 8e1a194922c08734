import { isSameMac } from '#kernel/seals.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { inTurns } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { eventMac, findHead } from '#rooms/foundation/systemlog/index.ts'
import { listTenantsWithChat } from '../chat/store.ts'
import type { Noticed } from '../noticed.ts'
import { admit } from '../outbox/admit.ts'
import { listAdministrators, listSecurityContacts } from '../people.ts'
import { noticedKinds, noticesOf } from './decide.ts'
import {
  beginCursor,
  type Cursor,
  type LoggedRow,
  listHappened,
  listLogged,
  listNoticedTasks,
  listTenantsToRead,
  lockCursor,
  moveCursor,
  skipTo,
} from './store.ts'

const eventsPerTurn = 200
const forMs = 2_000
/** After every event of a link. */
const endOfLink = 2_147_483_647

/** How long before an end people are notified. */
export const leads = { daysMs: 3 * 86_400_000, dayMs: 86_400_000, credentialMs: 7 * 86_400_000 }

/** The initial position: at the end of the log, and past all ends that are near already. */
export const cursorAt = (sealNumber: number, now: Date): Cursor => ({
  sealNumber,
  position: endOfLink,
  daysAheadUntil: new Date(now.getTime() + leads.daysMs),
  dayAheadUntil: new Date(now.getTime() + leads.dayMs),
  credentialsUntil: new Date(now.getTime() + leads.credentialMs),
})

/**
 * Reads what was sealed in the system log since the last time, and notes whom to notify. Every change of a task is in that
 * log, in one order without gaps: notes and position are committed together, so nothing is missed and nothing is noted
 * twice. Tenants without mail or chat are not read: once one has a channel, it begins with new events.
 */
export async function noticeLogged(world: World): Promise<void> {
  const told = await listToldTenants(world)
  if (told?.size === 0) return
  const tenantIds = await listTenantsToRead(world.db)
  await inTurns(
    told === null ? tenantIds : tenantIds.filter((id) => told.has(id)),
    (tenantId) => readSome(world, tenantId),
    forMs,
  )
}

/** Tenants with a channel for notifications; null for all. */
export const listToldTenants = async (world: World): Promise<ReadonlySet<number> | null> =>
  world.settings.mail ? null : new Set(await listTenantsWithChat(world.db))

/** Moves the position of tenants without a channel. */
export async function skipUntold(world: World): Promise<void> {
  const told = await listToldTenants(world)
  if (told === null) return
  const tenantIds = await listTenantsToRead(world.db)
  await inTurns(
    tenantIds.filter((id) => !told.has(id)),
    (tenantId) => skip(world, tenantId),
    forMs,
  )
}

const skip = (world: World, tenantId: number): Promise<boolean> =>
  transact(world.db, async (tx) => {
    const cursor = await lockCursor(tx, tenantId)
    const head = await findHead(tx, tenantId)
    const end = cursorAt(head?.sealNumber ?? 0, world.now())
    if (cursor) await skipTo(tx, tenantId, end)
    else await beginCursor(tx, tenantId, end)
    return false
  })

/** Reads some events; returns whether there are more. */
const readSome = (world: World, tenantId: number): Promise<boolean> =>
  transact(world.db, async (tx) => {
    const cursor = await lockCursor(tx, tenantId)
    const head = await findHead(tx, tenantId)
    if (!head) return false
    if (!cursor) {
      await beginCursor(tx, tenantId, cursorAt(head.sealNumber, world.now()))
      return false
    }
    const rows = await listLogged(tx, tenantId, cursor, head.sealNumber, eventsPerTurn)
    await admit(tx, world, tenantId, await noticedIn(tx, world, tenantId, rows))
    const last = rows.at(-1)
    const isAll = rows.length < eventsPerTurn || !last
    await moveCursor(tx, tenantId, isAll ? { sealNumber: head.sealNumber, position: endOfLink } : last)
    return !isAll
  })

type Resource = { type?: string; uid?: string; data?: { events?: { id: string }[] } }
type Logged = {
  severity_id?: number
  message?: string
  actor?: { user?: { uid?: string; name?: string } }
  resources?: Resource[]
}

async function noticedIn(tx: Tx, world: World, tenantId: number, rows: readonly LoggedRow[]): Promise<Noticed[]> {
  /** Which events of which tasks; null for all events of a task, if the log does not name them. */
  const touched = new Map<string, Set<string> | null>()
  const alerts: Noticed[] = []
  let readers: Promise<string[]> | null = null
  for (const row of rows) {
    // Events that were not written by this program must not cause mails.
    if (!isSameMac(row.mac, eventMac(world.seals, tenantId, row))) continue
    const event = JSON.parse(row.event) as Logged
    for (const { type, uid = '', data } of event.resources ?? []) {
      if (type !== 'task') continue
      const known = touched.get(uid)
      if (!data?.events || known === null) touched.set(uid, null)
      else touched.set(uid, new Set([...(known ?? []), ...data.events.map(({ id }) => id)]))
    }
    if (event.severity_id !== 4) continue
    readers ??= alertReaders(tx, world, tenantId)
    alerts.push(...alertTo(await readers, row, event))
  }
  const taskIds = [...touched.keys()]
  const [tasks, happened] = await Promise.all([
    listNoticedTasks(tx, tenantId, taskIds),
    listHappened(tx, tenantId, taskIds, noticedKinds),
  ])
  const byTask = Map.groupBy(
    happened.filter(({ taskId, id }) => touched.get(taskId)?.has(id) ?? true),
    ({ taskId }) => taskId,
  )
  const now = world.now()
  const ofTasks = [...tasks.values()].flatMap((task) => noticesOf(task, byTask.get(task.id) ?? [], now))
  return [...ofTasks, ...alerts]
}

const alertReaders = async (tx: Tx, world: World, tenantId: number): Promise<string[]> => [
  ...(await listAdministrators(tx, world, tenantId)),
  ...(await listSecurityContacts(tx, world, tenantId)),
]

function alertTo(readers: readonly string[], row: LoggedRow, event: Logged): Noticed[] {
  const by = event.actor?.user
  const data = { message: event.message ?? '', by: by?.name ?? '', at: row.occurredAt.toISOString() }
  const of = { kind: 'system', key: `event ${row.eventId}`, taskId: '', stepId: '', data, dueAt: null } as const
  return readers.filter((userId) => userId !== by?.uid).map((userId) => ({ userId, ...of }))
}
