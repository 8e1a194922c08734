import { Anchor, Stack, Text, Title } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { webhookDeliveriesGet, webhookDeliveriesList } from '#client/api/operations.ts'
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { CopyText } from '../../parts/copy.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { SidePanel } from '../../parts/dialog.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { DeliveryState, isSettled, outcomeWords, purposeOf, taskOf } from './words.tsx'

type DeliveriesProps = { webhookId: string; shown: string; onShow: (deliveryId: string) => void }

/** What was sent to a webhook, newest first, and each with its requests and replies. */
export const Deliveries = ({ webhookId, shown, onShow }: DeliveriesProps): ReactNode => (
  <Panel title="Deliveries" about="Kept for 30 days after they end.">
    <DataList
      caption="Deliveries"
      operation={webhookDeliveriesList}
      input={({ pageSize, pageToken }) => ({
        path: { id: webhookId },
        query: { page_size: pageSize, page_token: pageToken },
      })}
      rows={({ list }) => list}
      keyOf={({ id }) => id}
      columns={[
        {
          header: 'Sent',
          width: '14rem',
          cell: ({ id, createdAt }) => (
            <Anchor component="button" type="button" data-opens size="sm" fw={600} ta="left" onClick={() => onShow(id)}>
              <Moment at={createdAt} show="seconds" />
            </Anchor>
          ),
        },
        { header: 'Purpose', width: '9rem', cell: purposeOf },
        { header: 'State', width: '14rem', cell: ({ state }) => <DeliveryState state={state} /> },
        { header: 'Answer', cell: (delivery) => <Answer delivery={delivery} /> },
        { header: 'Attempts', width: '6rem', isNumber: true, cell: ({ attempts }) => attempts },
      ]}
      empty={{
        icon: IconSend,
        title: 'No deliveries yet',
        children: 'Send a test, or use the webhook in a policy step.',
      }}
    />
    <DeliveryPanel webhookId={webhookId} deliveryId={shown} onClose={() => onShow('')} />
  </Panel>
)

const Answer = ({ delivery }: { delivery: WebhookDelivery }): ReactNode =>
  delivery.error || [outcomeWords(delivery.outcome), delivery.comment].filter(Boolean).join(': ')

const everyMs = 1_000

function DeliveryPanel(props: { webhookId: string; deliveryId: string; onClose: () => void }): ReactNode {
  const { webhookId, deliveryId, onClose } = props
  // It stays while the panel closes.
  const last = useRef(deliveryId)
  if (deliveryId !== '') last.current = deliveryId
  const client = useQueryClient()
  const { data, error } = useQuery({
    ...read(webhookDeliveriesGet, { path: { id: webhookId, delivery_id: last.current } }),
    enabled: last.current !== '',
    // The answer is shown when it is there.
    refetchInterval: ({ state }) => (state.data?.delivery && isSettled(state.data.delivery) ? false : everyMs),
  })
  const delivery = data?.delivery
  const state = delivery?.state
  useEffect(() => {
    if (state) void client.invalidateQueries({ queryKey: [webhookDeliveriesList.id] })
  }, [client, state])
  return (
    <SidePanel opened={deliveryId !== ''} onClose={onClose} title={delivery ? purposeOf(delivery) : 'Delivery'}>
      <ErrorNote error={error} title="This delivery cannot be shown" />
      {delivery && <Details delivery={delivery} />}
    </SidePanel>
  )
}

const Details = ({ delivery }: { delivery: WebhookDeliveryDetails }): ReactNode => (
  <Stack>
    <Facts
      facts={[
        ['State', <DeliveryState key="state" state={delivery.state} />],
        ['Answer', outcomeWords(delivery.outcome)],
        ['Comment', delivery.comment],
        ['Error', delivery.error],
        ['Next attempt', delivery.nextAttemptAt && <Moment key="next" at={delivery.nextAttemptAt} show="exact" />],
        ['Expires', delivery.completedAt ? '' : <Moment key="end" at={delivery.expiresAt} />],
        [
          'Task',
          taskOf(delivery) && (
            <Anchor key="task" component={Link} to={`/tasks/${taskOf(delivery)}`} size="sm">
              Open the task
            </Anchor>
          ),
        ],
        ['Event', <code key="event">{delivery.event}</code>],
        ['ID', <code key="id">{delivery.id}</code>],
      ]}
    />
    <Title order={3} size="h5">
      Request
    </Title>
    <Text size="sm">
      POST <code>{delivery.requestUrl}</code>
    </Text>
    <CopyText isBlock label="the request body" value={pretty(delivery.requestBody)} />
    {delivery.attemptList.map((attempt, place) => (
      <Attempt key={place} attempt={attempt} />
    ))}
  </Stack>
)

function Attempt({ attempt }: { attempt: WebhookAttempt }): ReactNode {
  const { number, isCallback, status, error, replyBody, beganAt, endedAt, sourceAddress } = attempt
  const result = status > 0 ? `Status ${status}` : endedAt ? 'No response' : 'No result recorded'
  return (
    <section>
      <Title order={3} size="h5">
        {isCallback ? 'Callback' : `Attempt ${number}`}
      </Title>
      <Text size="sm">
        <Moment at={beganAt} show="seconds" /> · {result}
        {sourceAddress && ` · from ${sourceAddress}`}
      </Text>
      {error && (
        <Text size="sm" c="red">
          {error}
        </Text>
      )}
      {replyBody && <CopyText isBlock label={isCallback ? 'the callback' : 'the response'} value={pretty(replyBody)} />}
    </section>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
