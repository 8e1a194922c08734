import { Button, Checkbox, Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  subscriptionsGet,
  subscriptionsList,
  subscriptionsListDeliveries,
  subscriptionsPlanReplay,
  subscriptionsReplay,
} from '#client/api/operations.ts'
import type { Subscription, SubscriptionsPlanReplayResponse } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { FormModal } from '../../parts/form-modal.tsx'

const countedMax = 100_000

/** A plan as text. */
function planText({ eventCount, lookedCount, matchedCount, skippedCount }: SubscriptionsPlanReplayResponse): string {
  const events = eventCount >= countedMax ? `${countedMax.toLocaleString()} or more` : eventCount.toLocaleString()
  const sent =
    lookedCount < eventCount
      ? `Of the first ${lookedCount.toLocaleString()}, ${matchedCount.toLocaleString()} would be sent.`
      : `${matchedCount.toLocaleString()} would be sent.`
  const skipped =
    skippedCount > 0 ? ` ${skippedCount.toLocaleString()} events that were not sent yet would be skipped.` : ''
  return `The log has ${events} events from there. ${sent}${skipped}`
}

/** Sends everything from an event, or from a time, again; after a look at how much that is. */
export function Replay({ subscription, onClose }: { subscription: Subscription; onClose: () => void }): ReactNode {
  const [by, setBy] = useState('time')
  const [text, setText] = useState('')
  const [maySkip, setMaySkip] = useState(false)
  const path = { id: subscription.id }
  const moment = by === 'time' && text !== '' ? new Date(text) : null
  const isIncomplete = by === 'time' ? !moment || Number.isNaN(moment.getTime()) : text.trim() === ''
  const from = moment && !isIncomplete ? { fromTime: moment.toISOString() } : { fromEventId: text.trim() }
  const plan = useMutation({ mutationFn: () => call(subscriptionsPlanReplay, { path, body: from }) })
  const replay = useChange(subscriptionsReplay, {
    changes: [subscriptionsGet, subscriptionsList, subscriptionsListDeliveries],
    done: 'Started the replay',
    onDone: onClose,
  })
  const error = replay.error ?? plan.error
  const choose = (changed: () => void): void => {
    changed()
    plan.reset()
    replay.reset()
  }
  const hasSkips = (plan.data?.skippedCount ?? 0) > 0
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Replay ${subscription.displayName}`}
      verb="Replay"
      isIncomplete={isIncomplete || !plan.data || (hasSkips && !maySkip)}
      isPending={replay.isPending}
      error={error}
      fields={['fromEventId', 'fromTime']}
      onSubmit={() => replay.mutate({ path, body: { ...from, maySkip: hasSkips && maySkip } })}
    >
      <Text size="sm">
        Events are sent again in order, with the same message IDs, so that receivers can detect duplicates.
      </Text>
      <SegmentedControl
        aria-label="Replay from"
        data={[
          { value: 'time', label: 'From a time' },
          { value: 'event', label: 'From an event' },
        ]}
        value={by}
        onChange={(value) => choose(() => (setBy(value), setText('')))}
      />
      <TextInput
        label={by === 'time' ? 'Time' : 'Event ID'}
        type={by === 'time' ? 'datetime-local' : 'text'}
        required
        value={text}
        onChange={({ currentTarget: { value } }) => choose(() => setText(value))}
        error={problemOf(error, by === 'time' ? 'fromTime' : 'fromEventId')}
      />
      <Group>
        <Button variant="default" disabled={isIncomplete} loading={plan.isPending} onClick={() => plan.mutate()}>
          Count events
        </Button>
      </Group>
      {plan.data && (
        <Text size="sm" role="status">
          {planText(plan.data)}
        </Text>
      )}
      {hasSkips && (
        <Checkbox
          label="Skip events that were not sent yet"
          checked={maySkip}
          onChange={({ currentTarget: { checked } }) => setMaySkip(checked)}
        />
      )}
    </FormModal>
  )
}
