import { slot } from '#kernel/memory.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { reserveNumbers } from './store.ts'

// A block is taken in a transaction of its own: tasks that are created at once do not wait for each other. What is left of
// a block when a server stops is never used: numbers have gaps.
const blockSize = 20

type Block = { next: number; end: number; fetching: Promise<void> | null }
const blocks = slot(() => new Map<number, Block>())

/** The first of so many numbers, for tasks that are created together. */
export const nextNumbers = (world: Pick<World, 'db'>, tenantId: number, count: number): Promise<number> =>
  transact(world.db, (tx) => reserveNumbers(tx, tenantId, count))

/** The number of a new task. */
export async function nextNumber(world: Pick<World, 'memory' | 'db'>, tenantId: number): Promise<number> {
  const all = world.memory(blocks)
  const block = all.get(tenantId) ?? { next: 0, end: 0, fetching: null }
  all.set(tenantId, block)
  while (block.next === block.end) {
    block.fetching ??= transact(world.db, (tx) => reserveNumbers(tx, tenantId, blockSize)).then(
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
