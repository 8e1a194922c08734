import { Alert, Badge, Button, Checkbox, Group, Text } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { directoryPlansApply, directoryPlansCreate, directoryPlansListItems } from '../../api/operations.ts'
import type {
  DirectoryPlanCounts,
  DirectoryPlanItem,
  DirectoryPlansCreateRequest,
  DirectoryPlansCreateResponse,
} from '../../api/types.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Sent } from '../../client/operation.ts'
import { read, useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { type Column, Table } from '../../parts/data-list.tsx'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Named } from '../../parts/named.tsx'
import { Panel } from '../../parts/panel.tsx'
import { isOutdated, OutdatedNote, PlanGroups, PlanNote, PlanRows } from '../../parts/plan-groups.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { counted } from '../tasks/words.ts'
import { directoryReads } from './reads.ts'
import { attributeName, conflictIn, conflictWords } from './words.ts'

type Change = Sent<DirectoryPlansCreateRequest>
type Count = keyof DirectoryPlanCounts

/** A plan of a change of directories, and what applies it. What was planned is forgotten when the change is another. */
export function useDirectoryPlan({ done, onApplied }: { done: string; onApplied: () => void }) {
  const make = useChange(directoryPlansCreate, { changes: [] })
  const apply = useChange(directoryPlansApply, {
    changes: directoryReads,
    done,
    onDone() {
      make.reset()
      onApplied()
    },
  })
  return {
    plan: make.data ?? null,
    error: make.error,
    isPending: make.isPending,
    make(change: Change): void {
      apply.reset()
      make.mutate({ body: change })
    },
    forget(): void {
      make.reset()
      apply.reset()
    },
    apply,
  }
}
export type Planning = ReturnType<typeof useDirectoryPlan>

const groups: readonly { count: Count; label: string; tone?: 'good' | 'bad' | 'other'; none: string }[] = [
  { count: 'created', label: 'created', tone: 'good', none: 'No users would be created.' },
  { count: 'matched', label: 'linked', none: 'No accounts would be linked to existing users.' },
  { count: 'changed', label: 'changed', none: 'No other users would change.' },
  { count: 'left', label: 'leave the directory', none: 'No accounts would leave the directory.' },
  { count: 'disabled', label: 'disabled', tone: 'bad', none: 'No users would be disabled.' },
  { count: 'enabled', label: 'enabled', tone: 'good', none: 'No users would be enabled.' },
  { count: 'conflicts', label: 'conflicts', tone: 'other', none: 'No conflicts.' },
]

type PlanPanelProps = {
  planning: Planning
  change: Change
  /** The app of the directory, for links to accounts; empty where the plan is about several. */
  appId: string
  /** Why there cannot be a plan yet. */
  lack: string | null
  /** The fields that show what is wrong with them themselves. */
  fields: readonly string[]
  /** On the button that applies it. */
  verb: string
}

/** What a change would do to users; then the button that does exactly that. */
export function PlanPanel({ planning, change, appId, lack, fields, verb }: PlanPanelProps): ReactNode {
  const { plan, error, isPending } = planning
  const make = (
    <Button onClick={() => planning.make(change)} loading={isPending} disabled={lack !== null}>
      Create plan
    </Button>
  )
  return (
    <Panel title="Plan" about="What this would do to users. Nothing is changed until you apply the plan.">
      {error && <ErrorNote error={error} title="The plan could not be created" shownElsewhere={fields} />}
      {plan ? (
        <PlanOf key={plan.planId} planning={planning} plan={plan} change={change} appId={appId} verb={verb} />
      ) : (
        <EmptyNote icon={IconArrowsDiff} title={isPending ? 'Creating the plan…' : 'No plan yet'} action={make}>
          {lack ?? 'Create a plan to see who would be created, linked, changed and disabled.'}
        </EmptyNote>
      )}
    </Panel>
  )
}

type PlanOfProps = Omit<PlanPanelProps, 'lack' | 'fields'> & { plan: DirectoryPlansCreateResponse }

function PlanOf({ planning, plan, change, appId, verb }: PlanOfProps): ReactNode {
  const counts = plan.counts as DirectoryPlanCounts
  const first = groups.find(({ count }) => counts[count] > 0)?.count ?? 'created'
  const [group, setGroup] = useState<Count>(counts.disabled > 0 ? 'disabled' : first)
  return (
    <>
      <PlanGroups
        label="What to show"
        groups={groups.map(({ count, label, tone }) => ({
          key: count,
          count: counts[count],
          label,
          ...(tone && { tone }),
        }))}
        chosen={group}
        onChoose={setGroup}
        isBusy={false}
      />
      <Items key={group} planId={plan.planId} appId={appId} group={group} count={counts[group]} />
      <ApplyBar planning={planning} plan={plan} change={change} verb={verb} />
    </>
  )
}

type ItemsProps = { planId: string; appId: string; group: Count; count: number }
const pageSize = 10

