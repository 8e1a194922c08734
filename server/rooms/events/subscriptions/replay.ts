import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import {
  archivedNote,
  countAfter,
  findPlace,
  findPlaceSince,
  findSeam,
  type Place,
  sealTenant,
} from '#rooms/foundation/systemlog/index.ts'
import { getSubscription, holdSubscription, recordAlert } from './actions.ts'
import { isBefore, placeBefore } from './decide.ts'
import { choose } from './deliver/filter.ts'
import { pages } from './deliver/pages.ts'
import { requireLog } from './permitted.ts'
import { moveCursor } from './store/subscriptions.ts'
import type { Subscription } from './subscription.ts'

/** The event to start from: by its id, or the first that occurred at a time or later. */
export type From = { eventId: string; time: Date | null }

/** The place before the first event to send. */
async function placeOf(call: Call, { eventId, time }: From): Promise<Place> {
  if ((eventId === '') === (time === null))
    throw invalid({ field: 'fromEventId', description: 'give either fromEventId or fromTime' })
  // So that the log that is read includes everything acknowledged before this request.
  await sealTenant(call, call.tenant.id)
  const place = time
    ? await findPlaceSince(call.db, call.tenant.id, time)
    : await findPlace(call.db, call.tenant.id, eventId)
  if (time) await refuseArchived(call, time)
  if (place) return placeBefore(place)
  if (time) throw new Refusal('EVENT_NOT_FOUND', `No event occurred at ${time.toISOString()} or later.`)
  const archived = await archivedNote(call, call.db, call.tenant.id, eventId)
  const why = archived ? `The event ${eventId} ${archived}.` : `There is no event ${eventId} in the system log.`
  throw new Refusal('EVENT_NOT_FOUND', why, { metadata: { id: eventId } })
}

/** A replay from that time would begin later than requested, and nobody would notice. */
async function refuseArchived(call: Call, time: Date): Promise<void> {
  const seam = await findSeam(call, call.db, call.tenant.id)
  if (seam && time <= seam.latestAt)
    throw new Refusal(
      'EVENT_NOT_FOUND',
      `Events up to ${seam.latestAt.toISOString()} were archived and are no longer in the database. Replay from a later time.`,
    )
}

/** A plan evaluates this many events; the rest are only counted. */
const lookedMax = 2_000
const countedMax = 100_000

export type ReplayPlan = {
  /** Events of the log from there on, counted up to 100,000. */
  eventCount: number
  /** How many of the first of them match the kinds and the filter, and how many were evaluated. */
  matchedCount: number
  lookedCount: number
  /** Events that were not sent yet and would be skipped. */
  skippedCount: number
}

/** What a replay would send. Changes nothing. */
export async function planReplay(call: Call, id: string, from: From): Promise<ReplayPlan> {
  requireLog(call.actor)
  const subscription = await getSubscription(call.db, call, id)
  return planFrom(call, subscription, await placeOf(call, from))
}

async function planFrom(call: Call, subscription: Subscription, place: Place): Promise<ReplayPlan> {
  const eventCount = await countAfter(call.db, call.tenant.id, place, countedMax)
  let [matchedCount, lookedCount, at] = [0, 0, place]
  while (lookedCount < lookedMax) {
    const events = await call.memory(pages).read(call, call.tenant, at)
    if (events.length === 0) break
    const chosen = await choose(call, call.tenant.id, subscription, events, call.signal)
    matchedCount += chosen.filter(({ isSent }) => isSent).length
    lookedCount += events.length
    at = events.at(-1)?.place ?? at
  }
  return { eventCount, matchedCount, lookedCount, skippedCount: await skippedBy(call, subscription, place) }
}

/** How many events are between the last acknowledged one and a later place. */
async function skippedBy(call: Call, { cursor }: Subscription, place: Place): Promise<number> {
  if (!isBefore(cursor, place)) return 0
  const [behind, left] = await Promise.all([
    countAfter(call.db, call.tenant.id, cursor, countedMax),
    countAfter(call.db, call.tenant.id, place, countedMax),
  ])
  return Math.max(0, behind - left)
}

/**
 * Sends everything from an event on again, with the same ids. Skipping events that were not sent has to be requested
 * explicitly.
 */
export async function replay(
  call: May<'subscriptions.use'>,
  id: string,
  from: From,
  maySkip: boolean,
): Promise<Subscription> {
  requireLog(call.actor)
  const place = await placeOf(call, from)
  return transact(call.db, async (tx) => {
    const before = await holdSubscription(tx, call, id)
    const skipped = await skippedBy(call, before, place)
    if (skipped > 0 && !maySkip)
      throw new Refusal(
        'REPLAY_SKIPS_EVENTS',
        `${skipped} events that were not sent yet would be skipped. Set maySkip to skip them.`,
        { metadata: { skipped: String(skipped) } },
      )
    await moveCursor(tx, call.tenant.id, id, place)
    const data = { fromEventId: from.eventId, fromTime: from.time?.toISOString() ?? null, skipped }
    await recordAlert(tx, call, 'update', `Started a replay of the subscription ${before.displayName}`, {
      subscription: before,
      data,
    })
    return { ...before, cursor: place, attempt: 0, failingSince: null, nextAttemptAt: null }
  })
}
