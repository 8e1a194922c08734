import type { ReactNode } from 'react'
import type { AutomationRun } from '#client/api/types.ts'
import chart from '../../parts/chart.module.css'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import classes from './run-chart.module.css'

type RunChartProps = {
  /** The latest first. */
  runs: readonly AutomationRun[]
}

const slotsMin = 12
/** With few runs, the bars stay narrow in a wide window. */
const slotRemMax = 1.75
const slotWidth = 10
const barWidth = 6
const half = 50
const leastHeight = 3

// The first run of a rule grants access to thousands of people, and later ones to a few: both are visible.
const weight = (count: number): number => Math.log10(1 + count)

/** The end of the axis: the first power of ten (minus one, as for `weight`) that is not less than any count. */
const topOf = (runs: readonly AutomationRun[]): number =>
  10 **
  Math.max(1, Math.ceil(weight(Math.max(...runs.flatMap(({ gainedCount, lostCount }) => [gainedCount, lostCount])))))

const isWithout = ({ status }: AutomationRun): boolean =>
  status === 'AUTOMATION_RUN_STATUS_FAILED' || status === 'AUTOMATION_RUN_STATUS_HELD'

/** The latest runs, from left to right: upwards how many people were added, downwards how many were removed. */
export function RunChart({ runs }: RunChartProps): ReactNode {
  const top = topOf(runs)
  const heightOf = (count: number): number =>
    count === 0 ? 0 : Math.max(leastHeight, (weight(count) / Math.log10(top)) * half)
  const slots = Math.max(slotsMin, runs.length)
  const oldestFirst = runs.toReversed()
  const sum = (of: (run: AutomationRun) => number): string =>
    runs.reduce((total, run) => total + of(run), 0).toLocaleString()
  const failed = runs.filter(isWithout).length
  const title = runs.length === 1 ? 'Last run' : `Last ${runs.length} runs`
  const told = `${sum((run) => run.gainedCount)} added, ${sum((run) => run.lostCount)} removed, ${failed} failed or held.`
  return (
    <Panel title={title} about={told}>
      <figure className={chart.figure}>
        <div className={chart.axis} aria-hidden>
          <span>{(top - 1).toLocaleString()}</span>
          <span>0</span>
          <span>{(top - 1).toLocaleString()}</span>
        </div>
        <svg
          className={chart.bars}
          viewBox={`0 0 ${slots * slotWidth} ${half * 2}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${told} The table below has the numbers.`}
          style={{ maxWidth: `${slots * slotRemMax}rem` }}
        >
          <line className={chart.zero} x1={0} x2={slots * slotWidth} y1={half} y2={half} />
          {oldestFirst.map((run, index) => {
            const x = index * slotWidth + (slotWidth - barWidth) / 2
            const [gained, lost] = [heightOf(run.gainedCount), heightOf(run.lostCount)]
            return (
              <g key={run.id} {...(run.undoneByRunId !== '' && { className: classes.undone })}>
                <rect className={chart.added} x={x} y={half - gained} width={barWidth} height={gained} />
                <rect className={chart.removed} x={x} y={half} width={barWidth} height={lost} />
                {gained + lost === 0 && (
                  <rect className={classes.nothing} x={x} y={half - 1} width={barWidth} height={2} />
                )}
                {isWithout(run) && <rect className={classes.without} x={x} y={half - 8} width={barWidth} height={16} />}
              </g>
            )
          })}
        </svg>
        <figcaption className={chart.words}>
          <span>
            <Moment at={oldestFirst[0]?.startedAt ?? null} />
            {runs.length > 1 && (
              <>
                {' to '}
                <Moment at={runs[0]?.startedAt ?? null} />
              </>
            )}
          </span>
          <span className={chart.legend}>
            <span data-of="added">added</span>
            <span data-of="removed">removed</span>
            {failed > 0 && <span data-of="without">failed or held</span>}
          </span>
        </figcaption>
      </figure>
    </Panel>
  )
}
