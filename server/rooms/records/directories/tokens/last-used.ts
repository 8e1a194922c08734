import { slot } from '#kernel/memory.ts'
import { type Noted, updateLastRequest } from '../store.ts'
import { updateTokenUse } from './store.ts'

const minuteMs = 60_000
const errorLength = 500

/** When tokens and directories were last used, and what was last refused: collected in memory, and written at intervals. */
export const uses = slot(({ db, now }) => {
  let tokens = new Map<string, { tenantId: number; id: string; at: Date }>()
  let directories = new Map<string, Noted>()
  const written = new Map<string, number>()
  const writtenMax = 10_000
  return {
    note(tenantId: number, { id, appId }: { id: string; appId: string }): void {
      const minute = Math.floor(now().getTime() / minuteMs) * minuteMs
      if (written.get(id) === minute) return
      written.set(id, minute)
      if (written.size > writtenMax) written.clear()
      tokens.set(id, { tenantId, id, at: new Date(minute) })
      const key = `${tenantId} ${appId}`
      directories.set(key, { tenantId, appId, at: now(), error: directories.get(key)?.error ?? null })
    },
    noteError(tenantId: number, appId: string, text: string): void {
      const error = { at: now(), text: text.slice(0, errorLength) }
      directories.set(`${tenantId} ${appId}`, { tenantId, appId, at: now(), error })
    },
    /** Run by the engine. */
    async write(): Promise<void> {
      const [used, noted] = [[...tokens.values()], [...directories.values()]]
      tokens = new Map()
      directories = new Map()
      try {
        for (const { tenantId, id, at } of used) await updateTokenUse(db, tenantId, id, at)
        for (const each of noted) await updateLastRequest(db, each)
      } catch (error) {
        // Kept for the next time, unless something newer was collected meanwhile.
        tokens = new Map([...used.map((use) => [use.id, use] as const), ...tokens])
        directories = new Map([
          ...noted.map((each) => [`${each.tenantId} ${each.appId}`, each] as const),
          ...directories,
        ])
        throw error
      }
    },
  }
})
