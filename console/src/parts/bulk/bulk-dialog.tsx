import { Alert, Button, Checkbox, Group, Loader, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { BulkItem, BulkPlan, BulkResult } from '#client/api/types.ts'
import type { Operation } from '#client/operation.ts'
import { call } from '../../client/call.ts'
import { isSentForApproval, problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { Dialog } from '../dialog.tsx'
import { ErrorNote } from '../error-note.tsx'
import { isOutdated, OutdatedNote, PlanGroups } from '../plan-groups.tsx'
import classes from './bulk-dialog.module.css'

export type Applying = { fingerprint: string; reason: string; isConfirmed: boolean }

type BulkDialogProps<Body extends object, Applied extends object = Body> = {
  title: string
  about: ReactNode
  /** What is done, and to what: "Revoke", "grant". */
  verb: string
  noun: string
  plan: Operation<{ body: Body }, BulkPlan>
  apply: Operation<{ body: Applied & Applying }, BulkResult>
  /** What is applied, where that is not all that is planned with. */
  applied?: (body: Body) => Applied
  /** Null while something is still to be chosen. */
  body: Body | null
  /** What an item is called. */
  nameOf: (item: BulkItem) => string
  /** The operations whose answers are other ones afterwards. */
  changes: readonly { readonly id: string }[]
  onClose: () => void
  onDone: () => void
  /** What is chosen before there is a plan: a date, a person. */
  children?: ReactNode
}

const counted = (count: number, noun: string): string => `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`

/** Several things changed together: what would happen to each, and then just that. */
export function BulkDialog<Body extends object, Applied extends object = Body>(
  props: BulkDialogProps<Body, Applied>,
): ReactNode {
  const { body } = props
  // Not shared with others: what is shown is what is applied.
  const plan = useQuery({
    queryKey: [props.plan.id, body],
    queryFn: ({ signal }) => call(props.plan, { body: body as Body }, signal),
    staleTime: 0,
    gcTime: 0,
    enabled: body !== null,
  })
  return (
    <Dialog opened onClose={props.onClose} title={props.title}>
      <Stack>
        <Text size="sm">{props.about}</Text>
        {props.children}
        <ErrorNote error={plan.error} retry={() => void plan.refetch()} />
        {plan.isFetching ? (
          <Group gap="xs">
            <Loader size="sm" aria-hidden />
            <Text size="sm" role="status">
              Planning…
            </Text>
          </Group>
        ) : (
          plan.data &&
          body && <Planned {...props} body={body} planned={plan.data} onOutdated={() => void plan.refetch()} />
        )}
        {!plan.data && (
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
  )
}

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

function Planned<Body extends object, Applied extends object>({
  body,
  planned,
  ...props
}: PlannedProps<Body, Applied>): ReactNode {
  const [reason, setReason] = useState('')
  const [isConfirmed, setConfirmed] = useState(false)
  const [group, setGroup] = useState<(typeof groupsOf)[number]['key']>(
    planned.changedCount === 0 && planned.refusedCount > 0 ? 'BULK_OUTCOME_REFUSED' : 'BULK_OUTCOME_CHANGED',
  )
  const applying = useChange(props.apply, {
    changes: props.changes,
    done: ({ changedCount, refusedCount }) =>
      `${counted(changedCount, props.noun)} changed${refusedCount > 0 ? `, ${refusedCount.toLocaleString()} not changed` : ''}`,
    onDone: props.onDone,
  })
  const counts = {
    BULK_OUTCOME_CHANGED: planned.changedCount,
    BULK_OUTCOME_UNCHANGED: planned.unchangedCount,
    BULK_OUTCOME_REFUSED: planned.refusedCount,
  }
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
        <PlanGroups
          label="Outcome"
          groups={groupsOf.map((each) => ({ ...each, count: counts[each.key] }))}
          chosen={group}
          onChoose={setGroup}
          isBusy={false}
        />
        <Items items={planned.items.filter(({ outcome }) => outcome === group)} nameOf={props.nameOf} />
        {planned.apps.length > 1 && (
          <Text size="sm">
            By app:{' '}
            {planned.apps
              .filter(({ changedCount }) => changedCount > 0)
              .map(({ appDisplayName, changedCount }) => `${appDisplayName} ${changedCount.toLocaleString()}`)
              .join(', ') || 'none'}
          </Text>
        )}
        {much.length > 0 && (
          <Alert color="orange" title="This affects a large share">
            {much.map(({ appId, displayName, count, heldCount }) => (
              <Text size="sm" key={appId}>
                {appId === '' ? 'All users' : displayName}: {count.toLocaleString()} of {heldCount.toLocaleString()}
              </Text>
            ))}
            <Checkbox
              mt="sm"
              label="This is intended"
              checked={isConfirmed}
              onChange={({ currentTarget: { checked } }) => setConfirmed(checked)}
            />
          </Alert>
        )}
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
