import { Button, Group, NativeSelect, SegmentedControl, Skeleton, Text, TextInput } from '@mantine/core'
import { IconHistoryOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { accessHistoryList } from '#client/api/operations.ts'
import type { AccessSpan, AccessTrack } from '#client/api/types.ts'
import { call } from '../../../client/call.ts'
import { useSession } from '../../../client/session.ts'
import { AsOfField } from '../../../parts/as-of.tsx'
import { EmptyNote } from '../../../parts/empty-note.tsx'
import { ErrorNote } from '../../../parts/error-note.tsx'
import { Giver, sourceWords } from '../../../parts/giver.tsx'
import { useListState } from '../../../parts/list-state.ts'
import { Moment } from '../../../parts/moment.tsx'
import { Named } from '../../../parts/named.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { Table } from '../../../parts/table.tsx'
import { Removals } from '../removal/removals.tsx'
import { UserPage, useUser } from '../user-page.tsx'
import { type RangeName, ranges, startOf } from './axis.ts'
import { StatusHistory } from './status-history.tsx'
import classes from './timeline-chart.module.css'
import { TimelineChart } from './timeline-chart.tsx'

const pageSize = 100

/** The range of the address: how many days, all, or from one day to another. */
function useRange(): { range: RangeName; from: Date | null; to: Date } {
  const { filter } = useListState()
  const asOf = new Date(filter('as_of'))
  // To the minute, so that the query stays the same while the page is shown.
  const now = new Date(Math.ceil(Date.now() / 60_000) * 60_000)
  const end = Number.isNaN(asOf.getTime()) ? now : asOf
  const range = ranges.find((each) => each === filter('range')) ?? '365'
  if (range !== 'custom') return { range, from: startOf(range, end), to: end }
  const dayIn = (name: string): Date | null => {
    const at = new Date(`${filter(name)}T00:00`)
    return Number.isNaN(at.getTime()) ? null : at
  }
  const until = dayIn('to')
  const to = until && until < end ? until : end
  const from = dayIn('from')
  return { range, from: from && from < to ? from : startOf('365', to), to }
}

type HistoryQuery = { from?: string; to?: string; as_of?: string }

/** Page after page, as many as were requested. */
const useHistory = (userId: string, query: HistoryQuery) =>
  useInfiniteQuery({
    queryKey: [accessHistoryList.id, userId, query],
    queryFn: ({ pageParam, signal }) =>
      call(
        accessHistoryList,
        { path: { user_id: userId }, query: { ...query, page_size: pageSize, page_token: pageParam } },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
  })

/** What a person held over time, and why it came and went. */
export function UserTimeline(): ReactNode {
  const { userId, user } = useUser()
  const { filter } = useListState()
  const { may } = useSession()
  const { range, from, to } = useRange()
  const asOf = filter('as_of')
  const view = filter('view') === 'table' ? 'table' : 'chart'
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useHistory(userId, {
    ...(from && { from: from.toISOString() }),
    ...(range === 'custom' && { to: to.toISOString() }),
    ...(asOf && { as_of: asOf }),
  })
  const tracks = data?.pages.flatMap(({ list }) => list) ?? []
  const name = user?.displayName || user?.email || 'this person'
  const begin = from ?? earliest(tracks) ?? startOf('365', to) ?? to
  return (
    <UserPage>
      <Panel title="Access over time" about="What was granted and removed, when and why.">
        <Tools range={range} view={view} />
        <ErrorNote error={error} title="The history could not be loaded" retry={() => void refetch()} />
        {!data && !error && <Skeleton height={240} />}
        {data && tracks.length === 0 && (
          <EmptyNote icon={IconHistoryOff} title="No access in this range">
            {name} had no access in this range. Choose a longer one.
          </EmptyNote>
        )}
        {tracks.length > 0 &&
          (view === 'chart' ? (
            <TimelineChart name={name} tracks={tracks} from={begin} to={to} />
          ) : (
            <SpanTable name={name} tracks={tracks} />
          ))}
        {tracks.some(({ isCut }) => isCut) && (
          <Text size="sm" c="dimmed" mt="xs">
            For some entitlements, only the latest changes are shown.
          </Text>
        )}
        {hasNextPage && (
          <Group mt="md">
            <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Show more entitlements
            </Button>
          </Group>
        )}
      </Panel>
      {may('grants.read') && user && <Removals user={user} />}
      {may('systemlog.read') && <StatusHistory userId={userId} since={begin} until={to} />}
    </UserPage>
  )
}

function Tools({ range, view }: { range: RangeName; view: 'chart' | 'table' }): ReactNode {
  const { filter, set } = useListState()
  return (
    <div className={classes.tools}>
      <div className={classes.fields}>
        <NativeSelect
          label="Range"
          value={range}
          onChange={({ currentTarget: { value } }) => set({ range: value })}
          data={[
            { value: '30', label: 'Last 30 days' },
            { value: '90', label: 'Last 90 days' },
            { value: '365', label: 'Last year' },
            { value: 'all', label: 'All' },
            { value: 'custom', label: 'Custom' },
          ]}
        />
        {range === 'custom' &&
          (['from', 'to'] as const).map((each) => (
            <TextInput
              key={each}
              type="date"
              label={each === 'from' ? 'From' : 'To'}
              value={filter(each)}
              onChange={({ currentTarget: { value } }) => set({ [each]: value }, true)}
            />
          ))}
        <AsOfField />
      </div>
      <SegmentedControl
        size="xs"
        aria-label="Show as"
        data={[
          { value: 'chart', label: 'Chart' },
          { value: 'table', label: 'Table' },
        ]}
        value={view}
        onChange={(value) => set({ view: value === 'chart' ? '' : value }, true)}
      />
    </div>
  )
}

const earliest = (tracks: readonly AccessTrack[]): Date | null => {
  const all = tracks.flatMap(({ spans }) => spans.flatMap(({ from }) => (from ? [new Date(from).getTime()] : [])))
  return all.length > 0 ? new Date(Math.min(...all)) : null
}

type Line = { track: AccessTrack; span: AccessSpan }

/** The same as the chart, in words: the latest first, with links to the reasons. */
function SpanTable({ name, tracks }: { name: string; tracks: readonly AccessTrack[] }): ReactNode {
  const mayFollow = useSession().may('entitlements.read')
  const lines = tracks
    .flatMap((track) => track.spans.map((span): Line => ({ track, span })))
    .toSorted((a, b) => (b.span.from ?? '').localeCompare(a.span.from ?? ''))
  return (
    <Table
      caption={`What ${name} held, the latest first`}
      rows={lines}
      keyOf={({ track, span }) => [track.appEntitlementId, track.appUserId, span.source, span.from].join(' ')}
      isPending={false}
      isStale={false}
      columns={[
        {
          header: 'Entitlement',
          cell: ({ track }) => (
            <Named
              label={track.entitlementDisplayName || track.appEntitlementId}
              to={mayFollow ? `/apps/${track.appId}/entitlements/${track.appEntitlementId}` : undefined}
              about={[track.appDisplayName, track.resourceDisplayName].filter(Boolean).join(' · ')}
            />
          ),
        },
        { header: 'Granted', width: '10rem', cell: ({ span }) => <Moment at={span.from} /> },
        {
          header: 'Source',
          width: '20%',
          cell: ({ span }) => (
            <>
              {sourceWords(span.source)}
              {span.grantedBy && (
                <div>
                  <Giver giver={span.grantedBy} />
                </div>
              )}
            </>
          ),
        },
        { header: 'Ended', width: '10rem', cell: ({ span }) => <Moment at={span.to} none="Current" /> },
        {
          header: 'Why it ended',
          width: '18%',
          cell: ({ span }) =>
            span.to === null ? (
              '–'
            ) : (
              <>
                {span.endedWhy === 'expired' ? 'Expired' : 'Removed'}
                {span.endedBy && (
                  <div>
                    <Giver giver={span.endedBy} />
                  </div>
                )}
              </>
            ),
        },
      ]}
    />
  )
}
