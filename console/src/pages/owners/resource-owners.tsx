import type { ReactNode } from 'react'
import { useApp } from '../apps/app-page.tsx'
import { ResourcePage, useResource } from '../resources/resource-page.tsx'
import { resourceOwners } from './kinds.ts'
import { OwnersEditor } from './owners-editor.tsx'

/** Who owns a resource. Who owns its app may decide that. */
export function ResourceOwners(): ReactNode {
  const { appId, resourceTypeId, resourceId, resource } = useResource()
  const { mayHere } = useApp()
  const path = { app_id: appId, resource_type_id: resourceTypeId, resource_id: resourceId }
  return (
    <ResourcePage>
      <OwnersEditor
        owned={{ of: 'resource', operations: resourceOwners, path }}
        name={resource?.displayName ?? 'this resource'}
        mayChange={mayHere('owners.write')}
      />
    </ResourcePage>
  )
}
