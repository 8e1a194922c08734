import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  homeGetSetup,
  mailServersDelete,
  mailServersGet,
  notificationChannelsList,
  notificationsGetStatus,
  tenantEmailProviderGet,
} from '#client/api/operations.ts'
import type { MailServer } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ChannelTest } from './channel-test.tsx'
import { MailServerForm } from './mail-server-form.tsx'

/** What depends on the mail server. */
export const afterMailServer = [
  mailServersGet,
  notificationChannelsList,
  notificationsGetStatus,
  tenantEmailProviderGet,
  homeGetSetup,
]

const securityWords = { starttls: 'STARTTLS, required', tls: 'TLS', none: 'None' } as const

/** Through which mail server messages are sent: set here, unless the operator of the server has set it. */
export function MailServerPanel(): ReactNode {
  const { data, error, refetch } = useQuery(read(mailServersGet, {}))
  const { user } = useSession()
  const server = data?.mailServer
  return (
    <Panel title="Mail server" about={server && aboutOf(server)}>
      {error && <ErrorNote error={error} title="The mail server cannot be shown" retry={() => void refetch()} />}
      {!server && !error && <Skeleton height={160} />}
      {server && (
        <Stack maw={560}>
          <Current key={server.updatedAt} server={server} />
          <ChannelTest channel="email" where={`The message goes to your own address, ${user?.email ?? ''}.`} />
        </Stack>
      )}
    </Panel>
  )
}

const aboutOf = ({ source }: MailServer): string =>
  source === 'operator'
    ? 'Set by the operator of the server when it was started (--smtp-host). It cannot be changed here.'
    : source === 'organization'
      ? 'Set by your organization.'
      : 'There is none: no email is sent.'

function Current({ server }: { server: MailServer }): ReactNode {
  const { may } = useSession()
  const [isChanging, setIsChanging] = useState(false)
  const [isRemoving, setIsRemoving] = useState(false)
  const remove = useChange(mailServersDelete, {
    changes: afterMailServer,
    done: 'Removed the mail server',
    onDone: () => setIsRemoving(false),
  })
  const mayChange = may('notifications.write') && server.source !== 'operator'
  const isShown = server.source !== '' && server.problem === ''
  if (mayChange && (isChanging || !isShown))
    return (
      <MailServerForm
        server={server}
        onDone={() => setIsChanging(false)}
        {...(isShown && { onCancel: () => setIsChanging(false) })}
      />
    )
  if (!isShown) return <Text size="sm">{server.problem || 'An administrator can set one here.'}</Text>
  return (
    <>
      <Facts
        facts={[
          ['Host', `${server.host}:${server.port}`],
          ['Encryption', securityWords[server.security || 'starttls']],
          ['User name', server.username],
          ['Password', server.hasPassword && 'Stored encrypted'],
          ['From', server.fromAddress],
        ]}
      />
      {mayChange && (
        <Group>
          <Button variant="default" onClick={() => setIsChanging(true)}>
            Edit
          </Button>
          <Button variant="default" onClick={() => setIsRemoving(true)}>
            Remove
          </Button>
        </Group>
      )}
      <Confirm
        opened={isRemoving}
        onClose={() => setIsRemoving(false)}
        title="Remove the mail server?"
        verb="Remove"
        onConfirm={() => remove.mutate({})}
        isPending={remove.isPending}
        error={remove.error}
      >
        No email is sent any more. To undo this, set the mail server again, with its password.
      </Confirm>
    </>
  )
}
