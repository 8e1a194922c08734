import { Button, Group, NumberInput, PasswordInput, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { mailServersSet } from '#client/api/operations.ts'
import type { MailServer } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { afterMailServer } from './mail-server.tsx'

const usualPorts = { starttls: 587, tls: 465, none: 25 } as const
type Security = keyof typeof usualPorts

type Draft = Pick<MailServer, 'host' | 'username' | 'fromAddress' | 'caCertificates'> & {
  security: Security
  port: number
  password: string
}
const fields = ['host', 'port', 'security', 'username', 'password', 'caCertificates', 'fromAddress']

const draftOf = ({ host, username, fromAddress, caCertificates, security, port }: MailServer): Draft => ({
  ...{ host, username, fromAddress, caCertificates },
  security: security || 'starttls',
  port: port || usualPorts.starttls,
  password: '',
})

type FormProps = { server: MailServer; onDone: () => void; onCancel?: () => void }

export function MailServerForm({ server, onDone, onCancel }: FormProps): ReactNode {
  const [draft, setDraft] = useState(draftOf(server))
  const save = useChange(mailServersSet, {
    changes: afterMailServer,
    done: 'Saved the mail server. Send a test message now.',
    onDone,
  })
  const props = {
    draft,
    error: save.error,
    change: (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed })),
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ body: draft })
      }}
    >
      <Stack>
        <Connection {...props} />
        <Login {...props} hasPassword={server.hasPassword} />
        <ErrorNote error={save.error} shownElsewhere={fields} />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={draft.host === '' || draft.fromAddress === ''}>
            Save
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

type FieldsProps = { draft: Draft; error: unknown; change: (changed: Partial<Draft>) => void }

/** A port that was chosen for something else than the usual stays. */
const portFor = (security: Security, port: number): number =>
  Object.values<number>(usualPorts).includes(port) ? usualPorts[security] : port

const Connection = ({ draft: { host, port, security }, error, change }: FieldsProps): ReactNode => (
  <>
    <TextInput
      label="Host"
      placeholder="smtp.example.com"
      required
      autoComplete="off"
      value={host}
      onChange={({ currentTarget: { value } }) => change({ host: value })}
      error={problemOf(error, 'host')}
    />
    <Radio.Group
      label="Encryption"
      value={security}
      onChange={(chosen) => change({ security: chosen, port: portFor(chosen, port) })}
      error={problemOf(error, 'security')}
    >
      <Group mt={8}>
        <Radio value="starttls" label="STARTTLS" />
        <Radio value="tls" label="TLS" />
        <Radio value="none" label="None (only at a private address)" />
      </Group>
    </Radio.Group>
    <NumberInput
      label="Port"
      min={1}
      max={65_535}
      allowDecimal={false}
      value={port}
      onChange={(value) => change({ port: Number(value) })}
      error={problemOf(error, 'port')}
    />
  </>
)

const Login = ({ draft, error, change, hasPassword }: FieldsProps & { hasPassword: boolean }): ReactNode => (
  <>
    <TextInput
      label="User name"
      description="Empty if the mail server requires none."
      autoComplete="off"
      value={draft.username}
      onChange={({ currentTarget: { value } }) => change({ username: value })}
      error={problemOf(error, 'username')}
    />
    <PasswordInput
      label="Password"
      description={
        hasPassword
          ? 'Leave it empty to keep the stored one. It must be entered again for another host.'
          : 'Stored encrypted, and never shown again.'
      }
      autoComplete="new-password"
      value={draft.password}
      onChange={({ currentTarget: { value } }) => change({ password: value })}
      error={problemOf(error, 'password')}
    />
    <TextInput
      label="From"
      description="The address that messages are sent from."
      placeholder="access@example.com"
      required
      value={draft.fromAddress}
      onChange={({ currentTarget: { value } }) => change({ fromAddress: value })}
      error={problemOf(error, 'fromAddress')}
    />
    <Textarea
      label="Your own certificate authorities"
      description="In PEM. Only if the certificate of the mail server is not from a public authority."
      autosize
      minRows={1}
      maxRows={8}
      value={draft.caCertificates}
      onChange={({ currentTarget: { value } }) => change({ caCertificates: value })}
      error={problemOf(error, 'caCertificates')}
    />
  </>
)
