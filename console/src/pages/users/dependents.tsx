import { Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { dependentsGet } from '#client/api/operations.ts'
import type { NamingRule, OwnedObject } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Named } from '../../parts/named.tsx'
import type { Column } from '../../parts/table.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { ownedAt } from './leaving.ts'
import { Part } from './leaving-part.tsx'

const kindWords: Readonly<Record<string, string>> = {
  app: 'App',
  entitlement: 'Entitlement',
  resource: 'Resource',
  account: 'Account',
  connector: 'Connector',
  user: 'Service principal or user',
}

const cutWords = (isCut: boolean, about?: string): string | undefined =>
  isCut ? `The first 100.${about ? ` ${about}` : ''}` : about

const ownedColumns: readonly Column<OwnedObject>[] = [
  {
    header: 'What',
    cell: (owned) =>
      owned.kind === 'user' ? (
        <UserName userId={owned.id} />
      ) : (
        <Named
          label={owned.displayName || owned.id}
          to={ownedAt(owned)}
          about={owned.kind === 'app' ? undefined : owned.appDisplayName}
        />
      ),
  },
  { header: 'Kind', width: '18%', cell: ({ kind }) => kindWords[kind] ?? kind },
  { header: 'Role', width: '14%', cell: ({ roleSlug }) => roleSlug },
  { header: 'Other owners', width: '14%', cell: ({ isOnlyOwner }) => (isOnlyOwner ? 'None' : 'Yes') },
]

const ruleColumns: readonly Column<NamingRule>[] = [
  {
    header: 'Rule',
    cell: ({ appId, appEntitlementId, displayName, entitlementDisplayName, appDisplayName }) => (
      <Named
        label={displayName || entitlementDisplayName}
        to={`/apps/${appId}/entitlements/${appEntitlementId}/automation`}
        about={`${entitlementDisplayName} in ${appDisplayName}`}
      />
    ),
  },
  { header: 'Expression', width: '50%', cell: ({ expression }) => <Code>{expression}</Code> },
]

/** What a person owns, and what names them: also what others could take over. */
export function Dependents({ userId }: { userId: string }): ReactNode {
  const { data, error, refetch } = useQuery(read(dependentsGet, { path: { user_id: userId } }))
  if (error)
    return <ErrorNote error={error} title="What depends on them could not be loaded" retry={() => void refetch()} />
  if (!data) return null
  const isCut = (part: string): boolean => data.cutParts.includes(part)
  return (
    <>
      <Part
        title="Owns"
        about={cutWords(isCut('owned'))}
        rows={data.owned}
        keyOf={({ kind, appId, appResourceTypeId, id, roleSlug }) =>
          [kind, appId, appResourceTypeId, id, roleSlug].join()
        }
        columns={ownedColumns}
      />
      <Part
        title="Rules that name them"
        about={cutWords(isCut('rules'), 'Their expressions contain an ID, an address or a username of this person.')}
        rows={data.rules}
        keyOf={({ appId, appEntitlementId }) => `${appId} ${appEntitlementId}`}
        columns={ruleColumns}
      />
      <Part
        title="Excluded from rules"
        about={cutWords(isCut('exclusions'))}
        rows={data.exclusions}
        keyOf={({ appId, appEntitlementId }) => `${appId} ${appEntitlementId}`}
        columns={[
          {
            header: 'Entitlement',
            cell: ({ appId, appEntitlementId, entitlementDisplayName, appDisplayName }) => (
              <Named
                label={entitlementDisplayName}
                to={`/apps/${appId}/entitlements/${appEntitlementId}/exclusions`}
                about={appDisplayName}
              />
            ),
          },
        ]}
      />
      <Part
        title="People they manage"
        about={cutWords(isCut('managed'))}
        rows={data.managed}
        keyOf={({ id }) => id}
        columns={[
          {
            header: 'Person',
            cell: ({ id, displayName, jobTitle }) => <Named label={displayName} to={`/users/${id}`} about={jobTitle} />,
          },
          {
            header: 'Other manager',
            width: '30%',
            cell: ({ hasOtherManager }) => (hasOtherManager ? 'Yes' : 'None'),
          },
        ]}
      />
      <Part
        title="Access profiles they created"
        about={cutWords(isCut('profiles'))}
        rows={data.profiles}
        keyOf={({ id }) => id}
        columns={[
          {
            header: 'Access profile',
            cell: ({ id, displayName }) => <Named label={displayName} to={`/profiles/${id}`} />,
          },
        ]}
      />
    </>
  )
}
