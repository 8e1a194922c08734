import type { EntitlementOf } from './store/objects.ts'
import type { Provisioner } from './store/provisioners.ts'
import { whyNotProvisioned } from './support.ts'

/** What the choice depends on: what the connectors report of an entitlement. */
export type Reported = Pick<EntitlementOf, 'externalId' | 'typeId' | 'isKnown' | 'connectorIds'>

/** What carries out grants and revocations of an entitlement in its app, for any account. */
export type Carrier<P extends Provisioner = Provisioner> =
  /** Nothing: recording it is enough. */
  | { is: 'records' }
  | { is: 'connector'; connector: P }
  /** No connector can, and why: people have to. */
  | { is: 'people'; why: string }

/** Those connectors that report something; all of them if none does. */
export const reportersOf = <P extends Provisioner>(
  all: readonly P[],
  connectorIds: readonly string[],
): readonly P[] => {
  const reporters = all.filter(({ id }) => connectorIds.includes(id))
  return reporters.length > 0 ? reporters : all
}

/** Of the connectors that report an entitlement, the first that can provision it, else the first; null if there is none. */
export function provisionerOf<P extends Provisioner>(all: readonly P[], entitlement: Reported | null): P | null {
  const able = reportersOf(all, entitlement?.connectorIds ?? [])
  return able.find((each) => whyNotProvisioned(each, entitlement?.typeId || null) === null) ?? able[0] ?? null
}

/**
 * What carries it out if the connectors of the app are not concerned: there is none, or the entitlement exists only here.
 * Null if one of them is to do it. `isRequired`: recording it is not enough.
 */
export function withoutConnectors(
  all: readonly Provisioner[],
  entitlement: Reported | null,
  isRequired: boolean,
): Exclude<Carrier, { is: 'connector' }> | null {
  const only = (why: string) => (isRequired ? ({ is: 'people', why } as const) : ({ is: 'records' } as const))
  if (all.length === 0) return only('The app has no connector.')
  if (!entitlement || entitlement.externalId === '')
    return only('No connector reports this entitlement: it only exists in Bailiwick.')
  return null
}

/** The connector that provisions an entitlement, which may be chosen for it, and why it cannot; null if it can. */
export function chooseConnector<P extends Provisioner>(
  all: readonly P[],
  entitlement: Reported,
  chosenId: string,
): { connector: P; why: null } | { connector: P | null; why: string } {
  const connector = (chosenId ? all.find(({ id }) => id === chosenId) : provisionerOf(all, entitlement)) ?? null
  if (!connector) return { connector, why: `The app has no connector ${chosenId}, which was chosen to provision this.` }
  const why = whyNotProvisioned(connector, entitlement.typeId || null)
  if (why !== null) return { connector, why }
  return entitlement.isKnown
    ? { connector, why: null }
    : {
        connector,
        why: `The connector ${connector.displayName} did not report this entitlement in its last sync: it only exists in Bailiwick.`,
      }
}

/** What carries out grants and revocations of an entitlement: the rule by which requests, plans and views say so. */
export function carrierOf<P extends Provisioner>(
  all: readonly P[],
  entitlement: Reported | null,
  { isRequired = false, chosenId = '' }: { isRequired?: boolean; chosenId?: string } = {},
): Carrier<P> {
  const without = withoutConnectors(all, entitlement, isRequired)
  if (without || !entitlement) return without ?? { is: 'records' }
  const { connector, why } = chooseConnector(all, entitlement, chosenId)
  return why === null ? { is: 'connector', connector } : { is: 'people', why }
}
