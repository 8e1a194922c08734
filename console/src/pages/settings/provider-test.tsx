import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SignInProvider } from '#client/api/types.ts'
import { Moment } from '../../parts/moment.tsx'
import { UserName } from '../../parts/user-name.tsx'

/** What the last round trip to a provider returned: whom it would sign in, or why nobody. */
export function ProviderTest({ test }: { test: SignInProvider['test'] }): ReactNode {
  if (!test)
    return (
      <Text size="sm" c="dimmed">
        Not tested with these settings
      </Text>
    )
  const email = test.email && `${test.email}${test.isEmailVerified ? '' : ' (not verified)'}`
  return (
    <>
      {test.code === '' ? (
        <Text size="sm">
          Would sign in <UserName userId={test.userId} />
        </Text>
      ) : (
        <Text size="sm" c="var(--mantine-color-error)">
          Would sign in nobody: {test.reason}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {email || 'No email address'}
        {test.subject && `, subject ${test.subject}`}, <Moment at={test.testedAt} />
      </Text>
    </>
  )
}
