import { Badge, Button, TextInput } from '@mantine/core'
import { IconFingerprint, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { passkeyCreate, passkeyDelete, passkeyList, passkeyOptions, passkeyRename } from '#client/api/operations.ts'
import type { ReplyOf } from '#client/operation.ts'
import { call } from '../../client/call.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { ConfirmChange } from '../../parts/confirm-change.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Moment } from '../../parts/moment.tsx'
import { actionsColumn } from '../../parts/row-actions.tsx'
import { SettingsPage } from './settings-page.tsx'

type Passkey = ReplyOf<typeof passkeyList>['list'][number]

async function addPasskey(displayName: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const { options } = await call(passkeyOptions, {})
  const response = await startRegistration({ optionsJSON: options as never })
  await call(passkeyCreate, { body: { displayName, response: response as never } })
}

/** The caller's passkeys: what signs them in without a link. */
export function Passkeys(): ReactNode {
  const [isAdding, setAdding] = useState(false)
  const [toRename, setToRename] = useState<Passkey | null>(null)
  const [toDelete, setToDelete] = useState<Passkey | null>(null)
  const remove = useChange(passkeyDelete, {
    changes: [passkeyList],
    done: 'Deleted the passkey',
    onDone: () => setToDelete(null),
  })
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      Add a passkey
    </Button>
  )
  return (
    <SettingsPage
      about="A passkey is stored on your device or in your password manager. You use it to sign in with a fingerprint, face recognition or a PIN."
      actions={add}
    >
      <DataList
        caption="Your passkeys"
        operation={passkeyList}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={[
          { header: 'Name', cell: ({ displayName }) => <strong>{displayName}</strong> },
          {
            header: 'Storage',
            width: '22%',
            cell: ({ isBackedUp }) =>
              isBackedUp ? <Badge color="teal">Synced</Badge> : <Badge color="gray">One device</Badge>,
          },
          { header: 'Added', width: '20%', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { header: 'Last used', width: '20%', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} none="Never" /> },
          actionsColumn<Passkey>('5.5rem', (passkey) => [
            {
              label: 'Rename',
              name: `Rename ${passkey.displayName}`,
              icon: IconPencil,
              onClick: () => setToRename(passkey),
            },
            {
              label: 'Delete',
              name: `Delete ${passkey.displayName}`,
              icon: IconTrash,
              onClick: () => setToDelete(passkey),
            },
          ]),
        ]}
        empty={{
          icon: IconFingerprint,
          title: 'You have no passkeys',
          children: 'Add a passkey to sign in without a link.',
          action: add,
        }}
      />
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {toRename && <RenamePasskey passkey={toRename} onClose={() => setToRename(null)} />}
      <ConfirmChange
        opened={toDelete !== null}
        onClose={() => setToDelete(null)}
        title="Delete this passkey?"
        verb="Delete"
        change={remove}
        input={toDelete && { path: { id: toDelete.id } }}
      >
        <strong>{toDelete?.displayName}</strong> can no longer be used to sign in. Your device may still show it until
        you delete it there, too.
      </ConfirmChange>
    </SettingsPage>
  )
}

function AddPasskey({ onClose }: { onClose: () => void }): ReactNode {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: addPasskey,
    async onSuccess() {
      onClose()
      await client.invalidateQueries({ queryKey: [passkeyList.id] })
    },
  })
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Add a passkey"
      verb="Continue"
      isIncomplete={name.trim() === ''}
      isPending={add.isPending}
      error={add.error}
      fields={['displayName']}
      onSubmit={() => add.mutate(name.trim())}
    >
      <TextInput
        label="Name"
        description="A name to recognize it by, such as the device. Your browser then guides you through the next steps."
        placeholder="My laptop"
        required
        data-autofocus
        maxLength={100}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        error={problemOf(add.error, 'displayName')}
      />
    </FormModal>
  )
}

function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }): ReactNode {
  const [name, setName] = useState(passkey.displayName)
  const rename = useChange(passkeyRename, { changes: [passkeyList], done: 'Renamed the passkey', onDone: onClose })
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Rename the passkey"
      verb="Rename"
      isIncomplete={name.trim() === ''}
      isPending={rename.isPending}
      error={rename.error}
      fields={['displayName']}
      onSubmit={() => rename.mutate({ path: { id: passkey.id }, body: { displayName: name.trim() } })}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={100}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        error={problemOf(rename.error, 'displayName')}
      />
    </FormModal>
  )
}
