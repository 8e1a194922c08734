import type { Page } from '#kernel/pages.ts'
import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { forEachTenant, listTenantsWith } from '#kernel/tenants-with.ts'
import { rowMac } from '../row-mac.ts'
import type { Invitation, InvitationState } from './decide.ts'

/** The row in the database: whether this program wrote it is checked with `isAuthenticInvitation`. */
export type InvitationRow = Invitation & { mac: Buffer }

const columns = (db: Reads) => db`
  invitation_id as id, user_id as "userId", email, secret_sha256 as "secretSha256", created_by as "createdBy",
  created_at as "createdAt", expires_at as "expiresAt", used_at as "usedAt", revoked_at as "revokedAt", mac`

const invitationMac = (seals: Seals, tenantId: number, invitation: Invitation): Buffer =>
  rowMac(seals, 'invitation', tenantId, [
    invitation.id,
    invitation.userId,
    invitation.email,
    invitation.secretSha256,
    invitation.createdBy,
    invitation.createdAt,
    invitation.expiresAt,
    invitation.usedAt,
    invitation.revokedAt,
  ])
export const isAuthenticInvitation = (seals: Seals, tenantId: number, row: InvitationRow): boolean =>
  isSameMac(row.mac, invitationMac(seals, tenantId, row))

export async function insertInvitation(tx: Tx, seals: Seals, tenantId: number, made: Invitation): Promise<void> {
  await tx`
    insert into invitations (tenant_id, invitation_id, user_id, email, secret_sha256, created_by, created_at, expires_at,
      used_at, revoked_at, mac)
    values (${tenantId}, ${made.id}, ${made.userId}, ${made.email}, ${made.secretSha256}, ${made.createdBy},
      ${made.createdAt}, ${made.expiresAt}, ${made.usedAt}, ${made.revokedAt}, ${invitationMac(seals, tenantId, made)})`
}

/** The columns that change: when it was used, and when it was revoked. */
export async function updateInvitation(tx: Tx, seals: Seals, tenantId: number, changed: Invitation): Promise<void> {
  await tx`
    update invitations set used_at = ${changed.usedAt}, revoked_at = ${changed.revokedAt},
      mac = ${invitationMac(seals, tenantId, changed)}
    where tenant_id = ${tenantId} and invitation_id = ${changed.id}`
}

/** Of two requests that use it at once, the second waits for the first and finds it used. */
export async function lockInvitationBySecret(
  tx: Tx,
  tenantId: number,
  secretSha256: Buffer,
): Promise<InvitationRow | null> {
  const [row] = await tx<InvitationRow[]>`
    select ${columns(tx)} from invitations
    where tenant_id = ${tenantId} and secret_sha256 = ${secretSha256} for update`
  return row ?? null
}

export async function lockInvitation(tx: Tx, tenantId: number, id: string): Promise<InvitationRow | null> {
  const [row] = await tx<InvitationRow[]>`
    select ${columns(tx)} from invitations where tenant_id = ${tenantId} and invitation_id = ${id} for update`
  return row ?? null
}

/** Those of a user that could still be used. */
export async function lockWaitingOf(tx: Tx, tenantId: number, userId: string, now: Date): Promise<InvitationRow[]> {
  return tx<InvitationRow[]>`
    select ${columns(tx)} from invitations
    where tenant_id = ${tenantId} and user_id = ${userId} and used_at is null and revoked_at is null
      and expires_at > ${now}
    order by invitation_id for update`
}

/** The newest of a user. */
export async function findLatestOf(db: Reads, tenantId: number, userId: string): Promise<InvitationRow | null> {
  const [row] = await db<InvitationRow[]>`
    select ${columns(db)} from invitations
    where tenant_id = ${tenantId} and user_id = ${userId} order by invitation_id desc limit 1`
  return row ?? null
}

/** The newest first. */
export async function listInvitations(
  db: Reads,
  tenantId: number,
  { state, userId }: { state: InvitationState | ''; userId: string },
  now: Date,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<InvitationRow[]> {
  const inState = {
    '': db``,
    USED: db`and used_at is not null`,
    REVOKED: db`and used_at is null and revoked_at is not null`,
    EXPIRED: db`and used_at is null and revoked_at is null and expires_at <= ${now}`,
    WAITING: db`and used_at is null and revoked_at is null and expires_at > ${now}`,
  }
  return db<InvitationRow[]>`
    select ${columns(db)} from invitations
    where tenant_id = ${tenantId} ${inState[state]} ${userId === '' ? db`` : db`and user_id = ${userId}`}
      ${page.after ? db`and invitation_id < ${page.after[0] as string}` : db``}
    order by invitation_id desc limit ${page.limit}`
}

/** Those of people who may no longer sign in, and could still be used. */
export async function lockWaitingOfDisabled(tx: Tx, tenantId: number, now: Date): Promise<InvitationRow[]> {
  return tx<InvitationRow[]>`
    select ${columns(tx)} from invitations
    where tenant_id = ${tenantId} and used_at is null and revoked_at is null and expires_at > ${now}
      and user_id in (
        select u.user_id from users u
        where u.tenant_id = ${tenantId} and (u.status <> 'ENABLED' or u.deleted_at is not null))
    order by invitation_id for update`
}

/** Those that expired by then, of all tenants. */
export async function deleteInvitationsExpiredBy(db: Reads, by: Date): Promise<void> {
  const tenantIds = await listTenantsWith(
    db,
    (after) => db`select tenant_id from invitations where expires_at <= ${by} and tenant_id > ${after}`,
  )
  await forEachTenant(
    tenantIds,
    (tenantId) => db`delete from invitations where tenant_id = ${tenantId} and expires_at <= ${by}`,
  )
}
