import { useElementSize } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { AccessSpan, AccessTrack } from '#client/api/types.ts'
import { giverWords, sourceWords } from '../../../parts/giver.tsx'
import { placeIn, ticksOf } from './axis.ts'
import classes from './timeline-chart.module.css'

type TimelineChartProps = { name: string; tracks: readonly AccessTrack[]; from: Date; to: Date }

const rowHeight = 26
const appHeight = 30
const barHeight = 12
const axisHeight = 34
const narrowPx = 560
const pxPerTick = 90
const leastWidth = 3
const sources = ['manual', 'import', 'rule', 'request', 'profile', 'directory'] as const

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

type Row = { app: string; top: number } | { track: AccessTrack; top: number }

/** The rows of the chart from top to bottom: a heading for each app, then what was held in it. */
function rowsOf(tracks: readonly AccessTrack[], perTrack: number): { rows: Row[]; height: number } {
  const rows: Row[] = []
  let top = axisHeight
  for (const [, ofApp] of Map.groupBy(tracks, ({ appId }) => appId)) {
    rows.push({ app: ofApp[0]?.appDisplayName ?? '', top })
    top += appHeight
    for (const track of ofApp) {
      rows.push({ track, top })
      top += perTrack
    }
  }
  return { rows, height: top + 8 }
}

/** What was held when, and why: a row for each entitlement, a bar for each time. The axis of time is linear. */
export function TimelineChart({ name, tracks, from, to }: TimelineChartProps): ReactNode {
  const { ref, width } = useElementSize()
  const isNarrow = width < narrowPx
  // In a narrow window names are above their bars.
  const perTrack = isNarrow ? rowHeight + 16 : rowHeight
  const left = isNarrow ? 0 : Math.min(260, width * 0.32)
  const plot = Math.max(1, width - left - 8)
  const { rows, height } = rowsOf(tracks, perTrack)
  const x = (at: Date): number => left + placeIn(at, from, to) * plot
  const used = sources.filter((source) => tracks.some(({ spans }) => spans.some((span) => span.source === source)))
  return (
    <figure className={classes.figure}>
      <div className={classes.legend} aria-hidden>
        {used.map((source) => (
          <span key={source}>
            <svg width={18} height={12}>
              <Bar source={source} x={0} y={0} width={18} />
            </svg>
            {sourceWords(source)}
          </span>
        ))}
      </div>
      <div ref={ref}>
        {width > 0 && (
          <svg
            className={classes.chart}
            width={width}
            height={height}
            role="img"
            aria-label={`What ${name} held from ${day.format(from)} to ${day.format(to)}: ${tracks.length} entitlements. Choose Table for each with its dates and reasons.`}
          >
            <Patterns />
            <text className={classes.axisName} x={left} y={11}>
              Date
            </text>
            {ticksOf(from, to, Math.max(2, Math.floor(plot / pxPerTick))).map(({ at, label }) => (
              <g key={at.getTime()} data-tick>
                <line className={classes.grid} x1={x(at)} x2={x(at)} y1={axisHeight - 6} y2={height} />
                <text
                  className={classes.tick}
                  x={Math.min(x(at), width - 4)}
                  y={axisHeight - 10}
                  textAnchor={x(at) > width - 40 ? 'end' : 'start'}
                >
                  {label}
                </text>
              </g>
            ))}
            {rows.map((row) =>
              'app' in row ? (
                <text key={`${row.app} ${row.top}`} className={classes.app} x={0} y={row.top + 20}>
                  {row.app}
                </text>
              ) : (
                <Track
                  key={`${row.track.appUserId} ${row.track.appEntitlementId}`}
                  row={row}
                  x={x}
                  left={left}
                  width={width}
                  isNarrow={isNarrow}
                  to={to}
                />
              ),
            )}
          </svg>
        )}
      </div>
    </figure>
  )
}

type TrackProps = {
  row: { track: AccessTrack; top: number }
  x: (at: Date) => number
  left: number
  width: number
  isNarrow: boolean
  to: Date
}

const charPx = 7
const shortened = (label: string, px: number): string => {
  const fits = Math.max(4, Math.floor(px / charPx))
  return label.length > fits ? `${label.slice(0, fits - 1)}…` : label
}

function Track({ row: { track, top }, x, left, width, isNarrow, to }: TrackProps): ReactNode {
  const label = [track.entitlementDisplayName, track.resourceDisplayName].filter(Boolean).join(' · ')
  const barsAt = top + (isNarrow ? 22 : (rowHeight - barHeight) / 2)
  return (
    <g>
      <line className={classes.rule} x1={0} x2={width} y1={top} y2={top} />
      <text className={classes.name} x={isNarrow ? 0 : 10} y={top + 17}>
        {shortened(label, isNarrow ? width : left - 18)}
        <title>{label}</title>
      </text>
      {track.spans.map((span) => {
        const [begin, end] = [x(new Date(span.from ?? 0)), x(span.to ? new Date(span.to) : to)]
        return (
          <Bar
            key={`${span.source} ${span.from}`}
            source={span.source}
            x={begin}
            y={barsAt}
            width={Math.max(leastWidth, end - begin)}
            title={spanWords(span)}
            isOpen={span.to === null}
          />
        )
      })}
    </g>
  )
}

/** A span in words: `Rule Everyone in Sales: 3 Mar 2026 to 9 Mar 2026, expired`. */
function spanWords(span: AccessSpan): string {
  const by = giverWords(span.grantedBy)
  const why =
    by && !by.startsWith(sourceWords(span.source))
      ? `${sourceWords(span.source)} (${by})`
      : by || sourceWords(span.source)
  const since = span.from ? day.format(new Date(span.from)) : ''
  if (span.to === null) return `${why}: since ${since}`
  return `${why}: ${since} to ${day.format(new Date(span.to))}, ${span.endedWhy || 'ended'}`
}

type BarProps = { source: string; x: number; y: number; width: number; title?: string; isOpen?: boolean }

/** Distinguished by colour and by pattern. */
const Bar = ({ source, x, y, width, title, isOpen = false }: BarProps): ReactNode => (
  <g data-bar={source} data-open={isOpen}>
    {title && <title>{title}</title>}
    <rect className={classes.bar} data-source={source} x={x} y={y} width={width} height={barHeight} rx={2} />
    {source !== 'manual' && <rect x={x} y={y} width={width} height={barHeight} rx={2} fill={`url(#span-${source})`} />}
  </g>
)

const Patterns = (): ReactNode => (
  <defs>
    {(
      [
        ['import', 'M0 6 L6 0'],
        ['rule', 'M3 2 v2'],
        ['request', 'M3 0 V6'],
        ['profile', 'M0 3 H6'],
        ['directory', 'M0 3 H6 M3 0 V6'],
      ] as const
    ).map(([source, path]) => (
      <pattern key={source} id={`span-${source}`} width={6} height={6} patternUnits="userSpaceOnUse">
        <path className={classes.pattern} d={path} />
      </pattern>
    ))}
  </defs>
)
