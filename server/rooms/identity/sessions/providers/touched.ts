import type { Provider } from './store.ts'

/** What events show of a provider; never its secret. */
export const touchedProvider = ({ id, displayName, issuer, clientId, domains, isEnabled }: Provider) => ({
  type: 'oidc provider',
  id,
  name: displayName,
  data: { issuer, clientId, domains, isEnabled },
})
