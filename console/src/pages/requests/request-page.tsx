import { Badge, Button, NativeSelect } from '@mantine/core'
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
import { catalogMask, type Requestable, requestablesOf } from './catalog.ts'
import { RequestDialog } from './request-dialog.tsx'

/** Everything that the caller can ask for. */
export function RequestPage(): ReactNode {
  const [asking, setAsking] = useState<Requestable | null>(null)
  const state = useListState()
  const forUser = useForUser(state.filter('for'))
  return (
    <Page title="Request access" about="Access that you can request. Approvers are notified immediately.">
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
            width: '10rem',
            cell: (item) => <RequestButton item={item} onAsk={setAsking} />,
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

type RequestButtonProps = { item: Requestable; onAsk: (item: Requestable) => void }

export const RequestButton = ({ item, onAsk }: RequestButtonProps): ReactNode => (
  <>
    {item.isHeld && (
      <Badge color="teal" mr="xs">
        {' '}
        Granted{' '}
      </Badge>
    )}
    <Button
      size="compact-xs"
      variant={item.isHeld ? 'default' : 'filled'}
      aria-label={`${item.isHeld ? 'Extend' : 'Request'} ${item.entitlement.displayName}`}
      onClick={() => onAsk(item)}
    >
      {item.isHeld ? 'Extend' : 'Request'}
    </Button>
  </>
)

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
