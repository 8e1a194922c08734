import { SegmentedControl, Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { homeGetNumbers } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import chart from '../../parts/chart.module.css'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import classes from './numbers.module.css'
import { ChangesChart, TrendChart } from './trend-chart.tsx'

const freshMs = 300_000
const dayMs = 86_400_000

const dayForm = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const daysSince = (since: string | null, count: number): string[] =>
  Array.from({ length: count }, (_, place) => dayForm.format(new Date(since ?? 0).getTime() + place * dayMs))

const signed = (count: number): string =>
  count === 0 ? 'No change' : `${count > 0 ? '+' : '−'}${Math.abs(count).toLocaleString()}`

/** How many people, accounts and grants there are, and how that changed; hidden from callers who may see none of it. */
export function Numbers({ isAlways }: { isAlways: boolean }): ReactNode {
  const [period, setPeriod] = useState('30')
  const { data, error, refetch } = useQuery({
    ...read(homeGetNumbers, { query: { days: Number(period) } }),
    staleTime: freshMs,
    placeholderData: keepPreviousData,
  })
  const isNone = data && [data.people, data.accounts, data.grants].every(({ length }) => length === 0)
  if (isNone || (!isAlways && !data)) return null
  return (
    <Panel
      title={data?.isOwned ? 'What you own, in numbers' : 'In numbers'}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={[
            { value: '30', label: '30 days' },
            { value: '90', label: '90 days' },
          ]}
          value={period}
          onChange={setPeriod}
        />
      }
    >
      {error && !data ? (
        <ErrorNote error={error} retry={() => void refetch()} />
      ) : data ? (
        <div className={classes.tiles}>
          <Tile name="People" since={data.since} counts={data.people} />
          <Tile name="Accounts" since={data.since} counts={data.accounts} />
          <Tile name="Grants" since={data.since} counts={data.grants} />
          {data.grants.length > 0 && <Changes since={data.since} added={data.added} removed={data.removed} />}
        </div>
      ) : (
        <Skeleton height="12rem" />
      )}
    </Panel>
  )
}

function Tile({ name, since, counts }: { name: string; since: string | null; counts: readonly number[] }): ReactNode {
  if (counts.length === 0) return null
  const [first = 0, last = 0] = [counts[0], counts.at(-1)]
  return (
    <section className={classes.tile} aria-label={name}>
      <h3 className={classes.name}>{name}</h3>
      <div className={classes.number}>
        {last.toLocaleString()}{' '}
        <span className={classes.change}>
          {signed(last - first)} in {counts.length} days
        </span>
      </div>
      <TrendChart name={name} days={daysSince(since, counts.length)} counts={counts} />
    </section>
  )
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

type ChangesProps = { since: string | null; added: readonly number[]; removed: readonly number[] }

function Changes({ since, added, removed }: ChangesProps): ReactNode {
  const today = (added.at(-1) ?? 0) + (removed.at(-1) ?? 0)
  return (
    <section className={classes.tile} aria-label="Changes per day">
      <h3 className={classes.name}>Changes per day</h3>
      <div className={classes.number}>
        {today.toLocaleString()} <span className={classes.change}>today</span>
      </div>
      <ChangesChart days={daysSince(since, added.length)} added={added} removed={removed} />
      <div className={`${chart.legend} ${classes.legend}`}>
        <span data-of="added">{sumOf(added).toLocaleString()} grants added</span>
        <span data-of="removed">{sumOf(removed).toLocaleString()} removed</span>
      </div>
    </section>
  )
}
