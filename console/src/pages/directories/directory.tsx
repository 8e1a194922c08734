import { Anchor, Button, Code, Skeleton } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { directoriesGetState, directoryGet, scimDirectoriesGet } from '#client/api/operations.ts'
import type { Directory, DirectoryState, ScimDirectory } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Troubles } from '../../parts/troubles.tsx'
import { Conflicts } from './conflicts.tsx'
import { DeleteDirectory } from './delete-directory.tsx'
import { Held } from './held.tsx'
import { DirectoryBadge, lastChangeOf, troublesOf } from './state.tsx'
import { termsOf } from './terms.ts'
import { Tokens } from './tokens.tsx'

/** One directory: whether it works, what it has, what is in conflict; its tokens, or its terms. */
export function OneDirectory(): ReactNode {
  const { appId = '' } = useParams({ strict: false })
  const { may } = useSession()
  const [isDeleting, setDeleting] = useState(false)
  const path = { app_id: appId }
  const { data: directory, error, refetch } = useQuery(read(directoriesGetState, { path }))
  const scim = useQuery({ ...read(scimDirectoriesGet, { path }), enabled: directory?.usesScim === true })
  const app = useQuery({ ...read(directoryGet, { path }), enabled: directory?.usesScim === false })
  const terms = app.data?.directoryView?.directory
  const failed = error ?? scim.error ?? app.error
  return (
    <Page
      title={directory?.displayName ?? (error ? 'Directory' : null)}
      above={[{ label: 'Directories', to: '/directories' }]}
      actions={
        directory &&
        may('directories.write') && (
          <>
            {!directory.usesScim && (
              <Button
                component={Link}
                to={`/directories/${appId}/edit`}
                variant="default"
                leftSection={<IconPencil size={16} aria-hidden />}
              >
                Edit
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => setDeleting(true)}
            >
              Delete
            </Button>
          </>
        )
      }
    >
      {failed ? (
        <ErrorNote error={failed} title="This directory could not be loaded" retry={() => void refetch()} />
      ) : directory && (scim.data?.directory || terms) ? (
        <>
          <Held directory={directory} />
          <Troubles troubles={troublesOf(directory)} />
          <State directory={directory} scim={scim.data?.directory ?? null} />
          {terms && <TermsPanel directory={terms} />}
          {!directory.usesScim && <Conflicts appId={appId} />}
          {scim.data?.directory && <Tokens directory={scim.data.directory} />}
          <DeleteDirectory directory={directory} opened={isDeleting} onClose={() => setDeleting(false)} />
        </>
      ) : (
        <Skeleton height={320} />
      )}
    </Page>
  )
}

function State({ directory, scim }: { directory: DirectoryState; scim: ScimDirectory | null }): ReactNode {
  const { appId, usesScim, userCount, activeUserCount, groupCount, conflictCount } = directory
  return (
    <Panel title="State">
      <Facts
        facts={[
          ['State', <DirectoryBadge key="state" directory={directory} />],
          ['Source', usesScim ? 'Identity provider (SCIM)' : 'Accounts of an app'],
          ['Base URL', scim && <CopyText key="url" value={scim.baseUrl} label="base URL" />],
          ['Users', `${userCount.toLocaleString()}, ${activeUserCount.toLocaleString()} of them active`],
          ['Groups', usesScim && groupCount.toLocaleString()],
          ['Conflicts', !usesScim && conflictCount.toLocaleString()],
          [
            'App',
            <Anchor key="app" component={Link} to={usesScim ? `/apps/${appId}` : `/apps/${appId}/accounts`} size="sm">
              {usesScim ? 'Accounts and groups' : 'Accounts'}
            </Anchor>,
          ],
          ['Existing users', scim && (scim.linkExistingUsers ? 'Linked by email address' : 'Not linked')],
          [
            usesScim ? 'Last request' : 'Last update',
            <Moment key="last" at={lastChangeOf(directory)} none={usesScim ? 'None yet' : 'Soon'} show="exact" />,
          ],
        ]}
      />
    </Panel>
  )
}

/** Which accounts become users, and by what they are matched. */
function TermsPanel({ directory }: { directory: Directory }): ReactNode {
  const { isAll, condition, pairs } = termsOf(directory)
  return (
    <Panel title="Accounts and users">
      <Facts
        facts={[
          ['Accounts that become users', isAll ? 'All' : <Code key="condition">{condition}</Code>],
          ...pairs.map(
            ({ ofAccount, ofUser }, place) =>
              [
                `Key ${place + 1}`,
                <>
                  <Code>{ofAccount}</Code> of the account, <Code>{ofUser}</Code> of the user
                </>,
              ] as const,
          ),
        ]}
      />
    </Panel>
  )
}
