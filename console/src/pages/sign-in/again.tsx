import { Loader, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { sessionCurrent, signInStartOidc } from '#client/api/operations.ts'
import { ask, call } from '../../client/call.ts'
import { notifySignedIn } from '../../client/fresh.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import classes from './sign-in.module.css'

/** In a separate tab: sends whoever is signed in to their provider, to sign in there again. */
export function SignInAgain(): ReactNode {
  const start = useMutation({
    async mutationFn() {
      const userId = await ask(sessionCurrent, {}).then(
        ({ user }) => user?.id ?? '',
        () => '',
      )
      return call(signInStartOidc, { body: { returnTo: '/sign-in/done', userId } })
    },
    onSuccess: ({ url }) => location.replace(url),
  })
  useEffect(() => {
    document.title = 'Sign in again · Bailiwick'
    start.mutate()
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, [])
  return (
    <Card title="Sign in again">
      {start.error ? (
        <ErrorNote error={start.error} title="You were not signed in" />
      ) : (
        <div className={classes.wait} role="status">
          <Loader size="sm" aria-hidden /> <Text size="sm">You are led to your provider…</Text>
        </div>
      )}
    </Card>
  )
}

/** Where the provider leads back to: the tab that asked notices. */
export function SignedInAgain(): ReactNode {
  useEffect(() => {
    document.title = 'Signed in · Bailiwick'
    notifySignedIn()
  }, [])
  return (
    <Card title="You are signed in again">
      <Text size="sm">Return to the tab where you were asked to confirm your identity. You can close this one.</Text>
    </Card>
  )
}

const Card = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <main className={classes.page}>
    <div className={classes.card}>
      <Stack gap="md">
        <header className={classes.brand}>
          <img src="/favicon.svg" alt="" width={36} height={36} />
          <Title order={1}>{title}</Title>
        </header>
        {children}
      </Stack>
    </div>
  </main>
)
