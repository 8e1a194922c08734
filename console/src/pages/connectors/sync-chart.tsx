import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { connectorSyncList } from '#client/api/operations.ts'
import type { ConnectorOverview, ConnectorSync, ImportCounts } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { kindNames } from '../imports/counts.tsx'
import { againMs } from './reads.ts'
import { axisOf, type Change, changeOf, changes, kindsIn, totalOf } from './sync-axis.ts'
import classes from './sync-chart.module.css'

const shownMax = 20

type Kind = ImportCounts['kind']
const words: Readonly<Record<Change, string>> = { added: 'Added', changed: 'Changed', removed: 'Removed' }

/** Changes in the last syncs, by kind: as bars, or in numbers. */
export function SyncChart({ connector }: { connector: ConnectorOverview }): ReactNode {
  const [view, setView] = useState('chart')
  const { data } = useQuery({
    ...read(connectorSyncList, {
      path: { app_id: connector.appId, connector_id: connector.id },
      query: { page_size: shownMax },
    }),
    refetchInterval: againMs(connector),
  })
  const ended = (data?.list ?? []).filter(({ endedAt, state }) => endedAt || state === 'CONNECTOR_SYNC_STATE_HELD')
  const syncs = ended.slice(0, shownMax).toReversed()
  const kinds = kindsIn(syncs)
  if (kinds.length === 0) return null
  return (
    <Panel
      title="Changes"
      about={`Records added, changed and removed by ${syncs.length === 1 ? 'the last sync' : `each of the last ${syncs.length} syncs`}.`}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          value={view}
          onChange={setView}
        />
      }
    >
      {view === 'chart' ? (
        <>
          <div className={classes.legend} aria-hidden>
            {changes.map((change) => (
              <span key={change} data-change={change}>
                {words[change]}
              </span>
            ))}
            {syncs.some(isWithout) && <span data-change="without">Failed, held or cancelled</span>}
          </div>
          <div className={classes.charts}>
            {kinds.map((kind) => (
              <KindChart key={kind} kind={kind} syncs={syncs} />
            ))}
          </div>
        </>
      ) : (
        <InNumbers kinds={kinds} syncs={syncs} />
      )}
    </Panel>
  )
}

const isWithout = ({ state }: ConnectorSync): boolean => state !== 'CONNECTOR_SYNC_STATE_DONE'

/**
 * One kind: a bar for each sync, from the oldest. The axis is linear; a bar that is far larger than all others is cut, and
 * marked.
 */
function KindChart({ kind, syncs }: { kind: Kind; syncs: readonly ConnectorSync[] }): ReactNode {
  const { top, cut } = axisOf(syncs.map((sync) => totalOf(sync, kind)))
  const sums = changes.flatMap((change) => {
    const sum = syncs.reduce((total, sync) => total + changeOf(sync, kind, change), 0)
    return sum > 0 ? [`${sum.toLocaleString()} ${words[change].toLowerCase()}`] : []
  })
  const name = kindNames[kind]
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.name}>
        {name} <span className={classes.sums}>{sums.join(', ')}</span>
      </figcaption>
      <div className={classes.unit} aria-hidden>
        Records
      </div>
      <div className={classes.axis} aria-hidden>
        <span>{top.toLocaleString()}</span>
        <span>{top % 2 === 0 ? (top / 2).toLocaleString() : ''}</span>
        <span>0</span>
      </div>
      <div
        className={classes.bars}
        role="img"
        aria-label={`${name}: ${sums.join(', ')} in ${syncs.length} syncs. Choose Table for the numbers of each.`}
      >
        {syncs.map((sync) => {
          const total = totalOf(sync, kind)
          const isCut = cut !== null && total > top
          return (
            <div key={sync.id} className={classes.slot} title={titleOf(sync, kind)}>
              {isCut && <span className={classes.cut}>{total.toLocaleString()}</span>}
              <div className={classes.bar} data-cut={isCut} style={{ height: `${Math.min(1, total / top) * 100}%` }}>
                {changes.toReversed().map((change) => {
                  const count = changeOf(sync, kind, change)
                  return count > 0 && <div key={change} data-change={change} style={{ flexGrow: count }} />
                })}
              </div>
              {isWithout(sync) && <div className={classes.without} />}
            </div>
          )
        })}
      </div>
      <div className={classes.time} aria-hidden>
        <Moment at={syncs[0]?.startedAt ?? null} />
        <span>Syncs</span>
        {syncs.length > 1 && <Moment at={syncs.at(-1)?.startedAt ?? null} />}
      </div>
    </figure>
  )
}

const titleOf = (sync: ConnectorSync, kind: Kind): string =>
  isWithout(sync)
    ? sync.heldReason || sync.error
    : changes
        .map((change) => `${changeOf(sync, kind, change).toLocaleString()} ${words[change].toLowerCase()}`)
        .join(', ')

const InNumbers = ({ kinds, syncs }: { kinds: readonly Kind[]; syncs: readonly ConnectorSync[] }): ReactNode => (
  <Table
    caption="Changes in the last syncs"
    rows={syncs.toReversed()}
    keyOf={({ id }) => id}
    isPending={false}
    isStale={false}
    columns={[
      { header: 'Sync', width: '11rem', cell: ({ startedAt, createdAt }) => <Moment at={startedAt ?? createdAt} /> },
      ...kinds.map((kind) => ({
        header: kindNames[kind],
        cell: (sync: ConnectorSync) => (isWithout(sync) ? '–' : shortWords(sync, kind)),
      })),
    ]}
  />
)

const shortWords = (sync: ConnectorSync, kind: Kind): string =>
  changes
    .flatMap((change) => {
      const count = changeOf(sync, kind, change)
      return count > 0 ? [`${count.toLocaleString()} ${words[change].toLowerCase()}`] : []
    })
    .join(', ') || 'None'
