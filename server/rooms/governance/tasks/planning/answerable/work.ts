import { slot } from '#kernel/memory.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { inTurns } from '#kernel/tenants-with.ts'
import type { Again } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { findHead } from '#rooms/foundation/systemlog/index.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { Facts } from '../../facts/facts.ts'
import { Checker } from './check.ts'
import { everyMs, isDue } from './decide.ts'
import {
  beginRound,
  countUnmanaged,
  type Found,
  findRound,
  listRequestables,
  listTenantsToCheck,
  moveRound,
  putProblems,
} from './store.ts'

/** How many entitlements are checked in one transaction. */
const sliceSize = 200
const forMs = 300

/**
 * Checks whether requests for everything that can be requested can be decided, in parts. A round begins when something was
 * written to the system log since the last one began, and every five minutes: see decide.ts.
 */
export async function checkAnswerable(world: World): Promise<Again | void> {
  const startedBefore = new Date(+world.now() - everyMs)
  const tenantIds = await listTenantsToCheck(world.db, startedBefore)
  await inTurns(tenantIds, (tenantId) => checkNext(world, tenantId), forMs)
  // Some of them may have to wait first.
  if (tenantIds.length > 0) return 'again'
}

type Counted = { round: number; people: number }
const counted = slot(() => new Map<number, Counted>())

/** Counted once per round: it reads all users. */
async function unmanagedIn(tx: Tx, world: World, tenantId: number, startedAt: Date): Promise<number> {
  const all = world.memory(counted)
  const known = all.get(tenantId)
  if (known?.round === startedAt.getTime()) return known.people
  const people = await countUnmanaged(tx, tenantId)
  all.set(tenantId, { round: startedAt.getTime(), people })
  return people
}

/** Returns whether there is more to do. */
async function checkNext(world: World, tenantId: number): Promise<boolean> {
  const [standing, head] = await Promise.all([findRound(world.db, tenantId), findHead(world.db, tenantId)])
  const sealNumber = head?.sealNumber ?? 0
  if (standing?.finishedAt && !isDue(standing, sealNumber, world.now())) return false
  const tenant = await findTenant(world.db, tenantId)
  if (!tenant) return false
  // The results are only read by requests: nobody needs to be notified of the write.
  return transact(world.db.unnoticed, async (tx) => {
    const last = await findRound(tx, tenantId)
    const at = world.now()
    if (isDue(last, sealNumber, at)) await beginRound(tx, tenantId, sealNumber, at)
    const round = await findRound(tx, tenantId)
    if (!round || round.finishedAt !== null) return false
    const refs = await listRequestables(tx, tenantId, round.after, sliceSize)
    const checker = new Checker(new Facts(tx, { ...world, tenant }), (on) =>
      unmanagedIn(on, world, tenantId, round.startedAt),
    )
    const found: Found[] = []
    for (const ref of refs) {
      const each = await checker.look(ref)
      if (each) found.push(each)
    }
    const isOver = refs.length < sliceSize
    const to = refs.at(-1) ?? round.after
    const checked = round.checked + refs.length
    const finishedAt = isOver ? world.now() : null
    if (!(await moveRound(tx, tenantId, round.after, { after: to, checked, finishedAt }))) return false
    await putProblems(tx, tenantId, { after: round.after, to: isOver ? null : to }, found, at)
    return !isOver
  })
}
