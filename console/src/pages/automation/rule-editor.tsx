import { Alert, Badge, Button, Group, Skeleton, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { appEntitlementsApplyAutomationPlan, appEntitlementsPlanAutomation } from '#client/api/operations.ts'
import type { AppEntitlementAutomation } from '#client/api/types.ts'
import { queryClient, useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { LeaveQuestion } from '../../parts/leave-question.tsx'
import { Panel } from '../../parts/panel.tsx'
import { isOutdated, OutdatedNote } from '../../parts/plan-groups.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { type Draft, draftOf, emptyDraft, isSameRule, lackOf, proposalOf } from './draft.ts'
import { failingOf } from './examples.tsx'
import { usePlan } from './plan.ts'
import { PlanPanel } from './plan-panel.tsx'
import { afterRule, type Of, pathOf } from './reads.ts'
import { RuleActions } from './rule-actions.tsx'
import classes from './rule-editor.module.css'
import { RuleForm } from './rule-form.tsx'
import { changeWords, type Outcome, people } from './words.ts'

type RuleEditorProps = {
  of: Of
  /** The saved rule; null while the first one is written. */
  rule: AppEntitlementAutomation | null
  isHeld: boolean
  isBusy: boolean
  mayChange: boolean
  onGiveUp: () => void
}

/** A rule beside its plan. Saving it does exactly what the plan shows, or nothing. */
export function RuleEditor({ of, rule, isHeld, isBusy, mayChange, onGiveUp }: RuleEditorProps): ReactNode {
  const saved = rule ? draftOf(rule) : null
  const [draft, setDraft] = useState<Draft>(saved ?? emptyDraft)
  const isChanged = saved === null || !isSameRule(saved, draft)
  const { plan, group, setGroup } = useGroupedPlan(of, isChanged ? draft : null, isHeld)
  const lack = isChanged ? lackOf(draft) : null
  const [reason, setReason] = useState('')
  const apply = useApply(() => setReason(''))
  const isOverwriting = useSavedElsewhere(saved, draft, setDraft)

  const save = (): void =>
    apply.mutate({
      path: pathOf(of),
      body: { fingerprint: plan.fingerprint, automation: isChanged ? proposalOf(draft) : null, reason: reason.trim() },
    })
  const edit = (next: Draft): void => {
    apply.reset()
    setDraft(next)
  }
  return (
    <div className={classes.editor}>
      <Panel
        title="Rule"
        actions={
          <Group gap="xs">
            {isChanged && rule && <Badge color="orange.9">Not saved</Badge>}
            {rule && mayChange && <RuleActions of={of} isIdle={!isBusy && !isHeld && !isChanged} />}
          </Group>
        }
      >
        <RuleForm
          of={of}
          draft={draft}
          onChange={edit}
          error={plan.error}
          checked={plan.isStale ? [] : plan.examples}
          isReadOnly={!mayChange}
          isAutoFocused={rule === null}
        />
        {mayChange && (
          <SaveBar
            isNew={rule === null}
            isChanged={isChanged}
            isOverwriting={isOverwriting}
            plan={lack === null ? plan : null}
            apply={apply}
            onSave={save}
            reason={reason}
            onReason={setReason}
            onDiscard={() => {
              apply.reset()
              if (saved) setDraft(saved)
              else onGiveUp()
            }}
          />
        )}
      </Panel>
      <PlanPanel of={of} plan={plan} isDraft={isChanged} lack={lack} group={group} onGroup={setGroup} />
      <LeaveQuestion isChanged={isChanged && !isSameRule(draft, emptyDraft)}>
        Your changes to the rule are not saved.
      </LeaveQuestion>
    </div>
  )
}

/**
 * The plan, and the group that is shown: by default the removals if a run is held or nobody is added, otherwise the
 * additions.
 */
function useGroupedPlan(of: Of, draft: Draft | null, isHeld: boolean) {
  const [chosen, setGroup] = useState<Outcome | null>(null)
  const [only, setOnly] = useState<'lost' | 'gained' | null>(null)
  const isOfLoss = only === 'lost' || (isHeld && only !== 'gained')
  const group = chosen ?? (isOfLoss ? 'AUTOMATION_OUTCOME_LOSE' : 'AUTOMATION_OUTCOME_GAIN')
  const plan = usePlan(of, draft, group)
  const { counts, isStale } = plan
  useEffect(() => {
    if (!counts || isStale) return
    if (counts.lose === 0) setOnly(counts.gain > 0 ? 'gained' : null)
    else setOnly(counts.gain === 0 ? 'lost' : null)
  }, [counts, isStale])
  return { plan, group, setGroup }
}

/**
 * Shows a rule that someone else saved meanwhile; returns true if that was not done, because it would have discarded the
 * draft.
 */
function useSavedElsewhere(saved: Draft | null, draft: Draft, setDraft: (draft: Draft) => void): boolean {
  const [known, setKnown] = useState(saved)
  const [isOverwriting, setOverwriting] = useState(false)
  useEffect(() => {
    if (!saved || (known && isSameRule(known, saved))) return
    if (known && isSameRule(known, draft)) setDraft(saved)
    else setOverwriting(!isSameRule(saved, draft))
    setKnown(saved)
  }, [saved, known, draft, setDraft])
  return isOverwriting && saved !== null && !isSameRule(saved, draft)
}

/** Saves with the plan's fingerprint. A plan that is outdated is computed again. */
function useApply(onDone: () => void) {
  return useChange(appEntitlementsApplyAutomationPlan, {
    changes: afterRule,
    onDone,
    done: ({ run }) =>
      run && run.gainedCount + run.lostCount > 0
        ? `Saved. ${people(run.gainedCount)} added, ${people(run.lostCount)} removed.`
        : 'Saved. Nobody was added or removed.',
  })
}

type SaveBarProps = {
  isNew: boolean
  isChanged: boolean
  /** Someone else saved the rule while this draft was written. */
  isOverwriting: boolean
  /** Null while there cannot be a plan. */
  plan: ReturnType<typeof usePlan> | null
  apply: ReturnType<typeof useApply>
  onSave: () => void
  /** Why it is saved. */
  reason: string
  onReason: (reason: string) => void
  onDiscard: () => void
}

function SaveBar({ isNew, isChanged, isOverwriting, plan, apply, onSave, onDiscard, ...why }: SaveBarProps): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const counts = plan?.counts ?? { gain: 0, lose: 0 }
  const doing = changeWords(counts)
  const isOfUse = isChanged || doing !== ''
  const refused = apply.error
  useEffect(() => {
    if (!refused) return
    setAsking(false)
    if (isOutdated(refused)) void queryClient.invalidateQueries({ queryKey: [appEntitlementsPlanAutomation.id] })
  }, [refused])
  useEffect(() => {
    if (apply.isSuccess) setAsking(false)
  }, [apply.isSuccess])
  if (!isOfUse && !refused) return null
  const failing = failingOf(plan?.isStale ? [] : (plan?.examples ?? []))
  const isReady = plan !== null && plan.fingerprint !== '' && failing.length === 0
  const isMassGain = plan?.isMassGain ?? false
  return (
    <div className={classes.save}>
      {isOutdated(refused) ? (
        <OutdatedNote>
          Something has changed since this plan was created, so nothing was saved. The plan has been updated: review it,
          then save again.
        </OutdatedNote>
      ) : (
        <ErrorNote error={refused} title="The rule was not saved" />
      )}
      {isOverwriting && (
        <Alert color="orange" role="alert" title="Someone else has saved the rule">
          If you save, you replace their version. Discard your changes to see it.
        </Alert>
      )}
      {failing.length > 0 && isChanged && (
        <Alert color="red" role="alert" title="An example fails">
          The rule cannot be saved until all its examples pass:{' '}
          {failing.map(({ user, userId }) => user?.displayName || userId).join(', ')}. Change the rule or its examples.
        </Alert>
      )}
      {isChanged && <ReasonField value={why.reason} onChange={why.onReason} />}
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" aria-live="polite">
          {isReady ? doing || 'Nobody is added or removed.' : plan && !plan.error ? 'Creating the plan…' : ''}
        </Text>
        <Group gap="sm">
          {isChanged && (
            <Button variant="default" onClick={onDiscard}>
              {isNew ? 'Cancel' : 'Discard'}
            </Button>
          )}
          <Button
            disabled={!isReady}
            loading={apply.isPending}
            onClick={() => (counts.lose > 0 || isMassGain ? setAsking(true) : onSave())}
          >
            {isChanged ? 'Save and apply' : 'Apply plan'}
          </Button>
        </Group>
      </Group>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={counts.lose > 0 ? `Revoke from ${people(counts.lose)}?` : `Grant to ${people(counts.gain)}?`}
        verb={isChanged ? 'Save and apply' : 'Apply plan'}
        isPending={apply.isPending}
        error={null}
        onConfirm={onSave}
      >
        {doing}, immediately.
        {isMassGain &&
          ' This is a large change: the circuit breaker would hold a scheduled run that adds so many people.'}{' '}
        You can undo the run afterwards.
      </Confirm>
    </div>
  )
}

/** As large as the editor that replaces it. */
export const RuleEditorSkeleton = (): ReactNode => (
  <div className={classes.editor} aria-busy>
    <Skeleton height={420} radius="md" />
    <Skeleton height={420} radius="md" />
  </div>
)
