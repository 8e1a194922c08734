import { Badge, Button, Checkbox, Group, NativeSelect, Text } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { driftCount, driftList } from '#client/api/operations.ts'
import type { Drift } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import type { Column } from '../../parts/table.tsx'
import { Apply, type Chosen } from './apply.tsx'
import { NotCompared } from './not-compared.tsx'
import { Remedies } from './remedies.tsx'
import { type Remedy, remediesInOrder, words } from './words.ts'

const kinds = { unexplained: 'DRIFT_KIND_UNEXPLAINED', missing: 'DRIFT_KIND_MISSING' } as const
const kindIn = (text: string) => (Object.hasOwn(kinds, text) ? kinds[text as keyof typeof kinds] : undefined)

const keyOf = ({ appEntitlementId, appUserId }: Drift): string => `${appEntitlementId} ${appUserId}`

/** Where apps differ from the record. */
export function DriftPage(): ReactNode {
  const { may } = useSession()
  const state = useListState()
  const mayResolve = may('grants.write')
  const { data: counted } = useQuery(read(driftCount, {}))
  const hasSome = counted?.apps.some(({ unexplained, missing }) => unexplained + missing > 0) ?? false
  const isUnderWay = state.filter('state') === 'under-way'
  const [selected, setSelected] = useState<ReadonlyMap<string, Drift>>(new Map())
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const toggle = (each: Drift): void =>
    setSelected((before) => {
      const after = new Map(before)
      if (!after.delete(keyOf(each))) after.set(keyOf(each), each)
      return after
    })
  const choose = (remedy: Remedy): void => {
    const [app, kind] = [state.filter('app'), kindIn(state.filter('kind'))]
    const items = [...selected.values()].map(({ appId, appEntitlementId, appUserId }) => ({
      appId,
      appEntitlementId,
      appUserId,
    }))
    setChosen(items.length > 0 ? { remedy, items } : { remedy, ...(app && { appId: app }), ...(kind && { kind }) })
  }
  return (
    <Page about="Access that exists in an app without a grant, and grants that are missing in an app. Compared after every sync of a connector. Differences found by the first sync of an app are not listed.">
      {hasSome && (
        <Text size="sm" mb="sm">
          <NotCompared />
        </Text>
      )}
      {mayResolve && hasSome && !isUnderWay && (
        <BulkActions count={selected.size} onChoose={choose} onClear={() => setSelected(new Map())} />
      )}
      {chosen && <Apply chosen={chosen} onClose={() => setChosen(null)} onApplied={() => setSelected(new Map())} />}
      <DataList
        caption="Differences between apps and grants"
        operation={driftList}
        input={({ pageSize, pageToken, filter }) => {
          const kind = kindIn(filter('kind'))
          return {
            query: {
              ...(filter('app') && { app_id: filter('app') }),
              ...(kind && { kind }),
              ...(filter('state') === 'under-way' && { is_under_way: true }),
              page_size: pageSize,
              page_token: pageToken,
            },
          }
        }}
        rows={({ list }) => list}
        keyOf={keyOf}
        filters={<Filters />}
        columns={columnsFor(mayResolve, mayResolve && !isUnderWay ? { selected, toggle } : null)}
        empty={{
          icon: IconArrowsDiff,
          title: 'No differences found',
          children: <NotCompared otherwise="Every app has a connector that has synced." />,
        }}
      />
    </Page>
  )
}

type BulkActionsProps = { count: number; onChoose: (remedy: Remedy) => void; onClear: () => void }

const BulkActions = ({ count, onChoose, onClear }: BulkActionsProps): ReactNode => (
  <Group gap="xs" mb="sm" role="group" aria-label="Bulk actions">
    <Text size="sm">{count > 0 ? `${count} selected:` : 'All results:'}</Text>
    {remediesInOrder.map((remedy) => (
      <Button key={remedy} size="compact-sm" variant="default" onClick={() => onChoose(remedy)}>
        {words[remedy]?.label}
      </Button>
    ))}
    {count > 0 && (
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
    )}
  </Group>
)

/** What is selected, by `keyOf`. */
type Selecting = { selected: ReadonlyMap<string, Drift>; toggle: (each: Drift) => void }

const columnsFor = (mayResolve: boolean, selecting: Selecting | null): readonly Column<Drift>[] => [
  {
    header: 'Access',
    cell: (each) => (
      <Group gap="sm" wrap="nowrap">
        {selecting && (
          <Checkbox
            aria-label={`Select ${each.entitlementDisplayName} of ${each.userDisplayName || each.appUserDisplayName}`}
            checked={selecting.selected.has(keyOf(each))}
            onChange={() => selecting.toggle(each)}
          />
        )}
        <Named
          label={each.entitlementDisplayName}
          to={`/apps/${each.appId}/entitlements/${each.appEntitlementId}`}
          about={each.appDisplayName}
        />
      </Group>
    ),
  },
  {
    header: 'Account',
    cell: ({ appId, appUserId, appUserDisplayName, userDisplayName }) => (
      <Named
        label={appUserDisplayName}
        to={`/apps/${appId}/accounts/${appUserId}`}
        about={userDisplayName || 'No user'}
      />
    ),
  },
  {
    header: 'Difference',
    width: '22%',
    cell: ({ kind, sources }) =>
      kind === kinds.missing ? (
        <>
          <Badge color="orange">Missing</Badge> Granted by {sources.join(', ')}
        </>
      ) : (
        <Badge color="red">Unexplained</Badge>
      ),
  },
  { header: 'Found', width: '13rem', cell: ({ foundAt }) => <Moment at={foundAt} /> },
  ...(mayResolve
    ? [{ header: 'Actions', isHidden: true, width: '5.5rem', cell: (each: Drift) => <Remedies of={each} /> }]
    : []),
]

function Filters(): ReactNode {
  const { filter, set } = useListState()
  const { data } = useQuery(read(driftCount, {}))
  return (
    <>
      <NativeSelect
        label="App"
        value={filter('app')}
        onChange={({ currentTarget: { value } }) => set({ app: value })}
        data={[
          { value: '', label: 'All' },
          ...(data?.apps ?? []).map(({ appId, appDisplayName, unexplained, missing }) => ({
            value: appId,
            label: `${appDisplayName} (${unexplained + missing})`,
          })),
        ]}
      />
      <NativeSelect
        label="Difference"
        value={filter('kind')}
        onChange={({ currentTarget: { value } }) => set({ kind: value })}
        data={[
          { value: '', label: 'All' },
          { value: 'unexplained', label: 'Unexplained' },
          { value: 'missing', label: 'Missing' },
        ]}
      />
      <NativeSelect
        label="State"
        value={filter('state')}
        onChange={({ currentTarget: { value } }) => set({ state: value })}
        data={[
          { value: '', label: 'Open' },
          { value: 'under-way', label: 'In progress' },
        ]}
      />
    </>
  )
}
