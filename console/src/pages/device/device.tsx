import { Alert, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  deviceList,
  deviceRequestApprove,
  deviceRequestDeny,
  deviceRequestFind,
  rolesList,
} from '#client/api/operations.ts'
import type { DeviceRequest } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import classes from './device.module.css'

/** Where a person authorizes a program on another device to act as them: RFC 8628 section 3.3. */
export function Device(): ReactNode {
  const { may } = useSession()
  const { user_code: given = '' } = useSearch({ strict: false })
  const [code, setCode] = useState(given)
  const [asked, setAsked] = useState(given)
  const [decided, setDecided] = useState<'approved' | 'denied' | null>(null)
  const request = useQuery({
    ...read(deviceRequestFind, { body: { userCode: asked } }),
    enabled: asked !== '' && decided === null && may('credentials.own.write'),
    // Each look-up counts, so that nobody tries codes.
    retry: false,
    staleTime: 'static',
    refetchOnWindowFocus: false,
  })
  const found = asked !== '' && decided === null ? request.data?.request : null
  const startAgain = (): void => {
    setAsked('')
    setCode('')
    setDecided(null)
  }
  return (
    <Page about="A program on this or another device asks to act as you. It shows a code; enter it here.">
      <div className={classes.page}>
        {!may('credentials.own.write') && (
          <Alert color="yellow" role="alert" title="You cannot authorize devices">
            This requires the permission to create API credentials. Ask an administrator.
          </Alert>
        )}
        {decided && <Decided as={decided} onAgain={startAgain} />}
        {found && <Question request={found} code={asked} onDecided={setDecided} onAgain={startAgain} />}
        {!decided && !found && may('credentials.own.write') && (
          <Panel title="Enter the code">
            <form
              onSubmit={(event) => {
                event.preventDefault()
                if (asked === code.trim()) void request.refetch()
                else setAsked(code.trim())
              }}
            >
              <Stack>
                <ErrorNote error={asked === '' ? null : request.error} title="The code was not found" />
                <TextInput
                  label="Code"
                  description="As shown on the device. Case and dashes are ignored."
                  placeholder="BCDF-GHJK"
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={40}
                  value={code}
                  onChange={({ currentTarget: { value } }) => setCode(value)}
                />
                <Group justify="flex-end">
                  <Button type="submit" disabled={code.trim() === ''} loading={request.isFetching}>
                    Continue
                  </Button>
                </Group>
              </Stack>
            </form>
          </Panel>
        )}
      </div>
    </Page>
  )
}

type QuestionProps = {
  request: DeviceRequest
  code: string
  onDecided: (as: 'approved' | 'denied') => void
  onAgain: () => void
}

function Question({ request, code, onDecided, onAgain }: QuestionProps): ReactNode {
  const { user, may } = useSession()
  const roles = useQuery({ ...read(rolesList, { query: { page_size: 100 } }), enabled: may('roles.read') })
  const nameOf = (id: string): string => roles.data?.list.find((role) => role.id === id)?.displayName ?? id
  const approve = useChange(deviceRequestApprove, { changes: [deviceList], onDone: () => onDecided('approved') })
  const deny = useChange(deviceRequestDeny, { changes: [], onDone: () => onDecided('denied') })
  const input = { body: { userCode: code } }
  return (
    <Panel title={`Allow ${request.clientName} to act as ${user?.displayName ?? 'you'}?`}>
      <Stack>
        <Alert
          color="yellow"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title="Only approve requests that you started"
        >
          Does your device show the same code, and did you start this a moment ago? If someone sent you the code or the
          link, deny it: the program that asked gets your access, wherever it runs.
        </Alert>
        <Facts
          facts={[
            [
              'Code',
              <span key="code" className={classes.code}>
                {request.userCode}
              </span>,
            ],
            ['Program', request.clientName],
            ['Client ID', request.clientId !== request.clientName && <code key="id">{request.clientId}</code>],
            [
              'Requested from',
              <Group key="from" gap="xs">
                {request.sourceAddress}
                {request.isFromYourNetwork ? (
                  <Badge color="teal">Your network</Badge>
                ) : (
                  <Badge color="yellow">Not your network</Badge>
                )}
              </Group>,
            ],
            ['Software', request.userAgent],
            ['Requested', request.createdAt && <RelativeTime key="asked" at={request.createdAt} />],
            [
              'Access',
              request.scopedRoles.length === 0
                ? 'All your permissions'
                : `Only: ${request.scopedRoles.map(nameOf).join(', ')}`,
            ],
            ['Duration', 'Up to 90 days, with the API credentials that it creates. You can revoke it at any time.'],
          ]}
        />
        <Text size="sm" c="dimmed">
          The name and the software are reported by the program and are not verified.
        </Text>
        <ErrorNote error={approve.error ?? deny.error} />
        <Group justify="flex-end">
          <Button variant="subtle" color="gray" onClick={onAgain}>
            Enter another code
          </Button>
          <Button variant="default" loading={deny.isPending} onClick={() => deny.mutate(input)}>
            Deny
          </Button>
          <Button loading={approve.isPending} onClick={() => approve.mutate(input)}>
            Approve
          </Button>
        </Group>
      </Stack>
    </Panel>
  )
}

function Decided({ as, onAgain }: { as: 'approved' | 'denied'; onAgain: () => void }): ReactNode {
  const isApproved = as === 'approved'
  return (
    <Stack>
      <Alert
        role="status"
        color={isApproved ? 'teal' : 'gray'}
        icon={isApproved ? <IconCheck size={18} aria-hidden /> : <IconX size={18} aria-hidden />}
        title={isApproved ? 'Approved' : 'Denied'}
      >
        {isApproved
          ? 'The program continues within a few seconds; you can close this page. You can revoke it at any time.'
          : 'The program was refused and has no access.'}
      </Alert>
      <Group>
        <Button variant="default" onClick={onAgain}>
          Enter another code
        </Button>
        {isApproved && (
          <Button variant="default" component={Link} to="/settings/devices">
            Authorized devices
          </Button>
        )}
      </Group>
    </Stack>
  )
}
