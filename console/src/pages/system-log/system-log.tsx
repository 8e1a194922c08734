import { Anchor, Button, Group, Loader, Text } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { exportsRetention, systemLogSearch } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { type Asked, DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment, zoneHere } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { ChainBadge } from './chain-badge.tsx'
import { eventOf, type LogEvent } from './event.ts'
import { Outcome } from './event-page.tsx'
import { ExportMenu } from './export-menu.tsx'
import { askedOf, Filters } from './filters.tsx'
import classes from './log.module.css'
import { ThingLink } from './thing-link.tsx'
import { namesIn } from './things.ts'

const inputOf = ({ query, pageSize, pageToken, filter }: Asked) => {
  const { kind, outcome, ...asked } = askedOf({ query, filter })
  return { body: { ...asked, ...(kind && { kind }), ...(outcome && { outcome }), pageSize, pageToken } }
}

/** Who did what, in the order of the API: by time, newest first by default. */
export function SystemLog(): ReactNode {
  const { may } = useSession()
  const state = useListState()
  // The same query as that of the list, so it is sent once.
  const { data } = useQuery(read(systemLogSearch, inputOf(state)))
  return (
    <Page
      about={`Every change, sign-in, token and denial of this tenant. Events cannot be edited or deleted. Times are in ${zoneHere()}.`}
      actions={
        <Group gap="xs">
          <ExportMenu />
          {may('exports.read') && (
            <Button component={Link} to="/log/exports" variant="default">
              Continuous exports
            </Button>
          )}
        </Group>
      }
    >
      <ChainBadge />
      <ArchivedNote />
      {data && <SearchedNote found={data.list.length} until={data.searchedUntil} next={data.nextPageToken} />}
      <DataList
        caption="Events of the system log"
        operation={systemLogSearch}
        input={inputOf}
        rows={({ list, names }) => {
          const known = namesIn(names)
          return list.map((event) => eventOf(event, known, may))
        }}
        keyOf={({ id }) => id}
        search="Search messages, names, operations, addresses, request IDs"
        hasWideSearch
        filters={<Filters names={namesIn(data?.names ?? [])} />}
        columns={[
          {
            header: 'Event',
            cell: ({ id, message }) => (
              <Anchor component={Link} to={`/log/events/${id}`} size="sm" fw={600}>
                {message}
              </Anchor>
            ),
          },
          { header: 'Objects', width: '24%', cell: (event) => <Objects event={event} /> },
          { header: 'Actor', width: '15%', cell: (event) => <By event={event} /> },
          { header: 'Time', width: '13.5rem', cell: ({ at }) => <Moment at={at} show="seconds" /> },
          { header: 'Outcome', width: '7rem', cell: (event) => <Outcome event={event} /> },
        ]}
        empty={{
          icon: IconListDetails,
          title: 'No events',
          children: 'Everything done in the console or with the API is recorded here.',
        }}
      />
    </Page>
  )
}

const objectsMax = 2

const Objects = ({ event: { id, objects } }: { event: LogEvent }): ReactNode => (
  <>
    {objects.slice(0, objectsMax).map(({ thing }) => (
      <ThingLink key={`${thing.type} ${thing.id}`} thing={thing} hasType />
    ))}
    {objects.length > objectsMax && (
      <span className={classes.thing}>
        <Anchor component={Link} to={`/log/events/${id}`} size="sm">
          {objects.length - objectsMax} more
        </Anchor>
      </span>
    )}
  </>
)

const By = ({ event: { by, from } }: { event: LogEvent }): ReactNode => (
  <>
    {by.thing ? <ThingLink thing={by.thing} /> : by.name || by.client || 'Unknown'}
    {from && <div className={classes.quiet}>{from}</div>}
  </>
)

/**
 * A request searches a limited part of the log: the page continues automatically until something is found, or to the end.
 */
function SearchedNote({ found, until, next }: { found: number; until: string | null; next: string }): ReactNode {
  const [isStopped, setIsStopped] = useState(false)
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  const goesOn = found === 0 && until !== null && next !== '' && !isStopped
  useEffect(() => {
    if (goesOn) void navigate({ to: '.', search: { ...search, page: next }, replace: true, resetScroll: false })
    // oxlint-disable-next-line react/exhaustive-deps -- once per page of the log
  }, [goesOn, next])
  if (until === null) return null
  return (
    <Group gap="sm" mb="md" role="status">
      {goesOn && <Loader size="xs" aria-hidden />}
      <Text size="sm">
        {goesOn ? 'Searching…' : 'The search is not finished.'} Searched until <Moment at={until} show="exact" />.
      </Text>
      {goesOn ? (
        <Button size="compact-sm" variant="default" onClick={() => setIsStopped(true)}>
          Stop
        </Button>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            setIsStopped(false)
            void navigate({ to: '.', search: { ...search, page: next }, resetScroll: false })
          }}
        >
          Continue
        </Button>
      )}
    </Group>
  )
}

/** The list ends where older events were archived, which should not be mistaken for the beginning of the log. */
function ArchivedNote(): ReactNode {
  const { data } = useQuery(read(exportsRetention, {}))
  if (!data || Number(data.archivedEvents) === 0) return null
  return (
    <Text size="sm" mb="md">
      {data.archivedEvents} events before <Moment at={data.archivedUntil} /> are not listed: they were archived and
      removed from the database.
    </Text>
  )
}
