import { Group } from '@mantine/core'
import { IconCalendarTime, IconUserMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AppEntitlementUserView } from '#client/api/types.ts'
import { GrantReasons } from '../../parts/grant-reasons.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import type { Column } from '../../parts/table.tsx'
import { Until } from '../../parts/until.tsx'
import { accountName } from '../accounts/account-columns.tsx'
import { ExplainAction } from '../automation/explain.tsx'
import { memberName } from './take-away.tsx'

/** What is to be done with a member. */
export type MemberAction = { what: 'end' | 'take'; member: AppEntitlementUserView }

export const columnsOf = (
  onDo: ((action: MemberAction) => void) | null,
  mayExplain: boolean,
  isSortable: boolean,
): readonly Column<AppEntitlementUserView>[] => [
  {
    header: 'Member',
    ...(isSortable && { sort: 'name' }),
    cell: (member) => {
      const account = member.appUser?.appUser
      return (
        <Named
          label={memberName(member)}
          to={
            account?.identityUserId
              ? `/users/${account.identityUserId}`
              : `/apps/${member.appId}/accounts/${member.appUserId}`
          }
          about={account?.email}
        />
      )
    },
  },
  {
    header: 'Account',
    ...(isSortable && { sort: 'account' }),
    width: '18%',
    cell: ({ appId, appUserId, appUser }) => (
      <Named
        isQuiet
        label={appUser?.appUser?.username || (appUser?.appUser ? accountName(appUser.appUser) : appUserId)}
        to={`/apps/${appId}/accounts/${appUserId}`}
      />
    ),
  },
  { header: 'Source', width: '22%', cell: ({ grantReasons }) => <GrantReasons reasons={grantReasons} /> },
  {
    header: 'Since',
    ...(isSortable && { sort: 'granted' }),
    width: '8.5rem',
    cell: ({ appEntitlementUserBindingCreatedAt: at }) => <Moment at={at} show="day" />,
  },
  {
    header: 'Expires',
    ...(isSortable && { sort: 'expires' }),
    width: '8.5rem',
    cell: ({ appEntitlementUserBindingDeprovisionAt: at }) => <Until at={at} />,
  },
  ...(onDo || mayExplain
    ? [
        {
          header: 'Actions',
          isHidden: true,
          width: onDo && mayExplain ? '7.5rem' : onDo ? '5.5rem' : '3.5rem',
          cell: (member: AppEntitlementUserView) => (
            <Group gap={4} wrap="nowrap">
              {mayExplain && <Explain member={member} />}
              {onDo && <MemberActions member={member} onDo={onDo} />}
            </Group>
          ),
        },
      ]
    : []),
]

/** Explains the access of the account's user. */
function Explain({ member }: { member: AppEntitlementUserView }): ReactNode {
  const { appId, appEntitlementId: entitlementId } = member
  const userId = member.appUser?.appUser?.identityUserId
  return userId ? (
    <ExplainAction of={{ appId, entitlementId }} userId={userId} which={`of ${memberName(member)}`} />
  ) : null
}

type MemberActionsProps = { member: AppEntitlementUserView; onDo: (action: MemberAction) => void }

const MemberActions = ({ member, onDo }: MemberActionsProps): ReactNode => (
  <RowActions
    actions={[
      {
        label: 'Edit expiry',
        name: `Edit expiry of ${memberName(member)}`,
        icon: IconCalendarTime,
        onClick: () => onDo({ what: 'end', member }),
      },
      {
        label: 'Remove',
        name: `Remove ${memberName(member)}`,
        icon: IconUserMinus,
        onClick: () => onDo({ what: 'take', member }),
      },
    ]}
  />
)
