import { slot } from '#kernel/memory.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { type Place, readSealed, type SealedEvent } from '#rooms/foundation/systemlog/index.ts'
import { kindOf } from '../kinds.ts'
import { bodyOf, type Message } from './message.ts'

export type ReadEvent = SealedEvent & Message

const pageSize = 100
const keptMax = 16
const keptMs = 10_000

/**
 * Reads the system log for all subscriptions of a process. Subscriptions that follow the same events read them once: when 20
 * subscriptions were sent 10,000 events, 19 found each page here.
 */
export const pages = slot(() => {
  const kept = new Map<string, { page: Promise<ReadEvent[]>; untilMs: number }>()
  return {
    read(world: World, tenant: Tenancy, after: Place): Promise<ReadEvent[]> {
      const key = `${tenant.id} ${after.join(' ')}`
      const now = performance.now()
      const found = kept.get(key)
      if (found && found.untilMs > now) return found.page
      const page = readSealed(world, tenant.id, after, pageSize).then((events) => {
        // More events may follow at any moment.
        if (events.length === 0) kept.delete(key)
        return events.map((event) => messageOf(tenant, event))
      })
      page.catch(() => kept.delete(key))
      kept.delete(key)
      kept.set(key, { page, untilMs: now + keptMs })
      for (const [each, { untilMs }] of kept) if (kept.size > keptMax || untilMs <= now) kept.delete(each)
      return page
    },
  }
})

function messageOf(tenant: Tenancy, event: SealedEvent): ReadEvent {
  // A row that was not written by this program may not be JSON, and is not sent.
  const kind = event.isGenuine ? kindOf(JSON.parse(event.text) as object) : ''
  const body = bodyOf(tenant, { id: event.eventId, kind, at: event.occurredAt, data: event.text })
  return { ...event, id: event.eventId, kind, body }
}
