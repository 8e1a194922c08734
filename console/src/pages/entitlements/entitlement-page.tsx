import { Button } from '@mantine/core'
import { IconLock, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementSearch,
  appEntitlementsDelete,
  appEntitlementsGet,
  appEntitlementsList,
  appEntitlementsListForAppResource,
  appResourceGet,
} from '#client/api/operations.ts'
import type { AppEntitlement } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { useAsOf } from '../../parts/as-of.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { durationWords } from '../../parts/durations.ts'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { EntitlementEnforced } from '../../parts/enforcement.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { Summary } from '../../parts/summary.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useWayUp } from '../../parts/way-up.ts'
import { EntitlementForm } from './entitlement-form.tsx'
import { purposeWords } from './purpose-words.ts'
import { RiskLevel, useFrameworks } from './risk-level.tsx'

type EntitlementPageProps = { actions?: ReactNode; children: ReactNode }

/** The entitlement of the address. */
export function useEntitlement() {
  const { appId = '', entitlementId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(read(appEntitlementsGet, { path: { app_id: appId, id: entitlementId } }))
  return {
    appId,
    entitlementId,
    entitlement: data?.appEntitlementView?.appEntitlement ?? undefined,
    /** Whether the caller may change it: by their roles, or because they own it, its resource or its app. */
    permissions: data?.appEntitlementView?.objectPermissions ?? undefined,
    error,
    retry: () => void refetch(),
  }
}

/** The frame of an entitlement's pages: its name, what is known about it, its tabs, then one of them. */
export function EntitlementPage({ actions, children }: EntitlementPageProps): ReactNode {
  const { appId, entitlementId, entitlement, permissions, error, retry } = useEntitlement()
  const above = useWayUp(appId)
  const { pathname } = useLocation()
  const { may, mayOnOwned } = useSession()
  // Who sees it without being permitted to see all entitlements owns it, and sees all of it; or only holds it.
  const maySee = (permission: string): boolean =>
    may(permission) || (!may('entitlements.read') && mayOnOwned(permission))
  if (error)
    return (
      <Page title="Entitlement" above={above}>
        <ErrorNote error={error} title="This entitlement cannot be shown" retry={retry} />
      </Page>
    )
  const base = `/apps/${appId}/entitlements/${entitlementId}`
  return (
    <Page
      title={entitlement?.displayName ?? null}
      above={above}
      about={entitlement?.description}
      actions={
        <>
          {entitlement && permissions?.edit && (
            <EntitlementActions entitlement={entitlement} mayDelete={permissions.delete} />
          )}
          {actions}
        </>
      }
    >
      <EntitlementSummary entitlement={entitlement} />
      <Tabs
        label="The entitlement"
        tabs={[
          { label: maySee('grants.read') ? 'Members' : 'About', to: base, isExact: true },
          ...(maySee('grants.read')
            ? [
                { label: 'History', to: `${base}/history` },
                { label: 'Compare', to: `${base}/changes` },
              ]
            : []),
          ...(may('grants.read') && may('users.read') ? [{ label: 'Paths', to: `${base}/paths` }] : []),
          ...(may('policies.read') ? [{ label: 'Requests', to: `${base}/requests` }] : []),
          ...(maySee('automations.read')
            ? [
                { label: 'Automation', to: `${base}/automation` },
                { label: 'Exclusions', to: `${base}/exclusions` },
                { label: 'Runs', to: `${base}/runs` },
                { label: 'Versions', to: `${base}/versions` },
              ]
            : []),
          ...(maySee('owners.read') || may('entitlements.own.read') ? [{ label: 'Owners', to: `${base}/owners` }] : []),
        ]}
      />
      {!maySee('grants.read') && pathname === base ? (
        <EmptyNote
          icon={IconLock}
          title="Only its owners can see who has this"
          action={
            <Button component={Link} to="/me" variant="default">
              Your access
            </Button>
          }
        >
          Your own access page shows whether you have it, since when and why.
        </EmptyNote>
      ) : (
        children
      )}
    </Page>
  )
}

function EntitlementSummary({ entitlement }: { entitlement: AppEntitlement | undefined }): ReactNode {
  const asOf = useAsOf()
  const { appId = '', appResourceTypeId: typeId = '', appResourceId: resourceId = '' } = entitlement ?? {}
  const { data: resource } = useQuery({
    ...read(appResourceGet, { path: { app_id: appId, app_resource_type_id: typeId, id: resourceId } }),
    enabled: resourceId !== '',
  })
  const frameworks = useFrameworks().filter(({ id }) => entitlement?.complianceFrameworkValueIds.includes(id))
  const of = resourceId === '' ? undefined : resource?.appResourceView?.appResource
  return (
    <Summary
      facts={
        entitlement
          ? [
              ['Risk', entitlement.riskLevelValueId && <RiskLevel key="risk" id={entitlement.riskLevelValueId} />],
              [
                'Resource',
                of && (
                  <Named
                    key="of"
                    isQuiet
                    label={of.displayName}
                    to={`/apps/${appId}/resources/${typeId}/${resourceId}`}
                  />
                ),
              ],
              ['Kind', purposeWords[entitlement.purpose]],
              ['Enforcement', !asOf && <EntitlementEnforced key="enforced" of={entitlement} />],
              [
                'Access granted manually',
                entitlement.durationGrant
                  ? `expires after ${durationWords(entitlement.durationGrant)}`
                  : 'does not expire',
              ],
              [asOf ? 'Members now' : 'Members', Number(entitlement.grantCount).toLocaleString()],
              ['Frameworks', frameworks.map(({ value }) => value).join(', ')],
              ['Alias', entitlement.alias],
            ]
          : []
      }
    />
  )
}

function EntitlementActions({
  entitlement,
  mayDelete,
}: {
  entitlement: AppEntitlement
  mayDelete: boolean
}): ReactNode {
  const navigate = useNavigate()
  const [doing, setDoing] = useState<'edit' | 'delete' | null>(null)
  const close = (): void => setDoing(null)
  const { appId, id, displayName, grantCount } = entitlement
  const remove = useChange(appEntitlementsDelete, {
    changes: [appEntitlementSearch, appEntitlementsList, appEntitlementsListForAppResource],
    done: `Deleted ${displayName}`,
    onDone: () => void navigate({ href: `/apps/${appId}` }),
  })
  const edit = { label: 'Edit', name: `Edit ${displayName}`, icon: IconPencil, onClick: () => setDoing('edit') }
  const discard = { label: 'Delete', name: `Delete ${displayName}`, icon: IconTrash, onClick: () => setDoing('delete') }
  return (
    <>
      <RowActions size={36} actions={mayDelete ? [edit, discard] : [edit]} />
      {doing === 'edit' && <EntitlementForm appId={appId} entitlement={entitlement} onClose={close} />}
      <Confirm
        opened={doing === 'delete'}
        onClose={() => {
          remove.reset()
          close()
        }}
        title={`Delete ${displayName}?`}
        verb="Delete entitlement"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ path: { app_id: appId, id } })}
      >
        {Number(grantCount) === 0
          ? 'Nobody has it.'
          : `It is revoked from everyone who has it (${Number(grantCount).toLocaleString()} accounts).`}{' '}
        The history is kept.
      </Confirm>
    </>
  )
}
