import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import { transact } from '#kernel/sql.ts'
import { Facts } from '../../facts/facts.ts'
import type { Ran } from '../../machine/unfold.ts'
import { nextNumbers } from '../../numbers.ts'
import { type Asked, openPrepared, prepareTask } from '../actions.ts'

/** The result of one of several requests: its task, or why there is none. */
export type Result = { asked: Asked } & ({ ran: Ran } | { refusal: Refusal })

const keyOf = ({ appId, entitlementId }: Asked): string => `${appId}/${entitlementId}`

/** For access that is named twice it would be unclear which of the two durations applies. */
function refuseTwice(all: readonly Asked[]): void {
  const seen = new Set<string>()
  for (const [place, asked] of all.entries()) {
    if (seen.has(keyOf(asked)))
      throw invalid({ field: `requests[${place}].appEntitlementId`, description: 'is named more than once' })
    seen.add(keyOf(asked))
  }
}

/**
 * Creates several requests of one person in one transaction. Each is created, or refused, as if it were alone: what is
 * refused changes nothing. If the transaction fails, there are none. In the order of their entitlements, so that two that
 * overlap do not wait for each other; the results are in the order of the requests.
 */
export async function createSeveral(call: May<'tasks.act'>, all: readonly Asked[]): Promise<Result[]> {
  refuseTwice(all)
  const first = await nextNumbers(call, call.tenant.id, all.length)
  const inOrder = [...all.entries()].toSorted(([, a], [, b]) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return transact(call.db, async (tx) => {
    const results: Result[] = []
    for (const [place, asked] of inOrder)
      try {
        const ran = await tx.savepoint(async (inner) =>
          openPrepared(call, first + place, asked, await prepareTask(new Facts(inner, call), call, asked)),
        )
        results[place] = { asked, ran }
      } catch (error) {
        if (!(error instanceof Refusal) || error.status >= 500) throw error
        results[place] = { asked, refusal: error }
      }
    return results
  })
}
