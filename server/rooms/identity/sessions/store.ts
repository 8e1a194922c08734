import type { Page } from '#kernel/pages.ts'
import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { forEachTenant, listTenantsWith } from '#kernel/tenants-with.ts'
import { rowMac } from './row-mac.ts'
import type { KeptSession, Session } from './session.ts'

/** The row in the database: whether this program wrote it is checked with `isAuthentic`. */
export type SessionRow = KeptSession & { mac: Buffer; lastSeenMac: Buffer }

const columns = (db: Reads) => db`
  session_id as id, user_id as "userId", method, source_address as "sourceAddress", user_agent as "userAgent",
  created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt", idle_seconds as "idleSeconds",
  fresh_seconds as "freshSeconds", generation, branch, rotated_at as "rotatedAt", previous_branch as "previousBranch",
  previous_until as "previousUntil", offers, offered_at as "offeredAt", ended_at as "endedAt", ended_why as "endedWhy",
  mac, last_seen_mac as "lastSeenMac"`

export const sessionMac = (seals: Seals, tenantId: number, session: KeptSession): Buffer =>
  rowMac(seals, 'session', tenantId, [
    session.id,
    session.userId,
    session.method,
    session.sourceAddress,
    session.userAgent,
    session.createdAt,
    session.expiresAt,
    session.idleSeconds,
    session.freshSeconds,
    session.generation,
    session.branch,
    session.rotatedAt,
    session.previousBranch,
    session.previousUntil,
    session.offers,
    session.offeredAt,
    session.endedAt,
    session.endedWhy,
  ])
export const lastSeenMac = (seals: Seals, tenantId: number, id: string, at: Date): Buffer =>
  rowMac(seals, 'session last seen', tenantId, [id, at])

/** Whether this program wrote it, with all its columns. */
export const isAuthenticSession = (seals: Seals, tenantId: number, row: SessionRow): boolean =>
  isSameMac(row.mac, sessionMac(seals, tenantId, row)) &&
  isSameMac(row.lastSeenMac, lastSeenMac(seals, tenantId, row.id, row.lastSeenAt))

export async function insertSession(tx: Tx, seals: Seals, tenantId: number, session: KeptSession): Promise<void> {
  await tx`
    insert into sessions (tenant_id, session_id, user_id, method, source_address, user_agent, created_at, expires_at,
      idle_seconds, fresh_seconds, generation, branch, rotated_at, previous_branch, previous_until, offers, offered_at,
      mac, last_seen_at, last_seen_mac)
    values (${tenantId}, ${session.id}, ${session.userId}, ${session.method}, ${session.sourceAddress},
      ${session.userAgent}, ${session.createdAt}, ${session.expiresAt}, ${session.idleSeconds}, ${session.freshSeconds},
      ${session.generation}, ${session.branch}, ${session.rotatedAt}, ${session.previousBranch},
      ${session.previousUntil}, ${session.offers}, ${session.offeredAt}, ${sessionMac(seals, tenantId, session)},
      ${session.lastSeenAt}, ${lastSeenMac(seals, tenantId, session.id, session.lastSeenAt)})`
}

export async function findSession(db: Reads, tenantId: number, id: string): Promise<SessionRow | null> {
  const [row] = await db<SessionRow[]>`
    select ${columns(db)} from sessions where tenant_id = ${tenantId} and session_id = ${id}`
  return row ?? null
}

