import { Badge, Code, Group } from '@mantine/core'
import type { PersonalClient, Role } from '#client/api/types.ts'
import { CopyIcon } from '../../parts/copy.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { Column } from '../../parts/table.tsx'

/** May be broken behind its `@`, where people read on. */
const breakable = (clientId: string) => {
  const [random, ...rest] = clientId.split('@')
  return (
    <>
      {random}@<wbr />
      {rest.join('@')}
    </>
  )
}

/** What both lists of API credentials show of each. */
export const credentialColumns = (roles: readonly Role[]) => {
  const nameOf = (id: string): string => roles.find((role) => role.id === id)?.displayName ?? id
  return {
    name: { header: 'Name', cell: ({ displayName }) => <strong>{displayName || 'Unnamed'}</strong> },
    clientId: {
      header: 'Client ID',
      width: '30%',
      cell: ({ clientId }) => (
        <Group gap={4} wrap="nowrap" align="flex-start">
          <Code>{breakable(clientId)}</Code>
          <CopyIcon value={clientId} label="Copy the client ID" />
        </Group>
      ),
    },
    expires: {
      header: 'Expires',
      width: '8rem',
      cell: ({ expiresTime }) =>
        expiresTime && new Date(expiresTime) < new Date() ? (
          <Badge color="red">Expired</Badge>
        ) : (
          <Moment at={expiresTime} show="day" none="Never" />
        ),
    },
    scope: {
      header: 'Scope',
      width: '10rem',
      cell: ({ scopedRoles }) => (scopedRoles.length === 0 ? 'Full permissions' : scopedRoles.map(nameOf).join(', ')),
    },
    created: { header: 'Created', width: '8rem', cell: ({ createdAt }) => <Moment at={createdAt} show="day" /> },
    lastUsed: {
      header: 'Last used',
      width: '8rem',
      cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} show="day" none="Never" />,
    },
  } satisfies Record<string, Column<PersonalClient>>
}
