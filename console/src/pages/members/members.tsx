import { Button, Group } from '@mantine/core'
import { IconCalendarTime, IconPlus, IconUserMinus, IconUsersGroup } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appEntitlementSearchGrants, appEntitlementsListUsers, heatMapListMembers } from '#client/api/operations.ts'
import type { AppEntitlementUserView } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { AsOfField, useAsOf } from '../../parts/as-of.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { FilterPill } from '../../parts/filter-pill.tsx'
import { GrantReasons } from '../../parts/grant-reasons.tsx'
import { byPresence, bySome, type FilterBy } from '../../parts/list-filters.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { useOpenedBy } from '../../parts/opened-by.ts'
import { RowActions } from '../../parts/row-actions.tsx'
import { Until } from '../../parts/until.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { accountName } from '../accounts/account-columns.tsx'
import { ExplainAction } from '../automation/explain.tsx'
import { groupAsked } from '../changes/groupings.ts'
import { EntitlementPage, useEntitlement } from '../entitlements/entitlement-page.tsx'
import { AddMembers } from './add-members.tsx'
import { ChangeEnd } from './change-end.tsx'
import { memberName, TakeAway } from './take-away.tsx'

type Doing = { what: 'end' | 'take'; member: AppEntitlementUserView } | null

/** Who holds an entitlement, why, since when and until when; now, or at an earlier moment. */
export function Members(): ReactNode {
  const { appId, entitlementId, entitlement, permissions } = useEntitlement()
  const { may } = useSession()
  const { filter, values } = useListState()
  const asOf = useAsOf()
  const group = groupAsked(filter)
  const [isAdding, setAdding] = useState(false)
  const [doing, setDoing] = useState<Doing>(null)
  // Owners of what may be changed may change who holds it too; the API has the last word.
  const mayGive = may('grants.write') || (!may('grants.read') && (permissions?.edit ?? false))
  const mayExplain = asOf === '' && (may('automations.read') || !may('entitlements.read'))
  const add = mayGive && asOf === '' && may('users.names.read') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      Add members
    </Button>
  )
  useOpenedBy('add', () => setAdding(true))
  const list = {
    caption: `Members of ${entitlement?.displayName ?? 'the entitlement'}`,
    keyOf: ({ appUserId }: AppEntitlementUserView) => appUserId,
    columns: columnsOf(mayGive && asOf === '' ? setDoing : null, mayExplain, filter('user') === '' && !group),
    filters: (
      <>
        {group && <GroupPill group={group} />}
        <AsOfField />
      </>
    ),
    filterBy: may('users.read') && may('grants.read') ? [byUser, ...filterBy] : filterBy,
    empty: {
      icon: IconUsersGroup,
      title: 'No members',
      children: 'Add members manually, or create an automation rule.',
      action: add && (
        <Group gap="sm" justify="center">
          {add}
          <Button component={Link} to={`/apps/${appId}/entitlements/${entitlementId}/automation`} variant="default">
            Create rule
          </Button>
        </Group>
      ),
    },
  }
  return (
    <EntitlementPage actions={add}>
      {filter('user') ? (
        <DataList
          {...list}
          operation={appEntitlementSearchGrants}
          input={({ pageSize, pageToken }) => ({
            body: {
              userId: values('user')[0] ?? '',
              entitlementRefs: [{ appId, id: entitlementId }],
              asOf: asOf || null,
              pageSize,
              pageToken,
            },
          })}
          rows={(reply) => reply.list.flatMap(({ appEntitlementUserBinding: member }) => (member ? [member] : []))}
        />
      ) : group ? (
        <DataList
          {...list}
          operation={heatMapListMembers}
          input={({ pageSize, pageToken }) => ({
            path: { app_id: appId, app_entitlement_id: entitlementId },
            query: {
              group_by: group.grouping.groupBy,
              attribute: group.grouping.attribute,
              value: group.value,
              as_of: asOf || null,
              page_size: pageSize,
              page_token: pageToken,
            },
          })}
          rows={(reply) => reply.list}
        />
      ) : (
        <DataList
          {...list}
          operation={appEntitlementsListUsers}
          kind="members"
          {...(may('users.read') && { search: 'Search members' })}
          input={({ query, filter: filterOf, values: valuesOf, orderBy, pageSize, pageToken }) => ({
            path: { app_id: appId, app_entitlement_id: entitlementId },
            query: {
              as_of: asOf,
              query,
              sources: valuesOf('source'),
              ...(filterOf('expires') && { expires: filterOf('expires') as 'PRESENCE_SOME' }),
              user_statuses: valuesOf<'ENABLED'>('user_status'),
              order_by: orderBy,
              page_size: pageSize,
              page_token: pageToken,
            },
          })}
          rows={(reply) => reply.list}
        />
      )}
      {isAdding && add && entitlement && <AddMembers entitlement={entitlement} onClose={() => setAdding(false)} />}
      {doing?.what === 'end' && <ChangeEnd member={doing.member} onClose={() => setDoing(null)} />}
      <TakeAway member={doing?.what === 'take' ? doing.member : null} onClose={() => setDoing(null)} />
    </EntitlementPage>
  )
}

const columnsOf = (
  onDo: ((doing: Doing) => void) | null,
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

/** One user: of whom the search of grants tells it. */
const byUser: FilterBy = { name: 'user', label: 'User', kind: 'user' }
const filterBy: readonly FilterBy[] = [
  bySome('source', 'Source', {
    manual: 'Manual',
    import: 'Import',
    rule: 'Rule',
    request: 'Request',
    profile: 'Access profile',
    directory: 'Directory',
  }),
  byPresence('expires', 'Expires', 'Has an expiry', 'Never'),
  bySome('user_status', 'User status', { ENABLED: 'Enabled', DISABLED: 'Disabled', DELETED: 'Deleted' }),
]

/** Explains the access of whoever the account belongs to. */
function Explain({ member }: { member: AppEntitlementUserView }): ReactNode {
  const { appId, appEntitlementId: entitlementId } = member
  const userId = member.appUser?.appUser?.identityUserId
  return userId ? (
    <ExplainAction of={{ appId, entitlementId }} userId={userId} which={`of ${memberName(member)}`} />
  ) : null
}

type MemberActionsProps = { member: AppEntitlementUserView; onDo: (doing: Doing) => void }

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

/** The group of the heat map whose members are listed. */
function GroupPill({ group: { grouping, value } }: { group: NonNullable<ReturnType<typeof groupAsked>> }): ReactNode {
  const { set } = useListState()
  return (
    <FilterPill removes="Show everyone" onRemove={() => set({ group: '', group_by: '', attribute: '' })}>
      {grouping.label}: {grouping.key === 'manager' && value ? <UserName userId={value} /> : value || 'None'}
    </FilterPill>
  )
}
