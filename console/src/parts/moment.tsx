import type { ReactNode } from 'react'

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const dayOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const precise = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
// `dateStyle` and `timeStyle` cannot be combined with a zone, so the parts are named.
const parts = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const
const zoned = new Intl.DateTimeFormat(undefined, { ...parts, second: '2-digit', timeZoneName: 'short' })
const zonedToMinutes = new Intl.DateTimeFormat(undefined, { ...parts, timeZoneName: 'short' })

/** The reader's own zone, in which all times are shown and typed, as in Europe/Berlin. */
export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

type MomentProps = {
  at: string | null | undefined
  /** The text if there is no time. */
  none?: string
  /** `exact` has seconds and the zone: for times that are read alone or cited, rather than in a column. */
  show?: 'time' | 'day' | 'seconds' | 'exact' | 'zoned'
}

/** A time of the API, in the reader's own zone; the exact one on hover. */
export function Moment({ at, none = '–', show = 'time' }: MomentProps): ReactNode {
  if (!at) return <span style={{ color: 'var(--quiet)' }}>{none}</span>
  const moment = new Date(at)
  const format = { time: full, day: dayOnly, seconds: precise, exact: zoned, zoned: zonedToMinutes }[show]
  return (
    <time dateTime={at} title={exact.format(moment)}>
      {format.format(moment)}
    </time>
  )
}
