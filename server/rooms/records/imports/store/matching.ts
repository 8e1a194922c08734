import type { Tx } from '#kernel/sql.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'
import { filled } from './temporary.ts'

/** The attributes by which accounts can be matched with users, and the matches found. */
export async function createMatchingTables(tx: Tx): Promise<void> {
  await tx.unsafe(`
    create temporary table traces (app_id text collate "C", account_id text collate "C", emails text[],
      usernames text[], employee_ids text[], display_names text[]) on commit drop;
    create temporary table matches (account_id text collate "C", user_id text collate "C") on commit drop;
    create temporary table adopted (line int, new_id text collate "C", account_id text collate "C") on commit drop`)
}

// A name is used only in an app that is set to match by it.
const names = (tx: Tx, name: string) =>
  tx.unsafe(
    `case when a.identity_matching = 'APP_USER_IDENTITY_MATCHING_DISPLAY_NAME' then array[${name}] else '{}' end`,
  )

/**
 * Matches the accounts of the file that name no user, as the room of accounts does for a few at a time: by email address,
 * else by username, else by employee id, else by name; an attribute that leads to two people matches none. The users have to
 * be as in the file by then.
 */
export async function matchStaged(tx: Tx, tenantId: number): Promise<void> {
  await filled(
    tx,
    'traces',
    tx`
    insert into traces
    select r.app_id, r.account_id, s.emails, s.usernames, s.employee_ids, ${names(tx, 's.display_name')}
    from staged_accounts s
    join resolved_accounts r using (line)
    join apps a on a.tenant_id = ${tenantId} and a.app_id = r.app_id
    where s."user" = ''`,
  )
  await match(tx, tenantId)
}

/**
 * A manually managed account was created because its user was granted something and had none; the app may report it later: a
 * new line of the same user and app becomes that account, with its grants. To be called once the lines are matched.
 */
export async function adoptAccounts(tx: Tx, tenantId: number): Promise<void> {
  const { count } = await tx`
    insert into adopted
    select distinct on (a.account_id) r.line, r.account_id, a.account_id
    from resolved_accounts r
    left join matches m using (account_id)
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = r.app_id and a.user_id = coalesce(r.user_id, m.user_id)
    where r.is_new and a.is_manually_managed and a.external_id is null and a.deleted_at is null
    order by a.account_id, r.line`
  if (count === 0) return
  // If there are several such accounts, a line becomes the oldest.
  await tx`delete from adopted d using adopted o where o.line = d.line and o.account_id < d.account_id`
  await tx`update matches m set account_id = d.account_id from adopted d where d.new_id = m.account_id`
  await tx`update resolved_grants g set account_id = d.account_id from adopted d where d.new_id = g.account_id`
  await tx`update resolved_accounts r set account_id = d.account_id, is_new = false from adopted d where d.line = r.line`
}

/**
 * Accounts that were created in the app for someone stay theirs, even if the app reports something else: some apps report no
 * email address by which the person could be found. To be called once the lines are matched.
 */
export async function keepCreated(tx: Tx, tenantId: number, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return
  await tx`create temporary table created (account_id text collate "C", user_id text collate "C") on commit drop`
  await tx`
    insert into created
    select a.account_id, a.user_id from accounts a
    where a.tenant_id = ${tenantId} and a.account_id = any(${accountIds}::text[]) and a.user_id is not null
      and a.deleted_at is null`
  await tx`delete from matches m using created c where c.account_id = m.account_id`
  await tx`insert into matches select c.account_id, c.user_id from created c join resolved_accounts r using (account_id)`
}

/** Matches accounts without a user that are not in the file: the file may have brought their users. */
export async function matchOthers(tx: Tx, tenantId: number, at: Date): Promise<number> {
  await tx`truncate traces`
  await filled(
    tx,
    'traces',
    tx`
    insert into traces
    select o.app_id, o.account_id, o.emails || o.email, o.usernames || o.username, o.employee_ids,
      ${names(tx, 'o.display_name')}
    from accounts o join apps a using (tenant_id, app_id)
    left join resolved_accounts r on r.account_id = o.account_id
    left join directories d on d.tenant_id = ${tenantId} and d.app_id = o.app_id and d.kind = 'app' and d.deleted_at is null
    where o.tenant_id = ${tenantId} and o.user_id is null and o.deleted_at is null and r.account_id is null
      and d.app_id is null`,
  )
  await match(tx, tenantId)
  const { count } = await updateRecords(tx, tenantId, 'accounts', {
    set: { user_id: tx`m.user_id`, updated_at: at },
    from: tx`matches m join traces t using (account_id)`,
    where: tx`x.app_id = t.app_id and x.account_id = t.account_id`,
  })
  return count
}

const ways = [
  ['emails', 'u.emails || u.email'],
  ['usernames', 'u.usernames || u.username'],
  ['employee_ids', 'u.employee_ids'],
  ['display_names', 'array[u.display_name]'],
] as const

/**
 * One attribute after another. Each is one of the keys that users are searched by, so it takes one index probe. The keys are
 * found before the users: the planner knows little about tables that were just filled, and joined the other way around it
 * would compare every account with every user.
 */
async function match(tx: Tx, tenantId: number): Promise<void> {
  for (const [trace, ofUser] of ways) {
    await filled(
      tx,
      'matches',
      tx`
      with hits as materialized (
        select t.account_id, t.value, k.object_id as user_id
        from (
          select account_id, lower(value) as value from traces cross join lateral unnest(${tx(trace)}) as value
          where value <> '' and not exists (select 1 from matches m where m.account_id = traces.account_id)
        ) t
        join search_keys k on k.tenant_id = ${tenantId} and k.kind = 'user' and k.key = left(t.value, 100)
      )
      insert into matches
      select h.account_id, min(coalesce(nullif(u.merged_into, ''), u.user_id))
      from hits h join users u on u.tenant_id = ${tenantId} and u.user_id = h.user_id and u.deleted_at is null
      where h.value = any(lower((${tx.unsafe(ofUser)})::text)::text[])
      group by h.account_id
      having count(distinct coalesce(nullif(u.merged_into, ''), u.user_id)) = 1`,
    )
  }
}
