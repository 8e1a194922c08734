import { NativeSelect, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconLayoutGrid } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { heatMapGet } from '#client/api/operations.ts'
import type { GetHeatMapResponse } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { AsOfField, useAsOf } from '../../parts/as-of.tsx'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { useListState } from '../../parts/list-state.ts'
import { AppPage, useApp } from '../apps/app-page.tsx'
import { type Grouping, groupingOf, groupings } from './groupings.ts'
import classes from './heat-map.module.css'

type Map = GetHeatMapResponse
type Group = Map['groups'][number]

/** How many people of each department, or other group, have each entitlement of an app. */
export function HeatMap(): ReactNode {
  const { appId } = useApp()
  const { filter } = useListState()
  const asOf = useAsOf()
  const grouping = groupingOf(filter)
  const isComplete = grouping.key !== 'attribute' || grouping.attribute !== ''
  const { data, error, refetch } = useQuery({
    ...read(heatMapGet, {
      path: { app_id: appId },
      query: { group_by: grouping.groupBy, attribute: grouping.attribute, as_of: asOf || null },
    }),
    enabled: isComplete,
  })
  return (
    <AppPage>
      <Tools grouping={grouping} />
      {error ? (
        <ErrorNote error={error} title="The heat map could not be loaded" retry={() => void refetch()} />
      ) : !isComplete ? (
        <EmptyNote icon={IconLayoutGrid} title="Choose an attribute">
          Type the name of an attribute of the user profile, such as costCentre.
        </EmptyNote>
      ) : !data ? (
        <Skeleton height={320} />
      ) : data.groups.length === 0 ? (
        <EmptyNote icon={IconLayoutGrid} title="No results">
          Nobody has an entitlement of this app{asOf ? ' at this time' : ''}.
        </EmptyNote>
      ) : (
        <Grid map={data} appId={appId} grouping={grouping} />
      )}
    </AppPage>
  )
}

function Tools({ grouping }: { grouping: Grouping }): ReactNode {
  const { may } = useSession()
  const { set } = useListState()
  const [typed, setTyped] = useState(grouping.attribute)
  const send = useDebouncedCallback((attribute: string) => set({ attribute }, true), 300)
  return (
    <div className={classes.tools} role="search">
      <NativeSelect
        label="Group people by"
        value={grouping.key}
        onChange={({ currentTarget: { value } }) => set({ group_by: value, attribute: '' })}
        data={groupings
          .filter(({ key }) => may('users.read') || key === 'department' || key === 'job-title')
          .map(({ key, label }) => ({ value: key, label }))}
      />
      {grouping.key === 'attribute' && (
        <TextInput
          label="Attribute"
          value={typed}
          placeholder="costCentre"
          onChange={({ currentTarget: { value } }) => {
            setTyped(value)
            send(value.trim())
          }}
        />
      )}
      {may('users.read') && <AsOfField />}
    </div>
  )
}

const percentOf = (count: number, of: number): number => (of > 0 ? Math.round((100 * count) / of) : 0)
const nameOf = ({ displayName }: Group): string => displayName || 'None'

// 6 shades: more cannot be distinguished. The first is for none.
const shadeOf = (share: number): number => (share <= 0 ? 0 : Math.min(5, Math.max(1, Math.ceil(share * 5))))

type GridProps = { map: Map; appId: string; grouping: Grouping }

function Grid({ map, appId, grouping }: GridProps): ReactNode {
  const most = Math.max(1, ...map.rows.flatMap(({ cells }) => cells.map(({ count }) => count)))
  const hasOthers = map.groupTotal > map.groups.length
  // Without the sizes of groups, by the largest number in the table.
  const shareOf = (count: number, { size }: Group): number =>
    map.hasSizes ? (size > 0 ? count / size : 0) : count / most
  return (
    <>
      <Legend hasSizes={map.hasSizes} most={most} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by the keyboard */}
      <div className={classes.scroll} tabIndex={0} role="region" aria-label="Heat map of entitlements and groups">
        <table className={classes.map}>
          <caption className={classes.caption}>
            How many people have each entitlement, by {grouping.label.toLowerCase()}
          </caption>
          <Head map={map} />
          <tbody>
            {map.rows.map((row) => {
              const counts = new globalThis.Map(row.cells.map(({ group, count }) => [group, count]))
              const to = `/apps/${appId}/entitlements/${row.appEntitlementId}`
              return (
                <tr key={row.appEntitlementId}>
                  <th scope="row">
                    <Link to={to} className="link">
                      {row.displayName}
                    </Link>
                  </th>
                  {map.groups.map((group) => {
                    const count = counts.get(group.value) ?? 0
                    return (
                      <td key={group.value} data-shade={shadeOf(shareOf(count, group))}>
                        {count > 0 ? (
                          <Link
                            to={to}
                            search={{
                              group_by: grouping.key,
                              group: group.value || '-',
                              ...(grouping.attribute && { attribute: grouping.attribute }),
                            }}
                          >
                            <CountOfGroup count={count} group={group} of={row.displayName} hasSize={map.hasSizes} />
                          </Link>
                        ) : (
                          <span className={classes.none}>0</span>
                        )}
                      </td>
                    )
                  })}
                  {hasOthers && <td>{row.others.toLocaleString()}</td>}
                  <td>
                    <strong>{row.holders.toLocaleString()}</strong>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {map.entitlementTotal > map.rows.length && (
        <p className={classes.more}>
          The {map.rows.length} entitlements with the most people, of {map.entitlementTotal.toLocaleString()}.
        </p>
      )}
    </>
  )
}

const Legend = ({ hasSizes, most }: { hasSizes: boolean; most: number }): ReactNode => (
  <div className={classes.legend}>
    <span>{hasSizes ? 'Share of the group that has it:' : 'People who have it:'}</span>
    {[0, 1, 2, 3, 4, 5].map((shade) => (
      <span key={shade} className={classes.step}>
        <i data-shade={shade} aria-hidden />
        {hasSizes
          ? shade === 0
            ? '0%'
            : `up to ${shade * 20}%`
          : shade === 0
            ? '0'
            : `up to ${Math.ceil((most * shade) / 5).toLocaleString()}`}
      </span>
    ))}
  </div>
)

function Head({ map: { groups, hasSizes, groupTotal } }: { map: Map }): ReactNode {
  return (
    <thead>
      <tr>
        <th scope="col">Entitlement</th>
        {groups.map((group) => (
          <th key={group.value} scope="col">
            <span className={classes.group}>{nameOf(group)}</span>
            {hasSizes && <span className={classes.size}>{group.size.toLocaleString()}</span>}
          </th>
        ))}
        {groupTotal > groups.length && (
          <th scope="col">
            <span className={classes.group}>{groupTotal - groups.length} others</span>
          </th>
        )}
        <th scope="col">
          <span className={classes.group}>All</span>
        </th>
      </tr>
    </thead>
  )
}

type CountOfGroupProps = { count: number; group: Group; of: string; hasSize: boolean }

/** How many people of a group, as a number; as text for screen readers, which do not show the row and the column. */
const CountOfGroup = ({ count, group, of, hasSize }: CountOfGroupProps): ReactNode => (
  <>
    <span className={classes.unseen}>
      {of}, {nameOf(group)}:{' '}
    </span>
    <span>{count.toLocaleString()}</span>
    {hasSize && (
      <>
        <span className={classes.unseen}> of {group.size.toLocaleString()}, </span>
        <small>{percentOf(count, group.size) || '<1'}%</small>
      </>
    )}
  </>
)
