import { slot } from '#kernel/memory.ts'
import { type Sight, updateLastSeen } from './store.ts'

const minuteMs = 60_000

/** When sessions were last seen, to the minute: noted at once, written now and then. */
export const lastSeen = slot(({ db, now, seals }) => {
  let noted = new Map<string, Sight>()
  return {
    note(tenantId: number, sessionId: string, known: Date): void {
      const minute = Math.floor(now().getTime() / minuteMs) * minuteMs
      if (known.getTime() < minute) noted.set(sessionId, { tenantId, sessionId, at: new Date(minute) })
    },
    /** Run by the engine. */
    async write(): Promise<void> {
      const sights = [...noted.values()]
      noted = new Map()
      if (sights.length === 0) return
      try {
        await updateLastSeen(db, seals, sights)
      } catch (error) {
        // For the next time, unless a newer one was noted in the meantime.
        noted = new Map([...sights.map((sight) => [sight.sessionId, sight] as const), ...noted])
        throw error
      }
    },
  }
})
