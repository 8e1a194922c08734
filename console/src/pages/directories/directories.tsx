import { Anchor, Button, Menu } from '@mantine/core'
import { IconArrowsSort, IconChevronDown, IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { directoriesListStates } from '#client/api/operations.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { AddDirectory } from './add-directory.tsx'
import { DirectoryBadge, lastChangeOf } from './state.tsx'

/** Where users come from: identity providers, and apps whose accounts become users. */
export function Directories(): ReactNode {
  const { may } = useSession()
  const [isAdding, setAdding] = useState(false)
  const add = may('directories.write') && (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden />}
        >
          Add directory
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => setAdding(true)}>Identity provider (SCIM)</Menu.Item>
        <Menu.Item component={Link} to="/directories/new">
          App whose accounts become users
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
  return (
    <Page
      about="Where users come from: identity providers, such as Okta or Microsoft Entra ID, that send them by SCIM, and apps whose accounts become users."
      actions={
        <>
          <Button
            component={Link}
            to="/directories/precedence"
            variant="default"
            leftSection={<IconArrowsSort size={16} aria-hidden />}
          >
            Precedence
          </Button>
          {add}
        </>
      }
    >
      <DataList
        caption="Directories"
        operation={directoriesListStates}
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
          { header: 'Source', width: '8rem', cell: ({ usesScim }) => (usesScim ? 'SCIM' : 'App') },
          { header: 'State', width: '10rem', cell: (directory) => <DirectoryBadge directory={directory} /> },
          { header: 'Users', width: '6rem', cell: ({ userCount }) => userCount.toLocaleString() },
          { header: 'Active', width: '6rem', cell: ({ activeUserCount }) => activeUserCount.toLocaleString() },
          {
            header: 'Last change',
            width: '13rem',
            cell: (directory) => <Moment at={lastChangeOf(directory)} none="None yet" />,
          },
        ]}
        empty={{
          icon: IconUsersGroup,
          title: 'No directories',
          children: 'Add one to get users from your identity provider or from an app.',
          action: add,
        }}
      />
      <AddDirectory opened={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
}
