import type { Reads } from '#kernel/sql.ts'

export type Value = { value: string; label: string; count: number }

export type ValuesAsked = {
  /** In lower case: a part of the value. */
  query: string
  /** How many users must have a value for it to be listed. */
  least: number
  limit: number
}

// Reads at most this many users. In larger tenants these represent the rest: values that matter are those that many
// have. The console sends a request a moment after the last key, and remembers each response for a minute.
const usersMax = 200_000

const columns = {
  department: 'department',
  jobTitle: 'job_title',
  employmentType: 'employment_type',
  employmentStatus: 'employment_status',
} as const
export type ValueField = keyof typeof columns
export const valueFields = Object.keys(columns) as ValueField[]

/** The values that a field of people has, the most frequent first: for those who are enabled, or for all. */
export async function listFieldValues(
  db: Reads,
  tenantId: number,
  field: ValueField,
  { query, least, limit, isEnabledOnly }: ValuesAsked & { isEnabledOnly: boolean },
): Promise<Value[]> {
  return db<Value[]>`
    select v.value, v.value as label, count(*)::int as count from (
      select u.${db(columns[field])} as value from users u
      where u.tenant_id = ${tenantId} and u.deleted_at is null ${isEnabledOnly ? db`and u.status = 'ENABLED'` : db``}
      limit ${usersMax}) v
    where v.value <> '' and strpos(lower(v.value), ${query}) > 0
    group by v.value having count(*) >= ${least}
    order by count(*) desc, v.value limit ${limit}`
}
