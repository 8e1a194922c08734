import { Anchor, Button, Group, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AppEntitlement, OwnerOfEntitlement } from '#client/api/types.ts'
import { GrantReasons } from '../../../parts/grant-reasons.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { Named } from '../../../parts/named.tsx'
import { PageLink } from '../../../parts/page-link.tsx'
import type { Column } from '../../../parts/table.tsx'
import { Until } from '../../../parts/until.tsx'
import { accountName } from '../../accounts/account-columns.tsx'
import { ExplainAction } from '../../automation/explain.tsx'
import type { Requestable } from '../../requests/catalog.ts'
import classes from './access-by-app.module.css'
import { type OwnersByEntitlement, ownedKey, type Row } from './holdings.ts'

/** How the caller asks for more time, of what they may request again. */
export type Extend = { isPossible: (entitlement: AppEntitlement) => boolean; onAsk: (item: Requestable) => void }

type ColumnOptions = {
  userId: string
  owners: OwnersByEntitlement | null
  mayFollow: boolean
  mayExplain: boolean
  extend: Extend
  hasAccounts: boolean
}

export const columnsOf = ({
  userId,
  owners,
  mayFollow,
  mayExplain,
  extend,
  hasAccounts,
}: ColumnOptions): readonly Column<Row>[] => [
  {
    header: 'Entitlement',
    cell: ({ entitlement, resource }) => (
      <Named
        label={entitlement.displayName}
        to={mayFollow ? `/apps/${entitlement.appId}/entitlements/${entitlement.id}` : undefined}
        about={resource?.displayName}
      />
    ),
  },
  ...(hasAccounts
    ? [
        {
          header: 'Account',
          width: '16%',
          cell: ({ binding: { appUser, appUserId } }: Row) =>
            appUser?.appUser ? appUser.appUser.username || accountName(appUser.appUser) : appUserId,
        },
      ]
    : []),
  { header: 'Why', width: '22%', cell: ({ binding }) => <GrantReasons reasons={binding.grantReasons} /> },
  {
    header: 'Since',
    width: '8rem',
    cell: ({ binding }) => <Moment at={binding.appEntitlementUserBindingCreatedAt} show="day" />,
  },
  {
    header: 'Expires',
    width: '8rem',
    cell: (row) => <Ending row={row} extend={extend} />,
  },
  ...(owners
    ? [
        {
          header: 'Owner',
          width: '14%',
          cell: ({ entitlement }: Row) => <Owners of={entitlement} owners={owners.get(ownedKey(entitlement))} />,
        },
      ]
    : []),
  {
    header: 'Path and explanation',
    isHidden: true,
    width: '6.5rem',
    cell: ({ entitlement }) => <Why userId={userId} entitlement={entitlement} mayExplain={mayExplain} />,
  },
]

function Ending({ row, extend }: { row: Row; extend: Extend }): ReactNode {
  const { binding, entitlement, app, resource } = row
  const at = binding.appEntitlementUserBindingDeprovisionAt
  return (
    <Group gap="xs">
      <Until at={at} />
      {at && extend.isPossible(entitlement) && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Extend ${entitlement.displayName}`}
          onClick={() =>
            extend.onAsk({
              entitlement,
              appName: app?.displayName ?? '',
              resourceName: resource?.displayName ?? '',
              isHeld: true,
              isForGood: false,
            })
          }
        >
          Extend
        </Button>
      )}
    </Group>
  )
}

type WhyProps = { userId: string; entitlement: AppEntitlement; mayExplain: boolean }

const Why = ({ userId, entitlement, mayExplain }: WhyProps): ReactNode => (
  <Group gap={4} wrap="nowrap" justify="flex-end">
    <Anchor
      component={PageLink}
      to={`/users/${userId}/paths?app=${entitlement.appId}&entitlement=${entitlement.id}`}
      size="sm"
      aria-label={`Path to ${entitlement.displayName}`}
    >
      Path
    </Anchor>
    {mayExplain && (
      <ExplainAction
        of={{ appId: entitlement.appId, entitlementId: entitlement.id }}
        userId={userId}
        which={`to ${entitlement.displayName}`}
      />
    )}
  </Group>
)

type OwnersProps = {
  of: AppEntitlement
  /** Undefined while they are read, and null if they could not be. */
  owners: readonly OwnerOfEntitlement[] | null | undefined
}

/** The API names at most five of them. */
const othersMax = 4
const othersWords = (count: number): string =>
  count === 0 ? '' : count === 1 ? '1 other' : count < othersMax ? `${count} others` : 'others'

/** The first of them, and how many more. */
function Owners({ of, owners }: OwnersProps): ReactNode {
  if (owners === undefined) return <Skeleton height={14} width="60%" />
  if (owners === null) return <span className={classes.quiet}>–</span>
  const [first, ...others] = owners
  if (!first) return <span className={classes.quiet}>None</span>
  const name = first.displayName || first.userId || first.ownerEntitlementId
  const ownPage = first.userId
    ? `/users/${first.userId}`
    : `/apps/${first.ownerAppId}/entitlements/${first.ownerEntitlementId}`
  const thing = first.isOfApp ? `/apps/${of.appId}` : `/apps/${of.appId}/entitlements/${of.id}`
  return (
    <Named
      isQuiet
      label={[name, othersWords(others.length)].filter(Boolean).join(' and ')}
      to={others.length === 0 ? ownPage : `${thing}/owners`}
      about={first.isOfApp && (others.length === 0 ? 'owner of the app' : 'owners of the app')}
    />
  )
}
