import { Button } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  connectorDelete,
  connectorForceSync,
  connectorOverviewList,
  connectorOverviewListOfApp,
  connectorPauseSync,
  connectorResumeSync,
} from '#client/api/operations.ts'
import type { ConnectorOverview } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ConfirmChange } from '../../parts/confirm-change.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Page } from '../../parts/page.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { Summary } from '../../parts/summary.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useWayUp } from '../../parts/way-up.ts'
import { connectorReads } from './changed.ts'
import { useConnector } from './reads.ts'
import { RenameConnector } from './rename.tsx'
import { isDue, isUnderWay, LiveBadge, SyncBadge } from './state.tsx'

/** The connector of the address. */
export function useConnectorHere() {
  const { appId = '', connectorId = '' } = useParams({ strict: false })
  const { may } = useSession()
  const here = useConnector(appId, connectorId)
  return {
    ...here,
    appId,
    connectorId,
    // Who sees it without being permitted to see all apps owns it, or its app.
    mayHere: (permission: string): boolean => may(permission) || (here.connector !== undefined && !may('apps.read')),
  }
}

/** The frame of a connector's pages: whether it works, what can be done, its tabs, then one of them. */
export function ConnectorPage({ children }: { children: (connector: ConnectorOverview) => ReactNode }): ReactNode {
  const { appId, connectorId, connector, error, retry, mayHere } = useConnectorHere()
  const above = useWayUp(appId, { label: 'Connectors', to: `/apps/${appId}/connectors` })
  if (error && !connector)
    return (
      <Page title="Connector" above={above}>
        <ErrorNote error={error} title="This connector cannot be shown" retry={retry} />
      </Page>
    )
  const base = `/apps/${appId}/connectors/${connectorId}`
  return (
    <Page
      title={connector?.displayName ?? null}
      above={above}
      about={connector?.description}
      actions={connector && <ConnectorActions connector={connector} mayOperate={mayHere('apps.write')} />}
    >
      <Summary
        facts={
          connector
            ? [
                ['State', <LiveBadge key="state" state={connector.state} />],
                ['Last seen', connector.lastSeenAt && <RelativeTime key="seen" at={connector.lastSeenAt} />],
                ['Last sync', connector.lastSync && <SyncBadge key="sync" state={connector.lastSync.state} />],
                [
                  'Next sync',
                  connector.nextSyncAt &&
                    !connector.pausedAt &&
                    !isUnderWay(connector.lastSync) &&
                    connector.lastSync?.state !== 'CONNECTOR_SYNC_STATE_HELD' &&
                    (isDue(connector.nextSyncAt) ? (
                      connector.isBuiltIn ? (
                        'now'
                      ) : (
                        'when it next connects'
                      )
                    ) : (
                      <RelativeTime key="next" at={connector.nextSyncAt} />
                    )),
                ],
              ]
            : []
        }
      />
      <Tabs
        label="The connector"
        tabs={[
          { label: 'Overview', to: base, isExact: true },
          { label: 'Tasks', to: `${base}/tasks` },
          ...(mayHere('owners.read') ? [{ label: 'Owners', to: `${base}/owners` }] : []),
        ]}
      />
      {connector && children(connector)}
    </Page>
  )
}

type ConnectorActionsProps = { connector: ConnectorOverview; mayOperate: boolean }

function ConnectorActions({ connector, mayOperate }: ConnectorActionsProps): ReactNode {
  const { may } = useSession()
  const [doing, setDoing] = useState<'rename' | 'pause' | 'delete' | null>(null)
  const close = (): void => setDoing(null)
  const path = { app_id: connector.appId, connector_id: connector.id }
  const name = connector.displayName
  const sync = useChange(connectorForceSync, {
    changes: connectorReads,
    done: connector.isBuiltIn
      ? 'Sync requested. It starts now.'
      : 'Sync requested. It starts when the connector next connects.',
  })
  const resume = useChange(connectorResumeSync, { changes: connectorReads, done: `Resumed ${name}` })
  const isHeld = connector.lastSync?.state === 'CONNECTOR_SYNC_STATE_HELD'
  const failed = sync.error ?? resume.error
  const pause = {
    label: 'Pause',
    name: `Pause ${name}`,
    icon: IconPlayerPause,
    onClick: () => setDoing('pause'),
  }
  const rename = { label: 'Edit', name: `Edit ${name}`, icon: IconPencil, onClick: () => setDoing('rename') }
  const discard = { label: 'Delete', name: `Delete ${name}`, icon: IconTrash, onClick: () => setDoing('delete') }
  return (
    <>
      {mayOperate &&
        (connector.pausedAt ? (
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={resume.isPending}
            onClick={() => resume.mutate({ path })}
          >
            Resume
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={sync.isPending}
            disabled={isHeld || isUnderWay(connector.lastSync)}
            onClick={() => sync.mutate({ path })}
          >
            Sync now
          </Button>
        ))}
      <RowActions
        size={36}
        actions={[
          ...(mayOperate && !connector.pausedAt ? [pause] : []),
          ...(may('imports.write') ? [rename, discard] : []),
        ]}
      />
      {failed && <ErrorNote error={failed} />}
      {doing === 'rename' && <RenameConnector connector={connector} onClose={close} />}
      <PauseConnector connector={connector} opened={doing === 'pause'} onClose={close} />
      <DeleteConnector connector={connector} opened={doing === 'delete'} onClose={close} />
    </>
  )
}

type AskProps = { connector: ConnectorOverview; opened: boolean; onClose: () => void }

function PauseConnector({ connector, opened, onClose }: AskProps): ReactNode {
  const pause = useChange(connectorPauseSync, {
    changes: connectorReads,
    done: `Paused ${connector.displayName}`,
    onDone: onClose,
  })
  return (
    <ConfirmChange
      opened={opened}
      onClose={onClose}
      title={`Pause ${connector.displayName}?`}
      verb="Pause"
      change={pause}
      input={{ path: { app_id: connector.appId, connector_id: connector.id } }}
    >
      It gets no tasks until it is resumed. A queued, running or held sync is cancelled.
    </ConfirmChange>
  )
}

function DeleteConnector({ connector, opened, onClose }: AskProps): ReactNode {
  const navigate = useNavigate()
  const remove = useChange(connectorDelete, {
    changes: [connectorOverviewList, connectorOverviewListOfApp],
    done: `Deleted ${connector.displayName}`,
    onDone: () => void navigate({ to: '/connectors' }),
  })
  return (
    <ConfirmChange
      opened={opened}
      onClose={onClose}
      title={`Delete ${connector.displayName}?`}
      verb="Delete"
      change={remove}
      input={{ path: { app_id: connector.appId, id: connector.id } }}
    >
      {connector.isBuiltIn ? 'Its token is deleted.' : 'Its credential is refused from now on.'} The records that it
      imported are kept, but no longer updated.
    </ConfirmChange>
  )
}
