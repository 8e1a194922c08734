import { Alert, Button, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { passkeyList, signInWays } from '#client/api/operations.ts'
import { useDismissed } from '../../client/dismissed.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'

/** For those who signed in by a one-time link and have no other way to sign in again. */
export function PasskeyNudge(): ReactNode {
  const { user, session } = useSession()
  const [isDismissed, dismiss] = useDismissed('passkey', user?.id ?? '')
  const isByLink = session?.method === 'link' && !isDismissed
  const ways = useQuery({ ...read(signInWays, {}), enabled: isByLink })
  const passkeys = useQuery({ ...read(passkeyList, { query: { page_size: 10 } }), enabled: isByLink })
  // If the organization does not allow passkeys, or has its own identity provider, there is nothing to add.
  if (!isByLink || !ways.data?.passkey || ways.data.oidc || passkeys.data?.list.length !== 0) return null
  return (
    <Alert
      color="blue"
      variant="light"
      mb="md"
      icon={<IconFingerprint size={20} aria-hidden />}
      title="Add a passkey to sign in next time"
      withCloseButton
      closeButtonLabel="Dismiss: add a passkey"
      onClose={dismiss}
    >
      <Text size="sm" mb="sm">
        You signed in with a one-time link, which does not work again. A passkey signs you in with a fingerprint, a face
        or a PIN, without asking an administrator for a new link.
      </Text>
      <Button component={Link} to="/settings/passkeys" size="xs">
        Set up a passkey
      </Button>
    </Alert>
  )
}
