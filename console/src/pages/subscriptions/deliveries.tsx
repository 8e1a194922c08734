import { Badge, Code, NativeSelect, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { subscriptionsGetDelivery, subscriptionsListDeliveries } from '#client/api/operations.ts'
import type { Delivery, DeliveryHeader, Subscription } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { CopyText } from '../../parts/copy.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { SidePanel } from '../../parts/dialog.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'

const outcomes = { delivered: 'DELIVERY_OUTCOME_DELIVERED', failed: 'DELIVERY_OUTCOME_FAILED' } as const
const outcomeIn = (text: string) =>
  Object.hasOwn(outcomes, text) ? outcomes[text as keyof typeof outcomes] : undefined

const isFailed = ({ outcome }: Delivery): boolean => outcome === outcomes.failed

const Outcome = ({ of }: { of: Delivery }): ReactNode =>
  isFailed(of) ? (
    <Badge component="span" color="red">
      Failed
    </Badge>
  ) : (
    'Delivered'
  )

/** The last attempts, with what was sent and what was answered. */
export function Deliveries({ subscription }: { subscription: Subscription }): ReactNode {
  const { may } = useSession()
  const [shown, setShown] = useState<Delivery | null>(null)
  return (
    <Panel title="Deliveries" about="About the last 1,000 attempts, for at most 30 days.">
      <DataList
        caption="Deliveries, newest first"
        operation={subscriptionsListDeliveries}
        input={({ pageSize, pageToken, filter }) => {
          const outcome = outcomeIn(filter('outcome'))
          return {
            path: { id: subscription.id },
            query: { ...(outcome && { outcome }), page_size: pageSize, page_token: pageToken },
          }
        }}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        filters={<OutcomeFilter />}
        columns={[
          {
            header: 'Event',
            cell: (delivery) =>
              may('systemlog.read') ? (
                <UnstyledButton data-opens className="link" fz="sm" fw={600} onClick={() => setShown(delivery)}>
                  {delivery.isTest ? 'Test message' : delivery.eventKind}
                </UnstyledButton>
              ) : (
                delivery.eventKind
              ),
          },
          { header: 'Outcome', width: '8rem', cell: (delivery) => <Outcome of={delivery} /> },
          { header: 'Status', width: '6rem', isNumber: true, cell: ({ status }) => status || '–' },
          { header: 'Attempt', width: '6rem', isNumber: true, cell: ({ attempt }) => attempt },
          { header: 'Time', width: '13rem', cell: ({ startedAt }) => <Moment at={startedAt} show="seconds" /> },
        ]}
        empty={{
          icon: IconSend,
          title: 'No deliveries yet',
          children: 'Send a test message to check the receiver.',
        }}
      />
      <SidePanel
        opened={shown !== null}
        onClose={() => setShown(null)}
        title={shown ? (shown.isTest ? 'Test message' : shown.eventKind) : 'Delivery'}
      >
        {shown && <DeliveryDetails delivery={shown} />}
      </SidePanel>
    </Panel>
  )
}

function OutcomeFilter(): ReactNode {
  const { filter, set } = useListState()
  return (
    <NativeSelect
      label="Outcome"
      value={filter('outcome')}
      onChange={({ currentTarget: { value } }) => set({ outcome: value })}
      data={[
        { value: '', label: 'All' },
        { value: 'delivered', label: 'Delivered' },
        { value: 'failed', label: 'Failed' },
      ]}
    />
  )
}

function DeliveryDetails({ delivery }: { delivery: Delivery }): ReactNode {
  const path = { id: delivery.subscriptionId, delivery_id: delivery.id }
  const { data, error, refetch } = useQuery(read(subscriptionsGetDelivery, { path }))
  return (
    <Stack>
      <Facts
        facts={[
          ['Outcome', <Outcome key="outcome" of={delivery} />],
          ['Error', delivery.error],
          ['Message ID', <Code key="id">{delivery.messageId}</Code>],
          ['Attempt', String(delivery.attempt)],
          ['Time', <Moment key="time" at={delivery.startedAt} show="exact" />],
          ['Duration', `${delivery.durationMs} ms`],
        ]}
      />
      <ErrorNote error={error} title="The request cannot be shown" retry={() => void refetch()} />
      {data?.request && (
        <Message
          title="Request"
          first={`${data.request.method} ${data.request.url}`}
          headers={data.request.headers}
          body={data.request.body}
        />
      )}
      {data?.reply && (
        <Message
          title="Response"
          first={`Status ${data.reply.status}`}
          headers={data.reply.headers}
          body={data.reply.body}
        />
      )}
    </Stack>
  )
}

type MessageProps = { title: string; first: string; headers: readonly DeliveryHeader[]; body: string }

const Message = ({ title, first, headers, body }: MessageProps): ReactNode => {
  const lines = [first, ...headers.map(({ name, value }) => `${name}: ${value}`)].join('\n')
  return (
    <div>
      <Text size="sm" fw={500} mb={6}>
        {title}
      </Text>
      <CopyText value={body === '' ? lines : `${lines}\n\n${body}`} label={title.toLowerCase()} isBlock />
    </div>
  )
}
