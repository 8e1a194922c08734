import type { Reads } from '#kernel/sql.ts'

/** The attributes by which an account can be matched with a user. */
export type Traces = {
  emails: readonly string[]
  usernames: readonly string[]
  employeeIds: readonly string[]
  /** Only if the app is set to match by name too. */
  displayName?: string
}

const rank = { email: 1, username: 2, employeeId: 3, displayName: 4 } as const

/**
 * The users that these accounts belong to, in the same order: by email address, else by username, else by employee id, else
 * by name. An attribute that leads to two people matches none; null if no attribute matches.
 *
 * Each attribute is one of the keys that users are searched by, so a thousand accounts take a thousand probes of one index.
 */
export async function matchUsers(db: Reads, tenantId: number, accounts: readonly Traces[]): Promise<(string | null)[]> {
  const traces = accounts.flatMap(({ emails, usernames, employeeIds, displayName }, place) =>
    [
      ...emails.map((value) => [place, rank.email, value] as const),
      ...usernames.map((value) => [place, rank.username, value] as const),
      ...employeeIds.map((value) => [place, rank.employeeId, value] as const),
      ...(displayName === undefined ? [] : [[place, rank.displayName, displayName] as const]),
    ].filter(([, , value]) => value !== ''),
  )
  const found: (string | null)[] = accounts.map(() => null)
  if (traces.length === 0) return found
  const rows = await db<{ place: number; userId: string }[]>`
    select distinct on (place) place, user_id as "userId" from (
      select t.place, t.rank, min(coalesce(nullif(u.merged_into, ''), u.user_id)) as user_id
      from unnest(
        ${traces.map(([place]) => place)}::int[],
        ${traces.map(([, kind]) => kind)}::int[],
        ${traces.map(([, , value]) => value)}::text[]) as t (place, rank, value)
      join search_keys k on k.tenant_id = ${tenantId} and k.kind = 'user' and k.key = lower(left(t.value, 100))
      join users u on u.tenant_id = ${tenantId} and u.user_id = k.object_id and u.deleted_at is null
      where lower(t.value) = any(case t.rank
        when ${rank.email} then lower((u.emails || u.email)::text)::text[]
        when ${rank.username} then lower((u.usernames || u.username)::text)::text[]
        when ${rank.employeeId} then lower(u.employee_ids::text)::text[]
        else array[lower(u.display_name)] end)
      group by t.place, t.rank
      having count(distinct coalesce(nullif(u.merged_into, ''), u.user_id)) = 1
    ) led
    order by place, rank`
  for (const { place, userId } of rows) found[place] = userId
  return found
}
