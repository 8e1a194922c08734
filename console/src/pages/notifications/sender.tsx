import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { tenantEmailProviderGet, tenantEmailProviderTest, tenantEmailProviderUpdate } from '#client/api/operations.ts'
import type { TenantEmailProvider } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'

/** Who mails come from, and a test of it. Without a mail server there is nothing to choose. */
export function Sender(): ReactNode {
  const { data } = useQuery(read(tenantEmailProviderGet, {}))
  const provider = data?.emailProvider
  return provider?.fromAddress ? <SenderForm key={provider.updatedAt} provider={provider} /> : null
}

function SenderForm({ provider }: { provider: TenantEmailProvider }): ReactNode {
  const { may, user } = useSession()
  const [fromName, setFromName] = useState(provider.fromName)
  const [replyTo, setReplyTo] = useState(provider.replyToAddress)
  const [address, setAddress] = useState(user?.email ?? '')
  const save = useChange(tenantEmailProviderUpdate, { changes: [tenantEmailProviderGet], done: 'Saved' })
  const test = useMutation({
    mutationFn: () => call(tenantEmailProviderTest, { body: { testRecipientEmail: address } }),
  })
  const isFixed = !may('notifications.write')
  return (
    <Panel
      title="Sender"
      about={`Emails are sent from ${provider.fromAddress}, which is configured by the operator of the server.`}
    >
      <Stack maw={560}>
        <TextInput
          label="Name"
          value={fromName}
          disabled={isFixed}
          onChange={({ currentTarget: { value } }) => setFromName(value)}
          error={problemOf(save.error, 'emailProvider.fromName')}
        />
        <TextInput
          label="Replies go to"
          description="If empty, to the sender."
          value={replyTo}
          disabled={isFixed}
          onChange={({ currentTarget: { value } }) => setReplyTo(value)}
          error={problemOf(save.error, 'emailProvider.replyToAddress')}
        />
        <ErrorNote error={save.error} shownElsewhere={['emailProvider.fromName', 'emailProvider.replyToAddress']} />
        {!isFixed && (
          <>
            <Group>
              <Button
                loading={save.isPending}
                disabled={fromName === provider.fromName && replyTo === provider.replyToAddress}
                onClick={() =>
                  save.mutate({
                    body: {
                      emailProvider: { fromName, replyToAddress: replyTo },
                      updateMask: 'fromName,replyToAddress',
                    },
                  })
                }
              >
                Save
              </Button>
            </Group>
            <Group align="end">
              <TextInput
                label="Send a test email to"
                style={{ flex: 1 }}
                value={address}
                onChange={({ currentTarget: { value } }) => setAddress(value)}
              />
              <Button
                variant="default"
                loading={test.isPending}
                disabled={address === ''}
                onClick={() => test.mutate()}
              >
                Send test
              </Button>
            </Group>
            <ErrorNote error={test.error} />
            {test.data && (
              <Alert color={test.data.success ? 'teal' : 'red'} role="status">
                {test.data.message}
              </Alert>
            )}
          </>
        )}
      </Stack>
    </Panel>
  )
}
