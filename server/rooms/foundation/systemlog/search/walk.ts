import { breather } from '#kernel/breath.ts'
import type { Call } from '#kernel/routes.ts'
import { beginning, type EventFilter, listEvents, type Place } from '../store.ts'
import { asksForAll, fitting, type Read, requiredTexts, type Wanted } from './decide.ts'
import { findPlaceBeyond, listHolding } from './store.ts'

export type Found = { event: Read; text: string; place: Place }
/** Matching events, and how far the walk has come: up to `place`, or to the end if that is null. */
type Step = { found: Found[]; place: Place | null; walked: number }

// A statement reads this many events, in 20 to 60 ms, and returns this many of them.
const eventsPerStep = 20_000
const candidatesMax = 250

/**
 * Walks through the log, in the order of the filter, step by step: the caller decides for how long. There is no index
 * of the content of events, which would make every write slower; the walk is limited instead (decision 0099).
 */
export async function* walk(call: Call, filter: EventFilter, wanted: Wanted): AsyncGenerator<Step, void> {
  const { isDescending } = filter
  const fits = fitting(wanted)
  const holding = requiredTexts(wanted)
  const isAll = asksForAll(wanted)
  const rest = breather()
  let here: Place | null = null
  for (;;) {
    const ahead: EventFilter =
      here === null ? filter : { ...filter, ...(isDescending ? { before: here } : { after: here }) }
    const beyond: Place | null = isAll ? null : await findPlaceBeyond(call.db, call.tenant.id, ahead, eventsPerStep)
    // With the event at that place itself: a place is between it and the next.
    const step: EventFilter =
      beyond === null
        ? ahead
        : { ...ahead, ...(isDescending ? { after: justBefore(beyond) } : { before: justAfter(beyond) }) }
    const rows = isAll
      ? await listEvents(call.db, call.tenant.id, step, candidatesMax)
      : await listHolding(call.db, call.tenant.id, step, holding, candidatesMax)
    const found: Found[] = []
    for (const { event: text, place } of rows) {
      const event = JSON.parse(text) as Read
      if (fits(event)) found.push({ event, text, place })
      await rest()
    }
    const isFull = rows.length === candidatesMax
    here = isFull ? (rows.at(-1)?.place ?? beyond) : beyond
    yield { found, place: here, walked: isAll ? rows.length : eventsPerStep }
    if (here === null) return
    call.signal.throwIfAborted()
  }
}

const justAfter = ([seal, position]: Place): Place => [seal, position + 1]
const justBefore = ([seal, position]: Place): Place => (position > 0 ? [seal, position - 1] : beginning)

const walkedMax = 400_000
const walkMs = 2_500

/** Enough matches for a page; or fewer, and where to continue, if the walk took too long. */
export async function findSome(
  call: Call,
  filter: EventFilter,
  wanted: Wanted,
  limit: number,
): Promise<{ found: Found[]; stoppedAt: Place | null }> {
  const until = performance.now() + walkMs
  const found: Found[] = []
  let walked = 0
  for await (const step of walk(call, filter, wanted)) {
    found.push(...step.found)
    walked += step.walked
    if (found.length >= limit) return { found: found.slice(0, limit), stoppedAt: null }
    if (walked >= walkedMax || performance.now() > until) return { found, stoppedAt: step.place }
  }
  return { found, stoppedAt: null }
}
