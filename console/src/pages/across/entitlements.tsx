import { NativeSelect } from '@mantine/core'
import { IconLockAccess } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { appEntitlementSearch, bulkEntitlementsApply, bulkEntitlementsPlan } from '#client/api/operations.ts'
import type { App, AppEntitlement, BulkItem } from '#client/api/types.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { useSession } from '../../client/session.ts'
import { AppFilter } from '../../parts/app-filter.tsx'
import { readAll } from '../../parts/bulk/all-matching.ts'
import { BulkDialog } from '../../parts/bulk/bulk-dialog.tsx'
import { ChoiceFilter } from '../../parts/choice-filter.tsx'
import { type Asked, DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Page } from '../../parts/page.tsx'
import type { Column } from '../../parts/table.tsx'
import { nameColumn, propertyColumns } from '../entitlements/entitlement-columns.tsx'
import { useRiskLevels } from '../entitlements/risk-level.tsx'
import { AddOwner } from './add-owner.tsx'
import { type Bulk, moreNote, useBulk } from './bulk.tsx'
import { appColumn, keyInApp, labelInApp } from './in-app.tsx'

type Row = { entitlement: AppEntitlement; app?: App | undefined }

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

const labelOf = ({ entitlement, app }: Row): string => labelInApp(entitlement.displayName, app)

/** What can be held, in all apps. */
export function Entitlements(): ReactNode {
  const { may } = useSession()
  const { query, filter } = useListState()
  const { selection, bulk } = useBulk<Row, 'owner' | 'risk'>({
    labelOf,
    actions: [
      ...(may('owners.write')
        ? [{ what: 'owner' as const, label: 'Add owner…', labelOfAll: 'Add an owner to all results…' }]
        : []),
      ...(may('entitlements.write')
        ? [{ what: 'risk' as const, label: 'Set risk level…', labelOfAll: 'Set the risk level of all results…' }]
        : []),
    ],
    readAll: () => readAll(appEntitlementSearch, (page) => ({ body: bodyOf({ query, filter, ...page }) }), rowsOf),
  })
  return (
    <Page about="What can be granted, in all apps: roles, groups and access to resources.">
      <DataList
        caption="Entitlements of all apps"
        operation={appEntitlementSearch}
        kind="entitlements"
        input={(asked) => ({ body: bodyOf(asked) })}
        rows={rowsOf}
        keyOf={({ entitlement }) => keyInApp(entitlement)}
        search="Search entitlements and apps"
        filters={<Filters />}
        columns={columns}
        {...selection}
        empty={{
          icon: IconLockAccess,
          title: 'No entitlements',
          children: 'Entitlements come from connectors and imports, or are created on the page of an app.',
        }}
      />
      {bulk?.what === 'owner' && (
        <AddOwner
          bulk={bulk}
          noun="entitlement"
          about="Adds an owner to each entitlement, in addition to its owners."
          itemOf={({ entitlement }) => entitlement}
          labelOf={labelOf}
          changes={[appEntitlementSearch]}
        />
      )}
      {bulk?.what === 'risk' && <SetRisk bulk={bulk} />}
    </Page>
  )
}

const columns: readonly Column<Row>[] = [
  nameColumn,
  appColumn(({ entitlement }) => entitlement.appId, { sort: 'app', width: '20%' }),
  ...propertyColumns,
]

function Filters(): ReactNode {
  const { may } = useSession()
  const levels = useRiskLevels()
  return (
    <>
      {may('apps.read') && <AppFilter />}
      {levels.length > 0 && (
        <ChoiceFilter
          name="risk"
          label="Risk level"
          any="Any risk"
          words={Object.fromEntries(levels.map(({ id, value }) => [id, value]))}
        />
      )}
      {may('entitlements.read') && (
        <ChoiceFilter name="owner" label="Owner" any="Any owner" words={{ none: 'No owner' }} />
      )}
      <ChoiceFilter name="rule" label="Rule" any="With or without a rule" words={{ yes: 'With a rule' }} />
    </>
  )
}

const unset = 'unset'

function SetRisk({ bulk }: { bulk: Bulk<Row> }): ReactNode {
  const [level, setLevel] = useState(unset)
  const levels = useRiskLevels()
  const names = new Map(bulk.rows.map((row) => [keyInApp(row.entitlement), labelOf(row)]))
  const entitlements = bulk.rows.map(({ entitlement: { appId, id } }) => ({ appId, id }))
  return (
    <BulkDialog
      title="Set the risk level"
      about={`Sets the risk level of each entitlement.${moreNote(bulk, 'entitlements')}`}
      verb="Set risk level of"
      noun="entitlement"
      plan={bulkEntitlementsPlan}
      apply={bulkEntitlementsApply}
      body={level === unset ? null : { entitlements, riskLevelValueId: level }}
      nameOf={(item: BulkItem) => names.get(keyInApp(item)) ?? item.id}
      changes={[appEntitlementSearch]}
      onClose={bulk.onClose}
      onDone={bulk.onDone}
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
