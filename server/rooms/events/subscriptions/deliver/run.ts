import { Refusal } from '#kernel/refusals.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import type { Place } from '#rooms/foundation/systemlog/index.ts'
import { delayAfter, isNext, wordsOf } from '../decide.ts'
import { isStillPermitted } from '../permitted.ts'
import { keysOf, openSecret } from '../secret.ts'
import type { Claimed, Failure, Left } from '../store/due.ts'
import type { Delivery, Reason, Subscription } from '../subscription.ts'
import { type Chosen, choose } from './filter.ts'
import type { Signed } from './message.ts'
import { pages, type ReadEvent } from './pages.ts'
import { progressOf } from './progress.ts'
import { type Sending, type Sent, send, sign } from './send.ts'

export type RunParts = {
  world: World
  tenant: Tenancy
  /** Awaited before each request. */
  pace(): Promise<void> | undefined
  /** Aborted when the lease is lost, and when the server stops. */
  signal: AbortSignal
  /** After this time others get their turn. */
  forMs: number
  /** Called with the result of each request. */
  onSent(delivery: Delivery): void
}

/** Acknowledged events are saved after this many, or this long. */
const flushEvents = 200
const flushMs = 500
/** Signatures older than this are renewed: receivers refuse those that are five minutes old. */
const signedMaxMs = 5_000
/** The history is trimmed after this many more deliveries. */
const trimEvery = 100

/** It is no longer active, or another process has it. */
class Stopped extends Error {}
/** It cannot continue, for this reason. */
class Ends extends Error {
  readonly reason: Reason
  constructor(reason: Reason, detail: string) {
    super(detail === '' ? wordsOf[reason] : `${wordsOf[reason]} ${detail}`)
    this.reason = reason
  }
}

/** The server is too busy: the subscription continues later, with the same event. */
class Later extends Error {}

type Signing = Pick<Sending, 'secrets' | 'keys'>
type Prepared = { sending: Sending; signed: Promise<Signed>; atMs: number }

/**
 * Sends the events after a subscription's cursor, one after the other: each one when the previous one was acknowledged. The
 * cursor in the database follows; if the process is killed, its successor sends again what was not saved yet, with the same
 * ids.
 */
export async function runSubscription(parts: RunParts, claimed: Claimed): Promise<void> {
  const run = openRun(parts, claimed)
  try {
    const isBehind = await run.sendAll()
    await run.leave({ isBehind, failure: null })
  } catch (error) {
    if (error instanceof Stopped || isAbort(error, parts.signal)) return run.leave({ isBehind: true, failure: null })
    if (error instanceof Ends) return run.stop(error.reason, error.message)
    if (error instanceof Later) return run.rest(error.message)
    throw error
  }
}

const isAbort = (error: unknown, signal: AbortSignal): boolean => signal.aborted && error === signal.reason

/** The secrets to sign with: the current one, and for a while after a rotation the previous one. */
export function secretsOf(world: World, tenantId: number, of: Subscription): string[] | null {
  const sealing = { seals: world.seals, tenantId, id: of.id, target: of }
  const isOldUsed = of.sealedOldSecret !== null && of.oldSecretUntil !== null && of.oldSecretUntil > world.now()
  const sealed = [of.sealedSecret, ...(isOldUsed && of.sealedOldSecret ? [of.sealedOldSecret] : [])]
  const secrets = sealed.map((each) => openSecret(sealing, each))
  return secrets.every((each) => each !== null) ? secrets : null
}

