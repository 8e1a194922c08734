import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { findWebhooks } from '#rooms/events/webhooks/index.ts'
import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'
import { type AppConnector, listAppConnectors } from '#rooms/records/connectors/index.ts'
import { type Enforcement, type Enforcer, type EntitlementFacts, enforcementOf, enforcerOf, wayOf } from './decide.ts'
import { listEntitlementFacts } from './store.ts'

export type Asking = Pick<World, 'now'> & { tenant: { id: number } }
type Ref = { appId: string; id: string }

export const keyOf = ({ appId, id }: Ref): string => `${appId}/${id}`

/** What the enforcers of some entitlements depend on besides their own facts: connectors by app, and existing webhooks. */
export async function listAround(db: Reads, { tenant, now }: Asking, all: readonly EntitlementFacts[]) {
  const ways = all.flatMap(({ provisioner, deprovisioner }) => [wayOf(provisioner), wayOf(deprovisioner)])
  const named = new Set(ways.flatMap((way) => (way.is === 'webhook' ? [way.webhookId] : [])))
  const [connectors, webhooks] = await Promise.all([
    listAppConnectors(
      db,
      tenant.id,
      all.map(({ appId }) => appId),
      now(),
    ),
    findWebhooks(db, tenant.id, [...named]),
  ])
  const webhookIds = new Set(webhooks.map(({ id }) => id))
  return (appId: string) => ({ connectors: connectors.get(appId) ?? noConnectors, webhookIds })
}

/** The entitlements that include one, so that it is granted and revoked with them. */
export const includingOf = ({ grant, revoke }: Enforcement): Ref[] =>
  [grant, revoke].flatMap((each) =>
    each.by === 'another entitlement' ? [{ appId: each.appId, id: each.entitlementId }] : [],
  )

const noConnectors: readonly AppConnector[] = []

/** Who carries out grants and revocations of some entitlements, by `app/id`; those that do not exist are left out. */
export async function listEnforcement(
  db: Reads,
  asking: Asking,
  refs: readonly Ref[],
): Promise<Map<string, Enforcement>> {
  const all = await listEntitlementFacts(db, asking.tenant.id, refs)
  const around = await listAround(db, asking, all)
  return new Map(all.map((facts) => [keyOf(facts), enforcementOf(facts, around(facts.appId))]))
}

/**
 * Who carries out a request for an entitlement by the provisioner of its step, which is as it was when the route was
 * chosen.
 */
export async function findEnforcer(
  db: Reads,
  asking: Asking,
  { appId, id }: Ref,
  policy: ProvisionPolicy | null,
): Promise<Enforcer> {
  const [own] = await listEntitlementFacts(db, asking.tenant.id, [{ appId, id }])
  const facts = { ...(own ?? { ...deleted, appId }), provisioner: policy, deprovisioner: null }
  const around = await listAround(db, asking, [facts])
  return enforcerOf(policy, facts, around(appId))
}

const deleted = {
  externalId: '',
  typeId: '',
  isKnown: false,
  connectorIds: [],
  withoutConnector: 'records only',
} as const
