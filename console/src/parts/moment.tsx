import type { ReactNode } from 'react'

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const dayOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const precise = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

type MomentProps = {
  at: string | null | undefined
  /** What stands where there is no time. */
  none?: string
  show?: 'time' | 'day' | 'seconds'
}

/** A time of the API, in the reader's own zone; the exact one on hover. */
export function Moment({ at, none = '–', show = 'time' }: MomentProps): ReactNode {
  if (!at) return <span style={{ color: 'var(--quiet)' }}>{none}</span>
  const moment = new Date(at)
  const format = { time: full, day: dayOnly, seconds: precise }[show]
  return (
    <time dateTime={at} title={exact.format(moment)}>
      {format.format(moment)}
    </time>
  )
}
