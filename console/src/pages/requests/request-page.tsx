import { Badge, Button, NativeSelect } from '@mantine/core'
import { IconShoppingBag } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { requestCatalogSearchEntitlements } from '#client/api/operations.ts'
import { DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { catalogMask, type Requestable, requestablesOf } from './catalog.ts'
import { RequestDialog } from './request-dialog.tsx'

/** Everything that the caller can ask for. */
export function RequestPage(): ReactNode {
  const [asking, setAsking] = useState<Requestable | null>(null)
  return (
    <Page title="Request access" about="Access that you can request. Approvers are notified immediately.">
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
      {asking && <RequestDialog item={asking} onClose={() => setAsking(null)} />}
    </Page>
  )
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
