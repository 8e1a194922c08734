/** What there is in a tenant, for the caller. */
export type Facts = {
  hasPasskey: boolean
  hasAdministrators: boolean
  hasPeople: boolean
  hasSignIns: boolean
  hasApps: boolean
  hasAccess: boolean
  hasRule: boolean
  hasRequestable: boolean
}
