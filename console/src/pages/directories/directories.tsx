import { Anchor, Button } from '@mantine/core'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { scimDirectoriesList } from '#client/api/operations.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { AddDirectory } from './add-directory.tsx'
import { DirectoryState } from './state.tsx'

/** The identity providers that send users and groups. */
export function Directories(): ReactNode {
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  const add = may('directories.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      Add directory
    </Button>
  )
  return (
    <Page
      title="Directories"
      about="Identity providers, such as Okta or Microsoft Entra ID, that create, update and disable users by SCIM. Apps that are directories are managed by the API."
      actions={add}
    >
      <DataList
        caption="Directories"
        operation={scimDirectoriesList}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list}
        keyOf={({ appId }) => appId}
        columns={[
          {
            header: 'Name',
            cell: ({ appId, displayName }) => (
              <Anchor component={Link} to={`/directories/${appId}`} size="sm">
                {displayName}
              </Anchor>
            ),
          },
          { header: 'State', width: '9rem', cell: (directory) => <DirectoryState directory={directory} /> },
          { header: 'Users', width: '6rem', cell: ({ userCount }) => userCount.toLocaleString() },
          { header: 'Groups', width: '6rem', cell: ({ groupCount }) => groupCount.toLocaleString() },
          {
            header: 'Last request',
            width: '13rem',
            cell: ({ lastRequestAt }) => <Moment at={lastRequestAt} none="None yet" />,
          },
        ]}
        empty={{
          icon: IconUsersGroup,
          title: 'No directories',
          children: 'Add one to have users and groups come from your identity provider.',
          action: add,
        }}
      />
      <AddDirectory opened={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
}
