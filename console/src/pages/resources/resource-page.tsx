import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  appResourceDeleteManuallyManagedAppResource,
  appResourceGet,
  appResourceList,
  appResourceSearchAppResources,
  appResourceTypeGet,
} from '#client/api/operations.ts'
import type { AppResource } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { Summary } from '../../parts/summary.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useWayUp } from '../../parts/way-up.ts'
import { entitlementReads } from '../entitlements/entitlement-form.tsx'
import { ResourceForm } from './resource-form.tsx'

type ResourcePageProps = { actions?: ReactNode; children: ReactNode }

/** The resource of the address. */
export function useResource() {
  const { appId = '', resourceTypeId = '', resourceId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(
    read(appResourceGet, { path: { app_id: appId, app_resource_type_id: resourceTypeId, id: resourceId } }),
  )
  return {
    appId,
    resourceTypeId,
    resourceId,
    resource: data?.appResourceView?.appResource ?? undefined,
    permissions: data?.appResourceView?.objectPermissions ?? undefined,
    error,
    retry: () => void refetch(),
  }
}

/** The frame of a resource's pages: its name, what is known about it, its tabs, then one of them. */
export function ResourcePage({ actions, children }: ResourcePageProps): ReactNode {
  const { appId, resourceTypeId, resourceId, resource, permissions, error, retry } = useResource()
  const { data: types } = useQuery(read(appResourceTypeGet, { path: { app_id: appId, id: resourceTypeId } }))
  const parent = useParent(resource)
  const { may } = useSession()
  const above = useWayUp(appId, { label: 'Resources', to: `/apps/${appId}/resources` })
  if (error)
    return (
      <Page title="Resource" above={above}>
        <ErrorNote error={error} title="This resource cannot be shown" retry={retry} />
      </Page>
    )
  const base = `/apps/${appId}/resources/${resourceTypeId}/${resourceId}`
  return (
    <Page
      title={resource?.displayName ?? null}
      above={above}
      about={resource?.customDescription || resource?.description}
      actions={
        <>
          {resource && permissions?.edit && <ResourceActions resource={resource} mayDelete={permissions.delete} />}
          {actions}
        </>
      }
    >
      <Summary
        facts={
          resource
            ? [
                ['Type', types?.appResourceTypeView?.appResourceType?.displayName],
                ['App', parent && <Named key="in" isQuiet label={parent.label} to={parent.to} />],
                ['Accounts with access', Number(resource.grantCount).toLocaleString()],
                ['Created', <Moment key="since" at={resource.createdAt} show="day" />],
              ]
            : []
        }
      />
      <Tabs
        label="The resource"
        tabs={[
          { label: 'Entitlements', to: base, isExact: true },
          ...(may('grants.read') && may('users.read') ? [{ label: 'Paths', to: `${base}/paths` }] : []),
          { label: 'Owners', to: `${base}/owners` },
        ]}
      />
      {children}
    </Page>
  )
}

/** The parent of the resource, if it has one. */
function useParent(resource: AppResource | undefined): { label: string; to: string } | null {
  const { appId = '', parentAppResourceTypeId: typeId = '', parentAppResourceId: id = '' } = resource ?? {}
  const { data } = useQuery({
    ...read(appResourceGet, { path: { app_id: appId, app_resource_type_id: typeId, id } }),
    enabled: id !== '',
  })
  const parent = id === '' ? null : data?.appResourceView?.appResource
  return parent ? { label: parent.displayName, to: `/apps/${appId}/resources/${typeId}/${id}` } : null
}

function ResourceActions({ resource, mayDelete }: { resource: AppResource; mayDelete: boolean }): ReactNode {
  const navigate = useNavigate()
  const [doing, setDoing] = useState<'edit' | 'delete' | null>(null)
  const close = (): void => setDoing(null)
  const { appId, appResourceTypeId: typeId, id, displayName } = resource
  const remove = useChange(appResourceDeleteManuallyManagedAppResource, {
    changes: [appResourceSearchAppResources, appResourceList, ...entitlementReads],
    done: `Deleted ${displayName}`,
    onDone: () => void navigate({ href: `/apps/${appId}/resources` }),
  })
  const edit = { label: 'Edit', name: `Edit ${displayName}`, icon: IconPencil, onClick: () => setDoing('edit') }
  const discard = { label: 'Delete', name: `Delete ${displayName}`, icon: IconTrash, onClick: () => setDoing('delete') }
  return (
    <>
      <RowActions size={36} actions={mayDelete ? [edit, discard] : [edit]} />
      {doing === 'edit' && <ResourceForm appId={appId} resource={resource} onClose={close} />}
      <Confirm
        opened={doing === 'delete'}
        onClose={() => {
          remove.reset()
          close()
        }}
        title={`Delete ${displayName}?`}
        verb="Delete resource"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ path: { app_id: appId, app_resource_type_id: typeId, id } })}
      >
        Its entitlements are deleted, and all access to it
        {Number(resource.grantCount) > 0 && ` (${Number(resource.grantCount).toLocaleString()} accounts)`} is removed.
        The history is kept.
      </Confirm>
    </>
  )
}
