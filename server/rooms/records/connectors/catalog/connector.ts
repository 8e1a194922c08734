import type { CatalogEntry, Group, Setting } from './entry.ts'

type Flags = { secret?: true; optional?: true; type?: Setting['type']; example?: string }
export const setting = (
  name: string,
  description: string,
  { secret, optional, type, example }: Flags = {},
): Setting => ({
  name,
  description,
  type: type ?? 'string',
  isRequired: !optional,
  isSecret: secret === true,
  example: example ?? '',
})
export const secret = { secret: true } as const
export const optional = { optional: true } as const
export const aList = { optional: true, type: 'list' } as const
export const yesOrNo = { optional: true, type: 'bool' } as const

export const group = (name: string, displayName: string, settings: readonly string[], isDefault = false): Group => ({
  name,
  displayName,
  isDefault,
  settings,
})

type Facts = Pick<CatalogEntry, 'reads' | 'provisions' | 'settings'> & { accounts?: true; groups?: readonly Group[] }
export const connector = (
  id: string,
  displayName: string,
  { accounts, groups = [], ...facts }: Facts,
): CatalogEntry => ({
  id,
  displayName,
  ...facts,
  createsAccounts: accounts === true,
  groups,
})
