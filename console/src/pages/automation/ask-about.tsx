import { Box } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { User } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { Panel } from '../../parts/panel.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import { ExplainPanel } from './explain.tsx'
import type { Of } from './reads.ts'

/** Asks about one user, who need not have the entitlement. */
export function AskAbout({ of }: { of: Of }): ReactNode {
  const { may } = useSession()
  const [user, setUser] = useState<User | null>(null)
  if (!may('users.read')) return null
  return (
    <Panel
      title="Check a person"
      about="Shows whether a person has this entitlement, why, and how the rule evaluates for them."
    >
      <Box maw="28rem">
        <UserPicker label="User" onPick={setUser} />
      </Box>
      {user && (
        <ExplainPanel
          of={of}
          userId={user.id}
          which={`of ${user.displayName || user.email}`}
          onClose={() => setUser(null)}
        />
      )}
    </Panel>
  )
}
