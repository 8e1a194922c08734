import type { Call } from '#kernel/routes.ts'
import { listApps } from '../apps.ts'
import { type Enforcer, enforcementOf } from '../decide.ts'
import { includingOf, keyOf, listAround, listEnforcement } from '../find.ts'
import { type Counted, classOfBoth, coverageOf } from './decide.ts'
import { countGrants, preferIndexes } from './store.ts'

/** What share of the current access its apps confirm, and which apps would add most, at one moment. */
export async function getCoverage(call: Call) {
  return call.db.begin('isolation level repeatable read read only', async (tx) => {
    await preferIndexes(tx)
    const groups = await countGrants(tx, call.tenant.id)
    const around = await listAround(tx, call, groups)
    const judged = groups.map((group) => ({ ...group, enforcement: enforcementOf(group, around(group.appId)) }))
    const included = await listEnforcement(
      tx,
      call,
      judged.flatMap(({ enforcement }) => includingOf(enforcement)),
    )
    const includedBy = (enforcer: Enforcer): Enforcer | null =>
      enforcer.by === 'another entitlement'
        ? (included.get(keyOf({ appId: enforcer.appId, id: enforcer.entitlementId }))?.grant ?? null)
        : null
    const counted: Counted[] = judged.map(({ appId, appName, grants, enforcement }) => ({
      appId,
      appName,
      grants,
      hasConnector: around(appId).connectors.length > 0,
      class: classOfBoth(enforcement, includedBy),
    }))
    const coverage = coverageOf(counted)
    const apps = await listApps(
      tx,
      call,
      coverage.next.map(({ appId }) => appId),
    )
    const stateOf = new Map(apps.map(({ id, state }) => [id, state]))
    return {
      ...coverage,
      next: coverage.next.flatMap((each) => {
        const state = stateOf.get(each.appId)
        return state ? [{ ...each, state }] : []
      }),
    }
  })
}
