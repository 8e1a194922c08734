import { Stack, Switch } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { appEntitlementsSetAutomationBreaker } from '#client/api/operations.ts'
import type { AutomationState } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { afterRule, type Of, pathOf } from './reads.ts'

/** Whether runs that change too much are held. Switching that off asks first. */
export function Breaker({ of, state }: { of: Of; state: AutomationState }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const set = useChange(appEntitlementsSetAutomationBreaker, {
    changes: afterRule,
    done: ({ state: now }) => (now?.breakerOff ? 'Circuit breaker turned off' : 'Circuit breaker turned on'),
    onDone: () => setAsking(false),
  })
  const close = (): void => {
    set.reset()
    setAsking(false)
  }
  return (
    <div>
      <Switch
        size="sm"
        label="Circuit breaker"
        description="Holds a run that would remove more than 20% of the members (if there are at least 20), or add more than 20% of all people."
        checked={!state.breakerOff}
        disabled={set.isPending}
        onChange={({ currentTarget: { checked } }) => {
          if (checked) set.mutate({ path: pathOf(of), body: { breakerOff: false } })
          else {
            setReason('')
            setAsking(true)
          }
        }}
      />
      {!isAsking && <ErrorNote error={set.error} />}
      <Confirm
        opened={isAsking}
        onClose={close}
        title="Turn off the circuit breaker?"
        verb="Turn off"
        isPending={set.isPending}
        error={set.error}
        onConfirm={() => set.mutate({ path: pathOf(of), body: { breakerOff: true, reason: reason.trim() } })}
      >
        <Stack gap="sm">
          <div>
            Runs of this rule are then never held. A faulty import or a mistake in the expression can remove this
            entitlement from every member, or grant it to everyone, and nobody is asked first. The circuit breaker stays
            off until someone turns it on again.
          </div>
          <ReasonField value={reason} onChange={setReason} />
        </Stack>
      </Confirm>
    </div>
  )
}
