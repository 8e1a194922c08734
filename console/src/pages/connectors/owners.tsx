import type { ReactNode } from 'react'
import { useSession } from '../../client/session.ts'
import { connectorOwners } from '../owners/kinds.ts'
import { OwnersEditor } from '../owners/owners-editor.tsx'
import { ConnectorPage, useConnectorHere } from './connector-page.tsx'

/** Who owns a connector: who answers for it. */
export function ConnectorOwners(): ReactNode {
  const { appId, connectorId } = useConnectorHere()
  const { may } = useSession()
  return (
    <ConnectorPage>
      {({ displayName }) => (
        <OwnersEditor
          owned={{ of: 'connector', operations: connectorOwners, path: { app_id: appId, connector_id: connectorId } }}
          name={displayName}
          mayChange={may('owners.write')}
        />
      )}
    </ConnectorPage>
  )
}
