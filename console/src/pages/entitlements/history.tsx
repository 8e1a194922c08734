import { Badge } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { appEntitlementUserBindingSearchGrantFeed } from '#client/api/operations.ts'
import type { AppEntitlementUserBindingFeed, AppEntitlementUserBindingFeedView, AppUser } from '#client/api/types.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { useSession } from '../../client/session.ts'
import { useAsOf } from '../../parts/as-of.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { Giver, sourceWords } from '../../parts/giver.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import { accountName, accountTraces } from '../accounts/account-columns.tsx'
import { EntitlementPage, useEntitlement } from './entitlement-page.tsx'
import classes from './history.module.css'

type Row = {
  event: AppEntitlementUserBindingFeed
  view: AppEntitlementUserBindingFeedView
  account?: AppUser | undefined
}

/** Who was granted an entitlement and from whom it was revoked, latest first. */
export function History(): ReactNode {
  const { appId, entitlementId } = useEntitlement()
  const asOf = useAsOf()
  const { may } = useSession()
  return (
    <EntitlementPage>
      <DataList
        caption="Access granted and removed, newest first"
        operation={appEntitlementUserBindingSearchGrantFeed}
        input={({ pageSize, pageToken }) => ({
          body: {
            appEntitlementRefs: [{ appId, id: entitlementId }],
            expandMask: { paths: ['appUserId'] },
            before: asOf || null,
            pageSize,
            pageToken,
          },
        })}
        rows={(reply) =>
          reply.list.flatMap((view): Row[] =>
            view.feed ? [{ event: view.feed, view, account: neighbourAt(reply, view.appUserPath, 'AppUser') }] : [],
          )
        }
        keyOf={({ event }) => `${event.eventType} ${event.appUserId} ${event.date ?? ''}`}
        columns={[
          {
            header: 'Account',
            cell: ({ event, account }) => (
              <Named
                label={account ? accountName(account) : event.appUserId}
                to={
                  account?.identityUserId && may('users.read')
                    ? `/users/${account.identityUserId}`
                    : `/apps/${event.appId}/accounts/${event.appUserId}`
                }
                about={account && accountTraces(account)}
              />
            ),
          },
          {
            header: 'Change',
            width: '7rem',
            cell: ({ event }) =>
              event.eventType === 'GRANT_EVENT_TYPE_ADDED' ? (
                <Badge component="span" color="teal">
                  Granted
                </Badge>
              ) : (
                <Badge component="span" color="red">
                  Removed
                </Badge>
              ),
          },
          { header: 'Cause', width: '26%', cell: ({ view }) => <Cause view={view} /> },
          { header: 'When', width: '12rem', cell: ({ event }) => <Moment at={event.date} /> },
          {
            header: 'Age',
            width: '8rem',
            cell: ({ event }) => (event.date ? <RelativeTime at={event.date} /> : '–'),
          },
        ]}
        empty={{
          icon: IconHistory,
          title: 'No history',
          children: 'Changes are listed here when the entitlement is granted or removed.',
        }}
      />
    </EntitlementPage>
  )
}

/** Why it was granted or removed, and who or what did it. */
const Cause = ({
  view: { source, endedWhy, causedBy, reason },
}: {
  view: AppEntitlementUserBindingFeedView
}): ReactNode => (
  <>
    {endedWhy === 'expired' ? 'Expired' : endedWhy ? `${sourceWords(source)} revoked` : sourceWords(source)}
    {causedBy && (
      <div>
        <Giver giver={causedBy} />
      </div>
    )}
    {reason && <div className={classes.why}>{reason}</div>}
  </>
)
