import { unroutedTerms } from '#rooms/governance/terms/index.ts'
import { isAgain } from '../machine/record.ts'
import type { Provisioner } from './provisioner.ts'
import { give, giveOrTake, takeDelegated } from './records.ts'

/** Another entitlement brings it: both are given, and both are taken, in one transaction. */
export const delegated: Provisioner = {
  kind: 'delegated',
  takes: (policy) => policy !== null && policy.delegated !== null,
  async begin(what, policy) {
    if (isAgain(what.task))
      return { is: 'failed', error: 'Another entitlement includes this access. Check that the app has that one.' }
    const { appId = '', entitlementId = '' } = policy?.delegated ?? {}
    if (entitlementId !== '') {
      const { tx, call } = what
      const isThere = (await unroutedTerms(tx, call, { appId, entitlementId })) !== null
      // The account is of the other app: the one in the task is not.
      const other = { ...what, task: { ...what.task, appId, entitlementId, accountId: '' } }
      if (what.task.kind === 'revoke') {
        if (isThere) await takeDelegated(other, what.task)
      } else if (isThere) await give(other)
      else return { is: 'failed', error: 'The entitlement that includes this access was deleted.' }
    }
    if (what.isLast) await giveOrTake(what)
    return { is: 'done' }
  },
}
