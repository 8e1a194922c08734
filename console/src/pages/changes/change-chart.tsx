import type { ReactNode } from 'react'
import type { SummarizeChangesResponse } from '#client/api/types.ts'
import chart from '../../parts/chart.module.css'
import { Panel } from '../../parts/panel.tsx'
import { niceTop } from '../connectors/sync-axis.ts'
import classes from './change-chart.module.css'

type Period = SummarizeChangesResponse['periods'][number]

const units: Readonly<Record<SummarizeChangesResponse['unit'], string>> = {
  CHANGE_UNIT_UNSPECIFIED: 'period',
  CHANGE_UNIT_HOUR: 'hour',
  CHANGE_UNIT_DAY: 'day',
  CHANGE_UNIT_WEEK: 'week',
  CHANGE_UNIT_FOUR_WEEKS: 'four weeks',
  CHANGE_UNIT_YEAR: 'year',
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const hour = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

const barsHigh = 120
const slotWidth = 12
const barWidth = 8

/** Grants that were added, upwards, and removed, downwards, in each period: from zero, on a linear axis. */
export function ChangeChart({ told }: { told: SummarizeChangesResponse }): ReactNode {
  const { periods } = told
  const most = Math.max(1, ...periods.flatMap(({ added, removed }) => [added, removed]))
  const top = niceTop(most)
  const half = barsHigh / 2
  const heightOf = (count: number): number => (count === 0 ? 0 : Math.max(1, (count / top) * half))
  const sum = (of: (period: Period) => number): number => periods.reduce((all, period) => all + of(period), 0)
  const [added, removed] = [sum((each) => each.added), sum((each) => each.removed)]
  const format = told.unit === 'CHANGE_UNIT_HOUR' ? hour : told.unit === 'CHANGE_UNIT_DAY' ? day : long
  const dateOf = (period: Period | undefined): string =>
    period?.beginsAt ? format.format(new Date(period.beginsAt)) : ''
  const isCut = told.counts.some(({ subject, isMore }) => subject === 'CHANGE_SUBJECT_GRANT' && isMore)
  const unit = units[told.unit]
  const words = `${added.toLocaleString()} added, ${removed.toLocaleString()} removed`
  const width = periods.length * slotWidth
  const middle = periods[Math.floor(periods.length / 2)]
  return (
    <Panel
      title={`Grants per ${unit}`}
      about={isCut ? `Only the latest changes are counted: ${words}.` : `${words}. Times are in UTC.`}
    >
      <figure className={chart.figure}>
        <div className={classes.unit} aria-hidden>
          Grants
        </div>
        <div className={chart.axis} aria-hidden>
          <span>+{top.toLocaleString()}</span>
          <span>0</span>
          <span>−{top.toLocaleString()}</span>
        </div>
        <svg
          className={chart.bars}
          viewBox={`0 0 ${width} ${barsHigh}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Grants per ${unit} from ${dateOf(periods[0])} to ${dateOf(periods.at(-1))}: ${words}. ${periods
            .filter((each) => each.added + each.removed > 0)
            .slice(-31)
            .map((each) => `${dateOf(each)}: ${each.added} added, ${each.removed} removed`)
            .join('; ')}`}
        >
          <line className={classes.grid} x1={0} x2={width} y1={0.5} y2={0.5} />
          <line className={classes.grid} x1={0} x2={width} y1={barsHigh - 0.5} y2={barsHigh - 0.5} />
          {periods.map((period, place) => {
            const x = place * slotWidth + (slotWidth - barWidth) / 2
            const [up, down] = [heightOf(period.added), heightOf(period.removed)]
            return (
              <g key={period.beginsAt}>
                <title>{`${dateOf(period)}: ${period.added.toLocaleString()} added, ${period.removed.toLocaleString()} removed`}</title>
                <rect className={classes.slot} x={place * slotWidth} y={0} width={slotWidth} height={barsHigh} />
                <rect className={chart.added} x={x} y={half - up} width={barWidth} height={up} />
                <rect className={chart.removed} x={x} y={half} width={barWidth} height={down} />
              </g>
            )
          })}
          <line className={chart.zero} x1={0} x2={width} y1={half} y2={half} />
        </svg>
        <div className={classes.time} aria-hidden>
          <span>{dateOf(periods[0])}</span>
          {periods.length > 6 && <span>{dateOf(middle)}</span>}
          {periods.length > 1 && <span>{dateOf(periods.at(-1))}</span>}
        </div>
        <figcaption className={`${chart.words} ${chart.legend}`}>
          <span data-of="added">+ Added</span>
          <span data-of="removed">− Removed</span>
        </figcaption>
      </figure>
    </Panel>
  )
}
