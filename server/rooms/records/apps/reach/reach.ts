import { Refusal } from '#kernel/refusals.ts'
import { type Call, mayEverywhere } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import { sightOf } from '#rooms/identity/users/index.ts'
import { type Conferred, findConferredBeyond } from './store.ts'

type Ref = { appId: string; id: string }

/**
 * Refuses to let someone give an entitlement, by hand or by a rule, where that gives more than they may give themselves: it
 * makes its holders owners of something whose owners the caller may not choose, or rules and bindings that read it give
 * entitlements that are not the caller's (decision 0039). Who made it lead there did so knowingly, and so may who could.
 */
export async function refuseBeyondReach(db: Reads, call: Call, ref: Ref): Promise<void> {
  const { actor, tenant } = call
  if (mayEverywhere(actor, 'grants.write') && mayEverywhere(actor, 'owners.write')) return
  const sight = sightOf(call, db)
  const beyond = await findConferredBeyond(db, tenant.id, ref, await sight.places())
  if (beyond) throw beyondReach(ref, beyond, (await sight.apps()).seen.has(beyond.appId))
}

function beyondReach(ref: Ref, each: Conferred, isSeen: boolean): Refusal {
  const object = each.what === 'entitlement' ? 'entitlement' : each.kind
  const named = isSeen ? `the ${object} ${each.id}` : `something that you cannot see`
  const gives = each.what === 'entitlement' ? `is also granted ${named}` : `owns ${named}`
  return new Refusal(
    'GRANT_BEYOND_REACH',
    `Everyone with the entitlement ${ref.id} ${gives}, which you do not have permission to grant; ask an administrator.`,
    {
      metadata: {
        appId: ref.appId,
        appEntitlementId: ref.id,
        ...(isSeen && { conferredKind: object, conferredAppId: each.appId, conferredId: each.id }),
      },
    },
  )
}
