import { Anchor, Button, NativeSelect } from '@mantine/core'
import { IconUserPlus, IconUserStar } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { AsOfField } from '../../parts/as-of.tsx'
import { type Asked, DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { AddOwner } from './add-owner.tsx'
import type { Owned } from './kinds.ts'
import { columnsOf, entitlementRow, type Row, userRow } from './owner-rows.tsx'
import { RemoveOwner } from './remove-owner.tsx'

type ManyOwnersProps<Path> = { owned: Owned<Path>; mayChange: boolean }

/** The owners of a thing with more owners than are listed by role: a page at a time, in the order of the roles. */
export function ManyOwners<Path>({ owned, mayChange }: ManyOwnersProps<Path>): ReactNode {
  const { operations, path } = owned
  const { filter, set } = useListState()
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Row | null>(null)
  const list = {
    caption: 'Owners, by role',
    input: ({ query, filter: asked, pageSize, pageToken }: Asked) => ({
      path,
      query: { role_slug: query.trim(), as_of: asked('as_of'), page_size: pageSize, page_token: pageToken },
    }),
    keyOf: ({ slug, key }: Row) => `${slug} ${key}`,
    columns: columnsOf(mayChange ? setLeaving : null, [
      {
        header: 'Role',
        width: '18%',
        cell: ({ slug }) => (
          <div>
            <Anchor component="button" type="button" size="sm" onClick={() => set({ q: slug })}>
              {slug}
            </Anchor>
          </div>
        ),
      },
    ]),
    search: 'Role (full name)',
    filters: (
      <>
        <NativeSelect
          aria-label="Show"
          value={filter('of')}
          onChange={({ currentTarget: { value } }) => set({ of: value })}
          data={[
            { value: '', label: 'Users' },
            { value: 'holders', label: 'Members of entitlements' },
          ]}
        />
        <AsOfField />
        {mayChange && (
          <Button
            variant="default"
            leftSection={<IconUserPlus size={16} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            Add owner
          </Button>
        )}
      </>
    ),
    empty: {
      icon: IconUserStar,
      title: 'No users',
      children: 'All owners are members of entitlements. Select them above.',
    },
  }
  return (
    <>
      {filter('of') === 'holders' ? (
        <DataList {...list} operation={operations.entitlements} rows={(reply) => reply.list.map(entitlementRow)} />
      ) : (
        <DataList {...list} operation={operations.users} rows={(reply) => reply.list.map(userRow)} />
      )}
      {isAdding && <AddOwner owned={owned} onClose={() => setAdding(false)} />}
      {leaving && <RemoveOwner owned={owned} row={leaving} isLast={false} onClose={() => setLeaving(null)} />}
    </>
  )
}
