import { slot } from '#kernel/memory.ts'
import { keyOf, type Use, useAssertionsOnce } from './store.ts'

type Asked = { use: Use; done(isFirst: boolean): void; failed(error: unknown): void }

const atOnceMax = 500

/**
 * Remembers which assertions were used. Those of a tenant that arrive while others are being written form the next
 * statement. A statement for each was a third of what PostgreSQL did for a token.
 */
export const assertionUses = slot((world) => {
  const waiting = new Map<number, Asked[]>()
  const writing = new Set<number>()

  const write = async (tenantId: number): Promise<void> => {
    writing.add(tenantId)
    // Uses from the same turn of the event loop are written together.
    await new Promise(setImmediate)
    for (let asked = waiting.get(tenantId); asked && asked.length > 0; asked = waiting.get(tenantId)) {
      const group = asked.splice(0, atOnceMax)
      try {
        const first = new Set(
          (
            await useAssertionsOnce(
              world.db,
              tenantId,
              group.map(({ use }) => use),
            )
          ).map(keyOf),
        )
        // If the same one is twice in a group, only one is the first.
        for (const { use, done } of group) done(first.delete(keyOf(use)))
      } catch (error) {
        for (const { failed } of group) failed(error)
      }
    }
    waiting.delete(tenantId)
    writing.delete(tenantId)
  }

  return {
    /** Whether this is the first use of an assertion. */
    useOnce: (tenantId: number, use: Use): Promise<boolean> =>
      new Promise((done, failed) => {
        const asked = waiting.get(tenantId) ?? []
        asked.push({ use, done, failed })
        waiting.set(tenantId, asked)
        if (!writing.has(tenantId)) void write(tenantId)
      }),
  }
})
