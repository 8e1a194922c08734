import { type ReactNode, useState } from 'react'
import { bulkOwnersAdd, bulkOwnersPlan } from '#client/api/operations.ts'
import type { BulkItem, User } from '#client/api/types.ts'
import { BulkDialog } from '../../parts/bulk/bulk-dialog.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import { type Bulk, moreNote } from './bulk.tsx'
import { keyInApp } from './in-app.tsx'

type InApp = { appId: string; id: string }

type AddOwnerProps<Row> = {
  bulk: Bulk<Row>
  noun: 'account' | 'entitlement'
  about: string
  itemOf: (row: Row) => InApp
  labelOf: (row: Row) => string
  changes: readonly { readonly id: string }[]
}

/** One owner for several accounts or entitlements. */
export function AddOwner<Row>({ bulk, noun, about, itemOf, labelOf, changes }: AddOwnerProps<Row>): ReactNode {
  const [user, setUser] = useState<User | null>(null)
  const names = new Map(bulk.rows.map((row) => [keyInApp(itemOf(row)), labelOf(row)]))
  const items = bulk.rows.map(itemOf).map(({ appId, id }) => ({ appId, id }))
  const owned = noun === 'account' ? { appUsers: items } : { entitlements: items }
  return (
    <BulkDialog
      title="Add an owner"
      about={`${about}${moreNote(bulk, `${noun}s`)}`}
      verb="Add owner to"
      noun={noun}
      plan={bulkOwnersPlan}
      apply={bulkOwnersAdd}
      body={user ? { ...owned, userId: user.id } : null}
      nameOf={(item: BulkItem) => names.get(keyInApp(item)) ?? item.id}
      changes={changes}
      onClose={bulk.onClose}
      onDone={bulk.onDone}
    >
      <UserPicker label="Owner" isRequired chosen={user} onPick={setUser} isAutoFocused />
    </BulkDialog>
  )
}
