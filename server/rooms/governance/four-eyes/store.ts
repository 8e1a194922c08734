import type { May } from '#authority/proof.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Change } from './change.ts'
import type { Choosing, Rule } from './kinds.ts'

const ruleColumns = (db: Reads) =>
  db`f.kind, f.policy_id as "policyId", f.changed_by as "changedBy", f.changed_at as "changedAt"`

/** Those first that were set first. */
export async function listRules(db: Reads, tenantId: number): Promise<Rule[]> {
  return db<Rule[]>`select ${ruleColumns(db)} from four_eyes f where f.tenant_id = ${tenantId}
    order by coalesce(f.created_at, f.changed_at), f.kind`
}

/** Locks the rules: which changes need approval stays the same until the transaction ends. */
export async function lockRules(tx: Tx, tenantId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`four-eyes ${tenantId}`}, 0))`
}

export async function putRule(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'four-eyes.change'>,
  rule: Rule,
): Promise<void> {
  await tx`
    insert into four_eyes (tenant_id, kind, policy_id, changed_by, changed_at, created_at)
    values (${tenantId}, ${rule.kind}, ${rule.policyId}, ${rule.changedBy}, ${rule.changedAt}, ${rule.changedAt})
    on conflict (tenant_id, kind) do update set policy_id = excluded.policy_id, changed_by = excluded.changed_by,
      changed_at = excluded.changed_at, created_at = coalesce(four_eyes.created_at, four_eyes.changed_at)`
}

export async function deleteRule(tx: Tx, tenantId: number, kind: string): Promise<void> {
  await tx`delete from four_eyes where tenant_id = ${tenantId} and kind = ${kind}`
}

/** The policies that some policies refer to directly. */
export async function listReferred(db: Reads, tenantId: number, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ ids: string[] }[]>`
    select p.referred_ids as ids from policies p
    where p.tenant_id = ${tenantId} and p.policy_id = any(${ids}::text[]) and p.deleted_at is null`
  return rows.flatMap((row) => row.ids)
}

/** Whether some policies point at a user: by name, by an entitlement that they have, as the manager of an author, or as somebody's delegate. */
export async function couldApprove(
  db: Reads,
  tenantId: number,
  { policyIds, userId, authorId }: { policyIds: readonly string[]; userId: string; authorId: string },
): Promise<boolean> {
  const rows = await db`
    select 1 from policies p
    where p.tenant_id = ${tenantId} and p.policy_id = any(${policyIds}::text[]) and (
      position(${userId}::text in p.steps::text) > 0
      or exists (select 1 from user_delegations d where d.tenant_id = ${tenantId} and d.delegated_user_id = ${userId})
      or (position('"manager"' in p.steps::text) > 0 and exists (select 1 from users u
        where u.tenant_id = ${tenantId} and u.user_id = ${authorId} and u.manager_ids @> array[${userId}::text]))
      or exists (select 1 from accounts a
        join grants g on g.tenant_id = ${tenantId} and g.app_id = a.app_id and g.account_id = a.account_id
        where a.tenant_id = ${tenantId} and a.user_id = ${userId} and a.deleted_at is null and g.ended_at is null
          and position(g.entitlement_id in p.steps::text) > 0))
    limit 1`
  return rows.length > 0
}

const columns = (db: Reads) => db`
  c.task_id as "taskId", c.kind, c.operation, c.path, c.body, c.plan, c.fingerprint, c.author_id as "authorId",
  c.client_id as "clientId", c.session_id as "sessionId", c.source_address as "sourceAddress",
  c.request_id as "requestId", c.created_at as "createdAt", c.carried_out_at as "carriedOutAt", c.mac`

export type KeptChange = Change & { mac: Buffer }

export async function insertChange(tx: Tx, tenantId: number, change: KeptChange): Promise<void> {
  await tx`
    insert into changes (tenant_id, task_id, kind, operation, path, body, plan, fingerprint, author_id, client_id,
      session_id, source_address, request_id, created_at, mac)
    values (${tenantId}, ${change.taskId}, ${change.kind}, ${change.operation}, ${tx.json(change.path)},
      ${change.body === undefined || change.body === null ? null : tx.json(change.body)},
      ${tx.json(change.plan)}, ${change.fingerprint}, ${change.authorId}, ${change.clientId}, ${change.sessionId},
      ${change.sourceAddress}, ${change.requestId}, ${change.createdAt}, ${change.mac})`
}

export async function findChange(db: Reads, tenantId: number, taskId: string): Promise<KeptChange | null> {
  const [row] = await db<KeptChange[]>`
    select ${columns(db)} from changes c where c.tenant_id = ${tenantId} and c.task_id = ${taskId}`
  return row ?? null
}

/** The open task in which the same change of the same author is waiting already. */
export async function findWaiting(
  db: Reads,
  tenantId: number,
  { authorId, fingerprint }: Pick<Change, 'authorId' | 'fingerprint'>,
): Promise<{ id: string; number: number } | null> {
  const [row] = await db<{ id: string; number: number }[]>`
    select t.task_id as id, t.number::float8 as number from changes c
    join tasks t on t.tenant_id = ${tenantId} and t.task_id = c.task_id
    where c.tenant_id = ${tenantId} and c.author_id = ${authorId} and c.fingerprint = ${fingerprint} and t.is_open
    order by t.task_id limit 1`
  return row ?? null
}

export async function markCarriedOut(tx: Tx, tenantId: number, taskId: string, at: Date): Promise<void> {
  await tx`update changes set carried_out_at = ${at} where tenant_id = ${tenantId} and task_id = ${taskId}`
}

/** The policies that decide access to something, locked until the transaction ends. */
export async function lockChosen(
  tx: Tx,
  tenantId: number,
  of: Choosing,
  path: { readonly [name: string]: string },
): Promise<string> {
  return JSON.stringify((await chosenRows[of](tx, tenantId, path))[0] ?? null)
}

type Path = { readonly [name: string]: string }

const chosenRows = {
  apps: (tx: Tx, tenantId: number, path: Path) => tx`
    select a.grant_policy_id, a.revoke_policy_id, a.certify_policy_id from apps a
    where a.tenant_id = ${tenantId} and a.app_id = ${path['id'] ?? ''} for no key update`,
  // Overriding the defaults of the app also turns off routing rules; the provisioner decides what is granted.
  entitlements: (tx: Tx, tenantId: number, path: Path) => tx`
    select e.grant_policy_id, e.revoke_policy_id, e.certify_policy_id, e.emergency_policy_id, e.is_emergency_enabled,
      e.overrides_defaults, e.provisioner, e.deprovisioner
    from entitlements e
    where e.tenant_id = ${tenantId} and e.app_id = ${path['app_id'] ?? ''}
      and e.entitlement_id = ${path['id'] ?? ''} for no key update`,
  // Whether access in a profile is granted, and revoked, without its policies.
  profiles: (tx: Tx, tenantId: number, path: Path) => tx`
    select p.enrollment, p.unenrollment, p.unenrollment_entitlements from profiles p
    where p.tenant_id = ${tenantId} and p.profile_id = ${path['id'] ?? ''} for no key update`,
  // A rule with another version is another rule.
  rules: (tx: Tx, tenantId: number, path: Path) => tx`
    select m.version from automations m
    where m.tenant_id = ${tenantId} and m.app_id = ${path['app_id'] ?? ''}
      and m.entitlement_id = ${path['app_entitlement_id'] ?? ''} for no key update`,
  // The owners of the connector; their order has no effect on access.
  async connectors(tx: Tx, tenantId: number, path: Path) {
    const appId = path['app_id'] ?? path['connector_app_id'] ?? ''
    const id = path['connector_id'] ?? path['id'] ?? ''
    // A separate statement: rows of an aggregate cannot be locked.
    await tx`
      select 1 from connectors c where c.tenant_id = ${tenantId} and c.app_id = ${appId} and c.connector_id = ${id}
      for no key update`
    return tx`
      select coalesce(string_agg(o.user_id, ' ' order by o.user_id), '') as users from owners o
      where o.tenant_id = ${tenantId} and o.kind = 'connector' and o.app_id = ${appId} and o.resource_type_id = ''
        and o.object_id = ${id} and o.role_slug = 'primary' and o.user_id is not null and o.ended_at is null`
  },
}

export type Named = { id: string; type: string; displayName: string }

/** The names of ids, for the types of objects that changes are about. */
export const listNamed = (db: Reads, tenantId: number, ids: readonly string[]): Promise<Named[]> => db<Named[]>`
  select u.user_id as id, 'user' as type, u.display_name as "displayName" from users u
  where u.tenant_id = ${tenantId} and u.user_id = any(${ids}::text[])
  union all select r.role_id, 'role', r.display_name from roles r
  where r.tenant_id = ${tenantId} and r.role_id = any(${ids}::text[])
  union all select p.policy_id, 'policy', p.display_name from policies p
  where p.tenant_id = ${tenantId} and p.policy_id = any(${ids}::text[])
  union all select a.app_id, 'app', a.display_name from apps a
  where a.tenant_id = ${tenantId} and a.app_id = any(${ids}::text[])
  union all select e.entitlement_id, 'entitlement', e.display_name from entitlements e
  where e.tenant_id = ${tenantId} and e.entitlement_id = any(${ids}::text[])
  limit ${namedMax}`

const namedMax = 1000

/** The events that a transaction has written to the system log, by its new ids. */
export async function listEventsWritten(
  tx: Reads,
  tenantId: number,
  ids: readonly string[],
): Promise<{ readonly [name: string]: unknown }[]> {
  if (ids.length === 0) return []
  const rows = await tx<{ event: string }[]>`
    select e.event from systemlog_events e
    where e.tenant_id = ${tenantId} and e.event_id = any(${ids}::text[]) order by e.event_id`
  return rows.map(({ event }) => JSON.parse(event) as { readonly [name: string]: unknown })
}
