import { attribute, isFalse, isObject, type Json } from './json.ts'

/** What an app reports about itself in ServiceProviderConfig (RFC 7643 section 5). */
export type Service = { canPatch: boolean; pageMax: number | null }

const flagIn = (config: Json, name: string): boolean => {
  const of = attribute(config, name)
  return !isObject(of) || !isFalse(attribute(of, 'supported'))
}

/** If an app does not say whether it can, it is assumed to. */
export function serviceOf(config: Json | null): Service {
  if (!config) return { canPatch: true, pageMax: null }
  const filter = attribute(config, 'filter')
  const max = isObject(filter) ? attribute(filter, 'maxResults') : undefined
  const pageMax = typeof max === 'number' && Number.isInteger(max) && max > 0 ? max : null
  return { canPatch: flagIn(config, 'patch'), pageMax }
}

/** What this connector reports about itself, as other connectors do when they start. */
export const metadataOf = ({ canPatch }: Service): object => ({
  name: 'SCIM 2.0',
  description: '',
  package: '',
  version: '',
  os: '',
  hostname: '',
  capabilities: ['sync', ...(canPatch ? ['provision'] : []), 'account_provisioning', 'resource_delete'],
  resourceTypes: [
    { id: 'user', capabilities: ['sync', 'account_provisioning', 'resource_delete'] },
    { id: 'group', capabilities: ['sync', ...(canPatch ? ['provision'] : [])] },
  ],
})
