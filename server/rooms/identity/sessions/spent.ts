import { slot } from '#kernel/memory.ts'
import { onceCommitted } from '#kernel/work.ts'

const keysMax = 10_000

/**
 * What this server has used, until it would expire anyway: a row that somebody restores in the database does not become
 * valid again. Other servers, and this one after a restart, do not know it: see SECURITY.md.
 */
export const spent = slot(({ now }) => {
  const until = new Map<string, number>()
  return {
    /** From the commit on: until then others rightly find it unused. */
    add: (key: string, expiresAt: Date): void =>
      onceCommitted(() => {
        until.delete(key)
        until.set(key, expiresAt.getTime())
        if (until.size > keysMax) until.delete(until.keys().next().value as string)
      }),
    has: (key: string): boolean => (until.get(key) ?? 0) > now().getTime(),
  }
})
