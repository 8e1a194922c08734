import type { JsonValue } from '@bufbuild/protobuf'

/** What a connector reports about itself when it starts: see service/metadata.ts. */
export type Capable = {
  displayName: string
  isDisabled: boolean
  /** Why the connector itself reported that it does not provision. */
  refused: string
  hasConnected: boolean
  metadata: {
    capabilities?: readonly string[]
    resourceTypes?: readonly { id: string; capabilities: readonly string[] }[]
    /** How it can set the passwords of the accounts that it creates. */
    accountCredentials?: readonly string[]
    /** What it needs to know of an account that it is to create. */
    accountFields?: readonly { name: string; isRequired: boolean; default?: JsonValue }[]
  }
}

const can = ({ metadata }: Capable, capability: string, typeId: string | null): boolean => {
  const ofType = typeId === null ? undefined : metadata.resourceTypes?.find(({ id }) => id === typeId)
  if (ofType) return ofType.capabilities.includes(capability)
  const ofAny = metadata.resourceTypes?.some(({ capabilities }) => capabilities.includes(capability)) === true
  // For a type that it does not name, its capabilities as a whole count.
  return metadata.capabilities?.includes(capability) === true || (typeId === null && ofAny)
}

export const canRead = (connector: Capable): boolean => can(connector, 'sync', null)
export const canCreateAccounts = (connector: Capable): boolean => can(connector, 'account_provisioning', null)
export const canDeleteAccounts = (connector: Capable, typeId: string | null): boolean =>
  can(connector, 'resource_delete', typeId)

/** The types of the accounts that it creates; empty if it does not name types. */
export const accountTypesOf = ({ metadata }: Capable): string[] =>
  (metadata.resourceTypes ?? [])
    .filter(({ capabilities }) => capabilities.includes('account_provisioning'))
    .map(({ id }) => id)
export const accountTypeOf = (connector: Capable): string => accountTypesOf(connector)[0] ?? ''

/** Whether it creates accounts only with a password. */
export const needsPassword = ({ metadata: { accountCredentials: ways = [] } }: Capable): boolean =>
  ways.includes('random_password') && !ways.includes('no_password')

/**
 * Why a connector does not grant or remove access; null if it does. With a type: to resources of that type. The text is for
 * the person who has to do it manually instead.
 */
export function whyNotProvisioned(connector: Capable, typeId: string | null): string | null {
  const { displayName: name, isDisabled, refused, hasConnected, metadata } = connector
  if (isDisabled) return `Provisioning by the connector ${name} is turned off.`
  if (!hasConnected || !metadata.capabilities) return `The connector ${name} has not connected yet.`
  if (!can(connector, 'provision', null)) return `The connector ${name} only reads: it does not support provisioning.`
  if (typeId !== null && !can(connector, 'provision', typeId))
    return `The connector ${name} does not support provisioning for resources of the type ${typeId}.`
  if (refused !== '') return `The connector ${name} refuses to provision: ${refused}`
  return null
}

/** Whether an error says that the connector was started without the flag. Its metadata do not show that. */
export const saysNotEnabled = (error: string): boolean => /provisioning is not enabled/i.test(error)
