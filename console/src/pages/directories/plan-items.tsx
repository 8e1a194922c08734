import { Badge, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { directoryPlansListItems } from '#client/api/operations.ts'
import type { DirectoryPlanItem } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Named } from '../../parts/named.tsx'
import { PlanNote, PlanRows } from '../../parts/plan-groups.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { type Count, groups } from './planning.ts'
import { attributeName, conflictIn, conflictWords } from './words.ts'

type PlanItemsProps = { planId: string; appId: string; group: Count; count: number }
const pageSize = 10

/** What a plan would do, account by account, of one count, a page at a time. */
export function PlanItems({ planId, appId, group, count }: PlanItemsProps): ReactNode {
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
  if (error) return <ErrorNote error={error} title="The plan could not be loaded" retry={() => void refetch()} />
  const next = isPlaceholderData ? '' : (data?.nextPageToken ?? '')
  return (
    <PlanRows
      isLater={tokens.length > 0}
      next={next !== ''}
      back={() => setTokens(tokens.slice(0, -1))}
      forth={() => setTokens([...tokens, next])}
    >
      <Table
        caption={`In the plan: ${shown?.label ?? ''}`}
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
  if (outcome === 'DIRECTORY_OUTCOME_CREATE') return 'A user is created: no existing user has a key of the account.'
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
