import type { Address, AddressUse } from '#client/api/types.ts'

export const stateWords: Readonly<Record<Address['state'], readonly [label: string, color: string]>> = {
  CURRENT: ['Current', 'teal'],
  NEW: ['New', 'blue'],
  OLD: ['Old, still works', 'yellow'],
  ENDED: ['Ended', 'gray'],
}

export const useWords: Readonly<Record<AddressUse['kind'], string>> = {
  CREDENTIALS: 'API credentials',
  CONNECTOR_CREDENTIALS: 'Credentials of connectors',
  PASSKEYS: 'Passkeys',
  OIDC_PROVIDERS: 'Single sign-on',
  DIRECTORIES: 'SCIM directories',
  WEBHOOKS: 'Webhooks',
  FEDERATION_TRUSTS: 'Federation trusts',
  LINKS: 'Links and names',
}

/** Whether the console is open at this address. */
export const isOpenAt = ({ address }: Pick<Address, 'address'>): boolean => address === location.origin
