import { slot } from '#kernel/memory.ts'
import type { World } from '#kernel/world.ts'
import { reserveNumbers } from './store.ts'

// A block is reserved in a separate transaction, even if the caller is within one (`Idempotency-Key`): if that were rolled
// back, the block would be used twice, and until then others would wait. The rest of a block when a server stops is never
// used: numbers have gaps.
const blockSize = 20

type Block = { next: number; end: number; fetching: Promise<void> | null }
/** Uses the database of the server: the caller's may be a transaction. */
const blocks = slot(({ db }) => ({ db, all: new Map<number, Block>() }))

/** The first of several consecutive numbers, for tasks that are created together. */
export const nextNumbers = (world: Pick<World, 'memory'>, tenantId: number, count: number): Promise<number> =>
  reserveNumbers(world.memory(blocks).db, tenantId, count)

/** The number of a new task. */
export async function nextNumber(world: Pick<World, 'memory'>, tenantId: number): Promise<number> {
  const { db, all } = world.memory(blocks)
  const block = all.get(tenantId) ?? { next: 0, end: 0, fetching: null }
  all.set(tenantId, block)
  while (block.next === block.end) {
    block.fetching ??= reserveNumbers(db, tenantId, blockSize).then(
      (first) => {
        block.next = first
        block.end = first + blockSize
        block.fetching = null
      },
      (error: unknown) => {
        block.fetching = null
        throw error
      },
    )
    await block.fetching
  }
  return block.next++
}
