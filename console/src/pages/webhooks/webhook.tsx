import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  webhookDeliveriesList,
  webhooksDelete,
  webhooksGet,
  webhooksList,
  webhooksSearch,
  webhooksTest,
  webhooksUpdate,
} from '#client/api/operations.ts'
import type { Webhook } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { durationWords } from '../../parts/durations.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Summary } from '../../parts/summary.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookForm } from './webhook-form.tsx'

const above = [{ label: 'Webhooks', to: '/webhooks' }]

/** One webhook, and what was sent to it. */
export function WebhookPage(): ReactNode {
  const { webhookId = '' } = useParams({ strict: false })
  const { may } = useSession()
  const [shown, setShown] = useState('')
  const { data, error, refetch } = useQuery(read(webhooksGet, { path: { id: webhookId } }))
  const webhook = data?.webhook
  if (error)
    return (
      <Page title="Webhook" above={above}>
        <ErrorNote error={error} title="This webhook cannot be shown" retry={() => void refetch()} />
      </Page>
    )
  return (
    <Page
      title={webhook?.displayName ?? null}
      above={above}
      about={webhook?.description}
      actions={
        webhook &&
        may('webhooks.write') && (
          <>
            <TestWebhook webhook={webhook} onSent={setShown} />
            <EditWebhook webhook={webhook} />
            <DeleteButton
              name={webhook.displayName}
              operation={webhooksDelete}
              input={{ path: { id: webhook.id } }}
              changes={[webhooksList, webhooksSearch]}
              href="/webhooks"
            >
              Policy steps that use it are then decided by Super Administrators or provisioned manually. This cannot be
              undone.
            </DeleteButton>
          </>
        )
      }
    >
      <Summary
        facts={
          webhook
            ? [
                ['URL', <code key="url">{webhook.url}</code>],
                [
                  'Waits for a callback',
                  webhook.callbackTimeout ? durationWords(webhook.callbackTimeout) : '8 days (the default)',
                ],
                ['Created', <Moment key="created" at={webhook.createdAt} show="day" />],
                ['ID', <code key="id">{webhook.id}</code>],
              ]
            : []
        }
      />
      <Deliveries webhookId={webhookId} shown={shown} onShow={setShown} />
    </Page>
  )
}

function TestWebhook({ webhook, onSent }: { webhook: Webhook; onSent: (deliveryId: string) => void }): ReactNode {
  const test = useChange(webhooksTest, {
    changes: [webhookDeliveriesList],
    onDone: ({ webhook: delivery }) => onSent(delivery?.id ?? ''),
  })
  return (
    <>
      <ErrorNote error={test.error} />
      <Button
        leftSection={<IconSend size={16} aria-hidden />}
        loading={test.isPending}
        onClick={() => test.mutate({ path: { id: webhook.id }, body: {} })}
      >
        Send test
      </Button>
    </>
  )
}

function EditWebhook({ webhook }: { webhook: Webhook }): ReactNode {
  const [isEditing, setEditing] = useState(false)
  const update = useChange(webhooksUpdate, {
    changes: [webhooksGet, webhooksList, webhooksSearch],
    done: 'Webhook saved',
    onDone: () => setEditing(false),
  })
  return (
    <>
      <Button variant="default" onClick={() => setEditing(true)}>
        Edit
      </Button>
      {isEditing && (
        <WebhookForm
          title={`Edit ${webhook.displayName}`}
          verb="Save"
          prefix="webhook."
          webhook={webhook}
          isPending={update.isPending}
          error={update.error}
          onClose={() => {
            update.reset()
            setEditing(false)
          }}
          onSubmit={(draft) =>
            update.mutate({
              path: { id: webhook.id },
              body: { webhook: draft, updateMask: 'displayName,description,url,callbackTimeout' },
            })
          }
        />
      )}
    </>
  )
}
