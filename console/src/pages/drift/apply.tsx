import { Alert, Button, Checkbox, Group, List, Loader, Progress, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import {
  driftCount,
  driftList,
  driftPlan,
  driftRunsCreate,
  driftRunsGet,
  driftRunsUndo,
  homeListAttention,
} from '#client/api/operations.ts'
import type { DriftRun, PlanDriftRequest, PlanDriftResponse } from '#client/api/types.ts'
import type { Sent } from '#client/operation.ts'
import { call } from '../../client/call.ts'
import { read, useChange } from '../../client/queries.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { words } from './words.ts'

export type Chosen = Sent<PlanDriftRequest>

type ApplyProps = { chosen: Chosen; onClose: () => void; onApplied: () => void }

const differences = (count: number): string => `${count.toLocaleString()} ${count === 1 ? 'difference' : 'differences'}`

/** A remedy for several differences: what it would do, and, once it is wanted, what became of it. */
export function Apply({ chosen, onClose, onApplied }: ApplyProps): ReactNode {
  const { label = '', about } = (chosen.remedy && words[chosen.remedy]) ?? {}
  const [runId, setRunId] = useState('')
  // Not shared with others: what is shown is what is applied.
  const plan = useQuery({
    queryKey: [driftPlan.id, chosen],
    queryFn: ({ signal }) => call(driftPlan, { body: chosen }, signal),
    staleTime: 0,
    gcTime: 0,
    enabled: runId === '',
  })
  return (
    <Dialog opened onClose={onClose} title={`${label}: several differences`} size="md">
      <Stack>
        <Text size="sm">{about}</Text>
        <ErrorNote error={plan.error} />
        {runId !== '' ? (
          <Outcome id={runId} onClose={onClose} />
        ) : plan.data && !plan.isFetching ? (
          <Planned
            chosen={chosen}
            plan={plan.data}
            verb={label}
            onClose={onClose}
            onOutdated={() => void plan.refetch()}
            onBegun={(id) => {
              setRunId(id)
              onApplied()
            }}
          />
        ) : (
          !plan.error && <Loader size="sm" aria-label="Planning" />
        )}
      </Stack>
    </Dialog>
  )
}

type PlannedProps = {
  chosen: Chosen
  plan: PlanDriftResponse
  verb: string
  onClose: () => void
  onOutdated: () => void
  onBegun: (id: string) => void
}

function Planned({ chosen, plan, verb, onClose, onOutdated, onBegun }: PlannedProps): ReactNode {
  const [isConfirmed, setConfirmed] = useState(false)
  const begin = useChange(driftRunsCreate, {
    changes: [driftList, driftCount],
    onDone: ({ run }) => onBegun(run?.id ?? ''),
  })
  const much = plan.apps.filter(({ needsConfirmation }) => needsConfirmation)
  return (
    <>
      <List size="sm">
        {plan.outcomes.map(({ happens, count }) => (
          <List.Item key={happens}>
            {differences(count)}: {happens}
          </List.Item>
        ))}
        {plan.refused.map(({ reason, count }) => (
          <List.Item key={reason}>
            {differences(count)} stay: {reason}
          </List.Item>
        ))}
        {plan.count === 0 && plan.refused.length === 0 && <List.Item>Nothing matches any more.</List.Item>}
      </List>
      {plan.isMore && (
        <Text size="sm">
          There are more matches than can be processed at the same time. Apply it again for the others afterwards.
        </Text>
      )}
      {much.length > 0 && (
        <Alert color="orange" title="This affects a large part of an app">
          {much.map(({ appId, appDisplayName, count, grantCount }) => (
            <Text size="sm" key={appId}>
              {appDisplayName}: {count.toLocaleString()} of {grantCount.toLocaleString()} grants
            </Text>
          ))}
          <Checkbox
            mt="sm"
            label="I intend this"
            checked={isConfirmed}
            onChange={({ currentTarget: { checked } }) => setConfirmed(checked)}
          />
        </Alert>
      )}
      <ErrorNote error={begin.error} retry={onOutdated} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          disabled={plan.count === 0 || (plan.needsConfirmation && !isConfirmed)}
          loading={begin.isPending}
          onClick={() => begin.mutate({ body: { ...chosen, fingerprint: plan.fingerprint, isConfirmed } })}
        >
          {verb}: {differences(plan.count)}
        </Button>
      </Group>
    </>
  )
}

const againMs = 700
const isOver = ({ state }: DriftRun): boolean => state !== 'running' && state !== 'undoing'

function Outcome({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const client = useQueryClient()
  const { data, error } = useQuery({
    ...read(driftRunsGet, { path: { run_id: id } }),
    refetchInterval: ({ state }) => (state.data?.run && isOver(state.data.run) ? false : againMs),
  })
  const undo = useChange(driftRunsUndo, { changes: [driftRunsGet] })
  const run = data?.run
  const state = run?.state ?? 'running'
  // What it changed is read again when it is over.
  useEffect(() => {
    for (const { id: of } of [driftList, driftCount, homeListAttention])
      void client.invalidateQueries({ queryKey: [of] })
  }, [state, client])
  if (!run) return <ErrorNote error={error} />
  const { itemCount, waitingCount, doneCount, refusedCount, undoneCount, leftCount } = run
  const left = state === 'undoing' ? doneCount : waitingCount
  return (
    <>
      <div aria-live="polite">
        {isOver(run) ? (
          <Text size="sm">
            {state === 'undone'
              ? `Undone for ${differences(undoneCount)}.`
              : `${state === 'stopped' ? 'Stopped' : 'Done'} for ${differences(doneCount)}.`}
            {refusedCount > 0 && ` ${differences(refusedCount)} refused.`}
            {leftCount > 0 && ` ${differences(leftCount)} could not be undone.`} {run.error}
          </Text>
        ) : (
          <Progress value={itemCount === 0 ? 0 : (100 * (itemCount - left)) / itemCount} aria-label="Progress" />
        )}
      </div>
      <ErrorNote error={undo.error} />
      <Group justify="flex-end">
        {(state === 'done' || state === 'stopped') && doneCount > 0 && (
          <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate({ path: { run_id: id } })}>
            Undo
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </>
  )
}
