import { slot } from '#kernel/memory.ts'
import { isSameMac } from '#kernel/seals.ts'
import { eventMac, listAlerts } from './store.ts'

// An event commits some time after it occurred: what is older is looked at again, and sent once.
const lookBackMs = 120_000
const atOnce = 1_000

/**
 * Notifies the operator, with a warning in the log and a counter, of events that should not wait until someone reads
 * the system log: changes of roles, restores, missing events. Also of events from other processes, such as commands.
 */
export const alerts = slot((world) => {
  const startedAt = world.now()
  const sent = new Map<string, number>()
  const counts = new Map<string, number>()
  let lookedAt = startedAt
  return {
    counts: (): ReadonlyMap<string, number> => counts,
    /** Run by the engine. */
    async send(): Promise<void> {
      // From the last look on: the server rests while nothing is changed.
      const since = new Date(
        Math.max(startedAt.getTime(), Math.min(lookedAt.getTime(), world.now().getTime()) - lookBackMs),
      )
      lookedAt = world.now()
      for (const row of await listAlerts(world.db, since, atOnce)) {
        if (sent.has(row.eventId) || !isSameMac(row.mac, eventMac(world.seals, row.tenantId, row))) continue
        sent.set(row.eventId, row.occurredAt.getTime())
        const { message, actor, api, resources, status_code } = JSON.parse(row.event) as {
          message: string
          actor?: { user?: { name?: string }; invoked_by?: string }
          api?: { operation?: string }
          resources?: { type: string; uid: string }[]
          status_code?: string
        }
        const operation = status_code ?? api?.operation ?? ''
        counts.set(operation, (counts.get(operation) ?? 0) + 1)
        world.log.warn(
          {
            eventId: row.eventId,
            tenantId: row.tenantId,
            operation,
            by: actor?.invoked_by ?? actor?.user?.name ?? '',
            resources: resources?.map(({ type, uid }) => `${type} ${uid}`),
          },
          `alert: ${message}`,
        )
      }
      for (const [eventId, at] of sent) if (at < since.getTime()) sent.delete(eventId)
    },
  }
})
