import { Button, NativeSelect } from '@mantine/core'
import { IconLockAccess } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementSearch,
  bulkEntitlementsApply,
  bulkEntitlementsPlan,
  bulkOwnersAdd,
  bulkOwnersPlan,
} from '#client/api/operations.ts'
import type { App, AppEntitlement, BulkItem, User } from '#client/api/types.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { useSession } from '../../client/session.ts'
import { AppFilter } from '../../parts/app-filter.tsx'
import { itemsMax, readAll, useAllMatching } from '../../parts/bulk/all-matching.ts'
import { BulkDialog } from '../../parts/bulk/bulk-dialog.tsx'
import { MatchingButton } from '../../parts/bulk/matching-button.tsx'
import { type Asked, type Column, DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import { RiskLevel, useRiskLevels } from '../entitlements/risk-level.tsx'
import { durationWords, purposeWords } from '../entitlements/terms.ts'

type Row = { entitlement: AppEntitlement; app?: App | undefined }
type Doing = { what: 'owner' | 'risk'; rows: readonly Row[]; isMore: boolean; clear: () => void } | null

const bodyOf = ({
  query,
  filter,
  orderBy = '',
  pageSize,
  pageToken,
}: Pick<Asked, 'query' | 'filter' | 'pageSize' | 'pageToken'> & { orderBy?: string }) => ({
  query,
  appIds: filter('app') ? [filter('app')] : [],
  riskLevelIds: filter('risk') ? [filter('risk')] : [],
  isAutomated: filter('rule') === 'yes',
  owner: filter('owner') === 'none' ? ('PRESENCE_NONE' as const) : ('PRESENCE_UNSPECIFIED' as const),
  expandMask: { paths: ['appId'] },
  orderBy,
  pageSize,
  pageToken,
})

const rowsOf = (
  reply: Parameters<typeof neighbourAt>[0] & { list: { appEntitlement: AppEntitlement | null; appPath: string }[] },
) =>
  reply.list.flatMap(({ appEntitlement: entitlement, appPath }): Row[] =>
    entitlement ? [{ entitlement, app: neighbourAt(reply, appPath, 'App') }] : [],
  )

const keyOf = ({ appId, id }: { appId: string; id: string }): string => `${appId} ${id}`
const labelOf = ({ entitlement, app }: Row): string =>
  app ? `${entitlement.displayName} (${app.displayName})` : entitlement.displayName

/** What can be held, in all apps. */
export function Entitlements(): ReactNode {
  const { may } = useSession()
  const { query, filter } = useListState()
  const [doing, setDoing] = useState<Doing>(null)
  const matching = useAllMatching<Row>(() =>
    readAll(appEntitlementSearch, (page) => ({ body: bodyOf({ query, filter, ...page }) }), rowsOf),
  )
  const [mayOwn, mayRate] = [may('owners.write'), may('entitlements.write')]
  return (
    <Page title="Entitlements" about="What can be granted, in all apps: roles, groups and access to resources.">
      <DataList
        caption="Entitlements of all apps"
        operation={appEntitlementSearch}
        kind="entitlements"
        input={(asked) => ({ body: bodyOf(asked) })}
        rows={rowsOf}
        keyOf={({ entitlement }) => keyOf(entitlement)}
        search="Search entitlements and apps"
        filters={<Filters />}
        columns={columns}
        {...((mayOwn || mayRate) && {
          selection: {
            labelOf,
            actions: (chosen: readonly Row[], clear: () => void) => (
              <>
                {mayOwn && (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => setDoing({ what: 'owner', rows: chosen, isMore: false, clear })}
                  >
                    Add owner…
                  </Button>
                )}
                {mayRate && (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => setDoing({ what: 'risk', rows: chosen, isMore: false, clear })}
                  >
                    Set risk level…
                  </Button>
                )}
                <MatchingButton
                  matching={matching}
                  actions={[
                    ...(mayOwn ? [{ label: 'Add an owner to all results…', value: 'owner' as const }] : []),
                    ...(mayRate ? [{ label: 'Set the risk level of all results…', value: 'risk' as const }] : []),
                  ]}
                  onRead={(what, rows, isMore) => setDoing({ what, rows, isMore, clear })}
                />
              </>
            ),
          },
        })}
        empty={{
          icon: IconLockAccess,
          title: 'No entitlements',
          children: 'Entitlements come from connectors and imports, or are created on the page of an app.',
        }}
      />
      {doing?.what === 'owner' && <AddOwner doing={doing} onClose={() => setDoing(null)} />}
      {doing?.what === 'risk' && <SetRisk doing={doing} onClose={() => setDoing(null)} />}
    </Page>
  )
}

