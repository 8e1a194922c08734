import type { ReactNode } from 'react'
import { ResourcePage, useResource } from '../resources/resource-page.tsx'
import { ChoosePerson } from './choose-person.tsx'

/** How a person reaches a resource. */
export function ResourcePaths(): ReactNode {
  const { appId, resourceTypeId, resourceId, resource } = useResource()
  return (
    <ResourcePage>
      <ChoosePerson
        name={resource?.displayName ?? 'this resource'}
        target={{ appId, appResourceTypeId: resourceTypeId, appResourceId: resourceId }}
      />
    </ResourcePage>
  )
}
