import { Anchor, Button, Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { systemLogSearch } from '#client/api/operations.ts'
import { call } from '../../../client/call.ts'
import { useSession } from '../../../client/session.ts'
import { ErrorNote } from '../../../parts/error-note.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { Table } from '../../../parts/table.tsx'
import { eventOf, type LogEvent } from '../../system-log/event.ts'
import { ThingLink } from '../../system-log/thing-link.tsx'

const pageSize = 100

type Status = { reason?: unknown; before?: unknown; status?: unknown }
type Switched = { event: LogEvent; data: Status }

/** Of events about the person, those that enabled or disabled them or an account of theirs. */
const switchedIn = (event: LogEvent): Switched[] =>
  event.objects
    .slice(0, 1)
    .flatMap(({ resource: { data } }) =>
      typeof (data as Status | null)?.status === 'string' && (data as Status).before !== undefined
        ? [{ event, data: data as Status }]
        : [],
    )

/** When a person or an account of theirs was disabled and enabled, by whom and why, from the system log. */
export function StatusHistory({ userId, since, until }: { userId: string; since: Date; until: Date }): ReactNode {
  const { may } = useSession()
  const body = {
    objectId: userId,
    kind: 'EVENT_KIND_UPDATE' as const,
    query: 'abled',
    since: since.toISOString(),
    until: until.toISOString(),
  }
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [systemLogSearch.id, 'status', body],
    queryFn: ({ pageParam, signal }) =>
      call(systemLogSearch, { body: { ...body, pageSize, pageToken: pageParam } }, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
  })
  const rows = (data?.pages ?? []).flatMap(({ list, names }) => {
    const named = new Map(names.map((each) => [each.id, each]))
    return list.flatMap((event) => switchedIn(eventOf(event, named, may)))
  })
  if (error)
    return <ErrorNote error={error} title="Changes of the status could not be read" retry={() => void refetch()} />
  return (
    <Panel
      title="Disabled and enabled"
      about="Changes of the status of the person and their accounts, from the system log."
    >
      {rows.length > 0 ? (
        <Table
          caption="Changes of the status, the latest first"
          rows={rows}
          keyOf={({ event }) => event.id}
          isPending={false}
          isStale={false}
          columns={[
            {
              header: 'Change',
              cell: ({ event }) => (
                <Anchor component={Link} to={`/log/events/${event.id}`} size="sm" underline="always">
                  {event.message}
                </Anchor>
              ),
            },
            { header: 'When', width: '11rem', cell: ({ event }) => <Moment at={event.at} /> },
            {
              header: 'By',
              width: '20%',
              cell: ({ event: { by } }) => (by.thing ? <ThingLink thing={by.thing} /> : by.name || '–'),
            },
            {
              header: 'Reason',
              width: '30%',
              cell: ({ data: { reason } }) => (typeof reason === 'string' && reason ? reason : '–'),
            },
          ]}
        />
      ) : (
        <Text size="sm" c="dimmed" role="status">
          {isFetching ? 'Searching the system log…' : 'No changes in this range.'}
        </Text>
      )}
      {hasNextPage && (
        <Group mt="md">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Search further back
          </Button>
        </Group>
      )}
    </Panel>
  )
}