const columns: readonly Column<Row>[] = [
  {
    header: 'Entitlement',
    sort: 'name',
    cell: ({ entitlement: { id, appId, displayName, description } }) => (
      <Named label={displayName} to={`/apps/${appId}/entitlements/${id}`} about={description} />
    ),
  },
  {
    header: 'App',
    sort: 'app',
    width: '20%',
    cell: ({ entitlement, app }) => (
      <Named isQuiet label={app?.displayName ?? entitlement.appId} to={`/apps/${entitlement.appId}`} />
    ),
  },
  {
    header: 'Kind',
    sort: 'purpose',
    width: '8rem',
    cell: ({ entitlement }) => purposeWords[entitlement.purpose] ?? '–',
  },
  {
    header: 'Risk',
    sort: 'risk',
    width: '8rem',
    cell: ({ entitlement }) => <RiskLevel id={entitlement.riskLevelValueId} />,
  },
  {
    header: 'Duration',
    sort: 'duration',
    width: '7rem',
    cell: ({ entitlement }) => durationWords(entitlement.durationGrant),
  },
  {
    header: 'Members',
    sort: 'members',
    width: '6.5rem',
    isNumber: true,
    cell: ({ entitlement }) => Number(entitlement.grantCount).toLocaleString(),
  },
]

function Filters(): ReactNode {
  const { may } = useSession()
  const { filter, set } = useListState()
  const levels = useRiskLevels()
  return (
    <>
      {may('apps.read') && <AppFilter />}
      {levels.length > 0 && (
        <NativeSelect
          aria-label="Risk level"
          value={filter('risk')}
          onChange={({ currentTarget: { value } }) => set({ risk: value })}
          data={[{ value: '', label: 'Any risk' }, ...levels.map(({ id, value }) => ({ value: id, label: value }))]}
        />
      )}
      {may('entitlements.read') && (
        <NativeSelect
          aria-label="Owner"
          value={filter('owner')}
          onChange={({ currentTarget: { value } }) => set({ owner: value })}
          data={[
            { value: '', label: 'Any owner' },
            { value: 'none', label: 'No owner' },
          ]}
        />
      )}
      <NativeSelect
        aria-label="Rule"
        value={filter('rule')}
        onChange={({ currentTarget: { value } }) => set({ rule: value })}
        data={[
          { value: '', label: 'With or without a rule' },
          { value: 'yes', label: 'With a rule' },
        ]}
      />
    </>
  )
}

type BulkProps = { doing: NonNullable<Doing>; onClose: () => void }

function useRows({ rows, clear }: NonNullable<Doing>, onClose: () => void) {
  const names = new Map(rows.map((row) => [keyOf(row.entitlement), labelOf(row)]))
  return {
    entitlements: rows.map(({ entitlement: { appId, id } }) => ({ appId, id })),
    nameOf: (item: BulkItem) => names.get(keyOf(item)) ?? item.id,
    onDone() {
      clear()
      onClose()
    },
  }
}

const moreNote = (isMore: boolean): string =>
  isMore ? ` More entitlements match: these are the first ${itemsMax.toLocaleString()}.` : ''

function AddOwner({ doing, onClose }: BulkProps): ReactNode {
  const [user, setUser] = useState<User | null>(null)
  const { entitlements, ...of } = useRows(doing, onClose)
  return (
    <BulkDialog
      {...of}
      title="Add an owner"
      about={`Adds an owner to each entitlement, in addition to its owners.${moreNote(doing.isMore)}`}
      verb="Add owner to"
      noun="entitlement"
      plan={bulkOwnersPlan}
      apply={bulkOwnersAdd}
      body={user ? { entitlements, userId: user.id } : null}
      changes={[appEntitlementSearch]}
      onClose={onClose}
    >
      <UserPicker label="Owner" isRequired chosen={user} onPick={setUser} isAutoFocused />
    </BulkDialog>
  )
}

const unset = 'unset'

function SetRisk({ doing, onClose }: BulkProps): ReactNode {
  const [level, setLevel] = useState(unset)
  const levels = useRiskLevels()
  const { entitlements, ...of } = useRows(doing, onClose)
  return (
    <BulkDialog
      {...of}
      title="Set the risk level"
      about={`Sets the risk level of each entitlement.${moreNote(doing.isMore)}`}
      verb="Set risk level of"
      noun="entitlement"
      plan={bulkEntitlementsPlan}
      apply={bulkEntitlementsApply}
      body={level === unset ? null : { entitlements, riskLevelValueId: level }}
      changes={[appEntitlementSearch]}
      onClose={onClose}
    >
      <NativeSelect
        label="Risk level"
        required
        value={level}
        onChange={({ currentTarget: { value } }) => setLevel(value)}
        data={[
          { value: unset, label: 'Choose a risk level' },
          ...levels.map(({ id, value }) => ({ value: id, label: value })),
          { value: '', label: 'None' },
        ]}
      />
    </BulkDialog>
  )
}
