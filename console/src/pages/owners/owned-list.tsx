import { NativeSelect } from '@mantine/core'
import { IconUserStar } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { appSearchUserOwnership } from '#client/api/operations.ts'
import type { UserOwnership } from '#client/api/types.ts'
import { AsOfField } from '../../parts/as-of.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Named } from '../../parts/named.tsx'

type Type = UserOwnership['ownershipType']

const types: readonly { value: Type; label: string }[] = [
  { value: 'USER_OWNERSHIP_TYPE_APP', label: 'App' },
  { value: 'USER_OWNERSHIP_TYPE_ENTITLEMENT', label: 'Entitlement' },
  { value: 'USER_OWNERSHIP_TYPE_RESOURCE', label: 'Resource' },
]

/** What it is called and where its page is. */
function placeOf(owned: UserOwnership): { label: string; to: string } {
  const app = `/apps/${owned.appId}`
  if (owned.entitlementId)
    return {
      label: owned.entitlementDisplayName || owned.entitlementId,
      to: `${app}/entitlements/${owned.entitlementId}`,
    }
  if (owned.resourceId)
    return {
      label: owned.resourceDisplayName || owned.resourceId,
      to: `${app}/resources/${owned.resourceTypeId}/${owned.resourceId}`,
    }
  return { label: owned.appDisplayName || owned.appId, to: app }
}

type OwnedListProps = {
  /** Whose; the caller's own where it is empty. */
  userId: string
  caption: string
  /** The title if nothing is owned. */
  nothing: string
  /** The text under the title. */
  about?: string
}

const usual = 'Owners are set on the Owners tab of an app, an entitlement or a resource.'

/** What a user owns, by name or because of what they hold; now, or at an earlier moment. */
export const OwnedList = ({ userId, caption, nothing, about = usual }: OwnedListProps): ReactNode => (
  <DataList
    caption={caption}
    operation={appSearchUserOwnership}
    input={({ filter, pageSize, pageToken }) => ({
      body: {
        userId,
        ownershipTypes: filter('type') ? [filter('type') as Type] : [],
        asOf: filter('as_of') || null,
        pageSize,
        pageToken,
      },
    })}
    rows={({ list }) => list}
    keyOf={({ ownershipType, appId, resourceId, entitlementId }) =>
      `${ownershipType} ${appId} ${resourceId} ${entitlementId}`
    }
    filters={<Filters />}
    columns={[
      {
        header: 'Owns',
        cell: (owned) => {
          const { label, to } = placeOf(owned)
          return <Named label={label} to={to} />
        },
      },
      {
        header: 'Type',
        width: '10rem',
        cell: ({ ownershipType }) => types.find(({ value }) => value === ownershipType)?.label ?? '–',
      },
      {
        header: 'App',
        width: '32%',
        cell: ({ ownershipType, appId, appDisplayName }) =>
          ownershipType === 'USER_OWNERSHIP_TYPE_APP' ? (
            '–'
          ) : (
            <Named isQuiet label={appDisplayName || appId} to={`/apps/${appId}`} />
          ),
      },
    ]}
    empty={{
      icon: IconUserStar,
      title: nothing,
      children: about,
    }}
  />
)

function Filters(): ReactNode {
  const { filter, set } = useListState()
  return (
    <>
      <NativeSelect
        label="Show"
        value={filter('type')}
        onChange={({ currentTarget: { value } }) => set({ type: value })}
        data={[{ value: '', label: 'Everything' }, ...types.map(({ value, label }) => ({ value, label: `${label}s` }))]}
      />
      <AsOfField />
    </>
  )
}
