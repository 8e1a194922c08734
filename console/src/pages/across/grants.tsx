import { Badge, Button, List, TextInput } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { bulkGrantsApply, bulkGrantsPlan, grantsList } from '#client/api/operations.ts'
import type { BulkItem, BulkPlan, BulkResult, ListedGrant as Grant } from '#client/api/types.ts'
import { useEnforcements } from '../../client/enforcement.ts'
import { useSession } from '../../client/session.ts'
import { AppFilter } from '../../parts/app-filter.tsx'
import { localOf, momentOf } from '../../parts/as-of.tsx'
import { readAll } from '../../parts/bulk/all-matching.ts'
import { BulkDialog } from '../../parts/bulk/bulk-dialog.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { ChoiceFilter } from '../../parts/choice-filter.tsx'
import { DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { endedWords, reachOf } from '../../parts/reach.ts'
import { ReachItems } from '../../parts/reach-items.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import type { Column } from '../../parts/table.tsx'
import { Until } from '../../parts/until.tsx'
import { type Bulk, moreNote, useBulk } from './bulk.tsx'
import { ChooseEntitlement } from './choose-entitlement.tsx'

const sources: Readonly<Record<string, readonly [label: string, color: string]>> = {
  GRANT_SOURCE_MANUAL: ['Manual', 'ink'],
  GRANT_SOURCE_IMPORT: ['Import', 'gray'],
  GRANT_SOURCE_RULE: ['Rule', 'grape'],
  GRANT_SOURCE_REQUEST: ['Request', 'teal'],
  GRANT_SOURCE_PROFILE: ['Access profile', 'indigo'],
  GRANT_SOURCE_DIRECTORY: ['Directory', 'blue'],
}

type Filter = (name: string) => string
type What = 'revoke' | 'expiry'

/** What the address asks for, as the API takes it: `?source=manual&ends=30d&leavers=yes&app=…`. */
const queryOf = (filter: Filter, page: { pageSize: number; pageToken: string; orderBy?: string }) => ({
  app_id: filter('app'),
  source: (filter('source') ? `GRANT_SOURCE_${filter('source').toUpperCase()}` : 'GRANT_SOURCE_UNSPECIFIED') as never,
  ends_within_days: Number.parseInt(filter('ends'), 10) || 0,
  is_of_leavers: filter('leavers') === 'yes',
  order_by: page.orderBy ?? '',
  page_size: page.pageSize,
  page_token: page.pageToken,
})

const keyOf = ({
  appId,
  appEntitlementId,
  appUserId,
}: Pick<Grant, 'appId' | 'appEntitlementId' | 'appUserId'>): string => `${appId} ${appEntitlementId} ${appUserId}`
const holderOf = ({ userDisplayName, appUserDisplayName, appUserId }: Grant): string =>
  userDisplayName || appUserDisplayName || appUserId
const labelOf = (grant: Grant): string =>
  `${holderOf(grant)}: ${grant.appEntitlementDisplayName} (${grant.appDisplayName})`

const actions = [
  { what: 'expiry', label: 'Change expiry…', labelOfAll: 'Change expiry of all results…' },
  { what: 'revoke', label: 'Revoke…', labelOfAll: 'Revoke all results…', isRevoking: true },
] as const

function GrantAccess(): ReactNode {
  const { may } = useSession()
  if (!['grants.write', 'users.read', 'entitlements.read'].every(may)) return null
  return <ChooseEntitlement label="Grant access" about="Choose what to grant, then to whom and until when." to="#add" />
}

/** Who holds what, in all apps. */
export function Grants(): ReactNode {
  const { may } = useSession()
  const { filter } = useListState()
  const { selection, bulk } = useBulk<Grant, What>({
    labelOf,
    actions: may('grants.write') ? actions : [],
    readAll: () =>
      readAll(
        grantsList,
        (page) => ({ query: queryOf(filter, page) }),
        ({ list }) => list,
      ),
  })
  return (
    <Page about="Who has which entitlement, in all apps, with its source and expiry." actions={<GrantAccess />}>
      <DataList
        caption="Grants of all apps"
        operation={grantsList}
        kind="grants"
        input={(asked) => ({ query: queryOf(asked.filter, asked) })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        filters={<Filters />}
        columns={columnsFor(may)}
        {...selection}
        empty={{
          icon: IconUserCheck,
          title: 'No grants',
          children: 'Access appears here when a person, an import or a rule grants it.',
        }}
      />
      {bulk && <ChangeGrants bulk={bulk} />}
    </Page>
  )
}

const columnsFor = (may: (permission: string) => boolean): readonly Column<Grant>[] => [
  {
    header: 'Holder',
    ...(may('users.read') && { sort: 'user' }),
    cell: (grant) => (
      <Named
        label={holderOf(grant)}
        to={grant.userId ? `/users/${grant.userId}` : `/apps/${grant.appId}/accounts/${grant.appUserId}`}
        about={grant.userId === '' && 'Account without a user'}
      />
    ),
  },
  {
    header: 'Entitlement',
    ...(may('entitlements.read') && { sort: 'entitlement' }),
    width: '22%',
    cell: ({ appId, appEntitlementId, appEntitlementDisplayName }) => (
      <Named
        label={appEntitlementDisplayName || appEntitlementId}
        to={`/apps/${appId}/entitlements/${appEntitlementId}`}
      />
    ),
  },
  {
    header: 'App',
    ...(may('entitlements.read') && { sort: 'app' }),
    width: '14%',
    cell: ({ appId, appDisplayName }) => <Named isQuiet label={appDisplayName || appId} to={`/apps/${appId}`} />,
  },
  {
    header: 'Source',
    width: '9rem',
    cell: ({ source }) => {
      const [label, color] = sources[source] ?? ['Unknown', 'gray']
      return (
        <Badge component="span" color={color}>
          {label}
        </Badge>
      )
    },
  },
  {
    header: 'User status',
    width: '8rem',
    cell: ({ userStatus }) => (userStatus ? <StatusBadge status={userStatus} /> : '–'),
  },
  {
    header: 'Granted',
    sort: 'granted',
    width: '8.5rem',
    cell: ({ grantedAt }) => <Moment at={grantedAt} show="day" />,
  },
  {
    header: 'Expires',
    sort: 'expires',
    width: '8.5rem',
    cell: ({ expiresAt }) => (expiresAt ? <Until at={expiresAt} /> : 'Never'),
  },
]

const sourceWords = Object.fromEntries(
  Object.entries(sources).map(([name, [label]]) => [name.slice('GRANT_SOURCE_'.length).toLowerCase(), label]),
)

function Filters(): ReactNode {
  const { may } = useSession()
  return (
    <>
      {may('apps.read') && <AppFilter />}
      <ChoiceFilter name="source" label="Source" any="Any source" words={sourceWords} />
      <ChoiceFilter
        name="ends"
        label="Expires"
        any="Any expiry"
        words={{ '7d': 'Expires within 7 days', '30d': 'Expires within 30 days', '90d': 'Expires within 90 days' }}
      />
      <ChoiceFilter name="leavers" label="Holder" any="Any user status" words={{ yes: 'Disabled users' }} />
    </>
  )
}

const dayMs = 86_400_000
const daysAhead = 30

const changedIn = (items: readonly BulkItem[]) =>
  items.flatMap(({ outcome, appId, appEntitlementId: id }) =>
    outcome === 'BULK_OUTCOME_CHANGED' ? [{ appId, id }] : [],
  )

function ChangeGrants({ bulk }: { bulk: Bulk<Grant, What> }): ReactNode {
  const { what, rows, onClose, onDone } = bulk
  const [expiresAt, setExpiresAt] = useState<string | null>(null)
  const names = new Map(rows.map((row) => [keyOf(row), labelOf(row)]))
  const grants = [...names.keys()].map((key) => {
    const [appId = '', appEntitlementId = '', appUserId = ''] = key.split(' ')
    return { appId, appEntitlementId, appUserId }
  })
  const revokes = what === 'revoke'
  const enforcements = useEnforcements(revokes ? grants.map(({ appId, appEntitlementId: id }) => ({ appId, id })) : [])
  const body = revokes
    ? { action: 'BULK_GRANT_ACTION_REVOKE' as const, grants }
    : expiresAt === null
      ? null
      : { action: 'BULK_GRANT_ACTION_SET_EXPIRY' as const, grants, expiresAt: expiresAt || null }
  return (
    <BulkDialog
      title={revokes ? 'Revoke grants' : 'Change when grants expire'}
      about={
        <>
          {revokes
            ? 'Ends the grants, regardless of their source. Nothing changes before you confirm the plan.'
            : 'Sets the expiry of all sources of the access. Nothing changes before you confirm the plan.'}
          {moreNote(bulk, 'grants')}
        </>
      }
      verb={revokes ? 'Revoke' : 'Change'}
      noun="grant"
      plan={bulkGrantsPlan}
      apply={bulkGrantsApply}
      body={body}
      nameOf={(item: BulkItem) => names.get(keyOf(item)) ?? item.appUserId}
      changes={[grantsList]}
      {...(revokes && {
        consequence: ({ changedCount, items }: BulkPlan) =>
          changedCount > 0 && (
            <List size="sm">
              <ReachItems count={changedCount} reach={reachOf(enforcements, changedIn(items))} />
            </List>
          ),
        doneWords: ({ changedCount, refusedCount, items }: BulkResult) =>
          `${endedWords(changedCount, reachOf(enforcements, changedIn(items)))}${refusedCount > 0 ? ` ${refusedCount.toLocaleString()} not changed.` : ''}`,
      })}
      onClose={onClose}
      onDone={onDone}
    >
      {!revokes && <ExpiryChoice expiresAt={expiresAt} onChange={setExpiresAt} />}
    </BulkDialog>
  )
}

type ExpiryChoiceProps = { expiresAt: string | null; onChange: (expiresAt: string | null) => void }

/** When they end: empty for never, and null until the plan for a time is requested. */
function ExpiryChoice({ expiresAt, onChange }: ExpiryChoiceProps): ReactNode {
  const [isNever, setNever] = useState(false)
  const [until, setUntil] = useState(localOf(new Date(Date.now() + daysAhead * dayMs)))
  return (
    <>
      <ChoiceField
        label="Expires"
        fullWidth
        value={isNever ? 'never' : 'date'}
        onChange={(value) => {
          setNever(value === 'never')
          onChange(null)
        }}
        data={[
          { value: 'date', label: 'On a date' },
          { value: 'never', label: 'Never' },
        ]}
      />
      {!isNever && (
        <TextInput
          label="Date and time"
          type="datetime-local"
          required
          value={until}
          onChange={({ currentTarget: { value } }) => {
            setUntil(value)
            onChange(null)
          }}
        />
      )}
      {expiresAt === null && (
        <Button
          variant="default"
          disabled={!isNever && momentOf(until) === ''}
          onClick={() => onChange(isNever ? '' : momentOf(until))}
        >
          Show plan
        </Button>
      )}
    </>
  )
}