/** The newest first. */
export async function listSessionsOf(
  db: Reads,
  tenantId: number,
  userId: string,
  now: Date,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<SessionRow[]> {
  return db<SessionRow[]>`
    select ${columns(db)} from sessions
    where tenant_id = ${tenantId} and user_id = ${userId} and ended_at is null and expires_at > ${now}
      and last_seen_at > ${now}::timestamptz - idle_seconds * interval '1 second'
      ${page.after ? db`and session_id < ${page.after[0] as string}` : db``}
    order by session_id desc limit ${page.limit}`
}

/** Whether this call changed the session: of two at once only one does. */
export async function replaceSession(
  db: Reads,
  seals: Seals,
  tenantId: number,
  before: SessionRow,
  after: KeptSession,
): Promise<boolean> {
  const rows = await db`
    update sessions set generation = ${after.generation}, branch = ${after.branch}, rotated_at = ${after.rotatedAt},
      previous_branch = ${after.previousBranch}, previous_until = ${after.previousUntil}, offers = ${after.offers},
      offered_at = ${after.offeredAt}, ended_at = ${after.endedAt}, ended_why = ${after.endedWhy},
      mac = ${sessionMac(seals, tenantId, after)}
    where tenant_id = ${tenantId} and session_id = ${before.id} and mac = ${before.mac}
    returning 1 as replaced`
  return rows.length === 1
}

/** The deleted session, or null. */
export async function deleteSession(tx: Tx, tenantId: number, userId: string, id: string): Promise<Session | null> {
  const [row] = await tx<SessionRow[]>`
    delete from sessions
    where tenant_id = ${tenantId} and user_id = ${userId} and session_id = ${id} and ended_at is null
    returning ${columns(tx)}`
  return row ?? null
}

export async function deleteOtherSessions(
  tx: Tx,
  tenantId: number,
  userId: string,
  except: string,
): Promise<Session[]> {
  return tx<SessionRow[]>`
    delete from sessions
    where tenant_id = ${tenantId} and user_id = ${userId} and session_id <> ${except} and ended_at is null
    returning ${columns(tx)}`
}

/** Those of people who signed in by another method than these. */
export async function deleteSessionsByOtherMethods(
  tx: Tx,
  tenantId: number,
  methods: readonly string[],
): Promise<Session[]> {
  return tx<SessionRow[]>`
    delete from sessions
    where tenant_id = ${tenantId} and not method = any(${methods}::text[]) and ended_at is null
    returning ${columns(tx)}`
}

/** Those of a user that have not ended, locked until the transaction ends. */
export async function lockSessionsOf(tx: Tx, tenantId: number, userId: string): Promise<SessionRow[]> {
  return tx<SessionRow[]>`
    select ${columns(tx)} from sessions
    where tenant_id = ${tenantId} and user_id = ${userId} and ended_at is null
    order by session_id for update`
}

export type Sight = { tenantId: number; sessionId: string; at: Date }

export async function updateLastSeen(db: Reads, seals: Seals, sights: readonly Sight[]): Promise<void> {
  const macs = sights.map(({ tenantId, sessionId, at }) => lastSeenMac(seals, tenantId, sessionId, at).toString('hex'))
  await db`
    update sessions s set last_seen_at = u.at, last_seen_mac = decode(u.mac, 'hex')
    from unnest(
      ${sights.map((sight) => sight.tenantId)}::int[],
      ${sights.map((sight) => sight.sessionId)}::text[],
      ${sights.map((sight) => sight.at.toISOString())}::timestamptz[],
      ${macs}::text[]
    ) as u (tenant_id, session_id, at, mac)
    where s.tenant_id = any(${[...new Set(sights.map((sight) => sight.tenantId))]}::int[]) and s.tenant_id = u.tenant_id
      and s.session_id = u.session_id and s.last_seen_at < u.at`
}

const toldForHours = 24

// As a difference of two times, which is immutable: Citus refuses a DELETE that subtracts an interval of a column from
// a time.
const isOver = (db: Reads, now: Date) => db`(
  expires_at <= ${now} or ${now}::timestamptz - last_seen_at >= idle_seconds * interval '1 second'
  or ended_at <= ${now}::timestamptz - ${toldForHours} * interval '1 hour')`

/** Those that have expired, of all tenants. */
export async function deleteEndedSessions(db: Reads, now: Date): Promise<void> {
  const tenantIds = await listTenantsWith(
    db,
    (after) => db`select tenant_id from sessions where ${isOver(db, now)} and tenant_id > ${after}`,
  )
  await forEachTenant(
    tenantIds,
    (tenantId) => db`delete from sessions where tenant_id = ${tenantId} and ${isOver(db, now)}`,
  )
}

/** Those of people who may no longer sign in; if they may again, they need a new session. */
export async function deleteSessionsOfDisabled(tx: Tx, tenantId: number): Promise<void> {
  await tx`
    delete from sessions s using users u
    where s.tenant_id = ${tenantId} and u.tenant_id = ${tenantId} and u.user_id = s.user_id
      and (u.status <> 'ENABLED' or u.deleted_at is not null)`
}
