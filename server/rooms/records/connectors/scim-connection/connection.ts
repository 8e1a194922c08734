/** In place of an id of the catalog: the connector is part of this server. */
export const scimCatalogId = 'scim'

/** The address of an app that supports SCIM, and how this server uses it. */
export type ScimConnection = {
  connectorId: string
  baseUrl: string
  sealedToken: Buffer
  tokenUpdatedAt: Date
  /** Accounts of people who leave are deleted rather than disabled. */
  deletesUsers: boolean
  /** The app takes no more requests before this. */
  waitUntil: Date | null
}

/** The address of the app, and the token that this server sends. */
export type ScimAccess = { baseUrl: string; token: string }

const agent = 'Bailiwick SCIM'
/** The host name under which this server works on a task. */
export const hostOf = (machine: string, jobId: string): string => `${agent} on ${machine.slice(0, 100)}, job ${jobId}`
export const isBuiltInHost = (hostId: string): boolean => hostId.startsWith(`${agent} on `)
export const builtInAgent = agent
