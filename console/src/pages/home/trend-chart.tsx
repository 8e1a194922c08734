import type { ReactNode } from 'react'
import { type Axis, axisOf } from './axis.ts'
import classes from './numbers.module.css'

const [width, height] = [300, 100]

type Frame = {
  axis: Axis
  /** Everything that it shows, as text. */
  label: string
  days: readonly string[]
  titles: readonly string[]
  children: ReactNode
}

/** The axes with their marks, and the text of each day on hover. */
function Chart({ axis: { bottom, top, ticks }, label, days, titles, children }: Frame): ReactNode {
  const yOf = (count: number): number => height - ((count - bottom) / (top - bottom)) * height
  const slot = width / days.length
  return (
    <div className={classes.chart}>
      <div className={classes.axis} aria-hidden>
        {ticks.map((tick) => (
          <span key={tick} style={{ top: `${yOf(tick)}%` }}>
            {tick.toLocaleString()}
          </span>
        ))}
      </div>
      <svg
        className={classes.plot}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {ticks.map((tick) => (
          <line key={tick} className={classes.line} x1={0} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
        ))}
        {children}
        {titles.map((title, place) => (
          <rect key={days[place]} className={classes.slot} x={place * slot} y={0} width={slot} height={height}>
            <title>{title}</title>
          </rect>
        ))}
      </svg>
      <div className={classes.time} aria-hidden>
        <span>{days[0]}</span>
        <span>{days.at(-1)}</span>
      </div>
    </div>
  )
}

type TrendProps = { name: string; days: readonly string[]; counts: readonly number[] }

/** How many there were at the end of each day. */
export function TrendChart({ name, days, counts }: TrendProps): ReactNode {
  const axis = axisOf(counts)
  const slot = width / days.length
  const points = counts.map((count, place): string => {
    const y = height - ((count - axis.bottom) / (axis.top - axis.bottom)) * height
    return `${((place + 0.5) * slot).toFixed(1)},${y.toFixed(1)}`
  })
  const [first = 0, last = 0] = [counts[0], counts.at(-1)]
  const label = `${name} at the end of each day: ${first.toLocaleString()} on ${days[0]}, ${last.toLocaleString()} now; at least ${Math.min(...counts).toLocaleString()}, at most ${Math.max(...counts).toLocaleString()}.`
  return (
    <Chart
      axis={axis}
      label={label}
      days={days}
      titles={counts.map((count, place) => `${days[place]}: ${count.toLocaleString()}`)}
    >
      <polyline className={classes.trend} points={points.join(' ')} />
    </Chart>
  )
}

type BarsProps = { days: readonly string[]; added: readonly number[]; removed: readonly number[] }

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** What was added, upwards, and removed, downwards, on each day. */
export function ChangesChart({ days, added, removed }: BarsProps): ReactNode {
  const up = axisOf([0, ...added, ...removed])
  const axis: Axis = { bottom: -up.top, top: up.top, ticks: [-up.top, 0, up.top] }
  const slot = width / days.length
  const barOf = (count: number): number => (count / (2 * up.top)) * height
  const label = `Grants added and removed on each day: ${sumOf(added).toLocaleString()} added and ${sumOf(removed).toLocaleString()} removed since ${days[0]}.`
  return (
    <Chart
      axis={axis}
      label={label}
      days={days}
      titles={days.map(
        (day, place) =>
          `${day}: ${(added[place] ?? 0).toLocaleString()} added, ${(removed[place] ?? 0).toLocaleString()} removed`,
      )}
    >
      {days.map((day, place) => {
        const [gained, lost] = [barOf(added[place] ?? 0), barOf(removed[place] ?? 0)]
        const across = { x: (place + 0.15) * slot, width: slot * 0.7 }
        return (
          <g key={day}>
            {gained > 0 && <rect className={classes.added} {...across} y={height / 2 - gained} height={gained} />}
            {lost > 0 && <rect className={classes.removed} {...across} y={height / 2} height={lost} />}
          </g>
        )
      })}
    </Chart>
  )
}
