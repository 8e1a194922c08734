import { Anchor, Badge, Button, Code, List, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { systemLogGet } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { CopyIcon, CopyText } from '../../parts/copy.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ChangeTable } from './change-table.tsx'
import { changesIn } from './changes.ts'
import { eventOf, type LogEvent } from './event.ts'
import { ThingLink } from './thing-link.tsx'
import { type Names, namesIn, type Thing, typeName } from './things.ts'

const above = [{ label: 'System log', to: '/log' }]

/** One event of the log, at its own address. */
export function Event(): ReactNode {
  const { eventId } = useParams({ strict: false }) as { eventId: string }
  const { may } = useSession()
  const { data, error, refetch } = useQuery(read(systemLogGet, { path: { event_id: eventId } }))
  if (error)
    return (
      <Page title="Event" above={above}>
        <ErrorNote error={error} title="The event could not be loaded" retry={() => void refetch()} />
      </Page>
    )
  const names = namesIn(data?.names ?? [])
  const event = data ? eventOf(data.event, names, may) : null
  return (
    <Page title={event ? event.message : null} above={above}>
      {event && <Shown event={event} names={names} link={Number(data?.link ?? 0)} />}
    </Page>
  )
}

const logOf = (name: 'q' | 'object', value: string, label: string): ReactNode => (
  <Anchor component={Link} to={`/log?${name}=${encodeURIComponent(value)}`} size="sm" underline="always">
    {label}
  </Anchor>
)

function Shown({ event, names, link }: { event: LogEvent; names: Names; link: number }): ReactNode {
  const { may } = useSession()
  const told = event.objects.map(({ thing, resource }) => ({ thing, told: changesIn(resource) }))
  // What the event is about, and what it changed; of a run with hundreds of grants the rest is a list.
  const isShown = ({ told: { changes } }: (typeof told)[number], place: number): boolean =>
    place === 0 || changes.length > 0
  const others = told.filter((each, place) => !isShown(each, place)).map(({ thing }) => thing)
  return (
    <>
      <Panel>
        <Facts
          facts={[
            ['Time', <Moment key="when" at={event.at} show="exact" />],
            ['Outcome', <Outcome key="outcome" event={event} />],
            ['Reason', event.reason],
            ['Actor', event.by.thing ? <ThingLink key="by" thing={event.by.thing} /> : event.by.name || 'Unknown'],
            ['API credential', event.credential ? <ThingLink key="with" thing={event.credential} /> : event.by.client],
            ['Source', event.from],
            ['Operation', event.operation && <Code key="operation">{event.operation}</Code>],
            [
              'Request',
              event.requestId && (
                <span key="request">
                  <Code>{event.requestId}</Code> {logOf('q', event.requestId, 'All events of this request')}
                </span>
              ),
            ],
            [
              'Event ID',
              <span key="event">
                <Code>{event.id}</Code> <CopyIcon value={location.href} label="Copy the link to this event" />
              </span>,
            ],
            ['Link of the chain', link === 0 ? 'Not sealed yet' : String(link)],
          ]}
        />
      </Panel>
      {told.filter(isShown).map(({ thing, told: of }) => (
        <Panel
          key={`${thing.type} ${thing.id}`}
          title={`${capital(typeName(thing.type))} ${thing.label}`.trim()}
          actions={logOf('object', thing.id, 'All events of this object')}
        >
          <Stack gap="md">
            {(thing.to || thing.about) && (
              <div>
                <ThingLink thing={thing} />
              </div>
            )}
            <ChangeTable
              told={of}
              names={names}
              may={may}
              caption={`Changes of ${thing.label || typeName(thing.type)}`}
            />
          </Stack>
        </Panel>
      ))}
      {others.length > 0 && <Others things={others} />}
      <Whole event={event} />
    </>
  )
}

const othersMax = 20

/** The other things that an event touched. */
function Others({ things }: { things: readonly Thing[] }): ReactNode {
  const [isAll, setIsAll] = useState(false)
  return (
    <Panel title={`Also affected (${things.length})`}>
      <List size="sm" spacing={4}>
        {things.slice(0, isAll ? things.length : othersMax).map((thing) => (
          <List.Item key={`${thing.type} ${thing.id}`}>
            <ThingLink thing={thing} hasType />
          </List.Item>
        ))}
      </List>
      {things.length > othersMax && !isAll && (
        <Button variant="default" size="xs" mt="sm" onClick={() => setIsAll(true)}>
          Show all {things.length}
        </Button>
      )}
    </Panel>
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The event as it was recorded, for those who want to see all of it. */
function Whole({ event }: { event: LogEvent }): ReactNode {
  const [isShown, setIsShown] = useState(false)
  return (
    <Panel
      title="Recorded event"
      about="In the Open Cybersecurity Schema Framework (OCSF) 1.3, as it was written."
      actions={
        <Button variant="default" size="xs" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide JSON' : 'Show JSON'}
        </Button>
      }
    >
      {isShown && <CopyText value={JSON.stringify(event.whole, null, 2)} label="the event" isBlock />}
    </Panel>
  )
}

export const Outcome = ({ event }: { event: Pick<LogEvent, 'isSuccess' | 'isAlert'> }): ReactNode => (
  <>
    {event.isSuccess ? <Badge color="teal">Success</Badge> : <Badge color="red">Failure</Badge>}
    {event.isAlert && (
      <>
        {' '}
        <Badge color="orange">Alert</Badge>
      </>
    )}
  </>
)
