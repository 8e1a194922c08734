import { Anchor, Button } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { subscriptionsCreate, subscriptionsList } from '#client/api/operations.ts'
import type { SubscriptionsCreateResponse } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useOpenedBy } from '../../parts/opened-by.ts'
import { Page } from '../../parts/page.tsx'
import { NewSecret } from './new-secret.tsx'
import { fieldNames, kindsIn, SubscriptionFields } from './subscription-form.tsx'
import { behindText, SubscriptionState } from './words.tsx'

/** Receivers of events of the system log. */
export function Subscriptions(): ReactNode {
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  useOpenedBy('create', () => setCreating(may('subscriptions.write')))
  const create = may('subscriptions.write') && may('systemlog.read') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Create subscription
    </Button>
  )
  return (
    <Page about="Events of the system log, sent to other systems in order, each at least once." actions={create}>
      <DataList
        caption="Subscriptions"
        operation={subscriptionsList}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={[
          {
            header: 'Name',
            cell: ({ id, displayName }) => (
              <Anchor component={Link} to={`/subscriptions/${id}`} size="sm" fw={600}>
                {displayName}
              </Anchor>
            ),
          },
          { header: 'State', width: '7rem', cell: (row) => <SubscriptionState of={row} /> },
          { header: 'Event kinds', cell: ({ eventKinds }) => eventKinds.join(', ') },
          {
            header: 'Events behind',
            width: '9rem',
            isNumber: true,
            cell: ({ eventsBehind }) => behindText(eventsBehind),
          },
          {
            header: 'Last delivery',
            width: '13rem',
            cell: ({ lastDeliveredAt }) => <Moment at={lastDeliveredAt} none="None" />,
          },
        ]}
        empty={{
          icon: IconWebhook,
          title: 'No subscriptions',
          children: 'A subscription sends signed events to a URL as they occur, and retries until they are received.',
          action: create,
        }}
      />
      {isCreating && <CreateSubscription onClose={() => setCreating(false)} />}
    </Page>
  )
}

function CreateSubscription({ onClose }: { onClose: () => void }): ReactNode {
  const [values, setValues] = useState({ displayName: '', url: '', kinds: '', filter: '' })
  const [made, setMade] = useState<SubscriptionsCreateResponse | null>(null)
  const navigate = useNavigate()
  const create = useChange(subscriptionsCreate, { changes: [subscriptionsList], onDone: setMade })
  if (made)
    return (
      <NewSecret
        title={`Created ${made.subscription?.displayName ?? ''}`}
        secret={made.secret}
        onClose={() => void navigate({ href: `/subscriptions/${made.subscription?.id ?? ''}` })}
      />
    )
  const { displayName, url, kinds, filter } = values
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Create a subscription"
      verb="Create subscription"
      isIncomplete={displayName.trim() === '' || url.trim() === ''}
      isPending={create.isPending}
      error={create.error}
      fields={fieldNames('')}
      onSubmit={() => create.mutate({ body: { displayName, url, eventKinds: kindsIn(kinds), filter } })}
    >
      <SubscriptionFields values={values} onChange={setValues} error={create.error} />
    </FormModal>
  )
}
