import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { webhooksGet, webhooksSearch } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Picker } from '../../parts/picker.tsx'

type WebhookFieldProps = {
  webhookId: string
  onChange: (webhookId: string) => void
  isReadOnly: boolean
  error?: string | undefined
}

/** One webhook, by id. */
export function WebhookField({ webhookId, onChange, isReadOnly, error }: WebhookFieldProps): ReactNode {
  const { may } = useSession()
  const maySee = may('webhooks.read')
  const { data } = useQuery({
    ...read(webhooksGet, { path: { id: webhookId } }),
    enabled: webhookId !== '' && maySee,
  })
  const chosen = webhookId !== '' && data?.webhook?.id === webhookId ? data.webhook : null
  if (isReadOnly || !maySee)
    return (
      <Text size="sm">
        Webhook:{' '}
        {maySee ? (
          <Anchor component={Link} to={`/webhooks/${webhookId}`} size="sm">
            {chosen?.displayName ?? webhookId}
          </Anchor>
        ) : (
          webhookId
        )}
      </Text>
    )
  return (
    <Picker
      label="Webhook"
      description="If it cannot be reached for days, or its answer is not valid, people decide instead."
      placeholder="Type the name of a webhook"
      isRequired
      operation={webhooksSearch}
      input={(query) => ({ body: { query, pageSize: 25 } })}
      items={({ list }) => list}
      keyOf={({ id }) => id}
      nameOf={({ displayName }) => displayName}
      chosen={chosen}
      onPick={({ id }) => onChange(id)}
      error={error}
    />
  )
}
