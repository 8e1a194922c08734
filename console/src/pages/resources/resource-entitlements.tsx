import { Button } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appEntitlementsListForAppResource } from '#client/api/operations.ts'
import { DataList } from '../../parts/data-list.tsx'
import { unsorted } from '../../parts/table.tsx'
import { nameColumn, propertyColumns } from '../entitlements/entitlement-columns.tsx'
import { EntitlementForm } from '../entitlements/entitlement-form.tsx'
import { ResourcePage, useResource } from './resource-page.tsx'

/** What can be held of a resource. */
export function ResourceEntitlements(): ReactNode {
  const { appId, resourceTypeId, resourceId, resource, permissions } = useResource()
  const navigate = useNavigate()
  const [isMaking, setMaking] = useState(false)
  const make = resource && permissions?.edit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      Create entitlement
    </Button>
  )
  return (
    <ResourcePage actions={make}>
      <DataList
        caption="Entitlements of the resource"
        operation={appEntitlementsListForAppResource}
        input={({ pageSize, pageToken }) => ({
          path: { app_id: appId, app_resource_type_id: resourceTypeId, app_resource_id: resourceId },
          query: { page_size: pageSize, page_token: pageToken },
        })}
        rows={({ list }) => list.flatMap(({ appEntitlement: entitlement }) => (entitlement ? [{ entitlement }] : []))}
        keyOf={({ entitlement }) => entitlement.id}
        columns={unsorted([nameColumn, ...propertyColumns])}
        empty={{
          icon: IconKey,
          title: 'This resource has no entitlements',
          children: 'An entitlement is a permission on the resource, such as read, write or owner.',
          action: make,
        }}
      />
      {isMaking && resource && (
        <EntitlementForm
          appId={appId}
          resource={resource}
          onClose={() => setMaking(false)}
          onMade={(id) => void navigate({ href: `/apps/${appId}/entitlements/${id}` })}
        />
      )}
    </ResourcePage>
  )
}