function openRun({ world, tenant, pace, signal, forMs, onSent }: RunParts, claimed: Claimed) {
  const begunMs = performance.now()
  let cursor: Place = claimed.cursor
  let { attempt } = claimed
  let pending: Delivery[] = []
  let counted = nothing()
  let moved = 0
  let { deliveredCount } = claimed
  let flushedMs = performance.now()
  let flushing: Promise<void> | null = null
  let hasLeft = false

  /** Saves the progress. Throws `Stopped` if the subscription is no longer ours. */
  const flush = async (left: Left | null): Promise<void> => {
    const [deliveries, counts, place, hasMoved] = [pending, counted, cursor, moved > 0]
    pending = []
    moved = 0
    counted = nothing()
    flushedMs = performance.now()
    const isToTrim =
      Math.floor((deliveredCount + counts.delivered) / trimEvery) > Math.floor(deliveredCount / trimEvery)
    deliveredCount += counts.delivered
    const progress = hasMoved ? { cursor: place, ...counts } : null
    const known = await world.memory(progressOf).save(world, tenant, { claimed, progress, deliveries, isToTrim, left })
    if (left === null && (known?.state !== 'active' || known.version !== claimed.version)) throw new Stopped()
  }

  const isFlushDue = (): boolean => moved >= flushEvents || (moved > 0 && performance.now() - flushedMs > flushMs)

  /** In the background, one at a time: sending continues in the meantime. */
  const flushSoon = async (): Promise<void> => {
    await flushing
    flushing = flush(null)
    // A failure is reported to whoever awaits this next.
    flushing.catch(() => {})
  }

  const prepare = (event: ReadEvent, { filterError }: Chosen, signing: Signing): Prepared => {
    const of = { tenant, subscription: claimed, message: event, isTest: false }
    const sending = { ...of, ...signing, attempt: attempt + 1, filterError }
    const signed = sign(world, sending)
    signed.catch(() => {})
    return { sending, signed, atMs: performance.now() }
  }

  const sendOne = async ({ sending, signed, atMs }: Prepared): Promise<Sent> => {
    await pace()
    signal.throwIfAborted()
    const isFresh = performance.now() - atMs < signedMaxMs && sending.attempt === attempt + 1
    const again = { ...sending, attempt: attempt + 1 }
    const sent = await send(world, again, await (isFresh ? signed : sign(world, again)), signal)
    onSent(sent.delivery)
    return sent
  }

  const passed = (event: ReadEvent): void => {
    cursor = event.place
    moved += 1
    attempt = 0
  }

  /** What follows a failed attempt: another one later, or none. */
  const failureOf = ({ delivery, isGone, retryAfterMs }: Sent): Failure => {
    const at = world.now()
    const failed = attempt + 1
    const delayMs = isGone ? null : delayAfter(failed, Math.random(), retryAfterMs)
    const failingSince = (attempt > 0 && claimed.failingSince) || at
    const common = { attempt: failed, failingSince, at }
    if (delayMs !== null) {
      const nextAttemptAt = new Date(at.getTime() + delayMs)
      return { ...common, nextAttemptAt, state: 'active', reason: '', detail: delivery.error }
    }
    const reason: Reason = isGone ? 'RECEIVER_GONE' : 'DELIVERY_FAILED'
    const detail = `${wordsOf[reason]} ${delivery.error} The event is ${delivery.messageId}.`
    return { ...common, nextAttemptAt: null, state: isGone ? 'ended' : 'paused', reason, detail }
  }

  const checkNext = (event: ReadEvent): void => {
    if (!isNext(cursor, event.place))
      throw new Ends('EVENTS_MISSING', `The next existing event is ${event.id}. Replay from it to continue.`)
    if (!event.isGenuine)
      throw new Ends('LOG_TAMPERED', `The event is ${event.id}. Replay from a later one to continue.`)
  }

  /** Sends a page of events; returns whether all were sent. */
  const sendPage = async (events: readonly ReadEvent[], signing: Signing): Promise<boolean> => {
    const chosen = await choose(world, tenant.id, claimed, events, signal).catch(endsByFilter)
    const following = (from: number): number => {
      for (let at = from; at < events.length; at++) if (chosen[at]?.isSent) return at
      return -1
    }
    let prepared: Prepared | null = null
    for (const [at, event] of events.entries()) {
      checkNext(event)
      const choice = chosen[at] as Chosen
      if (choice.isSent) {
        const current: Prepared = prepared ?? prepare(event, choice, signing)
        // The next one is signed while this one is being sent.
        const next = following(at + 1)
        const nextEvent = events[next]
        const sending = sendOne(current)
        prepared = nextEvent?.isGenuine ? prepare(nextEvent, chosen[next] as Chosen, signing) : null
        const sent = await sending
        pending.push(sent.delivery)
        if (sent.delivery.outcome === 'failed') {
          await flushing?.catch(ignored)
          await flush({ isBehind: true, failure: failureOf(sent) })
          hasLeft = true
          return false
        }
        counted.delivered += 1
        counted.lastDeliveredAt = sent.delivery.startedAt
        if (choice.filterError !== '') {
          counted.filterErrors += 1
          counted.filterError = `${event.id}: ${choice.filterError}`
        }
      }
      passed(event)
      if (isFlushDue()) await flushSoon()
      signal.throwIfAborted()
    }
    return true
  }

  return {
    /** Sends until there are no more events, or the time is up. Returns whether there may be more. */
    async sendAll(): Promise<boolean> {
      if (!(await isStillPermitted(world, tenant, claimed.responsibleId))) throw new Ends('NOT_PERMITTED', '')
      const secrets = secretsOf(world, tenant.id, claimed)
      if (!secrets) throw new Ends('CHANGED_OUTSIDE', 'Set its address again, and rotate its secret.')
      const signing = { secrets, keys: keysOf(secrets) }
      while (performance.now() - begunMs < forMs) {
        const events = await world.memory(pages).read(world, tenant, cursor)
        if (events.length === 0) return false
        if (!(await sendPage(events, signing))) return true
      }
      return true
    },
    async leave(left: Left): Promise<void> {
      if (hasLeft) return
      await flushing?.catch(ignored)
      await flush(left)
    },
    /** The number of failed attempts stays: this is not the receiver's fault, and does not lead to a pause. */
    async rest(detail: string): Promise<void> {
      await flushing?.catch(ignored)
      const at = world.now()
      const nextAttemptAt = new Date(at.getTime() + busyRestMs)
      const { failingSince } = claimed
      await flush({
        isBehind: true,
        failure: { attempt, failingSince: attempt > 0 ? failingSince : null, nextAttemptAt, ...active, detail, at },
      })
    },
    async stop(reason: Reason, detail: string): Promise<void> {
      await flushing?.catch(ignored)
      const at = world.now()
      const failure: Failure = {
        attempt: 0,
        failingSince: null,
        nextAttemptAt: null,
        state: 'paused',
        reason,
        detail,
        at,
      }
      await flush({ isBehind: true, failure })
    },
  }
}

/** How long a subscription waits if the server was too busy for its filter. */
const busyRestMs = 15_000
const active = { state: 'active', reason: '' } as const

const ignored = (): void => {}
const nothing = () => ({ delivered: 0, lastDeliveredAt: null as Date | null, filterErrors: 0, filterError: '' })

/**
 * A filter that cannot be evaluated stops the subscription: nothing is lost, and users see why. A busy server only delays
 * it.
 */
function endsByFilter(error: unknown): never {
  if (error instanceof Refusal && error.reason === 'EXPRESSION_TOO_COSTLY') throw new Ends('FILTER_TOO_COSTLY', '')
  if (error instanceof Refusal && error.reason === 'EXPRESSION_INVALID') throw new Ends('FILTER_INVALID', error.message)
  const isBusy = error instanceof Refusal && (error.status >= 500 || error.reason === 'TOO_MANY_AT_ONCE')
  throw isBusy ? new Later('The server was too busy to evaluate the filter.') : error
}