function Items({ planId, appId, group, count }: ItemsProps): ReactNode {
  const [tokens, setTokens] = useState<readonly string[]>([])
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    ...read(directoryPlansListItems, {
      path: { plan_id: planId },
      query: { counted_as: group, page_size: pageSize, page_token: tokens.at(-1) ?? '' },
    }),
    placeholderData: keepPreviousData,
    enabled: count > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const shown = groups.find((each) => each.count === group)
  if (count === 0) return <PlanNote>{shown?.none}</PlanNote>
  if (error) return <ErrorNote error={error} title="The plan could not be read" retry={() => void refetch()} />
  const next = isPlaceholderData ? '' : (data?.nextPageToken ?? '')
  return (
    <PlanRows
      isLater={tokens.length > 0}
      next={next !== ''}
      back={() => setTokens(tokens.slice(0, -1))}
      forth={() => setTokens([...tokens, next])}
    >
      <Table
        caption={`Of the plan: ${shown?.label ?? ''}`}
        columns={columnsOf(appId)}
        rows={data?.list ?? []}
        keyOf={({ appUserId, userId, outcome }) => `${appUserId} ${userId} ${outcome}`}
        isPending={isPending}
        isStale={isPlaceholderData}
      />
    </PlanRows>
  )
}

const columnsOf = (appId: string): readonly Column<DirectoryPlanItem>[] => [
  {
    header: 'User or account',
    width: '38%',
    cell: ({ displayName, appUserId, userId }) => {
      const account = appUserId && appId ? `/apps/${appId}/accounts/${appUserId}` : undefined
      return <Named label={displayName || userId || appUserId} to={userId ? `/users/${userId}` : account} />
    },
  },
  { header: 'What happens', cell: (item) => <Happens item={item} /> },
]

/** Words for the outcome of one item, with its reason. */
function outcomeWords({ outcome, matchedBy, fields }: DirectoryPlanItem): string {
  const by = matchedBy && ` by ${matchedBy}`
  const changes = fields.length > 0 ? fields.map(attributeName).join(', ') : ''
  if (outcome === 'DIRECTORY_OUTCOME_CREATE') return 'A user is created: no user has a key of the account.'
  if (outcome === 'DIRECTORY_OUTCOME_MATCH') return `Linked to the user${by}.${changes && ` Changes: ${changes}.`}`
  if (outcome === 'DIRECTORY_OUTCOME_MOVE')
    return `Moved to this user from another one${by}.${changes && ` Changes: ${changes}.`}`
  if (outcome === 'DIRECTORY_OUTCOME_LEAVE')
    return `The account is no longer part of the directory.${changes && ` Changes: ${changes}.`}`
  return changes ? `Changes: ${changes}.` : ''
}

function Happens({ item }: { item: DirectoryPlanItem }): ReactNode {
  const { outcome, reason, conflictingUserIds, isDisabled, isEnabled } = item
  const [why, advice] = outcome === 'DIRECTORY_OUTCOME_CONFLICT' ? conflictWords(conflictIn(reason)) : ['', '']
  return (
    <>
      {isDisabled && (
        <Badge component="span" color="red" mr="xs">
          Disabled
        </Badge>
      )}
      {isEnabled && (
        <Badge component="span" color="teal.9" mr="xs">
          Enabled
        </Badge>
      )}
      {why || outcomeWords(item)}
      {advice && (
        <Text size="sm" c="dimmed">
          {advice}
        </Text>
      )}
      {conflictingUserIds.map((userId) => (
        <div key={userId}>
          <UserName userId={userId} />
        </div>
      ))}
    </>
  )
}

const isTooMany = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'DIRECTORY_DISABLES_TOO_MANY'

export const disablingWords = (count: number): string =>
  `${counted(count, 'user')} ${count === 1 ? 'is' : 'are'} disabled. Their sessions and tokens end at once, and rules remove their access.`

type BreakerProps = { count: number; isAccepted: boolean; onAccept: (isAccepted: boolean) => void }

/** So many would be disabled that a person has to say so. */
export const Breaker = ({ count, isAccepted, onAccept }: BreakerProps): ReactNode => (
  <Alert color="red" variant="light" title={`This disables ${counted(count, 'user')}`}>
    <Text size="sm" mb="sm">
      That is more than 20% of the active users of a directory, or deactivations of the directory are held already. If
      you did not expect this, check the keys and the condition, and whether the accounts were imported completely.
    </Text>
    <Checkbox
      label={`Disable ${counted(count, 'user')}`}
      checked={isAccepted}
      onChange={({ currentTarget: { checked } }) => onAccept(checked)}
    />
  </Alert>
)

type ApplyBarProps = Pick<PlanPanelProps, 'planning' | 'change' | 'verb'> & { plan: DirectoryPlansCreateResponse }

function ApplyBar({ planning, plan, change, verb }: ApplyBarProps): ReactNode {
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
          Something changed since this plan was created, so nothing was applied. Create a new plan and look at it.
        </OutdatedNote>
      ) : (
        !isTooMany(apply.error) && <ErrorNote error={apply.error} title="The plan was not applied" />
      )}
      <Group justify="flex-end" mt="md">
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
