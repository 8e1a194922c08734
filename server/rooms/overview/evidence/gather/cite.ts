import { breather } from '#kernel/breath.ts'
import { idLength, idPattern } from '#kernel/ids.ts'
import type { Call } from '#kernel/routes.ts'
import { listEventsBetween } from '../store/events.ts'

/** An event that is looked for: it mentions all of these ids, at about this time. */
export type Wanted = { ids: readonly string[]; since: Date; until: Date; found: (eventId: string) => void }

/** Events are written in the transaction of what they record, so a little before its commit. */
export const around = (at: Date, until = at): Pick<Wanted, 'since' | 'until'> => ({
  since: new Date(at.getTime() - 2_000),
  until: new Date(until.getTime() + 5_000),
})

const rowsAtOnce = 200
/** How many events are read at most to find those that are cited. */
const readMax = 100_000

type Span = { since: Date; until: Date }

/** Times that overlap, or nearly do, as one. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of spans.toSorted((a, b) => a.since.getTime() - b.since.getTime())) {
    const last = all.at(-1)
    if (!last || span.since.getTime() > last.until.getTime() + 1_000) all.push({ ...span })
    else if (span.until > last.until) last.until = span.until
  }
  return all
}

/** The ids in a text of JSON. */
function idsIn(text: string): Set<string> {
  const ids = new Set<string>()
  for (const [, id] of text.matchAll(/"([0-9A-Za-z]{27})"/g))
    if (id?.length === idLength && idPattern.test(id)) ids.add(id)
  return ids
}

/**
 * Finds events by reading the log of the times concerned once, however many are looked for. Returns whether it read all
 * of these times.
 */
export async function findEvents(call: Call, wanted: readonly Wanted[]): Promise<boolean> {
  const byId = Map.groupBy(
    wanted.filter(({ ids }) => ids.length > 0),
    ({ ids }) => ids[0] as string,
  )
  const breathe = breather()
  let read = 0
  for (const span of joined([...byId.values()].flat()))
    for (let after = ''; ; ) {
      const rows = await listEventsBetween(call.db, call.tenant.id, { ...span, after }, rowsAtOnce)
      for (const { id, event } of rows) {
        const ids = idsIn(event)
        const time = (JSON.parse(event) as { time: number }).time
        for (const each of ids)
          for (const asked of byId.get(each) ?? [])
            if (asked.ids.every((needed) => ids.has(needed)) && isWithin(asked, time)) asked.found(id)
        await breathe()
      }
      read += rows.length
      after = rows.at(-1)?.id ?? ''
      if (rows.length < rowsAtOnce) break
      if (read >= readMax) return false
      call.signal.throwIfAborted()
    }
  return true
}

const isWithin = ({ since, until }: Span, time: number): boolean => time >= since.getTime() && time <= until.getTime()
