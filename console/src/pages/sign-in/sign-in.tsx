import { Alert, Button, Divider, Loader, Stack, Text, Title } from '@mantine/core'
import { IconFingerprint, IconLogin2 } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { signInByInvitation, signInByLink, signInStartOidc, signInWays } from '#client/api/operations.ts'
import { call } from '../../client/call.ts'
import { signInWithPasskey } from '../../client/passkey.ts'
import { read } from '../../client/queries.ts'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { destination } from './destination.ts'
import { endedReasons } from './ended-reasons.ts'
import { oidcErrors } from './oidc-errors.ts'
import classes from './sign-in.module.css'

/**
 * The token of a sign-in link or an invitation, removed from the address at once: it stays neither in the history nor on the screen. Read
 * once for the page, however often it is drawn.
 */
function takeToken(): string {
  const token = location.hash.slice(1)
  if (token !== '') history.replaceState(history.state, '', location.pathname + location.search)
  return token
}
const token = takeToken()
const invitationPrefix = 'invitation='

const redeem = () =>
  token.startsWith(invitationPrefix)
    ? call(signInByInvitation, { body: { token: token.slice(invitationPrefix.length) } })
    : call(signInByLink, { body: { token } })

/** Signs in: by the one-time link or the invitation that led here, with a passkey, or at the organization's identity provider. */
export function SignIn(): ReactNode {
  const { returnTo: asked, error: code, ended } = useSearch({ strict: false })
  const returnTo = destination(asked, location.origin)
  const [hasToken, setHasToken] = useState(token !== '')
  // Loads the page again: data that was read before may belong to another user.
  const enter = (): void => location.replace(returnTo)

  const ways = useQuery(read(signInWays, {}))
  const link = useMutation({ mutationFn: redeem, onSuccess: enter })
  const passkey = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess: enter })
  const oidc = useMutation({
    mutationFn: () => call(signInStartOidc, { body: { returnTo } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  useEffect(() => {
    document.title = 'Sign in · Bailiwick'
    if (hasToken && link.isIdle) link.mutate(undefined, { onError: () => setHasToken(false) })
    // oxlint-disable-next-line react/exhaustive-deps -- a sign-in link is used once
  }, [])

  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Stack gap="md">
          <header className={classes.brand}>
            <img src="/favicon.svg" alt="" width={36} height={36} />
            <div>
              <Title order={1}>Sign in to Bailiwick</Title>
              <Text size="sm" c="dimmed">
                {ways.data?.tenantDomain ?? location.host}
              </Text>
            </div>
          </header>
          {hasToken ? (
            <div className={classes.wait} role="status">
              <Loader size="sm" aria-hidden /> <Text size="sm">Signing you in…</Text>
            </div>
          ) : (
            <>
              <WhyHere code={code} ended={ended} />
              <ErrorNote error={link.error ?? passkey.error ?? oidc.error} title="You were not signed in" />
              <ErrorNote error={ways.error} title="The server did not respond" retry={() => void ways.refetch()} />
              {ways.data?.oidc && (
                <Button
                  size="md"
                  leftSection={<IconLogin2 size={18} aria-hidden />}
                  onClick={() => oidc.mutate()}
                  loading={oidc.isPending || oidc.isSuccess}
                >
                  Sign in with {hostOf(ways.data.oidcIssuer)}
                </Button>
              )}
              {ways.data?.passkey && (
                <Button
                  size="md"
                  variant={ways.data.oidc ? 'default' : 'filled'}
                  leftSection={<IconFingerprint size={18} aria-hidden />}
                  onClick={() => passkey.mutate()}
                  loading={passkey.isPending || passkey.isSuccess}
                >
                  Sign in with a passkey
                </Button>
              )}
              {ways.data?.link !== false && <LinkHelp />}
            </>
          )}
        </Stack>
      </div>
    </main>
  )
}

const hostOf = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).host : issuer)

/** Why people were redirected here: their session ended, or the provider refused. */
function WhyHere({ code, ended }: { code: string | undefined; ended: string | undefined }): ReactNode {
  return (
    <>
      {ended && endedReasons[ended] && (
        <Alert color="yellow" role="alert" title="You were signed out">
          {endedReasons[ended]}
        </Alert>
      )}
      {code && (
        <Alert color="red" role="alert" title="You were not signed in">
          {oidcErrors[code] ?? 'The sign-in did not work. Try again.'}
        </Alert>
      )}
    </>
  )
}

const LinkHelp = (): ReactNode => (
  <>
    <Divider label="or with a one-time link" />
    <Text size="sm">
      Ask the people who run Bailiwick in your organization for a link. It works once, for 15 minutes, in the browser in
      which you open it.
    </Text>
    <details className={classes.operators}>
      <summary>For operators: create a link</summary>
      <Text size="sm" my={6}>
        Run this command in the server's folder, with the same --data-dir or --database-url as the server. The server
        printed the exact command when it started.
      </Text>
      <CopyText value="node bin/bailiwick.mjs sign-in-link --user EMAIL" label="the command" />
    </details>
  </>
)
