import { Button, Group, Stack, Text } from '@mantine/core'
import { IconFingerprint, IconLogin2 } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { passkeyList, sessionCurrent, sessionList, signInStartOidc, signInWays } from '#client/api/operations.ts'
import { call } from '../client/call.ts'
import { whenFreshNeeded } from '../client/fresh.ts'
import { signInWithPasskey } from '../client/passkey.ts'
import { read } from '../client/queries.ts'
import { useSession } from '../client/session.ts'
import { CopyText } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ErrorNote } from '../parts/error-note.tsx'

/** Asks for a sign-in when the API wants a recent one, and then lets what was under way go on. */
export function FreshSignIn(): ReactNode {
  const [isAsked, setAsked] = useState(false)
  const answer = useRef<((isSignedIn: boolean) => void) | null>(null)
  useEffect(() => {
    whenFreshNeeded(
      () =>
        new Promise((resolve) => {
          answer.current = resolve
          setAsked(true)
        }),
    )
    return () => whenFreshNeeded(null)
  }, [])
  const close = (isSignedIn: boolean): void => {
    setAsked(false)
    answer.current?.(isSignedIn)
  }
  return isAsked ? <Question onClose={close} /> : null
}

function Question({ onClose }: { onClose: (isSignedIn: boolean) => void }): ReactNode {
  const client = useQueryClient()
  const { user } = useSession()
  const ways = useQuery(read(signInWays, {}))
  const passkeys = useQuery(read(passkeyList, {}))
  const passkey = useMutation({
    mutationFn: () => signInWithPasskey(user?.id ?? ''),
    async onSuccess() {
      onClose(true)
      await Promise.all([sessionCurrent, sessionList].map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
    },
  })
  const oidc = useMutation({
    mutationFn: () => call(signInStartOidc, { body: { returnTo: location.pathname + location.search } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const hasPasskey = ways.data?.passkey && (passkeys.data?.list.length ?? 0) > 0
  const isKnown = ways.data !== undefined && passkeys.data !== undefined
  return (
    <Dialog opened onClose={() => onClose(false)} title="Confirm your identity" size="md">
      <Stack>
        <Text size="sm">
          This change affects who has access, so it requires a recent sign-in. Sign in again to continue.
        </Text>
        <ErrorNote error={passkey.error ?? oidc.error} title="You were not signed in" />
        {hasPasskey && (
          <Button
            leftSection={<IconFingerprint size={18} aria-hidden />}
            onClick={() => passkey.mutate()}
            loading={passkey.isPending}
            data-autofocus
          >
            Continue with a passkey
          </Button>
        )}
        {ways.data?.oidc && (
          <>
            <Button
              variant={hasPasskey ? 'default' : 'filled'}
              leftSection={<IconLogin2 size={18} aria-hidden />}
              onClick={() => oidc.mutate()}
              loading={oidc.isPending || oidc.isSuccess}
            >
              Sign in at your provider
            </Button>
            <Text size="xs" c="dimmed">
              You leave this page and then return to it. Unsaved input is lost.
            </Text>
          </>
        )}
        {isKnown && !hasPasskey && !ways.data.oidc && (
          <div>
            <Text size="sm" mb={6}>
              Open a new sign-in link in another tab of this browser, and then continue here. Add a passkey after that,
              to need no link next time. The operator of this server creates a link with this command:
            </Text>
            <CopyText
              value={`node bin/bailiwick.mjs sign-in-link --user ${user?.email || 'EMAIL'}`}
              label="the command"
            />
            <Group justify="flex-end" mt="md">
              <Button onClick={() => onClose(true)}>Continue</Button>
            </Group>
          </div>
        )}
      </Stack>
    </Dialog>
  )
}
