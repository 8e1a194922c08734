/** Of a name: its domain, as client ids end, and whether it is the first one of the tenant. */
export type Named = { host: string; domain: string; isFirst: boolean }
export type Uses = {
  credentials: number
  connectorCredentials: number
  passkeys: number
  directories: number
  webhooks: number
  federationTrusts: number
  oidcProviders: number
}
