import type { Call } from '#kernel/routes.ts'
import { scopeOf } from '../find-scope.ts'
import { changesOf, countsOf, daysUntil } from './decide.ts'
import { countAccounts, countChanges, countGrants, countPeople } from './store.ts'

/**
 * How many people, accounts and grants there are and were, and how many grants were added and removed on each day. It is counted from
 * the record itself, whenever it is asked: nothing is kept that could differ from it. The cost at 1,000,000 grants is in
 * docs/decisions/0101.
 */
export async function getNumbers(call: Call, days: number) {
  const { tenant } = call
  const beginnings = daysUntil(call.now(), days)
  return call.db.begin('isolation level repeatable read read only', async (tx) => {
    const of = await scopeOf(call, tx)
    const [accounts, grants] = [of('accounts.read'), of('grants.read')]
    const [people, ofAccounts, now, changed] = await Promise.all([
      call.actor.permissions.has('users.read') ? countPeople(tx, tenant.id, beginnings) : null,
      accounts && countAccounts(tx, tenant.id, accounts, beginnings),
      grants && countGrants(tx, tenant.id, grants),
      grants && countChanges(tx, tenant.id, grants, beginnings),
    ])
    const { counts, added, removed } = changesOf(now ?? 0, changed ?? [], days)
    return {
      since: beginnings[0] ?? null,
      isOwned: [accounts, grants].some((scope) => scope !== null && scope !== 'all'),
      people: people ? countsOf(people, days) : [],
      accounts: ofAccounts ? countsOf(ofAccounts, days) : [],
      grants: grants ? counts : [],
      added: grants ? added : [],
      removed: grants ? removed : [],
    }
  })
}
