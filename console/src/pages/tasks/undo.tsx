import { Button, List, NativeSelect, Skeleton, Text, Textarea } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { taskActionsUndo, taskUndoPlan } from '#client/api/operations.ts'
import type { PlanUndoResponse, PolicyStepInstance } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Moment } from '../../parts/moment.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { taskReads } from './reads.ts'
import type { SeenTask } from './seen-task.ts'
import { counted, stepTitle } from './words.ts'

const commentMax = 10_000

const wordOf = ({ approval, provision, wait, form }: PolicyStepInstance): string => {
  if (approval?.approved) return 'approved'
  if (approval?.denied) return 'denied'
  return (approval?.skipped ?? provision?.skipped ?? wait?.skipped ?? form?.skipped) ? 'skipped' : ''
}

/** The decisions that are in effect, the last first. */
const decisionsOf = ({ task }: SeenTask): PolicyStepInstance[] =>
  (task.policy?.history ?? [])
    .filter((step) => step.policyGenerationId === task.policyGenerationId && wordOf(step) !== '')
    .toReversed()

/** Whether the caller may undo the last decision now: the API is asked if there is one. */
export function useUndo(seen: SeenTask): boolean {
  const { data } = useQuery({
    ...read(taskUndoPlan, { path: { id: seen.task.id } }),
    enabled: seen.kind !== 'offboarding' && decisionsOf(seen).length > 0,
    retry: false,
  })
  return data?.possible ?? false
}

/** Undoes a decision, after showing everything that this does. */
export function UndoButton({ seen }: { seen: SeenTask }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Undo decision
      </Button>
      {isOpen && <UndoDialog seen={seen} onClose={() => setOpen(false)} />}
    </>
  )
}

function UndoDialog({ seen, onClose }: { seen: SeenTask; onClose: () => void }): ReactNode {
  const decisions = decisionsOf(seen)
  const [stepId, setStepId] = useState(decisions[0]?.id ?? '')
  const [comment, setComment] = useState('')
  const plan = useQuery({
    ...read(taskUndoPlan, { path: { id: seen.task.id }, query: { policy_step_id: stepId } }),
    // Read again each time: the plan of a moment ago may be outdated.
    staleTime: 0,
  })
  const undo = useChange(taskActionsUndo, { changes: taskReads, done: 'Undone', onDone: onClose })
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Undo this decision?"
      verb="Undo decision"
      isPending={undo.isPending}
      isIncomplete={!plan.data?.possible || plan.isFetching}
      error={undo.error}
      fields={['comment']}
      onSubmit={() =>
        undo.mutate({ path: { task_id: seen.task.id }, body: { policyStepId: stepId, comment: comment.trim() } })
      }
    >
      {decisions.length > 1 && (
        <NativeSelect
          label="Decision"
          value={stepId}
          onChange={({ currentTarget: { value } }) => setStepId(value)}
          data={decisions.map((step) => ({ value: step.id, label: `${stepTitle(step)}: ${wordOf(step)}` }))}
        />
      )}
      {plan.error ? (
        <ErrorNote error={plan.error} title="The plan could not be loaded" retry={() => void plan.refetch()} />
      ) : plan.data ? (
        <UndoPlan plan={plan.data} seen={seen} />
      ) : (
        <Skeleton height={96} />
      )}
      <Textarea
        label="Comment"
        description="Optional. Visible to everyone who can see the task."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={commentMax}
        value={comment}
        onChange={({ currentTarget: { value } }) => setComment(value)}
        error={problemOf(undo.error, 'comment')}
      />
    </FormModal>
  )
}

const sources: Readonly<Record<string, string>> = {
  manual: 'granted manually',
  import: 'imported',
  rule: 'granted by a rule',
  profile: 'part of an access profile',
  request: 'requested',
}

type Holding = Pick<
  PlanUndoResponse['givesBack'][number],
  'appDisplayName' | 'entitlementDisplayName' | 'appEntitlementId'
>
const what = ({ entitlementDisplayName, appDisplayName, appEntitlementId }: Holding): string =>
  `${entitlementDisplayName || appEntitlementId}${appDisplayName ? ` in ${appDisplayName}` : ''}`

/** What undoing does, one item per line. */
function UndoPlan({ plan, seen }: { plan: PlanUndoResponse; seen: SeenTask }): ReactNode {
  if (!plan.possible)
    return (
      <Text size="sm" role="alert">
        {plan.whyNot}
      </Text>
    )
  const person = seen.task.userId === '' ? 'The person' : seen.nameOf(seen.task.userId)
  const isNothing = plan.ends.length + plan.givesBack.length + plan.cannotGiveBack.length === 0
  return (
    <div>
      <Text size="sm" mb="xs">
        {plan.step.replace(/\.$/, '')}: {plan.decision} by {seen.nameOf(plan.decidedByUserId)},{' '}
        <Moment at={plan.decidedAt} />.
      </Text>
      <List size="sm" spacing={4} aria-label="Changes">
        {plan.ends.map((each) => (
          <List.Item key={`ends ${each.appEntitlementId} ${each.appUserId}`}>
            {person} loses <strong>{what(each)}</strong>
            {each.staysHeldBy.length > 0
              ? ` as granted by this request, but still has it: ${each.staysHeldBy.map((by) => sources[by] ?? by).join(', ')}.`
              : '.'}
          </List.Item>
        ))}
        {plan.givesBack.map((each) => (
          <List.Item key={`back ${each.appEntitlementId} ${each.appUserId} ${each.source}`}>
            {person} gets <strong>{what(each)}</strong> again
            {each.expiresAt && (
              <>
                {' '}
                until <Moment at={each.expiresAt} />
              </>
            )}
            .
          </List.Item>
        ))}
        {plan.cannotGiveBack.map((each) => (
          <List.Item key={`not ${each.appEntitlementId} ${each.appUserId} ${each.source}`}>
            <strong>{what(each)}</strong> is not granted again. {each.why}
          </List.Item>
        ))}
        {isNothing && <List.Item>No access changes.</List.Item>}
        {plan.byHand.map(({ userId, completedAt }) => (
          <List.Item key={`hand ${userId} ${completedAt}`}>
            {seen.nameOf(userId)} provisioned this manually. Undo it manually in the app.
          </List.Item>
        ))}
        {plan.laterDecisions > 0 && (
          <List.Item>{counted(plan.laterDecisions, 'later decision')} will be undone too.</List.Item>
        )}
        <List.Item>{plan.closes ? `The task is closed: ${plan.closes}` : 'The step must be decided again.'}</List.Item>
      </List>
      {plan.possibleUntil && (
        <Text size="sm" c="dimmed" mt="xs">
          You can undo it until <Moment at={plan.possibleUntil} /> (<RelativeTime at={plan.possibleUntil} />
          ). After that, a request administrator can.
        </Text>
      )}
    </div>
  )
}
