import { Badge, Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { bulkGrantsApply, bulkGrantsPlan, grantsList } from '#client/api/operations.ts'
import type { BulkItem, ListedGrant as Grant } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { AppFilter } from '../../parts/app-filter.tsx'
import { localOf, momentOf } from '../../parts/as-of.tsx'
import { itemsMax, readAll, useAllMatching } from '../../parts/bulk/all-matching.ts'
import { BulkDialog } from '../../parts/bulk/bulk-dialog.tsx'
import { MatchingButton } from '../../parts/bulk/matching-button.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { Label } from '../../parts/label.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { Until } from '../../parts/until.tsx'

const sources: Readonly<Record<string, readonly [label: string, color: string]>> = {
  GRANT_SOURCE_MANUAL: ['Manual', 'ink'],
  GRANT_SOURCE_IMPORT: ['Import', 'gray'],
  GRANT_SOURCE_RULE: ['Rule', 'grape'],
  GRANT_SOURCE_REQUEST: ['Request', 'teal'],
  GRANT_SOURCE_PROFILE: ['Access profile', 'indigo'],
  GRANT_SOURCE_DIRECTORY: ['Directory', 'blue'],
}

type Filter = (name: string) => string
type Doing = { what: 'revoke' | 'expiry'; rows: readonly Grant[]; isMore: boolean; clear: () => void } | null

/** What the address asks for, as the API takes it: `?source=manual&ends=30d&leavers=yes&app=…`. */
const queryOf = (filter: Filter, page: { pageSize: number; pageToken: string }) => ({
  app_id: filter('app'),
  source: (filter('source') ? `GRANT_SOURCE_${filter('source').toUpperCase()}` : 'GRANT_SOURCE_UNSPECIFIED') as never,
  ends_within_days: Number.parseInt(filter('ends'), 10) || 0,
  is_of_leavers: filter('leavers') === 'yes',
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

/** Who holds what, in all apps. */
export function Grants(): ReactNode {
  const { may } = useSession()
  const { filter } = useListState()
  const [doing, setDoing] = useState<Doing>(null)
  const matching = useAllMatching<Grant>(() =>
    readAll(
      grantsList,
      (page) => ({ query: queryOf(filter, page) }),
      ({ list }) => list,
    ),
  )
  return (
    <Page title="Grants" about="Who has which entitlement, in all apps, with its source and expiry.">
      <DataList
        caption="Grants of all apps"
        operation={grantsList}
        kind="grants"
        input={(asked) => ({ query: queryOf(asked.filter, asked) })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        filters={<Filters />}
        columns={columns}
        {...(may('grants.write') && {
          selection: {
            labelOf,
            actions: (chosen: readonly Grant[], clear: () => void) => (
              <>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => setDoing({ what: 'expiry', rows: chosen, isMore: false, clear })}
                >
                  Change expiry…
                </Button>
                <Button
                  size="xs"
                  color="red.8"
                  onClick={() => setDoing({ what: 'revoke', rows: chosen, isMore: false, clear })}
                >
                  Revoke…
                </Button>
                <MatchingButton
                  matching={matching}
                  actions={[
                    { label: 'Change expiry of all results…', value: 'expiry' },
                    { label: 'Revoke all results…', value: 'revoke' },
                  ]}
                  onRead={(what, rows, isMore) => setDoing({ what, rows, isMore, clear })}
                />
              </>
            ),
          },
        })}
        empty={{
          icon: IconUserCheck,
          title: 'No grants',
          children: 'Access appears here when a person, an import or a rule grants it.',
        }}
      />
      {doing && <Bulk doing={doing} onClose={() => setDoing(null)} />}
    </Page>
  )
}

const columns: readonly Column<Grant>[] = [
  {
    header: 'Holder',
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
    width: '26%',
    cell: ({ appId, appEntitlementId, appEntitlementDisplayName, appDisplayName }) => (
      <Named
        label={appEntitlementDisplayName || appEntitlementId}
        to={`/apps/${appId}/entitlements/${appEntitlementId}`}
        about={appDisplayName}
      />
    ),
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
  { header: 'Granted', width: '8.5rem', cell: ({ grantedAt }) => <Moment at={grantedAt} show="day" /> },
  { header: 'Expires', width: '8.5rem', cell: ({ expiresAt }) => (expiresAt ? <Until at={expiresAt} /> : 'Never') },
]

function Filters(): ReactNode {
  const { may } = useSession()
  const { filter, set } = useListState()
  return (
    <>
      {may('apps.read') && <AppFilter />}
      <NativeSelect
        aria-label="Source"
        value={filter('source')}
        onChange={({ currentTarget: { value } }) => set({ source: value })}
        data={[
          { value: '', label: 'Any source' },
          ...Object.entries(sources).map(([name, [label]]) => ({
            value: name.slice('GRANT_SOURCE_'.length).toLowerCase(),
            label,
          })),
        ]}
      />
      <NativeSelect
        aria-label="Expires"
        value={filter('ends')}
        onChange={({ currentTarget: { value } }) => set({ ends: value })}
        data={[
          { value: '', label: 'Any expiry' },
          { value: '7d', label: 'Expires within 7 days' },
          { value: '30d', label: 'Expires within 30 days' },
          { value: '90d', label: 'Expires within 90 days' },
        ]}
      />
      <NativeSelect
        aria-label="Holder"
        value={filter('leavers')}
        onChange={({ currentTarget: { value } }) => set({ leavers: value })}
        data={[
          { value: '', label: 'Any user status' },
          { value: 'yes', label: 'Disabled users' },
        ]}
      />
    </>
  )
}

const dayMs = 86_400_000
const daysAhead = 30

function Bulk({ doing, onClose }: { doing: NonNullable<Doing>; onClose: () => void }): ReactNode {
  const { what, rows, isMore, clear } = doing
  const [isNever, setNever] = useState(false)
  const [until, setUntil] = useState(localOf(new Date(Date.now() + daysAhead * dayMs)))
  const [expiresAt, setExpiresAt] = useState<string | null>(null)
  const names = new Map(rows.map((row) => [keyOf(row), labelOf(row)]))
  const grants = [...names.keys()].map((key) => {
    const [appId = '', appEntitlementId = '', appUserId = ''] = key.split(' ')
    return { appId, appEntitlementId, appUserId }
  })
  const revokes = what === 'revoke'
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
            ? 'Revokes the access, regardless of its source. Nothing changes before you confirm the plan.'
            : 'Sets the expiry of all sources of the access. Nothing changes before you confirm the plan.'}
          {isMore && ` More grants match: these are the first ${itemsMax.toLocaleString()}.`}
        </>
      }
      verb={revokes ? 'Revoke' : 'Change'}
      noun="grant"
      plan={bulkGrantsPlan}
      apply={bulkGrantsApply}
      body={body}
      nameOf={(item: BulkItem) => names.get(keyOf(item)) ?? item.appUserId}
      changes={[grantsList]}
      onClose={onClose}
      onDone={() => {
        clear()
        onClose()
      }}
    >
      {!revokes && (
        <>
          <Label text="Expires">
            {(id) => (
              <SegmentedControl
                aria-labelledby={id}
                fullWidth
                value={isNever ? 'never' : 'date'}
                onChange={(value) => {
                  setNever(value === 'never')
                  setExpiresAt(null)
                }}
                data={[
                  { value: 'date', label: 'On a date' },
                  { value: 'never', label: 'Never' },
                ]}
              />
            )}
          </Label>
          {!isNever && (
            <TextInput
              label="Date and time"
              type="datetime-local"
              required
              value={until}
              onChange={({ currentTarget: { value } }) => {
                setUntil(value)
                setExpiresAt(null)
              }}
            />
          )}
          {expiresAt === null && (
            <Button
              variant="default"
              disabled={!isNever && momentOf(until) === ''}
              onClick={() => setExpiresAt(isNever ? '' : momentOf(until))}
            >
              Show plan
            </Button>
          )}
        </>
      )}
    </BulkDialog>
  )
}
