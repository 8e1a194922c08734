import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appEntitlementSearch, appSearch, appsDelete, appsGet, appsList } from '#client/api/operations.ts'
import type { App } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { useAsOf } from '../../parts/as-of.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { Summary } from '../../parts/summary.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useFirstStep } from '../../parts/way-up.ts'
import { AppEnforced } from './app-enforcement.tsx'
import { AppForm } from './app-form.tsx'
import { keptWords } from './apps.tsx'

type AppPageProps = { actions?: ReactNode; children: ReactNode }

/** The app of the address. */
export function useApp() {
  const { appId = '' } = useParams({ strict: false })
  const { may, mayOnOwned } = useSession()
  const { data, error, refetch } = useQuery(read(appsGet, { path: { id: appId } }))
  const app = data?.app ?? undefined
  // Who sees it without being permitted to see all apps owns it, or only holds something in it.
  const isSeen = app !== undefined && !may('apps.read')
  return {
    appId,
    app,
    error,
    retry: () => void refetch(),
    /** What the caller may do in this app. */
    mayHere: (permission: string): boolean => may(permission) || (isSeen && mayOnOwned(permission)),
  }
}

/** The frame of an app's pages: its name, what is known about it, its tabs, then one of them. */
export function AppPage({ actions, children }: AppPageProps): ReactNode {
  const { appId, app, error, retry, mayHere } = useApp()
  const { may } = useSession()
  const asOf = useAsOf()
  const above = [useFirstStep()]
  if (error)
    return (
      <Page title="App" above={above}>
        <ErrorNote error={error} title="This app cannot be shown" retry={retry} />
      </Page>
    )
  const base = `/apps/${appId}`
  return (
    <Page
      title={app?.displayName ?? null}
      above={above}
      about={app?.description}
      actions={
        <>
          {app && mayHere('apps.write') && <AppActions app={app} />}
          {actions}
        </>
      }
    >
      <Summary
        facts={
          app
            ? [
                [
                  'Directory',
                  app.isDirectory && may('directories.read') && (
                    <Named key="directory" isQuiet label="Its accounts become users" to={`/directories/${appId}`} />
                  ),
                ],
                ['Source', keptWords(app)],
                ['Enforcement', <AppEnforced key="enforced" appId={app.id} />],
                [
                  asOf ? 'Accounts with access now' : 'Accounts with access',
                  mayHere('accounts.read') && Number(app.userCount).toLocaleString(),
                ],
                ['Cost', app.monthlyCostUsd > 0 && `$${app.monthlyCostUsd.toLocaleString()} per month`],
              ]
            : []
        }
      />
      <Tabs
        label="The app"
        tabs={[
          { label: 'Entitlements', to: base, isExact: true },
          ...(mayHere('apps.read')
            ? [
                { label: 'Resources', to: `${base}/resources` },
                { label: 'Accounts', to: `${base}/accounts` },
              ]
            : []),
          ...(mayHere('grants.read')
            ? [
                { label: 'Heat map', to: `${base}/heat-map` },
                { label: 'Compare', to: `${base}/changes` },
              ]
            : []),
          ...(mayHere('apps.read') ? [{ label: 'Connectors', to: `${base}/connectors` }] : []),
          ...(may('policies.read') ? [{ label: 'Requests', to: `${base}/requests` }] : []),
          ...(mayHere('owners.read') || may('entitlements.own.read')
            ? [{ label: 'Owners', to: `${base}/owners` }]
            : []),
        ]}
      />
      {children}
    </Page>
  )
}

function AppActions({ app }: { app: App }): ReactNode {
  const { may } = useSession()
  const navigate = useNavigate()
  const [doing, setDoing] = useState<'edit' | 'delete' | null>(null)
  const close = (): void => setDoing(null)
  const remove = useChange(appsDelete, {
    changes: [appSearch, appsList, appEntitlementSearch],
    done: `Deleted ${app.displayName}`,
    onDone: () => void navigate({ to: '/apps' }),
  })
  const edit = {
    label: 'Edit',
    name: `Edit ${app.displayName}`,
    icon: IconPencil,
    onClick: () => setDoing('edit'),
  }
  const discard = {
    label: 'Delete',
    name: `Delete ${app.displayName}`,
    icon: IconTrash,
    onClick: () => setDoing('delete'),
  }
  return (
    <>
      <RowActions size={36} actions={may('apps.write') ? [edit, discard] : [edit]} />
      {doing === 'edit' && <AppForm app={app} onClose={close} />}
      <Confirm
        opened={doing === 'delete'}
        onClose={() => {
          remove.reset()
          close()
        }}
        title={`Delete ${app.displayName}?`}
        verb="Delete app"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ path: { id: app.id } })}
      >
        Its resources, entitlements and accounts are deleted, and all access to it
        {Number(app.userCount) > 0 && ` (${Number(app.userCount).toLocaleString()} accounts)`} is removed. The history
        is kept.
      </Confirm>
    </>
  )
}
