import { Button, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFingerprint, IconLogin2 } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { passkeyList, sessionCurrent, sessionList, signInWays } from '#client/api/operations.ts'
import { type FreshAnswer, whenFreshNeeded } from '../client/fresh.ts'
import { signInWithPasskey } from '../client/passkey.ts'
import { read } from '../client/queries.ts'
import { useSession } from '../client/session.ts'
import { AddPasskey } from '../parts/add-passkey.tsx'
import { CopyText } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { type Elsewhere, useSignInElsewhere } from './sign-in-elsewhere.ts'

/** Asks for a sign-in when the API wants a recent one, and then lets what was under way go on. */
export function FreshSignIn(): ReactNode {
  const [isAsked, setAsked] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const answer = useRef<((what: FreshAnswer) => void) | null>(null)
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
  const close = (what: FreshAnswer): void => {
    setAsked(false)
    answer.current?.(what)
  }
  return (
    <>
      {isAsked && <Question onClose={close} onOffer={() => offerPasskey(() => setAdding(true))} />}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
    </>
  )
}

/** Only after a recent sign-in: adding a passkey takes one itself, so that a copied session cannot add one. */
function offerPasskey(add: () => void): void {
  const id = 'offer-passkey'
  notifications.show({
    id,
    title: 'Add a passkey for next time',
    message: (
      <>
        <Text size="sm" mb={6}>
          You then confirm your identity here, without signing in elsewhere.
        </Text>
        <Button
          size="compact-sm"
          onClick={() => {
            notifications.hide(id)
            add()
          }}
        >
          Add a passkey
        </Button>
      </>
    ),
    icon: <IconFingerprint size={18} aria-hidden />,
    autoClose: false,
    closeButtonProps: { 'aria-label': 'Close' },
  })
}

type QuestionProps = {
  onClose: (what: FreshAnswer) => void
  /** They signed in elsewhere, and have no passkey to confirm with here. */
  onOffer: () => void
}

function Question({ onClose, onOffer }: QuestionProps): ReactNode {
  const client = useQueryClient()
  const { user } = useSession()
  const ways = useQuery(read(signInWays, {}))
  const passkeys = useQuery(read(passkeyList, {}))
  const count = passkeys.data?.list.length
  const onSignedIn = (): void => {
    onClose('signed in')
    for (const { id } of [sessionCurrent, sessionList]) void client.invalidateQueries({ queryKey: [id] })
  }
  const passkey = useMutation({ mutationFn: () => signInWithPasskey(user?.id ?? ''), onSuccess: onSignedIn })
  const elsewhere = useSignInElsewhere(user?.id ?? '', () => {
    onSignedIn()
    if (ways.data?.passkey && count === 0) onOffer()
  })
  const hasPasskey = ways.data?.passkey === true && count !== undefined && count > 0
  const isKnown = ways.data !== undefined && count !== undefined
  return (
    <Dialog opened onClose={() => onClose('closed')} title="Confirm your identity" size="md">
      <Stack>
        <Text size="sm">
          This change affects who has access, so it requires a recent sign-in. Sign in again as{' '}
          <strong>{user?.email || user?.displayName}</strong>. It is then carried out, with what you entered.
        </Text>
        <ErrorNote error={passkey.error} title="You were not signed in" />
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
          <Button
            component="a"
            href="/sign-in/again"
            target="_blank"
            variant={hasPasskey ? 'default' : 'filled'}
            leftSection={<IconLogin2 size={18} aria-hidden />}
          >
            Sign in at your provider, in a new tab
          </Button>
        )}
        {isKnown && ways.data.link && <ByLink isOnly={!hasPasskey && !ways.data.oidc} email={user?.email ?? ''} />}
        <WhoIsThere elsewhere={elsewhere} />
      </Stack>
    </Dialog>
  )
}

/** How to sign in with a link, for those who have nothing else; the others find it behind a word. */
function ByLink({ isOnly, email }: { isOnly: boolean; email: string }): ReactNode {
  const how = (
    <>
      <Text size="sm" mb={6}>
        Open a new sign-in link in another tab of this browser, and return here. The operator of this server creates a
        link with this command:
      </Text>
      <CopyText value={`node bin/bailiwick.mjs sign-in-link --user ${email || 'EMAIL'}`} label="the command" />
    </>
  )
  if (isOnly) return <div>{how}</div>
  return (
    <details>
      <summary>
        <Text span size="sm">
          Use a sign-in link instead
        </Text>
      </summary>
      {how}
    </details>
  )
}

/** What the server said when it was asked who is signed in now. */
function WhoIsThere({ elsewhere: { state, name, check } }: { elsewhere: Elsewhere }): ReactNode {
  const words = {
    waiting: 'Once you have signed in in another tab, this page continues.',
    'not yet': 'You have not signed in again yet.',
    nobody: 'Nobody is signed in in this browser now. Sign in in another tab, then return here.',
    other: `${name} is signed in in this browser now. Nothing is carried out in their name: sign in as yourself.`,
  }
  return (
    <div>
      <Text size="sm" c={state === 'other' ? 'var(--mantine-color-error)' : 'dimmed'} role="status">
        {words[state]}
      </Text>
      <Button variant="subtle" size="compact-sm" mt={4} ml={-8} onClick={check}>
        I have signed in
      </Button>
    </div>
  )
}
