import { Alert, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { BulkItem, BulkPlan } from '#client/api/types.ts'
import { isSentForApproval, problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { ErrorNote } from '../error-note.tsx'
import { isOutdated, OutdatedNote, PlanGroups } from '../plan-groups.tsx'
import classes from './bulk-dialog.module.css'
import { type BulkDialogProps, counted } from './bulk-dialog.tsx'

type PlannedProps<Body extends object, Applied extends object> = BulkDialogProps<Body, Applied> & {
  body: Body
  planned: BulkPlan
  onOutdated: () => void
}

const groupsOf = [
  { key: 'BULK_OUTCOME_CHANGED', label: 'Will change', tone: 'good' },
  { key: 'BULK_OUTCOME_UNCHANGED', label: 'Unchanged', tone: 'other' },
  { key: 'BULK_OUTCOME_REFUSED', label: 'Cannot change', tone: 'bad' },
] as const

export function Planned<Body extends object, Applied extends object>({
  body,
  planned,
  ...props
}: PlannedProps<Body, Applied>): ReactNode {
  const [reason, setReason] = useState('')
  const [isConfirmed, setConfirmed] = useState(false)
  const applying = useChange(props.apply, {
    changes: props.changes,
    done: (result) => {
      const { changedCount, refusedCount } = result
      const left = refusedCount > 0 ? `, ${refusedCount.toLocaleString()} not changed` : ''
      return props.doneWords?.(result) ?? `${counted(changedCount, props.noun)} changed${left}`
    },
    onDone: props.onDone,
  })
  const much = planned.removals.filter(({ needsConfirmation }) => needsConfirmation)
  const isReady = planned.changedCount > 0 && reason.trim() !== '' && (!planned.needsConfirmation || isConfirmed)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !applying.isPending)
          applying.mutate({
            body: {
              ...(props.applied?.(body) ?? (body as unknown as Applied)),
              fingerprint: planned.fingerprint,
              reason: reason.trim(),
              isConfirmed,
            },
          })
      }}
    >
      <Stack>
        <Outcomes planned={planned} nameOf={props.nameOf} />
        {props.consequence?.(planned)}
        {much.length > 0 && <LargeShare removals={much} isConfirmed={isConfirmed} onConfirm={setConfirmed} />}
        {planned.changedCount > 0 && (
          <TextInput
            label="Reason or ticket"
            description="Recorded in the system log."
            required
            maxLength={1000}
            value={reason}
            error={problemOf(applying.error, 'reason')}
            onChange={({ currentTarget: { value } }) => setReason(value)}
            data-autofocus
          />
        )}
        {isOutdated(applying.error) ? (
          <OutdatedNote>
            Something has changed since the plan was created. Nothing was changed.{' '}
            <Button size="xs" variant="default" onClick={props.onOutdated}>
              Create a new plan
            </Button>
          </OutdatedNote>
        ) : (
          <ErrorNote error={applying.error} shownElsewhere={['reason']} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {isSentForApproval(applying.error) ? 'Close' : 'Cancel'}
          </Button>
          {!isSentForApproval(applying.error) && (
            <Button type="submit" disabled={!isReady} loading={applying.isPending}>
              {props.verb} {counted(planned.changedCount, props.noun)}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** What would become of the items, by the outcome, and in which apps. */
function Outcomes({ planned, nameOf }: { planned: BulkPlan; nameOf: (item: BulkItem) => string }): ReactNode {
  const [group, setGroup] = useState<(typeof groupsOf)[number]['key']>(
    planned.changedCount === 0 && planned.refusedCount > 0 ? 'BULK_OUTCOME_REFUSED' : 'BULK_OUTCOME_CHANGED',
  )
  const counts = {
    BULK_OUTCOME_CHANGED: planned.changedCount,
    BULK_OUTCOME_UNCHANGED: planned.unchangedCount,
    BULK_OUTCOME_REFUSED: planned.refusedCount,
  }
  return (
    <>
      <PlanGroups
        label="Outcome"
        groups={groupsOf.map((each) => ({ ...each, count: counts[each.key] }))}
        chosen={group}
        onChoose={setGroup}
        isBusy={false}
      />
      <Items items={planned.items.filter(({ outcome }) => outcome === group)} nameOf={nameOf} />
      {planned.apps.length > 1 && (
        <Text size="sm">
          By app:{' '}
          {planned.apps
            .filter(({ changedCount }) => changedCount > 0)
            .map(({ appDisplayName, changedCount }) => `${appDisplayName} ${changedCount.toLocaleString()}`)
            .join(', ') || 'none'}
        </Text>
      )}
    </>
  )
}

type LargeShareProps = {
  removals: BulkPlan['removals']
  isConfirmed: boolean
  onConfirm: (isConfirmed: boolean) => void
}

const LargeShare = ({ removals, isConfirmed, onConfirm }: LargeShareProps): ReactNode => (
  <Alert color="orange" title="This affects a large share">
    {removals.map(({ appId, displayName, count, heldCount }) => (
      <Text size="sm" key={appId}>
        {appId === '' ? 'All users' : displayName}: {count.toLocaleString()} of {heldCount.toLocaleString()}
      </Text>
    ))}
    <Checkbox
      mt="sm"
      label="This is intended"
      checked={isConfirmed}
      onChange={({ currentTarget: { checked } }) => onConfirm(checked)}
    />
  </Alert>
)

const shownMax = 100

function Items({ items, nameOf }: { items: readonly BulkItem[]; nameOf: (item: BulkItem) => string }): ReactNode {
  if (items.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None.
      </Text>
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by the keyboard
    <section className={classes.items} aria-label="Items" tabIndex={0}>
      <ul>
        {items.slice(0, shownMax).map((item) => (
          <li key={`${item.appId} ${item.id} ${item.appEntitlementId} ${item.appUserId}`}>
            {nameOf(item)}
            {(item.error || item.note) && <div className={classes.why}>{item.error || item.note}</div>}
          </li>
        ))}
        {items.length > shownMax && (
          <li className={classes.why}>and {(items.length - shownMax).toLocaleString()} more</li>
        )}
      </ul>
    </section>
  )
}
