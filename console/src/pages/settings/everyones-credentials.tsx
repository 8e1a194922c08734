import { IconKey, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { personalClientSearch, rolesList } from '#client/api/operations.ts'
import type { PersonalClient } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { actionsColumn } from '../../parts/row-actions.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { credentialColumns } from './credential-columns.tsx'
import { DeleteCredential } from './delete-credential.tsx'
import { SettingsPage } from './settings-page.tsx'

/** All API credentials of the tenant, for those who may see them. */
export function EveryonesCredentials(): ReactNode {
  const { may } = useSession()
  const [toDelete, setToDelete] = useState<PersonalClient | null>(null)
  const { data: roles } = useQuery(read(rolesList, { query: { page_size: 100 } }))
  const columns = credentialColumns(roles?.list ?? [])

  return (
    <SettingsPage about="The API credentials of all users of this tenant.">
      <DataList
        caption="Everyone's API credentials"
        operation={personalClientSearch}
        input={({ query, pageSize, pageToken }) => ({ body: { query, pageSize, pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        search="Search names and client IDs"
        columns={[
          columns.name,
          { header: 'User', width: '14%', cell: ({ userId }) => <UserName userId={userId} /> },
          columns.clientId,
          columns.expires,
          columns.scope,
          columns.lastUsed,
          ...(may('credentials.write')
            ? [
                actionsColumn<PersonalClient>('3.5rem', (credential) => [
                  {
                    label: 'Delete',
                    name: `Delete ${credential.displayName}`,
                    icon: IconTrash,
                    onClick: () => setToDelete(credential),
                  },
                ]),
              ]
            : []),
        ]}
        empty={{
          icon: IconKey,
          title: 'No API credentials',
          children: 'Users create API credentials in their settings.',
        }}
      />
      <DeleteCredential credential={toDelete} onClose={() => setToDelete(null)} />
    </SettingsPage>
  )
}
