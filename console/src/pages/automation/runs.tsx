import { Badge, Button, Group } from '@mantine/core'
import { IconArrowBackUp, IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { appEntitlementsGetAutomationRun, appEntitlementsListAutomationRuns } from '#client/api/operations.ts'
import type { AutomationRun } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { byPresence, bySome, type FilterBy } from '../../parts/list-filters.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import type { Column } from '../../parts/table.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { EntitlementPage, useEntitlement } from '../entitlements/entitlement-page.tsx'
import { Held } from './notices.tsx'
import { type Of, pathOf, useRule } from './reads.ts'
import { useMayChangeRule } from './rights.ts'
import { RunChart } from './run-chart.tsx'
import { RunDrawer } from './run-drawer.tsx'
import { RunChange, RunStatus } from './run-marks.tsx'
import classes from './runs.module.css'
import { UndoRun } from './undo-run.tsx'
import { causeWords } from './words.ts'

const charted = 50

/** The last run that changed anything, if it can still be undone. */
function undoable(latestFirst: readonly AutomationRun[]): AutomationRun | null {
  const last = latestFirst.find(({ gainedCount, lostCount }) => gainedCount + lostCount > 0)
  const isOpen = latestFirst.some(({ status }) => status === 'AUTOMATION_RUN_STATUS_RUNNING')
  if (!last || isOpen || last.cause === 'AUTOMATION_RUN_CAUSE_UNDO' || last.undoneByRunId !== '') return null
  return last
}

/** The run that the address names, as links from grants do. If there is no such run, the rule is shown instead. */
function useLinkedRun(of: Of): { linked: AutomationRun | null; onLeave: () => void } {
  const { filter, set } = useListState()
  const navigate = useNavigate()
  const runId = filter('run')
  const { data, error } = useQuery({
    ...read(appEntitlementsGetAutomationRun, { path: { ...pathOf(of), run_id: runId } }),
    enabled: runId !== '',
  })
  const isUnknown = runId !== '' && error instanceof ApiError && error.status === 404
  useEffect(() => {
    if (isUnknown)
      void navigate({ href: `/apps/${of.appId}/entitlements/${of.entitlementId}/automation`, replace: true })
  }, [isUnknown, navigate, of.appId, of.entitlementId])
  return {
    linked: runId === '' ? null : (data?.run ?? null),
    onLeave: () => {
      if (runId !== '') set({ run: '' }, true)
    },
  }
}

/** What the rule of an entitlement did, run by run. */
export function Runs(): ReactNode {
  const { appId, entitlementId } = useEntitlement()
  const of = { appId, entitlementId }
  const mayChange = useMayChangeRule()
  const { may } = useSession()
  const { state } = useRule(of)
  const { data } = useQuery(
    read(appEntitlementsListAutomationRuns, { path: pathOf(of), query: { page_size: charted } }),
  )
  const [chosen, setShown] = useState<AutomationRun | null>(null)
  const { linked, onLeave } = useLinkedRun(of)
  const shown = chosen ?? linked
  const [isUndoing, setUndoing] = useState(false)
  const latest = data?.list ?? []
  const last = state ? undoable(latest) : null
  return (
    <EntitlementPage
      actions={
        mayChange &&
        last && (
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            onClick={() => setUndoing(true)}
          >
            Undo last run
          </Button>
        )
      }
    >
      {state && <Held of={of} runId={state.heldRunId} mayChange={mayChange} />}
      {latest.length > 0 && <RunChart runs={latest} />}
      <DataList
        caption="Runs of the automation rule, newest first"
        operation={appEntitlementsListAutomationRuns}
        kind="runs"
        filterBy={filterBy}
        input={({ filter, values, orderBy, pageSize, pageToken }) => ({
          path: pathOf(of),
          query: {
            statuses: values<'done'>('status'),
            causes: values<'hand'>('cause'),
            ...(filter('changes') && { changes: filter('changes') as 'PRESENCE_SOME' }),
            order_by: orderBy,
            page_size: pageSize,
            page_token: pageToken,
          },
        })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={columnsOf(setShown, may('users.read'))}
        empty={{
          icon: IconHistory,
          title: 'The rule has never run',
          children: 'Each run is listed here, with its cause, the number of people added and removed, and errors.',
        }}
      />
      <RunDrawer
        of={of}
        run={shown}
        onClose={() => {
          setShown(null)
          onLeave()
        }}
      />
      {last && state && (
        <UndoRun of={of} run={last} state={state} opened={isUndoing} onClose={() => setUndoing(false)} />
      )}
    </EntitlementPage>
  )
}

const filterBy: readonly FilterBy[] = [
  bySome('status', 'Status', {
    running: 'Running',
    held: 'Held',
    done: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
    superseded: 'Superseded',
  }),
  bySome('cause', 'Cause', {
    saved: 'Rule saved',
    change: 'People changed',
    exclusion: 'Exclusion changed',
    schedule: 'Schedule',
    hand: 'Started manually',
    apply: 'Plan applied',
    release: 'Released',
    undo: 'Undo',
  }),
  byPresence('changes', 'Changes', 'Changed something', 'Changed nothing'),
]

const columnsOf = (onShow: (run: AutomationRun) => void, seesEveryone: boolean): readonly Column<AutomationRun>[] => [
  {
    header: 'Run',
    sort: 'started',
    width: '14rem',
    cell: (run) => (
      <button type="button" data-opens className={classes.when} onClick={() => onShow(run)}>
        <Moment at={run.startedAt} show="seconds" />
      </button>
    ),
  },
  {
    header: 'Cause',
    sort: 'cause',
    cell: (run) => (
      <div>
        <div>{causeWords[run.cause]}</div>
        {run.startedByUserId && <UserName userId={run.startedByUserId} />}
      </div>
    ),
  },
  { header: 'Rule', sort: 'version', width: '5.5rem', cell: ({ ruleVersion }) => `version ${ruleVersion}` },
  {
    header: 'Matched',
    ...(seesEveryone && { sort: 'matched' }),
    width: '6rem',
    isNumber: true,
    cell: ({ matchedCount }) => matchedCount.toLocaleString(),
  },
  {
    header: 'Excluded',
    ...(seesEveryone && { sort: 'excluded' }),
    width: '6.5rem',
    isNumber: true,
    cell: ({ excludedCount }) => excludedCount.toLocaleString(),
  },
  {
    header: 'Failed',
    ...(seesEveryone && { sort: 'failed' }),
    width: '5.5rem',
    isNumber: true,
    cell: ({ failedCount }) => failedCount.toLocaleString(),
  },
  { header: 'Changes', sort: 'added', width: '9rem', cell: (run) => <RunChange run={run} /> },
  {
    header: 'Outcome',
    sort: 'status',
    width: '9rem',
    cell: (run) => (
      <Group gap={6} component="span">
        <RunStatus run={run} />
        {run.undoneByRunId && (
          <Badge component="span" color="gray.8">
            Undone
          </Badge>
        )}
      </Group>
    ),
  },
]
