import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { KeptSession, Session } from './session.ts'

const columns = (db: Reads) => db`
  session_id as id, user_id as "userId", method, source_address as "sourceAddress", user_agent as "userAgent",
  created_at as "createdAt", rotated_at as "rotatedAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt"`
const kept = (db: Reads) => db`
  ${columns(db)}, secret_sha256 as "secretSha256", previous_sha256 as "previousSha256",
  previous_until as "previousUntil"`

export async function insertSession(
  tx: Tx,
  tenantId: number,
  session: Session & { secretSha256: Buffer },
): Promise<void> {
  await tx`
    insert into sessions (tenant_id, session_id, user_id, secret_sha256, method, source_address, user_agent, created_at,
      rotated_at, last_seen_at, expires_at)
    values (${tenantId}, ${session.id}, ${session.userId}, ${session.secretSha256}, ${session.method},
      ${session.sourceAddress}, ${session.userAgent}, ${session.createdAt}, ${session.rotatedAt}, ${session.lastSeenAt},
      ${session.expiresAt})`
}

/** By its secret, or the one before. */
export async function findSessionBySecret(
  db: Reads,
  tenantId: number,
  secretSha256: Buffer,
): Promise<KeptSession | null> {
  const [row] = await db<KeptSession[]>`
    select ${kept(db)} from sessions where tenant_id = ${tenantId} and secret_sha256 = ${secretSha256}
    union all
    select ${kept(db)} from sessions where tenant_id = ${tenantId} and previous_sha256 = ${secretSha256}
    limit 1`
  return row ?? null
}

export async function findSession(db: Reads, tenantId: number, id: string): Promise<Session | null> {
  const [row] = await db<Session[]>`
    select ${columns(db)} from sessions where tenant_id = ${tenantId} and session_id = ${id}`
  return row ?? null
}

/** The newest first. */
export async function listSessionsOf(
  db: Reads,
  tenantId: number,
  userId: string,
  seenSince: Date,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Session[]> {
  return db<Session[]>`
    select ${columns(db)} from sessions
    where tenant_id = ${tenantId} and user_id = ${userId} and last_seen_at > ${seenSince}
      ${page.after ? db`and session_id < ${page.after[0] as string}` : db``}
    order by session_id desc limit ${page.limit}`
}

/** Whether it was this call that gave the session a new secret: of two at once only one does. */
export async function rotateSession(
  db: Reads,
  tenantId: number,
  session: KeptSession,
  { presented, next, at }: { presented: Buffer; next: Buffer; at: Date },
): Promise<boolean> {
  const rows = await db`
    update sessions set secret_sha256 = ${next}, previous_sha256 = ${presented}, previous_until = null,
      rotated_at = ${at}
    where tenant_id = ${tenantId} and session_id = ${session.id} and secret_sha256 = ${session.secretSha256}
    returning 1 as rotated`
  return rows.length === 1
}

/** The new secret was seen: the one before is honoured for a moment only. */
export async function retirePrevious(db: Reads, tenantId: number, session: KeptSession, until: Date): Promise<void> {
  await db`
    update sessions set previous_until = ${until}
    where tenant_id = ${tenantId} and session_id = ${session.id} and secret_sha256 = ${session.secretSha256}
      and previous_until is null`
}

/** The session that was there, or null. */
export async function deleteSession(tx: Tx, tenantId: number, userId: string, id: string): Promise<KeptSession | null> {
  const [row] = await tx<KeptSession[]>`
    delete from sessions where tenant_id = ${tenantId} and user_id = ${userId} and session_id = ${id}
    returning ${kept(tx)}`
  return row ?? null
}

export async function deleteOtherSessions(
  tx: Tx,
  tenantId: number,
  userId: string,
  except: string,
): Promise<KeptSession[]> {
  return tx<KeptSession[]>`
    delete from sessions where tenant_id = ${tenantId} and user_id = ${userId} and session_id <> ${except}
    returning ${kept(tx)}`
}

export type Sight = { tenantId: number; sessionId: string; at: Date }

export async function updateLastSeen(db: Reads, sights: readonly Sight[]): Promise<void> {
  await db`
    update sessions s set last_seen_at = u.at
    from unnest(
      ${sights.map((sight) => sight.tenantId)}::int[],
      ${sights.map((sight) => sight.sessionId)}::text[],
      ${sights.map((sight) => sight.at.toISOString())}::timestamptz[]
    ) as u (tenant_id, session_id, at)
    where s.tenant_id = u.tenant_id and s.session_id = u.session_id and s.last_seen_at < u.at`
}

export async function deleteEndedSessions(db: Reads, now: Date, seenSince: Date): Promise<void> {
  await db`delete from sessions where expires_at <= ${now} or last_seen_at <= ${seenSince}`
}

/** Those of people who may sign in no longer, who begin anew if they may again. */
export async function deleteSessionsOfDisabled(db: Reads): Promise<void> {
  await db`
    delete from sessions s using users u
    where u.tenant_id = s.tenant_id and u.user_id = s.user_id and (u.status <> 'ENABLED' or u.deleted_at is not null)`
}
