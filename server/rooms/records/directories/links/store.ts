import type { Tx } from '#kernel/sql.ts'
import type { Said } from '../people/said.ts'

export type NewLink = {
  accountId: string
  userId: string
  externalId: string | null
  isActive: boolean
  traces: readonly string[]
  said: Said
  seenAt: Date
  matchedBy: string
}

/** Writes the users whom accounts belong to, with the values that they provide. */
export async function putLinks(
  tx: Tx,
  tenantId: number,
  appId: string,
  links: readonly NewLink[],
  at: Date,
): Promise<void> {
  if (links.length === 0) return
  await tx`
    insert into directory_users as x (tenant_id, app_id, account_id, user_id, user_name, external_id, is_active, emails,
      resource, version, is_source, seen_at, matched_by, manager_ref, created_at, updated_at)
    select ${tenantId}::int, ${appId}::text, w."accountId", w."userId", w."accountId", w."externalId", w."isActive",
      w.traces, w.said, 1, false, w."seenAt", w."matchedBy", w.said ->> 'manager', ${at}::timestamptz, ${at}::timestamptz
    from jsonb_to_recordset(${tx.json(links)}) as w ("accountId" text, "userId" text, "externalId" text,
      "isActive" boolean, traces text[], said jsonb, "seenAt" timestamptz, "matchedBy" text)
    on conflict (tenant_id, app_id, account_id) do update set user_id = excluded.user_id,
      external_id = excluded.external_id, is_active = excluded.is_active, emails = excluded.emails,
      resource = excluded.resource, version = x.version + 1, seen_at = excluded.seen_at,
      matched_by = excluded.matched_by, manager_ref = excluded.manager_ref,
      manager_id = case when x.manager_ref = excluded.manager_ref then x.manager_id else '' end,
      is_source = x.is_source and x.user_id = excluded.user_id and x.deleted_at is null,
      is_held = x.is_held and not excluded.is_active,
      deactivated_at = case when excluded.is_active then null else x.deactivated_at end,
      updated_at = excluded.updated_at, deleted_at = null`
}

/** The accounts no longer belong to users through this directory. */
export async function endLinks(
  tx: Tx,
  tenantId: number,
  appId: string,
  accounts: readonly { id: string; updatedAt: Date }[],
  at: Date,
): Promise<void> {
  if (accounts.length === 0) return
  await tx`
    update directory_users x set deleted_at = ${at}, updated_at = ${at}, is_active = false, is_source = false,
      seen_at = w.seen_at, version = x.version + 1
    from unnest(${accounts.map(({ id }) => id)}::text[], ${accounts.map(({ updatedAt }) => updatedAt)}::timestamptz[])
      as w (account_id, seen_at)
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.account_id = w.account_id`
}

/** Holds the deactivation of these users until a person decides. */
export async function holdLinks(
  tx: Tx,
  tenantId: number,
  appId: string,
  userIds: readonly string[],
  { isHeld, at }: { isHeld: boolean; at: Date },
): Promise<void> {
  await tx`
    update directory_users set is_held = ${isHeld}, deactivated_at = ${at}
    where tenant_id = ${tenantId} and app_id = ${appId} and user_id = any(${userIds}::text[])
      and not is_active`
}

/**
 * Moves the accounts of one user in directories to another user. The move itself does not make the account be processed
 * again.
 */
export async function moveLinks(
  tx: Tx,
  tenantId: number,
  refs: readonly (readonly [appId: string, id: string])[],
  { from, to, at }: { from: string; to: string; at: Date },
): Promise<void> {
  if (refs.length === 0) return
  await tx`
    update directory_users x set user_id = ${to}, is_source = false, updated_at = ${at}
    from unnest(${refs.map(([appId]) => appId)}::text[], ${refs.map(([, id]) => id)}::text[]) as w (app_id, account_id)
    where x.tenant_id = ${tenantId} and x.app_id = w.app_id and x.account_id = w.account_id and x.user_id = ${from}`
  await tx`
    update directory_users set manager_id = ${to} where tenant_id = ${tenantId} and manager_id = ${from}`
}
