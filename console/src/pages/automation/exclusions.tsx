import { Button } from '@mantine/core'
import { IconUserMinus, IconUserPlus, IconUserShield } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementsListAutomationExclusions,
  appEntitlementsRemoveAutomationExclusion,
} from '#client/api/operations.ts'
import type { AutomationExclusionView } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import type { Column } from '../../parts/table.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { EntitlementPage, useEntitlement } from '../entitlements/entitlement-page.tsx'
import { AddExclusions } from './add-exclusions.tsx'
import { ExplainAction } from './explain.tsx'
import { afterExclusion, type Of, pathOf } from './reads.ts'
import { useMayChangeRule } from './rights.ts'

const nameOf = ({ user }: AutomationExclusionView): string => user?.displayName || user?.email || 'a deleted user'

/** The people who are excluded from the rule of an entitlement. */
export function Exclusions(): ReactNode {
  const { appId, entitlementId } = useEntitlement()
  const of = { appId, entitlementId }
  const mayChange = useMayChangeRule()
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<AutomationExclusionView | null>(null)
  const add = mayChange && may('users.read') && (
    <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      Exclude people
    </Button>
  )
  return (
    <EntitlementPage actions={add}>
      <DataList
        caption="People excluded from the automation rule"
        operation={appEntitlementsListAutomationExclusions}
        input={({ pageSize, pageToken }) => ({
          path: pathOf(of),
          query: { page_size: pageSize, page_token: pageToken },
        })}
        rows={({ list }) => list}
        keyOf={({ user }) => user?.id ?? ''}
        columns={columnsOf(of, mayChange ? setLeaving : null)}
        empty={{
          icon: IconUserShield,
          title: 'No exclusions',
          children:
            'The rule does not grant or revoke access of people on this list. You can add people before the rule exists. The list is kept when the rule is deleted.',
          action: add,
        }}
      />
      {isAdding && <AddExclusions of={of} onClose={() => setAdding(false)} />}
      {leaving && <Include of={of} exclusion={leaving} onClose={() => setLeaving(null)} />}
    </EntitlementPage>
  )
}

type Leave = ((exclusion: AutomationExclusionView) => void) | null

const columnsOf = (of: Of, onLeave: Leave): readonly Column<AutomationExclusionView>[] => [
  {
    header: 'Person',
    cell: (exclusion) => (
      <Named
        label={nameOf(exclusion)}
        to={exclusion.user ? `/users/${exclusion.user.id}` : undefined}
        about={exclusion.user?.email}
      />
    ),
  },
  {
    header: 'Department',
    width: '28%',
    cell: ({ user }) => [user?.department, user?.jobTitle].filter(Boolean).join(' · ') || '–',
  },
  { header: 'Status', width: '8rem', cell: ({ user }) => <StatusBadge status={user?.status} /> },
  {
    header: 'Reason',
    width: '22%',
    cell: ({ reason, addedByUserId, addedAt }) => (
      <div>
        <div>{reason || '–'}</div>
        <div>
          <Moment at={addedAt} />
        </div>
        {addedByUserId && (
          <div>
            <UserName userId={addedByUserId} />
          </div>
        )}
      </div>
    ),
  },
  {
    header: 'Account',
    width: '9rem',
    cell: ({ appId, appUserId }) =>
      appUserId ? <Named isQuiet label="Show account" to={`/apps/${appId}/accounts/${appUserId}`} /> : 'None',
  },
  {
    header: 'Actions',
    isHidden: true,
    width: '5.5rem',
    cell: (exclusion) => (
      <div style={{ display: 'flex', gap: 4 }}>
        {exclusion.user && <ExplainAction of={of} userId={exclusion.user.id} which={`of ${nameOf(exclusion)}`} />}
        {onLeave && (
          <RowActions
            actions={[
              {
                label: 'Remove from list',
                name: `Remove ${nameOf(exclusion)} from the exclusion list`,
                icon: IconUserMinus,
                onClick: () => onLeave(exclusion),
              },
            ]}
          />
        )}
      </div>
    ),
  },
]

type IncludeProps = { of: Of; exclusion: AutomationExclusionView; onClose: () => void }

function Include({ of, exclusion, onClose }: IncludeProps): ReactNode {
  const name = nameOf(exclusion)
  const remove = useChange(appEntitlementsRemoveAutomationExclusion, {
    changes: afterExclusion,
    done: `${name} is no longer excluded`,
    onDone: onClose,
  })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Remove ${name} from the exclusion list?`}
      verb="Remove from list"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ path: pathOf(of), body: { userIds: [exclusion.user?.id ?? ''] } })}
    >
      The rule is evaluated for them immediately: the entitlement is granted if they match. If they do not match, a
      grant by the rule is revoked.
    </Confirm>
  )
}
