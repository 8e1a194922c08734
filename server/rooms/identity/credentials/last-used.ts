import { slot } from '#kernel/memory.ts'
import { type Use, updateLastUsed } from './store.ts'

const minuteMs = 60_000

/** When credentials were last used, to the minute: noted at once, written now and then. */
export const lastUsed = slot(({ db, now }) => {
  let noted = new Map<string, Use>()
  const written = new Map<string, number>()
  return {
    note(tenantId: number, credentialId: string): void {
      const minute = Math.floor(now().getTime() / minuteMs) * minuteMs
      if (written.get(credentialId) === minute) return
      written.set(credentialId, minute)
      noted.set(credentialId, { tenantId, credentialId, at: new Date(minute) })
    },
    /** Run by the engine. */
    async write(): Promise<void> {
      const uses = [...noted.values()]
      noted = new Map()
      // Notes of earlier minutes are written by now: keeping them would only grow.
      if (written.size > 10_000) written.clear()
      if (uses.length === 0) return
      try {
        await updateLastUsed(db, uses)
      } catch (error) {
        // For the next time, unless a newer use was noted in the meantime.
        noted = new Map([...uses.map((use) => [use.credentialId, use] as const), ...noted])
        throw error
      }
    },
  }
})
