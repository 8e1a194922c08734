import { Anchor, Button } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { webhooksCreate, webhooksList, webhooksSearch } from '#client/api/operations.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useOpenedBy } from '../../parts/opened-by.ts'
import { Page } from '../../parts/page.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { hostOf } from './words.tsx'

/** Addresses of other systems that decide steps of policies, or carry them out. */
export function Webhooks(): ReactNode {
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  useOpenedBy('create', () => setCreating(may('webhooks.write')))
  const create = may('webhooks.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Create webhook
    </Button>
  )
  return (
    <Page
      about="Other systems that approve requests or provision access. A step of a policy sends them the request and acts on their answer."
      actions={create}
    >
      <DataList
        caption="Webhooks"
        operation={webhooksSearch}
        input={({ query, pageSize, pageToken }) => ({ body: { query, pageSize, pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        search="Search webhooks"
        columns={[
          {
            header: 'Name',
            cell: ({ id, displayName }) => (
              <Anchor component={Link} to={`/webhooks/${id}`} size="sm" fw={600}>
                {displayName}
              </Anchor>
            ),
          },
          { header: 'Description', cell: ({ description }) => description },
          { header: 'Host', width: '16rem', cell: ({ url }) => hostOf(url) },
          { header: 'Created', width: '8rem', cell: ({ createdAt }) => <Moment at={createdAt} show="day" /> },
        ]}
        empty={{
          icon: IconWebhook,
          title: 'No webhooks',
          children: 'Create one to have another system approve requests or provision access.',
          action: create,
        }}
      />
      {isCreating && <CreateWebhook onClose={() => setCreating(false)} />}
    </Page>
  )
}

function CreateWebhook({ onClose }: { onClose: () => void }): ReactNode {
  const navigate = useNavigate()
  const create = useChange(webhooksCreate, {
    changes: [webhooksList, webhooksSearch],
    onDone: ({ webhook }) => void navigate({ href: `/webhooks/${webhook?.id ?? ''}` }),
  })
  return (
    <WebhookForm
      title="Create a webhook"
      verb="Create webhook"
      prefix=""
      isPending={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={(body) => create.mutate({ body })}
    />
  )
}
