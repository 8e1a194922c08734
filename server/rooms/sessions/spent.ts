import { slot } from '#kernel/memory.ts'

const keysMax = 10_000

/**
 * What this server has used up, until its time would be over anyway: a row of it that somebody puts back into the database
 * is not good again. Other servers, and this one after a restart, do not know it: SECURITY.md says so.
 */
export const spent = slot(({ now }) => {
  const until = new Map<string, number>()
  return {
    add(key: string, expiresAt: Date): void {
      until.delete(key)
      until.set(key, expiresAt.getTime())
      if (until.size > keysMax) until.delete(until.keys().next().value as string)
    },
    has: (key: string): boolean => (until.get(key) ?? 0) > now().getTime(),
  }
})
