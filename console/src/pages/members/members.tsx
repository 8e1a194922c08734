import { Button, Group } from '@mantine/core'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { appEntitlementSearchGrants, appEntitlementsListUsers, heatMapListMembers } from '#client/api/operations.ts'
import type { AppEntitlementUserView } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { AsOfField, useAsOf } from '../../parts/as-of.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { FilterPill } from '../../parts/filter-pill.tsx'
import { byPresence, bySome, type FilterBy } from '../../parts/list-filters.tsx'
import { useListState } from '../../parts/list-state.ts'
import { useOpenedBy } from '../../parts/opened-by.ts'
import { UserName } from '../../parts/user-name.tsx'
import { groupAsked } from '../changes/groupings.ts'
import { EntitlementPage, useEntitlement } from '../entitlements/entitlement-page.tsx'
import { AddMembers } from './add-members.tsx'
import { ChangeEnd } from './change-end.tsx'
import { columnsOf, type MemberAction } from './member-columns.tsx'
import { TakeAway } from './take-away.tsx'

/** Who holds an entitlement, why, since when and until when; now, or at an earlier moment. */
export function Members(): ReactNode {
  const { appId, entitlementId, entitlement, permissions } = useEntitlement()
  const { may } = useSession()
  const { filter } = useListState()
  const asOf = useAsOf()
  const group = groupAsked(filter)
  const [isAdding, setAdding] = useState(false)
  const [doing, setDoing] = useState<MemberAction | null>(null)
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
      <MemberList list={list} group={group} asOf={asOf} />
      {isAdding && add && entitlement && <AddMembers entitlement={entitlement} onClose={() => setAdding(false)} />}
      {doing?.what === 'end' && <ChangeEnd member={doing.member} onClose={() => setDoing(null)} />}
      <TakeAway member={doing?.what === 'take' ? doing.member : null} onClose={() => setDoing(null)} />
    </EntitlementPage>
  )
}

type MemberListProps = {
  /** The same of each. */
  list: Pick<
    ComponentProps<typeof DataList<unknown, { nextPageToken: string }, AppEntitlementUserView>>,
    'caption' | 'keyOf' | 'columns' | 'filters' | 'filterBy' | 'empty'
  >
  group: ReturnType<typeof groupAsked>
  asOf: string
}

/** All members, those of a group of the heat map, or what one user holds: each is another operation. */
function MemberList({ list, group, asOf }: MemberListProps): ReactNode {
  const { appId, entitlementId } = useEntitlement()
  const { may } = useSession()
  const { filter, values } = useListState()
  if (filter('user'))
    return (
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
    )
  if (group)
    return (
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
    )
  return (
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
  )
}

/** One user, with the search of grants. */
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

/** The group of the heat map whose members are listed. */
function GroupPill({ group: { grouping, value } }: { group: NonNullable<ReturnType<typeof groupAsked>> }): ReactNode {
  const { set } = useListState()
  return (
    <FilterPill removes="Show everyone" onRemove={() => set({ group: '', group_by: '', attribute: '' })}>
      {grouping.label}: {grouping.key === 'manager' && value ? <UserName userId={value} /> : value || 'None'}
    </FilterPill>
  )
}
