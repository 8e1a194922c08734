import { NativeSelect } from '@mantine/core'
import { IconChecklist, IconRepeat, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { provisioningTasksCancel, provisioningTasksList, provisioningTasksRetry } from '#client/api/operations.ts'
import type { ProvisioningTask } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { ConnectorPage, useConnectorHere } from './connector-page.tsx'
import { Mark } from './state.tsx'

/** What the connector was asked to do to its app, newest first. */
export function ConnectorTasks(): ReactNode {
  const { appId, connectorId, mayHere } = useConnectorHere()
  const [asked, setAsked] = useState<{ task: ProvisioningTask; does: 'retry' | 'cancel' } | null>(null)
  const mayChange = mayHere('apps.write')
  return (
    <ConnectorPage>
      {() => (
        <>
          <DataList
            caption="Tasks of the connector"
            operation={provisioningTasksList}
            input={({ filter, pageSize, pageToken }) => ({
              path: { app_id: appId },
              query: { connector_id: connectorId, state: filter('state'), page_size: pageSize, page_token: pageToken },
            })}
            rows={({ list }) => list}
            keyOf={({ id }) => id}
            filters={<Filters />}
            columns={[
              { header: 'Task', cell: (task) => <What task={task} /> },
              { header: 'State', width: '12rem', cell: (task) => <TaskState task={task} /> },
              { header: 'Requested', width: '12rem', cell: ({ createdAt }) => <Moment at={createdAt} /> },
              { header: 'Ended', width: '12rem', cell: ({ endedAt }) => <Moment at={endedAt} /> },
              ...(mayChange
                ? [
                    {
                      header: 'Actions',
                      isHidden: true,
                      width: '3.5rem',
                      cell: (task: ProvisioningTask) => (
                        <TaskActions task={task} onAsk={(does) => setAsked({ task, does })} />
                      ),
                    },
                  ]
                : []),
            ]}
            empty={{
              icon: IconChecklist,
              title: 'No tasks',
              children:
                'When access is granted or revoked here, the connector makes the change in the app. Each change is a task in this list.',
            }}
          />
          <Ask asked={asked} onClose={() => setAsked(null)} />
        </>
      )}
    </ConnectorPage>
  )
}

const verbs: Readonly<Record<string, string>> = {
  grant: 'Grant',
  revoke: 'Revoke',
  create_account: 'Create account',
  delete_account: 'Delete account',
}

const nameOf = ({ kind, appEntitlementName }: ProvisioningTask): string =>
  `${verbs[kind] ?? kind} ${appEntitlementName}`.trim()

const What = ({ task }: { task: ProvisioningTask }): ReactNode => (
  <Named
    label={nameOf(task)}
    to={task.appEntitlementId ? `/apps/${task.appId}/entitlements/${task.appEntitlementId}` : undefined}
    about={task.appUserName}
  />
)

const colors: Readonly<Record<string, string>> = { failed: 'red', unknown: 'orange', cancelled: 'gray' }

function TaskState({ task: { state, error, advice, isAwaited } }: { task: ProvisioningTask }): ReactNode {
  const label = state.charAt(0).toUpperCase() + state.slice(1)
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <Mark look={[label, colors[state]]} />
      {error && <div>{error}</div>}
      {advice && <div>{advice}</div>}
      {state === 'unknown' && <div>The next sync shows whether it was done.</div>}
      {isAwaited && (state === 'queued' || state === 'with the connector') && <div>A request is waiting for it.</div>}
    </div>
  )
}

const retried = new Set(['failed', 'unknown', 'cancelled'])

type TaskActionsProps = { task: ProvisioningTask; onAsk: (does: 'retry' | 'cancel') => void }

function TaskActions({ task, onAsk }: TaskActionsProps): ReactNode {
  const name = `${nameOf(task)}, ${task.appUserName}`
  const retry = { label: 'Retry', name: `Retry: ${name}`, icon: IconRepeat, onClick: () => onAsk('retry') }
  const cancel = { label: 'Cancel', name: `Cancel: ${name}`, icon: IconX, onClick: () => onAsk('cancel') }
  if (task.state === 'queued') return <RowActions actions={[cancel]} />
  return retried.has(task.state) ? <RowActions actions={[retry]} /> : null
}

type AskProps = { asked: { task: ProvisioningTask; does: 'retry' | 'cancel' } | null; onClose: () => void }

function Ask({ asked, onClose }: AskProps): ReactNode {
  // The words stay while the dialog closes.
  const last = useRef(asked)
  if (asked) last.current = asked
  const change = { changes: [provisioningTasksList], onDone: onClose }
  const retry = useChange(provisioningTasksRetry, { ...change, done: 'Queued the task again' })
  const cancel = useChange(provisioningTasksCancel, { ...change, done: 'Cancelled the task' })
  const isCancel = last.current?.does === 'cancel'
  const isUnknown = last.current?.task.state === 'unknown'
  const chosen = isCancel ? cancel : retry
  return (
    <Confirm
      opened={asked !== null}
      onClose={() => {
        retry.reset()
        cancel.reset()
        onClose()
      }}
      title={isCancel ? 'Cancel this task?' : 'Retry this task?'}
      verb={isCancel ? 'Cancel the task' : 'Retry'}
      isPending={chosen.isPending}
      error={chosen.error}
      onConfirm={() => {
        if (!asked) return
        const path = { app_id: asked.task.appId, id: asked.task.id }
        if (asked.does === 'cancel') cancel.mutate({ path })
        else retry.mutate({ path, body: { acceptUnknown: isUnknown } })
      }}
    >
      {isCancel
        ? 'The connector will not do it. If a request is waiting for it, people provision the access instead.'
        : isUnknown
          ? 'Its outcome is unknown, so it may be done twice. To avoid that, wait for the next sync, which shows the outcome.'
          : 'A new task asks the connector to do the same again.'}
    </Confirm>
  )
}

function Filters(): ReactNode {
  const { filter, set } = useListState()
  return (
    <NativeSelect
      aria-label="State"
      value={filter('state')}
      onChange={({ currentTarget: { value } }) => set({ state: value })}
      data={[
        { value: '', label: 'Any state' },
        { value: 'queued', label: 'Queued' },
        { value: 'with the connector', label: 'With the connector' },
        { value: 'done', label: 'Done' },
        { value: 'failed', label: 'Failed' },
        { value: 'unknown', label: 'Unknown' },
        { value: 'cancelled', label: 'Cancelled' },
      ]}
    />
  )
}
