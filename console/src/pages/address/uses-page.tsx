import { Code, Skeleton, Stack } from '@mantine/core'
import { IconFingerprint, IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { addressGetUses, addressListCredentials, addressListPeople } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { DataList } from '../../parts/data-list.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { Uses } from './uses.tsx'

/** What still depends on one address, with the lists behind the counts. */
export function UsesPage(): ReactNode {
  const { host = '' } = useParams({ strict: false })
  const { show } = useSearch({ strict: false })
  const { data, error, refetch } = useQuery(read(addressGetUses, { path: { host } }))
  return (
    <Page about={`What still depends on ${host}.`}>
      <Stack gap="xl">
        {error && <ErrorNote error={error} title="This cannot be shown" retry={() => void refetch()} />}
        {data ? <Uses uses={data.list} host={host} /> : !error && <Skeleton height={280} />}
        {show === 'credentials' && <Credentials host={host} />}
        {show === 'people' && <People host={host} />}
      </Stack>
    </Page>
  )
}

const Credentials = ({ host }: { host: string }): ReactNode => (
  <Panel title="Credentials whose client IDs contain it">
    <DataList
      caption="Credentials"
      operation={addressListCredentials}
      input={({ pageSize, pageToken }) => ({ path: { host }, query: { page_size: pageSize, page_token: pageToken } })}
      rows={({ list }) => list}
      keyOf={({ id }) => id}
      columns={[
        { header: 'Name', cell: ({ displayName }) => displayName || 'No name' },
        { header: 'Client ID', width: '38%', cell: ({ clientId }) => <Code>{clientId}</Code> },
        { header: 'Of', width: '20%', cell: ({ userId }) => (userId ? <UserName userId={userId} /> : 'A connector') },
        { header: 'Last used', width: '17%', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} none="Never" /> },
      ]}
      empty={{ icon: IconKey, title: 'No credentials', children: 'No client ID contains this address.' }}
    />
  </Panel>
)

const People = ({ host }: { host: string }): ReactNode => (
  <Panel title="People whose passkeys work only there">
    <DataList
      caption="People"
      operation={addressListPeople}
      input={({ pageSize, pageToken }) => ({ path: { host }, query: { page_size: pageSize, page_token: pageToken } })}
      rows={({ list }) => list}
      keyOf={({ userId }) => userId}
      columns={[
        { header: 'Person', cell: ({ userId }) => <UserName userId={userId} /> },
        { header: 'Passkeys', width: '8rem', isNumber: true, cell: ({ passkeyCount }) => passkeyCount },
        { header: 'Last used', width: '20%', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} none="Never" /> },
      ]}
      empty={{
        icon: IconFingerprint,
        title: 'Nobody',
        children: 'Everyone who has passkeys has one for the current address.',
      }}
    />
  </Panel>
)
