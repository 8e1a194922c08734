import { IconKeyOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { appEntitlementSearchGrants } from '#client/api/operations.ts'
import type { App, AppEntitlement, AppEntitlementUserView, AppResource } from '#client/api/types.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { useSession } from '../../client/session.ts'
import { AsOfField } from '../../parts/as-of.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { GrantReasons } from '../../parts/grant-reasons.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import type { Column } from '../../parts/table.tsx'
import { Until } from '../../parts/until.tsx'
import { ExplainAction } from '../automation/explain.tsx'
import { accountName } from './account-columns.tsx'

type Row = {
  binding: AppEntitlementUserView
  entitlement: AppEntitlement
  app?: App | undefined
  resource?: AppResource | undefined
}

type AccessListProps = {
  caption: string
  /** Whose access. */
  of: { userId: string } | { appUserIds: string[] }
  /** The title where nothing is held. */
  nothing: string
}

/** What a user or an account holds, why, since when and until when; now, or at an earlier moment. */
export function AccessList({ caption, of, nothing }: AccessListProps): ReactNode {
  const { may } = useSession()
  const mayFollow = may('entitlements.read')
  const isOfUser = 'userId' in of
  return (
    <DataList
      caption={caption}
      operation={appEntitlementSearchGrants}
      input={({ filter, pageSize, pageToken }) => ({
        body: {
          ...of,
          asOf: filter('as_of') || null,
          expandMask: { paths: ['appId', 'appResourceId'] },
          pageSize,
          pageToken,
        },
      })}
      rows={(reply) =>
        reply.list.flatMap(({ appEntitlementUserBinding: binding, entitlement: view }): Row[] =>
          binding && view?.appEntitlement
            ? [
                {
                  binding,
                  entitlement: view.appEntitlement,
                  app: neighbourAt(reply, view.appPath, 'App'),
                  resource: neighbourAt(reply, view.appResourcePath, 'AppResource'),
                },
              ]
            : [],
        )
      }
      keyOf={({ binding }) => `${binding.appEntitlementId} ${binding.appUserId}`}
      filters={<AsOfField />}
      columns={columnsOf(mayFollow, isOfUser, 'userId' in of && may('automations.read') ? of.userId : '')}
      empty={{
        icon: IconKeyOff,
        title: nothing,
        children: 'Access is granted on the page of an entitlement, by a rule, by a request or by an import.',
      }}
    />
  )
}

const columnsOf = (mayFollow: boolean, isOfUser: boolean, explained: string): readonly Column<Row>[] => [
  {
    header: 'Entitlement',
    cell: ({ entitlement: { appId, id, displayName }, resource }) => (
      <Named
        label={displayName}
        to={mayFollow ? `/apps/${appId}/entitlements/${id}` : undefined}
        about={resource?.displayName}
      />
    ),
  },
  ...(isOfUser
    ? [
        {
          header: 'App',
          width: '20%',
          cell: ({ app, binding: { appId, appUser, appUserId } }: Row) => (
            <Named
              isQuiet
              label={app?.displayName ?? appId}
              to={mayFollow ? `/apps/${appId}` : undefined}
              about={appUser?.appUser ? `as ${appUser.appUser.username || accountName(appUser.appUser)}` : appUserId}
            />
          ),
        },
      ]
    : []),
  { header: 'Source', width: '24%', cell: ({ binding }) => <GrantReasons reasons={binding.grantReasons} /> },
  {
    header: 'Since',
    width: '9rem',
    cell: ({ binding }) => <Moment at={binding.appEntitlementUserBindingCreatedAt} show="day" />,
  },
  {
    header: 'Expires',
    width: '9rem',
    cell: ({ binding }) => <Until at={binding.appEntitlementUserBindingDeprovisionAt} />,
  },
  ...(explained
    ? [
        {
          header: 'Explain',
          isHidden: true,
          width: '3.5rem',
          cell: ({ entitlement: { appId, id, displayName } }: Row) => (
            <ExplainAction of={{ appId, entitlementId: id }} userId={explained} which={`to ${displayName}`} />
          ),
        },
      ]
    : []),
]
