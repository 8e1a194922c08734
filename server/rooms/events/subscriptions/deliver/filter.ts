import type { World } from '#kernel/world.ts'
import { evaluateKeys, prepareKey } from '#rooms/rules/expressions/index.ts'
import { kindsMatcher } from '../kinds.ts'
import type { Subscription } from '../subscription.ts'
import type { ReadEvent } from './pages.ts'

/** What evaluating a page of events may cost: some three seconds of a thread; most filters take a millisecond. */
const unitsMax = 20_000_000

/** Whether each event is sent, and why the filter failed if it did. */
export type Chosen = { isSent: boolean; filterError: string }

/**
 * Which events a subscription sends. If the filter fails on an event, the event is sent with that error: nothing is lost,
 * and anyone who may create a subscription may see every event. A filter that takes too much work is refused with
 * EXPRESSION_TOO_COSTLY.
 */
export async function choose(
  world: Pick<World, 'memory'>,
  tenantId: number,
  { eventKinds, filter }: Pick<Subscription, 'eventKinds' | 'filter'>,
  events: readonly ReadEvent[],
  signal: AbortSignal | null,
): Promise<Chosen[]> {
  const matches = kindsMatcher(eventKinds)
  const chosen: Chosen[] = events.map(({ kind }) => ({ isSent: matches(kind), filterError: '' }))
  const asked = events.flatMap((event, at) => (chosen[at]?.isSent ? [{ event, at }] : []))
  if (filter === '' || asked.length === 0) return chosen
  const asker = { lane: `subscriptions ${tenantId}`, signal }
  const expression = await prepareKey(world, asker, filter, 'eventFilter', 'filter')
  const rows = asked.map(({ event }) => ({ event: event.text, kind: event.kind }))
  const [values = []] = await evaluateKeys(world, asker, [expression], rows, { units: unitsMax })
  for (const [place, { at }] of asked.entries()) {
    const value = values[place]
    chosen[at] =
      typeof value === 'object' && 'error' in value
        ? { isSent: true, filterError: value.error }
        : { isSent: value === true, filterError: '' }
  }
  return chosen
}
