export type ConnectorRef = { appId: string; connectorId: string }

export const refOf = (path: { app_id: string; connector_id: string }): ConnectorRef => ({
  appId: path.app_id,
  connectorId: path.connector_id,
})

/** Owners of the connector, and of its app. */
export const about = { app: 'app_id', connector: 'connector_id' } as const
export const aboutById = { app: 'app_id', connector: 'id' } as const
