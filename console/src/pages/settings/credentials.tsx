import { Button } from '@mantine/core'
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { personalClientList, rolesList } from '#client/api/operations.ts'
import type { PersonalClient } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { actionsColumn } from '../../parts/row-actions.tsx'
import { CreateCredential } from './create-credential.tsx'
import { credentialColumns } from './credential-columns.tsx'
import { DeleteCredential } from './delete-credential.tsx'
import { SettingsPage } from './settings-page.tsx'

/** The caller's own API credentials. */
export function OwnCredentials(): ReactNode {
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const [toDelete, setToDelete] = useState<PersonalClient | null>(null)
  const { data: roles } = useQuery({ ...read(rolesList, { query: { page_size: 100 } }), enabled: may('roles.read') })
  const columns = credentialColumns(roles?.list ?? [])
  const create = may('credentials.own.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Create credential
    </Button>
  )

  return (
    <SettingsPage
      about="Programs use these credentials to call the API with your permissions, or with fewer."
      actions={create}
    >
      <DataList
        caption="Your API credentials"
        operation={personalClientList}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={[
          columns.name,
          columns.clientId,
          columns.expires,
          columns.scope,
          columns.created,
          columns.lastUsed,
          actionsColumn<PersonalClient>('3.5rem', (credential) => [
            {
              label: 'Delete',
              name: `Delete ${credential.displayName}`,
              icon: IconTrash,
              onClick: () => setToDelete(credential),
            },
          ]),
        ]}
        empty={{
          icon: IconKey,
          title: 'You have no API credentials',
          children: 'Create one to call the API from a script, Terraform or another program.',
          action: create,
        }}
      />
      <CreateCredential opened={isCreating} onClose={() => setCreating(false)} roles={roles?.list ?? []} />
      <DeleteCredential credential={toDelete} onClose={() => setToDelete(null)} />
    </SettingsPage>
  )
}
