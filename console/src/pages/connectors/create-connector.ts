import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import {
  appSearch,
  appsCreate,
  appsList,
  connectorCreateDelegated,
  connectorOverviewList,
  connectorOverviewListOfApp,
  connectorRotateCredential,
  scimConnectorCreate,
} from '#client/api/operations.ts'
import type { ConnectorCatalogEntry } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import type { ScimValues } from './scim-fields.tsx'

export type Made = {
  appId: string
  connectorId: string
  displayName: string
  clientId: string
  clientSecret: string
  command: string
  entry: ConnectorCatalogEntry | null
  /** Whether this server runs it. */
  isBuiltIn: boolean
}

export type WantedConnector = {
  app: { id: string } | { newName: string }
  displayName: string
  /** Of a SCIM app, which this server reads itself. */
  access: ScimValues | null
  entry: ConnectorCatalogEntry | null
  command: string
}

/** What was created before something failed is not created again. */
type Started = { appId?: string; appName?: string; connectorId?: string; of?: string }

async function createdApp(done: Started, name: string): Promise<string> {
  if (!done.appId || done.appName !== name) {
    const { app } = await call(appsCreate, { body: { displayName: name } })
    done.appId = app?.id ?? ''
    done.appName = name
  }
  return done.appId
}

/** The app, where it is a new one, the connector, and its credential. */
export function useCreateConnector(
  { app, displayName, access, entry, command }: WantedConnector,
  onMade: (made: Made) => void,
) {
  const client = useQueryClient()
  const started = useRef<Started>({})
  return useMutation({
    async mutationFn(): Promise<Made> {
      const { current: done } = started
      const appId = 'id' in app ? app.id : await createdApp(done, app.newName)
      if (access) {
        const body = { displayName, baseUrl: access.baseUrl.trim(), token: access.token.trim() }
        const { connectorView } = await call(scimConnectorCreate, { path: { app_id: appId }, body })
        const connectorId = connectorView?.connector?.id ?? ''
        const none = { clientId: '', clientSecret: '', command: '', entry: null }
        return { ...none, appId, connectorId, displayName, isBuiltIn: true }
      }
      const wanted = { displayName, catalogId: entry?.id ?? '' }
      const of = JSON.stringify([appId, wanted])
      if (!done.connectorId || done.of !== of) {
        const { connectorView } = await call(connectorCreateDelegated, { path: { app_id: appId }, body: wanted })
        done.connectorId = connectorView?.connector?.id ?? ''
        done.of = of
      }
      const { connectorId } = done
      const { credential } = await call(connectorRotateCredential, { body: { appId, connectorId } })
      const { clientId = '', clientSecret = '' } = credential ?? {}
      return {
        appId,
        connectorId,
        displayName,
        clientId,
        clientSecret,
        command,
        entry,
        isBuiltIn: false,
      }
    },
    async onSuccess(made) {
      onMade(made)
      const changed = [appSearch, appsList, connectorOverviewList, connectorOverviewListOfApp]
      await Promise.all(changed.map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
    },
  })
}
