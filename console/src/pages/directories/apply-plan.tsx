import { Alert, Button, Checkbox, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { DirectoryPlansCreateResponse } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { isOutdated, OutdatedNote } from '../../parts/plan-groups.tsx'
import { counted } from '../tasks/words.ts'
import type { Change, Planning } from './planning.ts'

const isTooMany = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'DIRECTORY_DISABLES_TOO_MANY'

export const disablingWords = (count: number): string =>
  `${counted(count, 'user')} ${count === 1 ? 'is' : 'are'} disabled. Their sessions and tokens end immediately, and rules revoke their access.`

type BreakerProps = { count: number; isAccepted: boolean; onAccept: (isAccepted: boolean) => void }

/** So many users would be disabled that a person has to confirm it. */
export const Breaker = ({ count, isAccepted, onAccept }: BreakerProps): ReactNode => (
  <Alert color="red" variant="light" title={`This disables ${counted(count, 'user')}`}>
    <Text size="sm" mb="sm">
      That is more than 20% of the active users of a directory, or deactivations of the directory are already held. If
      you did not expect this, check the keys and the condition, and whether the accounts were imported completely.
    </Text>
    <Checkbox
      label={`Disable ${counted(count, 'user')}`}
      checked={isAccepted}
      onChange={({ currentTarget: { checked } }) => onAccept(checked)}
    />
  </Alert>
)

type ApplyPlanProps = {
  planning: Planning
  plan: DirectoryPlansCreateResponse
  /** What it is a plan of, for a new one. */
  change: Change
  /** On the button. */
  verb: string
}

/** Does what a plan showed, exactly that, or nothing. Asks first where somebody would be disabled. */
export function ApplyPlan({ planning, plan, change, verb }: ApplyPlanProps): ReactNode {
  const [isAccepted, setAccepted] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const { apply } = planning
  const disabled = plan.counts?.disabled ?? 0
  const needsWord = plan.disablesTooMany || isTooMany(apply.error)
  const send = (): void => {
    setAsked(false)
    apply.mutate({ path: { plan_id: plan.planId }, body: { fingerprint: plan.fingerprint, disableMany: isAccepted } })
  }
  return (
    <>
      {needsWord && <Breaker count={disabled} isAccepted={isAccepted} onAccept={setAccepted} />}
      {isOutdated(apply.error) ? (
        <OutdatedNote>
          Something has changed since this plan was created, so nothing was applied. Create a new plan and review it.
        </OutdatedNote>
      ) : (
        !isTooMany(apply.error) && <ErrorNote error={apply.error} title="The plan was not applied" />
      )}
      <Group justify="flex-end" mt="xl">
        <Button variant="default" loading={planning.isPending} onClick={() => planning.make(change)}>
          Create a new plan
        </Button>
        <Button
          color={disabled > 0 ? 'red.8' : undefined}
          loading={apply.isPending}
          disabled={(needsWord && !isAccepted) || isOutdated(apply.error)}
          onClick={() => (disabled > 0 && !needsWord ? setAsked(true) : send())}
        >
          {verb}
        </Button>
      </Group>
      <Confirm
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={`Disable ${counted(disabled, 'user')}?`}
        verb={verb}
        isPending={false}
        error={null}
        onConfirm={send}
      >
        {disablingWords(disabled)}
      </Confirm>
    </>
  )
}
