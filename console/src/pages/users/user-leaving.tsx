import { Alert, Skeleton } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { leaverPlansGet } from '#client/api/operations.ts'
import type { LeaverPlan } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Dependents } from './dependents.tsx'
import { DecisionParts, Delegations, OwnershipParts, OwnParts } from './leaving-parts.tsx'
import { UserPage, useUser } from './user-page.tsx'
import { Verdict } from './verdict.tsx'

/** Everything that depends on a person, and what becomes of it when they are disabled. */
export function UserLeaving(): ReactNode {
  const { userId, user } = useUser()
  const { data, error, refetch } = useQuery(read(leaverPlansGet, { path: { id: userId } }))
  return (
    <UserPage>
      {error ? (
        <ErrorNote error={error} title="The plan could not be loaded" retry={() => void refetch()} />
      ) : data?.plan && user ? (
        <>
          <Plan plan={data.plan} isDisabled={user.status !== 'ENABLED'} />
          <Dependents userId={userId} />
        </>
      ) : (
        <Panel>
          <Skeleton height={280} />
        </Panel>
      )}
    </UserPage>
  )
}

const partWords: Readonly<Record<string, string>> = {
  'tasks.read': 'open steps and requests',
  'policies.read': 'policies',
  'owners.read': 'what they own',
  'entitlements.read': 'what they provision',
  'apps.read': 'pending connector tasks',
  'credentials.read': 'API credentials',
  'four-eyes.read': 'changes that need approval',
}

function Plan({ plan, isDisabled }: { plan: LeaverPlan; isDisabled: boolean }): ReactNode {
  return (
    <>
      <Verdict plan={plan} isDisabled={isDisabled} />
      {plan.hiddenParts.length > 0 && (
        <Alert mb="md" color="gray" icon={<IconEyeOff size={18} aria-hidden />} title="Some parts are hidden">
          You do not have permission to see: {plan.hiddenParts.map((part) => partWords[part] ?? part).join(', ')}.
        </Alert>
      )}
      <DecisionParts plan={plan} />
      <OwnershipParts plan={plan} />
      <Delegations plan={plan} />
      <OwnParts plan={plan} />
    </>
  )
}
