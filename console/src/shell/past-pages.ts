/** How much of a page is of an earlier moment. */
export type History = 'whole' | 'compared' | 'none'

const entitlement = '/apps/$appId/entitlements/$entitlementId'
const account = '/apps/$appId/accounts/$accountId'
const resource = '/apps/$appId/resources/$resourceTypeId/$resourceId'

/** The pages whose lists are read as of a moment, by the pattern of their address. All others show the current state. */
const whole = new Set([
  '/users/$userId',
  '/users/$userId/paths',
  '/users/$userId/timeline',
  '/users/$userId/owned',
  '/users/$userId/owners',
  '/owned',
  entitlement,
  `${entitlement}/history`,
  `${entitlement}/paths`,
  `${entitlement}/owners`,
  account,
  `${account}/owners`,
  `${resource}/paths`,
  `${resource}/owners`,
  '/apps/$appId/owners',
  '/apps/$appId/heat-map',
])
const compared = new Set(['/changes', '/users/$userId/changes', '/apps/$appId/changes', `${entitlement}/changes`])

export const historyOf = (pattern: string): History => {
  const address = pattern.replace(/\/$/, '')
  return whole.has(address) ? 'whole' : compared.has(address) ? 'compared' : 'none'
}
