const dayMs = 86_400_000

/** How far a time zone's clock is ahead of UTC at a moment. */
function offsetMs(at: Date, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return local - Math.floor(at.getTime() / 1000) * 1000
}

/** The next time a time zone's clock shows this hour and minute, after `at`. */
export function nextTimeOfDay(
  at: Date,
  { hours, minutes, timezone }: { hours: number; minutes: number; timezone: string },
): Date {
  const zone = timezone || 'UTC'
  const local = new Date(at.getTime() + offsetMs(at, zone))
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate())
  for (const day of [0, 1, 2]) {
    const wanted = midnight + day * dayMs + (hours * 60 + minutes) * 60_000
    // The offset at that time, which a clock change may have moved.
    const guess = new Date(wanted - offsetMs(at, zone))
    const found = new Date(wanted - offsetMs(guess, zone))
    if (found > at) return found
  }
  return new Date(at.getTime() + dayMs)
}
