import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { type Effort, effortOf, goOn, inTime, planTurns } from '../effort.ts'
import { allowMs } from '../rule/store.ts'
import type { Asking } from './matching.ts'

/** Works on a plan or a comparison in one transaction, when it is the tenant's turn. */
export const inTurn = <T>(call: Call, work: (tx: Tx, effort: Effort) => Promise<T>): Promise<T> =>
  call.memory(planTurns).take(`${call.tenant.id}`, call.signal, () => {
    const effort = effortOf(call)
    return inTime(effort, () => transact(call.db, (tx) => work(tx, effort)))
  })

/** A caller evaluates a rule, in their transaction. */
export const askingIn = (tx: Tx, call: Call, effort: Effort): Asking => ({
  db: tx,
  world: call,
  tenantId: call.tenant.id,
  now: call.now(),
  effort,
})

/** Called before each part: no statement may take longer than the time left. */
export async function boundStatements(tx: Tx, effort: Effort): Promise<void> {
  const leftMs = goOn(effort)
  if (leftMs !== null) await allowMs(tx, leftMs)
}
