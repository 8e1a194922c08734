import type { Tx } from '#kernel/sql.ts'
import { filled } from './temporary.ts'

/** What a dry run would do to the user of a line. */
export type UserChange = {
  line: number
  change: 'added' | 'changed'
  /** Fields of the API whose values would change. */
  fields: string[]
  /** The line has another key than the user: they have the same email address. */
  isJoined: boolean
  isDisabled: boolean
  isEnabled: boolean
}
export type Preview = { users: UserChange[]; disabled: number; enabled: number; joined: number }

const compared = {
  displayName: 'display_name',
  email: 'email',
  emails: 'emails',
  username: 'username',
  usernames: 'usernames',
  employeeIds: 'employee_ids',
  department: 'department',
  jobTitle: 'job_title',
  employmentType: 'employment_type',
  employmentStatus: 'employment_status',
  managerIds: 'manager_ids',
  profile: 'profile',
  status: 'status',
} as const

const types: Partial<Record<string, string>> = {
  emails: 'text[]',
  usernames: 'text[]',
  employee_ids: 'text[]',
  manager_ids: 'text[]',
  profile: 'jsonb',
  deleted_at: 'timestamptz',
}
const columns = ['external_id', 'deleted_at', ...Object.values(compared)]

/** Notes the users of the file as they are before it is merged. */
export async function noteUsers(tx: Tx, tenantId: number): Promise<void> {
  await tx.unsafe(`create temporary table users_before (line int, is_new boolean, is_joined boolean, user_id text collate "C",
    ${columns.map((column) => `${column} ${types[column] ?? 'text'}`).join(', ')}) on commit drop`)
  await filled(
    tx,
    'users_before',
    tx`
    insert into users_before
    select r.line, r.is_new, not r.is_new and x.external_id is distinct from r.external_id, r.user_id,
      ${tx.unsafe(columns.map((column) => `x.${column}`).join(', '))}
    from resolved_users r left join users x on x.tenant_id = ${tenantId} and x.user_id = r.user_id`,
  )
}

/** Who would be added or changed, up to `limit`, and how many would be disabled and enabled. */
export async function previewUsers(tx: Tx, tenantId: number, limit: number): Promise<Preview> {
  const fields = Object.entries(compared).map(
    ([field, column]) => `case when b.${column} is distinct from x.${column} then '${field}' end`,
  )
  const isDisabled = tx`(not b.is_new and b.status = 'ENABLED' and x.status <> 'ENABLED')`
  const isEnabled = tx`(not b.is_new and (b.status <> 'ENABLED' or b.deleted_at is not null) and x.status = 'ENABLED')`
  const both = tx`users_before b join users x on x.tenant_id = ${tenantId} and x.user_id = b.user_id`
  const users = await tx<UserChange[]>`
    select * from (
      select b.line, case when b.is_new then 'added' else 'changed' end as change, b.is_joined as "isJoined",
        case when b.is_new then '{}' else array_remove(array[${tx.unsafe(fields.join(', '))}], null) end as fields,
        ${isDisabled} as "isDisabled", ${isEnabled} as "isEnabled"
      from ${both}) c
    where c.change = 'added' or c.fields <> '{}' or c."isJoined" or c."isEnabled"
    order by c.line limit ${limit}`
  const [row] = await tx<{ disabled: number; enabled: number; joined: number }[]>`
    select count(*) filter (where ${isDisabled})::int as disabled, count(*) filter (where ${isEnabled})::int as enabled,
      count(*) filter (where b.is_joined)::int as joined
    from ${both}`
  return { users, disabled: row?.disabled ?? 0, enabled: row?.enabled ?? 0, joined: row?.joined ?? 0 }
}
