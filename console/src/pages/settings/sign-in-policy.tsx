import { Button, Checkbox, Group, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { signInPolicyGet, signInPolicyUpdate, signInWays } from '#client/api/operations.ts'
import type { SignInPolicy } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { LengthField } from '../../parts/length-field.tsx'
import { Invitations } from './invitations.tsx'
import { SettingsPage } from './settings-page.tsx'

type Method = SignInPolicy['methods'][number]
const methods: readonly { value: Method; label: string; description: string }[] = [
  {
    value: 'link',
    label: 'One-time link',
    description: 'Created by the operator of the server, for one use. Also needed for invitations.',
  },
  { value: 'passkey', label: 'Passkey', description: 'Stored on a device or in a password manager.' },
  { value: 'oidc', label: 'Single sign-on', description: 'The OpenID Connect provider of the organization.' },
]

const times = [
  { label: 'End inactive sessions after', field: 'idleTime' },
  { label: 'Sessions last at most', field: 'sessionTime' },
  { label: 'Require a new sign-in for sensitive changes after', field: 'freshTime' },
] as const
type TimeField = (typeof times)[number]['field']

/** How people sign in to the console, and for how long. */
export function SignInPolicyPage(): ReactNode {
  const { data, error, refetch } = useQuery(read(signInPolicyGet, {}))
  return (
    <SettingsPage about="How people sign in to this console, and how long they stay signed in. Changed times apply to new sessions.">
      <Stack gap="xl">
        {error && <ErrorNote error={error} title="The policy cannot be shown" retry={() => void refetch()} />}
        {data?.policy ? (
          <PolicyForm key={JSON.stringify(data.policy)} policy={data.policy} />
        ) : (
          !error && <Skeleton height={280} />
        )}
        <Invitations />
      </Stack>
    </SettingsPage>
  )
}

function PolicyForm({ policy }: { policy: SignInPolicy }): ReactNode {
  const mayChange = useSession().may('sign-in.write')
  const [allowed, setAllowed] = useState<string[]>(policy.methods)
  const [durations, setDurations] = useState<Readonly<Record<TimeField, string>>>({
    idleTime: policy.idleTime ?? '0s',
    sessionTime: policy.sessionTime ?? '0s',
    freshTime: policy.freshTime ?? '0s',
  })
  const save = useChange(signInPolicyUpdate, {
    changes: [signInPolicyGet, signInWays],
    done: 'Saved the sign-in policy',
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ body: { policy: { methods: allowed as Method[], ...durations } } })
      }}
    >
      <Stack maw={560}>
        <Checkbox.Group
          label="Allowed sign-in methods"
          description="People who signed in with a method that you turn off are signed out."
          value={allowed}
          onChange={setAllowed}
          error={problemOf(save.error, 'methods')}
        >
          <Stack gap="xs" mt={8}>
            {methods.map((method) => (
              <Checkbox key={method.value} disabled={!mayChange} {...method} />
            ))}
          </Stack>
        </Checkbox.Group>
        {times.map(({ label, field }) => (
          <LengthField
            key={field}
            label={label}
            value={durations[field]}
            onChange={(value) => setDurations((before) => ({ ...before, [field]: value }))}
            isReadOnly={!mayChange}
            error={problemOf(save.error, field)}
          />
        ))}
        <ErrorNote error={save.error} shownElsewhere={['methods', ...times.map(({ field }) => field)]} />
        {mayChange && (
          <Group>
            <Button type="submit" loading={save.isPending} disabled={allowed.length === 0}>
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
