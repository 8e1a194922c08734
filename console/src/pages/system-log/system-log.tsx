import { Badge, Button, NativeSelect, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { exportsRetention, systemLogListEvents } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { eventOf, type LogEvent } from './event.ts'
import { EventDrawer } from './event-drawer.tsx'

const orders = { newest: 'SORT_DIRECTION_DESC', oldest: 'SORT_DIRECTION_ASC' } as const

/** Who did what, as the API tells it: by time, the newest first unless asked otherwise. */
export function SystemLog(): ReactNode {
  const [shown, setShown] = useState<LogEvent | null>(null)
  const { may } = useSession()
  return (
    <Page
      title="System log"
      about="Every change, sign-in, token and denial of this tenant. Events cannot be edited or deleted."
      actions={
        may('exports.read') && (
          <Button component={Link} to="/log/exports" variant="default">
            Exports
          </Button>
        )
      }
    >
      <ArchivedNote />
      <DataList
        caption="Events of the system log"
        operation={systemLogListEvents}
        input={({ pageSize, pageToken, filter }) => ({
          body: {
            since: moment(filter('since')),
            until: moment(filter('until')),
            sortDirection: filter('order') === 'oldest' ? orders.oldest : orders.newest,
            pageSize,
            pageToken,
          },
        })}
        rows={({ list }) => list.map(eventOf)}
        keyOf={({ id }) => id}
        filters={<Filters />}
        columns={[
          {
            header: 'Event',
            cell: (event) => (
              <UnstyledButton className="link" fz="sm" onClick={() => setShown(event)}>
                {event.message || event.what}
              </UnstyledButton>
            ),
          },
          { header: 'Time', width: '13rem', cell: ({ at }) => <Moment at={at} show="seconds" /> },
          { header: 'Actor', width: '17%', cell: ({ by }) => by.name || by.client || 'Unknown' },
          { header: 'Source', width: '9rem', cell: ({ from }) => from },
          {
            header: 'Outcome',
            width: '7rem',
            cell: ({ isSuccess }) =>
              isSuccess ? <Badge color="teal">Success</Badge> : <Badge color="red">Denied</Badge>,
          },
        ]}
        empty={{
          icon: IconListDetails,
          title: 'The log is empty',
          children: 'Everything done in the console or with the API is recorded here.',
        }}
      />
      <EventDrawer event={shown} onClose={() => setShown(null)} />
    </Page>
  )
}

/** The list ends where older events were archived: nobody is to take that for the beginning. */
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

/** A time of the address, which is in the reader's own zone, as the API takes it. */
const moment = (local: string): string | null => {
  const at = new Date(local)
  return local === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

function Filters(): ReactNode {
  const { filter, set } = useListState()
  return (
    <>
      <TextInput
        label="From"
        type="datetime-local"
        value={filter('since')}
        onChange={({ currentTarget: { value } }) => set({ since: value }, true)}
      />
      <TextInput
        label="Until"
        type="datetime-local"
        value={filter('until')}
        onChange={({ currentTarget: { value } }) => set({ until: value }, true)}
      />
      <NativeSelect
        label="Order"
        value={filter('order') || 'newest'}
        onChange={({ currentTarget: { value } }) => set({ order: value === 'newest' ? '' : value })}
        data={[
          { value: 'newest', label: 'Newest first' },
          { value: 'oldest', label: 'Oldest first' },
        ]}
      />
    </>
  )
}
