import { Badge, Button, Group } from '@mantine/core'
import { IconPencil, IconUserMinus, IconUserPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { type Column, Table } from '../../parts/data-list.tsx'
import { EntitlementName } from '../../parts/entitlement-name.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { AddOwner } from './add-owner.tsx'
import type { EntitlementOwner, Owned, UserOwner } from './kinds.ts'
import { OwnersForm, ownerReads } from './owners-form.tsx'
import classes from './role-panel.module.css'
import { primary, type Role } from './roles.ts'

type RolePanelProps<Path> = {
  owned: Owned<Path>
  role: Role
  mayChange: boolean
  /** All owners in the role are here: only then can they be replaced as one. */
  isWhole: boolean
}

type Row = { key: string; name: string; since: string | null } & (
  | { user: UserOwner }
  | { entitlement: EntitlementOwner }
)

const rowsOf = ({ users, entitlements }: Role): Row[] => [
  ...entitlements.map((entitlement) => ({
    key: `${entitlement.appEntitlement?.appId} ${entitlement.appEntitlement?.id}`,
    name: `the holders of ${entitlement.appEntitlement?.displayName ?? 'a deleted entitlement'}`,
    since: entitlement.createdAt,
    entitlement,
  })),
  ...users.map((user) => ({
    key: user.user?.id ?? '',
    name: user.user?.displayName || user.user?.email || 'a deleted user',
    since: user.createdAt,
    user,
  })),
]

const shownAtFirst = 25

/** The owners in one role. */
export function RolePanel<Path>({ owned, role, mayChange, isWhole }: RolePanelProps<Path>): ReactNode {
  const [doing, setDoing] = useState<'add' | 'replace' | null>(null)
  const [leaving, setLeaving] = useState<Row | null>(null)
  const [isAll, setAll] = useState(false)
  const rows = rowsOf(role)
  const shown = isAll ? rows : rows.slice(0, shownAtFirst)
  return (
    <Panel
      title={role.slug}
      about={role.slug === primary ? 'The role that most programs look at.' : undefined}
      actions={
        mayChange && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconUserPlus size={14} aria-hidden />}
              onClick={() => setDoing('add')}
            >
              Add owner
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPencil size={14} aria-hidden />}
              disabled={!isWhole}
              onClick={() => setDoing('replace')}
            >
              Replace
            </Button>
          </Group>
        )
      }
    >
      <div className={classes.rows}>
        <Table
          caption={`Owners in the role ${role.slug}`}
          columns={columnsOf(mayChange ? setLeaving : null)}
          rows={shown}
          keyOf={({ key }) => key}
          isPending={false}
          isStale={false}
        />
      </div>
      {rows.length > shown.length && (
        <Group justify="center" mt="sm">
          <Button size="xs" variant="default" onClick={() => setAll(true)}>
            Show all {rows.length.toLocaleString()}
          </Button>
        </Group>
      )}
      {doing === 'add' && <AddOwner owned={owned} role={role} onClose={() => setDoing(null)} />}
      {doing === 'replace' && <OwnersForm owned={owned} role={role} onClose={() => setDoing(null)} />}
      {leaving && <RemoveOwner owned={owned} role={role} row={leaving} onClose={() => setLeaving(null)} />}
    </Panel>
  )
}

const columnsOf = (onRemove: ((row: Row) => void) | null): readonly Column<Row>[] => [
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
    header: 'Who that is',
    width: '24%',
    cell: (row) =>
      'user' in row ? row.user.user?.jobTitle || 'A user' : <Badge color="grape.9">Everyone who holds it</Badge>,
  },
  { header: 'Since', width: '12rem', cell: ({ since }) => <Moment at={since} /> },
  ...(onRemove
    ? [
        {
          header: 'Actions',
          isHidden: true,
          width: '3.5rem',
          cell: (row: Row) => (
            <RowActions
              actions={[
                {
                  label: 'Remove',
                  name: `Remove ${row.name}`,
                  icon: IconUserMinus,
                  onClick: () => onRemove(row),
                },
              ]}
            />
          ),
        },
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

type RemoveOwnerProps<Path> = { owned: Owned<Path>; role: Role; row: Row; onClose: () => void }

function RemoveOwner<Path>({ owned, role, row, onClose }: RemoveOwnerProps<Path>): ReactNode {
  const { operations, path } = owned
  const after = { changes: ownerReads(operations), done: `Removed ${row.name}`, onDone: onClose }
  const removeUser = useChange(operations.removeUser, after)
  const removeEntitlement = useChange(operations.removeEntitlement, after)
  const { isPending, error } = 'user' in row ? removeUser : removeEntitlement
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Remove ${row.name} from ${role.slug}?`}
      verb="Remove"
      isPending={isPending}
      error={error}
      onConfirm={() => {
        if ('user' in row)
          removeUser.mutate({ path: { ...path, role_slug: role.slug, user_ref_id: row.user.user?.id ?? '' } })
        else
          removeEntitlement.mutate({
            path: {
              ...path,
              role_slug: role.slug,
              app_entitlement_ref_app_id: row.entitlement.appEntitlement?.appId ?? '',
              app_entitlement_ref_id: row.entitlement.appEntitlement?.id ?? '',
            },
          })
      }}
    >
      {role.users.length + role.entitlements.length === 1
        ? 'Nobody is left in this role then.'
        : 'What they may do as owners ends with their next request.'}{' '}
      That they were owners stays on the record.
    </Confirm>
  )
}
