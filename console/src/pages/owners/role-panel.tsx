import { Button, Group } from '@mantine/core'
import { IconPencil, IconUserPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { AddOwner } from './add-owner.tsx'
import { type Owned, ownerWords } from './kinds.ts'
import { columnsOf, entitlementRow, type Row, userRow } from './owner-rows.tsx'
import { OwnersForm } from './owners-form.tsx'
import { RemoveOwner } from './remove-owner.tsx'
import classes from './role-panel.module.css'
import { primary, type Role } from './roles.ts'

type RolePanelProps<Path> = { owned: Owned<Path>; role: Role; mayChange: boolean }

const shownAtFirst = 25

/** The owners in one role. */
export function RolePanel<Path>({ owned, role, mayChange }: RolePanelProps<Path>): ReactNode {
  const [doing, setDoing] = useState<'add' | 'replace' | null>(null)
  const [leaving, setLeaving] = useState<Row | null>(null)
  const [isAll, setAll] = useState(false)
  const rows = [...role.entitlements.map(entitlementRow), ...role.users.map(userRow)]
  const shown = isAll ? rows : rows.slice(0, shownAtFirst)
  return (
    <Panel
      title={role.slug}
      about={role.slug === primary ? ownerWords[owned.of].main : undefined}
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
              onClick={() => setDoing('replace')}
            >
              Replace
            </Button>
          </Group>
        )
      }
    >
      <div className={classes.rows} data-list>
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
      {leaving && (
        <RemoveOwner owned={owned} row={leaving} isLast={rows.length === 1} onClose={() => setLeaving(null)} />
      )}
    </Panel>
  )
}
