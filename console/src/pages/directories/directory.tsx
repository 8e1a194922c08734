import { Anchor, Button, Skeleton } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { scimDirectoriesDelete, scimDirectoriesGet, scimDirectoriesList } from '#client/api/operations.ts'
import type { ScimDirectory } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Held } from './held.tsx'
import { DirectoryState } from './state.tsx'
import { Tokens } from './tokens.tsx'

/** One directory: whether it works, what it has, its tokens. */
export function OneDirectory(): ReactNode {
  const { appId = '' } = useParams({ strict: false })
  const { may } = useSession()
  const [isDeleting, setDeleting] = useState(false)
  const { data, error, refetch } = useQuery(read(scimDirectoriesGet, { path: { app_id: appId } }))
  const directory = data?.directory
  return (
    <Page
      title={directory?.displayName ?? (error ? 'Directory' : null)}
      above={[{ label: 'Directories', to: '/directories' }]}
      actions={
        directory &&
        may('directories.write') && (
          <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )
      }
    >
      {error ? (
        <ErrorNote error={error} title="This directory could not be read" retry={() => void refetch()} />
      ) : directory ? (
        <>
          <Held directory={directory} />
          <State directory={directory} />
          <Tokens directory={directory} />
          <DeleteDirectory directory={directory} opened={isDeleting} onClose={() => setDeleting(false)} />
        </>
      ) : (
        <Skeleton height={320} />
      )}
    </Page>
  )
}

function State({ directory }: { directory: ScimDirectory }): ReactNode {
  const { appId, userCount, activeUserCount, groupCount } = directory
  return (
    <Panel title="State">
      <Facts
        facts={[
          ['State', <DirectoryState key="state" directory={directory} />],
          ['Base URL', <CopyText key="url" value={directory.baseUrl} label="base URL" />],
          ['Users', `${userCount.toLocaleString()}, ${activeUserCount.toLocaleString()} of them active`],
          ['Groups', groupCount.toLocaleString()],
          [
            'App',
            <Anchor key="app" component={Link} to={`/apps/${appId}`} size="sm">
              Accounts and groups
            </Anchor>,
          ],
          ['Existing users', directory.linkExistingUsers ? 'Linked by email address' : 'Not linked'],
          ['Last request', <Moment key="last" at={directory.lastRequestAt} none="None yet" show="seconds" />],
          ['Last error', directory.lastErrorAt && <Moment key="error" at={directory.lastErrorAt} show="seconds" />],
          ['Reason', directory.lastError],
        ]}
      />
    </Panel>
  )
}

type DeleteDirectoryProps = { directory: ScimDirectory; opened: boolean; onClose: () => void }

function DeleteDirectory({ directory, opened, onClose }: DeleteDirectoryProps): ReactNode {
  const navigate = useNavigate()
  const remove = useChange(scimDirectoriesDelete, {
    changes: [scimDirectoriesList],
    done: `Deleted ${directory.displayName}`,
    onDone: () => void navigate({ to: '/directories' }),
  })
  return (
    <Confirm
      opened={opened}
      onClose={() => {
        remove.reset()
        onClose()
      }}
      title={`Delete ${directory.displayName}?`}
      verb="Delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ path: { app_id: directory.appId } })}
    >
      Requests from the identity provider are refused from now on. The app, its users and its groups stay as they are.
    </Confirm>
  )
}
