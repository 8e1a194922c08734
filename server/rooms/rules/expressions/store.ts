import type { Reads } from '#kernel/sql.ts'
import {
  type ExpressionReads,
  type Held,
  heldKey,
  type Json,
  type Subject,
  type SubjectField,
  type SubjectRow,
} from './expression.ts'

/** These users, in any order; or those after a given one, by id. */
export type Which = { userIds: readonly string[] } | { after: string; limit: number }

/** The columns of all fields except those of the manager. */
export const columnOf = {
  id: 'user_id',
  email: 'email',
  emails: 'emails',
  displayName: 'display_name',
  username: 'username',
  usernames: 'usernames',
  employeeIds: 'employee_ids',
  department: 'department',
  jobTitle: 'job_title',
  employmentType: 'employment_type',
  employmentStatus: 'employment_status',
  status: 'status',
  directoryStatus: 'directory_status',
  type: 'type',
  profile: 'profile',
} as const satisfies Partial<Record<SubjectField, string>>

/** The fields of a user that have no other value. */
const nobody: Omit<Subject, 'id'> = {
  email: '',
  emails: [],
  displayName: '',
  username: '',
  usernames: [],
  employeeIds: [],
  department: '',
  jobTitle: '',
  employmentType: '',
  employmentStatus: '',
  status: '',
  directoryStatus: '',
  type: '',
  manager: '',
  managerId: '',
  profile: {},
  apps: [],
  entitlements: [],
}

export const subjectOf = ({ profile = '{}', ...row }: SubjectRow): Subject => ({
  ...nobody,
  ...row,
  profile: JSON.parse(profile) as { readonly [key: string]: Json },
})

type Reading = { readonly reads: ExpressionReads }

/**
 * Users who are not deleted, by id, with the fields that the given expressions read: all others are empty. One statement.
 */
export async function listSubjects(
  db: Reads,
  tenantId: number,
  now: Date,
  compiled: readonly Reading[],
  which: Which,
): Promise<Subject[]> {
  return (await listSubjectRows(db, tenantId, now, compiled, which)).map(subjectOf)
}

export async function listSubjectRows(
  db: Reads,
  tenantId: number,
  now: Date,
  compiled: readonly Reading[],
  which: Which,
): Promise<SubjectRow[]> {
  if ('userIds' in which && which.userIds.length === 0) return []
  const fields = new Set<SubjectField>(compiled.flatMap(({ reads }) => [...reads.fields]))
  const apps = [...new Set(compiled.flatMap(({ reads }) => reads.apps))]
  const entitlements = new Map(
    compiled.flatMap(({ reads }) => reads.entitlements).map((held) => [heldKey(held), held] as const),
  )
  // Never empty: the id is always included.
  const columns = [...new Set<SubjectField>(['id', ...fields])].map((field) => {
    if (field === 'managerId') return db`, coalesce(u.manager_ids[1], '') as "managerId"`
    if (field === 'manager') return db`, ${managerOf(db, tenantId)} as manager`
    if (field === 'profile') return db`, u.profile::text as profile`
    return field === 'id' ? db`u.user_id as id` : db`, u.${db(columnOf[field])} as ${db(field)}`
  })
  return db<SubjectRow[]>`
    select ${columns}
      ${apps.length > 0 ? db`, ${appsOf(db, tenantId, apps)} as apps` : db``}
      ${entitlements.size > 0 ? db`, ${entitlementsOf(db, tenantId, [...entitlements.values()], now)} as entitlements` : db``}
    from users u
    where u.tenant_id = ${tenantId} and u.deleted_at is null
      and ${
        'userIds' in which
          ? db`u.user_id = any(${[...new Set(which.userIds)]}::text[])`
          : db`u.user_id > ${which.after}`
      }
    order by u.user_id ${'userIds' in which ? db`` : db`limit ${which.limit}`}`
}

const managerOf = (db: Reads, tenantId: number) => db`coalesce((select manager.email from users manager
  where manager.tenant_id = ${tenantId} and manager.user_id = u.manager_ids[1]), '')`

const appsOf = (db: Reads, tenantId: number, apps: readonly string[]) => db`array(
  select distinct a.app_id::text from accounts a
  where a.tenant_id = ${tenantId} and a.user_id = u.user_id and a.app_id = any(${apps}::text[])
    and a.deleted_at is null)`

// From the user to their accounts to what these hold: never from the entitlement, of which everyone may be a member.
const entitlementsOf = (db: Reads, tenantId: number, entitlements: readonly Held[], now: Date) => db`array(
  select distinct w.app_id || '/' || w.entitlement_id
  from unnest(${entitlements.map(({ appId }) => appId)}::text[], ${entitlements.map(({ id }) => id)}::text[])
    as w (app_id, entitlement_id)
  join accounts a on a.tenant_id = ${tenantId} and a.user_id = u.user_id and a.app_id = w.app_id
    and a.deleted_at is null
  join grants g on g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.account_id = a.account_id
    and g.entitlement_id = w.entitlement_id
  where g.ended_at is null and (g.expires_at is null or g.expires_at > ${now}))`
