import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { enqueueAccountsChanged } from './jobs.ts'
import { setAccountUsers } from './store/change.ts'
import { matchUsers } from './store/match.ts'
import { listUnmatched } from './store/unmatched.ts'

/**
 * Sets a new user as the user of the accounts with their email address that have none: as an import would, which matches
 * them again. Returns how many there are.
 */
export async function matchAccountsOf(tx: Tx, call: Call, userId: string): Promise<number> {
  const accounts = await listUnmatched(tx, call.tenant.id, userId)
  const users = await matchUsers(tx, call.tenant.id, accounts)
  const theirs = accounts.filter((_, at) => users[at] === userId)
  const byApp = Map.groupBy(theirs, ({ appId }) => appId)
  for (const [appId, some] of byApp)
    await setAccountUsers(
      tx,
      call.tenant.id,
      appId,
      some.map(({ id }) => ({ accountId: id, userId })),
    )
  // Apps that are directories match their accounts by their own keys.
  await enqueueAccountsChanged(tx, call, call)
  return theirs.length
}
