import { Badge } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { EntitlementName } from '../../parts/entitlement-name.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { actionsColumn } from '../../parts/row-actions.tsx'
import type { Column } from '../../parts/table.tsx'
import type { EntitlementOwner, UserOwner } from './kinds.ts'
import classes from './role-panel.module.css'

/** An owner in a role, as lists show them. */
export type Row = { key: string; slug: string; name: string; since: string | null } & (
  | { user: UserOwner }
  | { entitlement: EntitlementOwner }
)

export const entitlementRow = (entitlement: EntitlementOwner): Row => ({
  key: `${entitlement.appEntitlement?.appId} ${entitlement.appEntitlement?.id}`,
  slug: entitlement.roleSlug,
  name: `the members of ${entitlement.appEntitlement?.displayName ?? 'a deleted entitlement'}`,
  since: entitlement.createdAt,
  entitlement,
})

export const userRow = (user: UserOwner): Row => ({
  key: user.user?.id ?? '',
  slug: user.roleSlug,
  name: user.user?.displayName || user.user?.email || 'a deleted user',
  since: user.createdAt,
  user,
})

export const columnsOf = (
  onRemove: ((row: Row) => void) | null,
  more: readonly Column<Row>[] = [],
): readonly Column<Row>[] => [
  {
    header: 'Owner',
    cell: (row) =>
      'user' in row ? (
        <Named
          label={row.name}
          to={row.user.user ? `/users/${row.user.user.id}` : undefined}
          about={row.user.user?.email}
        />
      ) : (
        <EntitlementCell owner={row.entitlement} />
      ),
  },
  {
    header: 'Type',
    width: '24%',
    cell: (row) =>
      'user' in row ? row.user.user?.jobTitle || 'User' : <Badge color="grape.9">Everyone with it</Badge>,
  },
  ...more,
  { header: 'Since', width: '12rem', cell: ({ since }) => <Moment at={since} /> },
  ...(onRemove
    ? [
        actionsColumn<Row>('3.5rem', (row) => [
          {
            label: 'Remove',
            name: `Remove ${row.name}`,
            icon: IconUserMinus,
            onClick: () => onRemove(row),
          },
        ]),
      ]
    : []),
]

const EntitlementCell = ({ owner: { appEntitlement } }: { owner: EntitlementOwner }): ReactNode =>
  appEntitlement ? (
    <strong className={classes.entitlement}>
      <EntitlementName appId={appEntitlement.appId} entitlementId={appEntitlement.id} />
    </strong>
  ) : (
    'A deleted entitlement'
  )
