import { type ReactNode, useEffect, useState } from 'react'

const minute = 60
const hour = 60 * minute
const day = 24 * hour
/** From the largest: the seconds of each unit, and the number of seconds from which it is used. */
const units = [
  ['year', 365 * day, 365 * day],
  ['month', 30 * day, 60 * day],
  ['day', day, day],
  ['hour', hour, hour],
  ['minute', minute, minute],
] as const

const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

function relative(at: Date, now: number): string {
  const seconds = (at.getTime() - now) / 1000
  const found = units.find(([, , from]) => Math.abs(seconds) >= from)
  return found ? words.format(Math.round(seconds / found[1]), found[0]) : 'just now'
}

const againMs = 30_000

/** How long ago it was, or how soon it will be: `3 days ago`. The exact time on hover. Updated while it is shown. */
export function RelativeTime({ at }: { at: string }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), againMs)
    return () => clearInterval(timer)
  }, [])
  const moment = new Date(at)
  return (
    <time dateTime={at} title={exact.format(moment)}>
      {relative(moment, now)}
    </time>
  )
}
