import { Button } from '@mantine/core'
import { IconArrowBackUp, IconStack2 } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementSearch,
  appUserSearch,
  bulkActionsList,
  bulkEntitlementsPlanUndo,
  bulkEntitlementsUndo,
  bulkGrantsPlanUndo,
  bulkGrantsUndo,
  bulkOwnersPlanUndo,
  bulkOwnersUndo,
  bulkUsersPlanUndo,
  bulkUsersUndo,
  grantsList,
  userSearch,
} from '#client/api/operations.ts'
import type { BulkAction } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { BulkDialog } from '../../parts/bulk/bulk-dialog.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { UserName } from '../../parts/user-name.tsx'

const ofGrants = { plan: bulkGrantsPlanUndo, apply: bulkGrantsUndo, permission: 'grants.write', noun: 'grant' }
const undoings = {
  BULK_KIND_REVOKE: ofGrants,
  BULK_KIND_EXPIRY: ofGrants,
  BULK_KIND_STATUS: { plan: bulkUsersPlanUndo, apply: bulkUsersUndo, permission: 'users.write', noun: 'user' },
  BULK_KIND_OWNER: { plan: bulkOwnersPlanUndo, apply: bulkOwnersUndo, permission: 'owners.write', noun: 'owner' },
  BULK_KIND_RISK: {
    plan: bulkEntitlementsPlanUndo,
    apply: bulkEntitlementsUndo,
    permission: 'entitlements.write',
    noun: 'entitlement',
  },
} as const
const undoingOf = ({ kind }: BulkAction) => (kind === 'BULK_KIND_UNSPECIFIED' ? null : undoings[kind])

/** What was changed by bulk changes, and a way back. */
export function BulkChanges(): ReactNode {
  const { may } = useSession()
  const [action, setAction] = useState<BulkAction | null>(null)
  return (
    <Page about="Grants, users, owners and risk levels that were changed together, by plan.">
      <DataList
        caption="Bulk changes, the latest first"
        operation={bulkActionsList}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={[
          { header: 'Change', cell: ({ title }) => title },
          { header: 'Reason', width: '24%', cell: ({ reason }) => reason },
          { header: 'By', width: '16%', cell: ({ createdByUserId: id }) => (id ? <UserName userId={id} /> : '–') },
          { header: 'When', width: '11rem', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          {
            header: 'Undo',
            width: '14rem',
            cell: (each) =>
              each.undoneAt ? (
                <>
                  Undone <Moment at={each.undoneAt} show="day" />: {each.restoredCount.toLocaleString()} of{' '}
                  {each.changedCount.toLocaleString()}
                </>
              ) : (
                may(undoingOf(each)?.permission ?? '') && (
                  <Button
                    size="xs"
                    variant="default"
                    leftSection={<IconArrowBackUp size={14} aria-hidden />}
                    aria-label={`Undo: ${each.title}`}
                    onClick={() => setAction(each)}
                  >
                    Undo…
                  </Button>
                )
              ),
          },
        ]}
        empty={{
          icon: IconStack2,
          title: 'No bulk changes',
          children: 'Select several rows in a list of grants, users, accounts or entitlements to change them together.',
        }}
      />
      {action && <Undo action={action} onClose={() => setAction(null)} />}
    </Page>
  )
}

function Undo({ action, onClose }: { action: BulkAction; onClose: () => void }): ReactNode {
  const undoing = undoingOf(action)
  if (!undoing) return null
  return (
    <BulkDialog
      title="Undo a bulk change"
      about={`${action.title}. What was changed since stays as it is.`}
      verb="Undo"
      noun={undoing.noun}
      plan={undoing.plan}
      apply={undoing.apply}
      body={{ bulkActionId: action.id }}
      nameOf={({ displayName, id, appUserId }) => displayName || id || appUserId}
      changes={[bulkActionsList, grantsList, userSearch, appUserSearch, appEntitlementSearch]}
      onClose={onClose}
      onDone={onClose}
    />
  )
}
