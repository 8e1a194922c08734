import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import type { ProvisionPolicy, WithoutConnector } from '#rooms/records/apps/index.ts'
import { type AppConnector, carrierOf } from '#rooms/records/connectors/index.ts'
import { type Asked, askedBy } from './asked.ts'

/** What a provisioner asks for. Of several steps, the last one decides whether access is held: the others only prepare it. */
export type Way =
  | { is: 'delegated'; appId: string; entitlementId: string }
  | { is: 'manual'; manual: ProvisionPolicy['manual'] }
  | { is: 'webhook'; webhookId: string }
  /** The connector of the app; it is required if recording the grant is not enough without one. */
  | { is: 'automatic'; isRequired: boolean; connectorId: string }
  /** Something that this version does not support. */
  | { is: 'unsupported' }

export function wayOf(policy: ProvisionPolicy | null): Way {
  const steps = policy?.multiStep?.provisionSteps ?? []
  const last = steps.at(-1)
  const { manual, delegated, webhook, connector, unconfigured } = last ?? policy ?? noPolicy
  if (delegated) return { is: 'delegated', appId: delegated.appId, entitlementId: delegated.entitlementId }
  if (manual) return { is: 'manual', manual }
  if (webhook) return { is: 'webhook', webhookId: webhook.webhookId }
  // Policies that were stored before connectors could be chosen do not have this field.
  if (connector) return { is: 'automatic', isRequired: true, connectorId: connector.defaultBehavior?.connectorId ?? '' }
  return policy === null || unconfigured
    ? { is: 'automatic', isRequired: false, connectorId: '' }
    : { is: 'unsupported' }
}

const noPolicy = { manual: null, delegated: null, webhook: null, connector: null, unconfigured: null }

/** Who carries out a grant or a revocation of an entitlement in its app. */
export type Enforcer =
  | { by: 'connector'; connector: AppConnector }
  | { by: 'webhook'; webhookId: string }
  /** `why`: why nothing else does; empty if people are who was chosen. */
  | { by: 'people'; asked: Asked; why: string }
  | { by: 'another entitlement'; appId: string; entitlementId: string }
  /** Membership in access profiles: Bailiwick itself is the app. */
  | { by: 'bailiwick' }
  /** It is recorded, and nobody is asked. */
  | { by: 'nobody' }
export type EnforcedBy = Enforcer['by']

/** Whether the owners of the app are asked only because it has no connector: no provisioner was chosen. */
export const asksOwners = (enforcer: Enforcer): boolean =>
  enforcer.by === 'people' && enforcer.asked.by === 'appOwners' && enforcer.why === ''

/** What an entitlement says of how it is provisioned, and what connectors report of it. */
export type EntitlementFacts = {
  appId: string
  provisioner: ProvisionPolicy | null
  deprovisioner: ProvisionPolicy | null
  externalId: string
  typeId: string
  isKnown: boolean
  connectorIds: readonly string[]
  withoutConnector: WithoutConnector
}

type Around = { connectors: readonly AppConnector[]; webhookIds: ReadonlySet<string> }

const people = (asked: Asked, why: string): Enforcer => ({ by: 'people', asked, why })
const owners = askedBy(null)

/** By the same rules by which requests are provisioned; whether an account exists in the app is not considered. */
export function enforcerOf(
  policy: ProvisionPolicy | null,
  facts: Omit<EntitlementFacts, 'provisioner' | 'deprovisioner'>,
  { connectors, webhookIds }: Around,
): Enforcer {
  const way = wayOf(policy)
  const recorded: Enforcer = facts.appId === profilesAppId ? { by: 'bailiwick' } : { by: 'nobody' }
  if (way.is === 'delegated')
    return way.entitlementId === ''
      ? recorded
      : { by: 'another entitlement', appId: way.appId, entitlementId: way.entitlementId }
  if (way.is === 'manual') return people(askedBy(way.manual), '')
  if (way.is === 'webhook')
    return webhookIds.has(way.webhookId)
      ? { by: 'webhook', webhookId: way.webhookId }
      : people(owners, 'The webhook that provisions this was deleted.')
  if (way.is === 'unsupported') return people(owners, 'No provisioner can provision this.')
  const carrier = carrierOf(connectors, facts, { isRequired: way.isRequired, chosenId: way.connectorId })
  if (carrier.is === 'connector') return { by: 'connector', connector: carrier.connector }
  if (carrier.is === 'people') return people(owners, carrier.why)
  return facts.withoutConnector === 'manual' && recorded.by === 'nobody' ? people(owners, '') : recorded
}

export type Enforcement = { grant: Enforcer; revoke: Enforcer }

/** Who grants an entitlement, and who revokes it: by what grants it, unless something else was chosen for that. */
export function enforcementOf(facts: EntitlementFacts, around: Around): Enforcement {
  const grant = enforcerOf(facts.provisioner, facts, around)
  return { grant, revoke: facts.deprovisioner ? enforcerOf(facts.deprovisioner, facts, around) : grant }
}

export type Counts = { [by in EnforcedBy]: number }
export const noCounts = (): Counts => ({
  connector: 0,
  webhook: 0,
  people: 0,
  'another entitlement': 0,
  bailiwick: 0,
  nobody: 0,
})

/** How many entitlements of an app are granted by whom. */
export function countsOf(all: readonly { enforcer: Enforcer; count: number }[]): Counts {
  const counts = noCounts()
  for (const { enforcer, count } of all) counts[enforcer.by] += count
  return counts
}

export type AppState = 'connected' | 'manual' | 'records only' | 'built in'

/**
 * The state of an app, judged from the facts. Without a connector it is manual only if everything in it is carried out by
 * someone: one entitlement that nobody is asked about makes it records only.
 */
export function stateOf(
  appId: string,
  hasConnector: boolean,
  { webhook, people: asked, nobody }: Counts,
  withoutConnector: WithoutConnector,
): AppState {
  if (appId === profilesAppId) return 'built in'
  if (hasConnector) return 'connected'
  return nobody === 0 && (asked + webhook > 0 || withoutConnector === 'manual') ? 'manual' : 'records only'
}
