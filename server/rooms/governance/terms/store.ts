import type { Reads } from '#kernel/sql.ts'
import type { Said, TriedRule } from './decide.ts'

type Ref = { appId: string; id: string }

/** The request settings of an entitlement and its app, with the app's enabled rules; null if either no longer exists. */
export async function findSaid(
  db: Reads,
  tenantId: number,
  { appId, id }: Ref,
): Promise<{ said: Said; rules: TriedRule[] } | null> {
  const [row] = await db<{ said: Said; rules: TriedRule[] | null }[]>`
    select jsonb_build_object(
      'appId', e.app_id, 'appName', a.display_name, 'entitlementId', e.entitlement_id, 'entitlementName', e.display_name,
      'resourceTypeId', coalesce(e.resource_type_id, ''), 'resourceId', coalesce(e.resource_id, ''),
      'overrides', e.overrides_defaults,
      'own', jsonb_build_object('grantPolicyId', e.grant_policy_id, 'revokePolicyId', e.revoke_policy_id,
        'isEmergencyEnabled', e.is_emergency_enabled, 'emergencyPolicyId', e.emergency_policy_id,
        'formId', coalesce((select b.form_id from form_bindings b
          where b.tenant_id = ${tenantId} and b.app_id = ${appId} and b.entitlement_id = ${id}), ''),
        'maxSeconds', e.duration_grant_seconds, 'isDurationUnset', e.is_duration_unset,
        'provisioner', e.provisioner, 'deprovisioner', e.deprovisioner),
      'app', jsonb_build_object('grantPolicyId', a.grant_policy_id, 'revokePolicyId', a.revoke_policy_id),
      'defaults', (select jsonb_build_object('requestPolicyId', d.grant_policy_id, 'requestSchemaId', d.form_id,
          'durationGrant', d.duration_seconds, 'isDurationUnset', d.is_duration_unset,
          'emergencyGrantEnabled', d.is_emergency_enabled, 'emergencyGrantPolicyId', d.emergency_policy_id)
        from request_defaults d
        where d.tenant_id = ${tenantId} and d.app_id = ${appId} and d.is_enabled
          and (cardinality(d.resource_type_ids) = 0 or e.resource_type_id = any(d.resource_type_ids)))) as said,
      (select jsonb_agg(jsonb_build_object('id', r.rule_id, 'appId', r.app_id, 'priority', r.place,
          'displayName', r.display_name, 'condition', r.condition, 'settings', jsonb_build_object(
            'requestPolicyId', r.grant_policy_id, 'requestSchemaId', r.form_id, 'maxGrantDuration', r.max_seconds,
            'emergencyGrantEnabled', r.is_emergency_enabled, 'emergencyGrantPolicyId', r.emergency_policy_id))
          order by r.place)
        from routing_rules r where r.tenant_id = ${tenantId} and r.app_id = ${appId} and r.is_enabled) as rules
    from entitlements e
    join apps a on a.tenant_id = ${tenantId} and a.app_id = e.app_id and a.deleted_at is null
    where e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.entitlement_id = ${id} and e.deleted_at is null`
  return row ? { said: row.said, rules: row.rules ?? [] } : null
}
