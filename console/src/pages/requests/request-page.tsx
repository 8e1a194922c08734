import { Anchor, Badge, Button, NativeSelect } from '@mantine/core'
import { IconShoppingBag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { requestCatalogSearchEntitlements, userGet } from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { FilterPill } from '../../parts/filter-pill.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { useApproverNotices } from './approver-notices.ts'
import { catalogMask, type Requestable, requestablesOf } from './catalog.ts'
import { useAsksForOthers, useOpenRequests } from './open-requests.ts'
import { RequestDialog } from './request-dialog.tsx'

/** Everything that the caller can request. */
export function RequestPage(): ReactNode {
  const [asking, setAsking] = useState<Requestable | null>(null)
  const state = useListState()
  const openTaskOf = useOpenRequests()
  const forUser = useForUser(state.filter('for'))
  const notices = useApproverNotices()
  return (
    <Page about={`Access that you can request. ${notices}`}>
      {forUser && (
        <FilterPill removes="Request for yourself" onRemove={() => state.set({ for: '' })}>
          For {forUser.displayName}
        </FilterPill>
      )}
      <DataList
        caption="What you can request"
        operation={requestCatalogSearchEntitlements}
        input={({ query, pageSize, pageToken, filter }) => ({
          body: {
            query,
            grantedStatus: filter('show') === 'new' ? ('NOT_GRANTED' as const) : ('ALL' as const),
            expandMask: catalogMask,
            pageSize,
            pageToken,
          },
        })}
        rows={requestablesOf}
        keyOf={({ entitlement: { appId, id } }) => `${appId} ${id}`}
        search="Search what you can request"
        filters={<ShowFilter />}
        columns={[
          {
            header: 'Entitlement',
            cell: ({ entitlement, resourceName }) => (
              <Named label={entitlement.displayName} about={entitlement.description || resourceName} />
            ),
          },
          { header: 'App', width: '20%', cell: ({ appName }) => appName },
          {
            header: 'Request',
            isHidden: true,
            width: '12rem',
            cell: (item) => <RequestButton item={item} openTask={openTaskOf(item.entitlement)} onAsk={setAsking} />,
          },
        ]}
        empty={{
          icon: IconShoppingBag,
          title: 'Nothing can be requested yet',
          children: 'A request administrator must first publish an access profile.',
          action: (
            <Button component={Link} to="/me" variant="default">
              Your access
            </Button>
          ),
        }}
      />
      {asking && <RequestDialog item={asking} forUser={forUser} onClose={() => setAsking(null)} />}
    </Page>
  )
}

/** The person whom the address names, for those who may request for others. */
function useForUser(userId: string): User | null {
  const { may } = useSession()
  const { data } = useQuery({
    ...read(userGet, { path: { id: userId } }),
    enabled: userId !== '' && may('tasks.others'),
  })
  return userId === '' ? null : (data?.userView?.user ?? null)
}

type RequestButtonProps = {
  item: Requestable
  /** The number of the caller's open request for it. */
  openTask: string | undefined
  onAsk: (item: Requestable) => void
}

/** What the caller can do about it: request it, extend it, or look at the request that is open. */
export function RequestButton({ item, openTask, onAsk }: RequestButtonProps): ReactNode {
  const asksForOthers = useAsksForOthers()
  const { isHeld, isForGood, entitlement } = item
  const verb = isHeld && !isForGood ? 'Extend' : 'Request'
  return (
    <>
      {openTask ? (
        <Anchor component={Link} to={`/tasks/${openTask}`} size="sm" mr="md" lh="1.5rem" display="inline-block">
          Requested
        </Anchor>
      ) : (
        isHeld && (
          <Badge color="teal" mr="xs">
            Granted
          </Badge>
        )
      )}
      {(!isForGood || asksForOthers) && (
        <Button
          size="compact-sm"
          variant={isHeld || openTask ? 'default' : 'filled'}
          aria-label={`${verb} ${entitlement.displayName}`}
          onClick={() => onAsk(item)}
        >
          {verb}
        </Button>
      )}
    </>
  )
}

function ShowFilter(): ReactNode {
  const { filter, set } = useListState()
  return (
    <NativeSelect
      label="Show"
      value={filter('show')}
      onChange={({ currentTarget: { value } }) => set({ show: value })}
      data={[
        { value: '', label: 'Everything' },
        { value: 'new', label: 'What I do not have' },
      ]}
    />
  )
}
