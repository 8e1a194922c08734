import type { May } from '#authority/proof.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { RoutingRule } from './rule.ts'

const columns = (db: Reads) => db`
  r.rule_id as id, r.app_id as "appId", r.place as priority, r.display_name as "displayName", r.description, r.condition,
  r.is_enabled as enabled, jsonb_build_object('requestPolicyId', r.grant_policy_id, 'requestSchemaId', r.form_id,
    'maxGrantDuration', r.max_seconds, 'emergencyGrantEnabled', r.is_emergency_enabled,
    'emergencyGrantPolicyId', r.emergency_policy_id) as settings,
  r.created_at as "createdAt", r.updated_at as "updatedAt"`

/** In the order in which they are tried. */
export async function listRules(db: Reads, tenantId: number, appId: string): Promise<RoutingRule[]> {
  return db<RoutingRule[]>`
    select ${columns(db)} from routing_rules r
    where r.tenant_id = ${tenantId} and r.app_id = ${appId} order by r.place`
}

export async function findRule(db: Reads, tenantId: number, appId: string, id: string): Promise<RoutingRule | null> {
  const [row] = await db<RoutingRule[]>`
    select ${columns(db)} from routing_rules r
    where r.tenant_id = ${tenantId} and r.app_id = ${appId} and r.rule_id = ${id}`
  return row ?? null
}

/** Whether the app exists; locks it, so that one change of its rules is made at a time, and their places have no gaps. */
export async function lockRulesOf(tx: Tx, tenantId: number, appId: string): Promise<boolean> {
  const rows = await tx`
    select 1 from apps a where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.deleted_at is null
    for no key update`
  return rows.length > 0
}

/** Makes room, or closes a gap: moves the rules from a place on. */
export async function moveRules(tx: Tx, tenantId: number, appId: string, from: number, by: 1 | -1): Promise<void> {
  await tx`
    update routing_rules set place = place + ${by}
    where tenant_id = ${tenantId} and app_id = ${appId} and place >= ${from}`
}

export async function insertRule(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'app.change-terms'>,
  rule: RoutingRule,
): Promise<void> {
  const { settings } = rule
  await tx`
    insert into routing_rules (tenant_id, app_id, rule_id, place, display_name, description, condition, is_enabled,
      grant_policy_id, form_id, max_seconds, is_emergency_enabled, emergency_policy_id, created_at, updated_at)
    values (${tenantId}, ${rule.appId}, ${rule.id}, ${rule.priority}, ${rule.displayName}, ${rule.description},
      ${rule.condition}, ${rule.enabled}, ${settings.requestPolicyId}, ${settings.requestSchemaId},
      ${settings.maxGrantDuration}, ${settings.emergencyGrantEnabled}, ${settings.emergencyGrantPolicyId},
      ${rule.createdAt}, ${rule.updatedAt})`
}

export async function updateRule(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'app.change-terms'>,
  rule: RoutingRule,
): Promise<void> {
  const { settings } = rule
  await tx`
    update routing_rules set display_name = ${rule.displayName}, description = ${rule.description},
      condition = ${rule.condition}, is_enabled = ${rule.enabled}, grant_policy_id = ${settings.requestPolicyId},
      form_id = ${settings.requestSchemaId}, max_seconds = ${settings.maxGrantDuration},
      is_emergency_enabled = ${settings.emergencyGrantEnabled},
      emergency_policy_id = ${settings.emergencyGrantPolicyId}, updated_at = ${rule.updatedAt}
    where tenant_id = ${tenantId} and app_id = ${rule.appId} and rule_id = ${rule.id}`
}

export async function deleteRule(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'app.change-terms'>,
  appId: string,
  id: string,
): Promise<void> {
  await tx`delete from routing_rules where tenant_id = ${tenantId} and app_id = ${appId} and rule_id = ${id}`
}

/** Sets the order of the rules of an app: all of them are named. */
export async function orderRules(
  tx: Tx,
  tenantId: number,
  appId: string,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  await tx`
    update routing_rules r set place = o.place, updated_at = ${at}
    from unnest(${ids}::text[]) with ordinality as o (rule_id, place)
    where r.tenant_id = ${tenantId} and r.app_id = ${appId} and r.rule_id = o.rule_id and r.place <> o.place`
}
