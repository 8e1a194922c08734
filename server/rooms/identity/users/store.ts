import type { Reads, Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { fewMax, insertRecords, updateRecords } from '#rooms/foundation/writes/index.ts'
import { type AssignedRole, isAssignmentProven } from '#rooms/identity/roles/index.ts'

export type NewUser = {
  id: string
  externalId?: string
  type?: 'USER_TYPE_HUMAN' | 'USER_TYPE_SERVICE'
  origin?: 'USER_ORIGIN_LOCAL' | 'USER_ORIGIN_DIRECTORY'
  status?: 'ENABLED' | 'DISABLED'
  /** The directory that disables them. */
  disabledBy?: string
  displayName: string
  email: string
  /** All of them, if there are several. */
  emails?: readonly string[]
  username?: string
  employeeId?: string
  department?: string
  jobTitle?: string
  employmentType?: string
  employmentStatus?: string
  managerId?: string
  profile?: Record<string, string | number | boolean>
  sources?: object
}

// PostgreSQL takes at most 65,535 parameters in one statement.
const rowsPerStatement = 1000

export async function insertUsers(tx: Tx, tenantId: number, users: readonly NewUser[], at: Date): Promise<void> {
  for (let from = 0; from < users.length; from += rowsPerStatement) {
    const rows = users.slice(from, from + rowsPerStatement).map((user) => ({
      tenant_id: tenantId,
      user_id: user.id,
      external_id: user.externalId ?? null,
      type: user.type ?? 'USER_TYPE_HUMAN',
      origin: user.origin ?? 'USER_ORIGIN_LOCAL',
      status: user.status ?? 'ENABLED',
      directory_status: user.status ?? 'ENABLED',
      disabled_by: user.disabledBy ?? '',
      display_name: user.displayName,
      email: user.email,
      emails: user.emails ?? [user.email].filter((email) => email !== ''),
      username: user.username ?? '',
      usernames: user.username ? [user.username] : [],
      employee_ids: user.employeeId ? [user.employeeId] : [],
      department: user.department ?? '',
      job_title: user.jobTitle ?? '',
      employment_type: user.employmentType ?? '',
      employment_status: user.employmentStatus ?? '',
      manager_ids: user.managerId ? [user.managerId] : [],
      profile: tx.json(user.profile ?? {}),
      sources: tx.json(user.sources ?? {}),
      created_at: at,
      updated_at: at,
    }))
    await insertRecords(tx, tenantId, 'users', tx(rows), { isFew: rows.length <= fewMax })
  }
}

export type Person = { id: string; displayName: string; email: string; status: string; isPrincipal: boolean }

/** Like `isPrincipal` in user.ts. */
export const isPrincipalRow = (db: Reads, of = 'users') =>
  db`(${db(of)}.type = 'USER_TYPE_SERVICE' and ${db(of)}.origin = 'USER_ORIGIN_LOCAL')`

export async function findUserByEmail(db: Reads, tenantId: number, email: string): Promise<Person | null> {
  const [row] = await db<Person[]>`
    select user_id as id, display_name as "displayName", email, status, ${isPrincipalRow(db)} as "isPrincipal" from users
    where tenant_id = ${tenantId} and lower(email) = lower(${email}) and email <> '' and deleted_at is null`
  return row ?? null
}

export async function findPerson(db: Reads, tenantId: number, userId: string): Promise<Person | null> {
  const [row] = await db<Person[]>`
    select user_id as id, display_name as "displayName", email, status, ${isPrincipalRow(db)} as "isPrincipal" from users
    where tenant_id = ${tenantId} and user_id = ${userId} and deleted_at is null`
  return row ?? null
}

export async function updateUserStatus(
  tx: Tx,
  tenantId: number,
  userId: string,
  status: 'ENABLED' | 'DISABLED',
  at: Date,
): Promise<void> {
  // Whoever could approve changes is enabled so only when that is approved itself: they approve as before.
  const set = { status, status_since: null, disabled_by: '', updated_at: at }
  await updateRecords(tx, tenantId, 'users', { set, where: tx`x.user_id = ${userId}` }, { isFew: true })
}

/** Deletes a service principal. Its row stays, and so does everything that was recorded about it. */
export async function markDeleted(tx: Tx, tenantId: number, userId: string, at: Date): Promise<void> {
  const set = { status: 'DELETED', directory_status: 'DELETED', disabled_by: '', updated_at: at, deleted_at: at }
  await updateRecords(tx, tenantId, 'users', { set, where: tx`x.user_id = ${userId}` }, { isFew: true })
}

export async function updateDisplayName(
  tx: Tx,
  tenantId: number,
  userId: string,
  displayName: string,
  at: Date,
): Promise<void> {
  const set = { display_name: displayName, updated_at: at }
  await updateRecords(tx, tenantId, 'users', { set, where: tx`x.user_id = ${userId}` }, { isFew: true })
}

/** Whether they were merged into another user, and not split since. */
export async function isMerged(db: Reads, tenantId: number, userId: string): Promise<boolean> {
  const rows = await db`
    select 1 from users where tenant_id = ${tenantId} and user_id = ${userId} and merged_into <> ''`
  return rows.length > 0
}

/**
 * Locks those who may do everything: if two of them are removed at once, one of the transactions sees the other's
 * result.
 */
export async function lockOwnership(tx: Tx, tenantId: number): Promise<void> {
  await tx`select 1 from roles where tenant_id = ${tenantId} and name = 'system:owner' for no key update`
}

const ownersMax = 1000

/**
 * Whether anyone is left who may do everything and can sign in; an assignment that this program did not write does not
 * count.
 */
export async function hasEnabledOwner(tx: Tx, world: Pick<World, 'seals'>, tenantId: number): Promise<boolean> {
  const rows = await tx<AssignedRole[]>`
    select r.role_id as id, r.name, ur.user_id as "userId", ur.granted_at as "grantedAt",
      ur.assigned_email as "assignedEmail", ur.mac as "assignmentMac"
    from users u
    join user_roles ur on ur.tenant_id = u.tenant_id and ur.user_id = u.user_id
    join roles r on r.tenant_id = ur.tenant_id and r.role_id = ur.role_id
    where r.tenant_id = ${tenantId} and r.name = 'system:owner' and u.status = 'ENABLED' and u.deleted_at is null
      and not ${isPrincipalRow(tx, 'u')}
    order by ur.user_id limit ${ownersMax}`
  return rows.some((row) => isAssignmentProven(world, tenantId, row))
}
