import type { Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { CauseBy } from '#rooms/foundation/systemlog/index.ts'

export type TenantWorld = World & { readonly tenant: Tenancy }

/** A task that a profile opens for a member. */
export type TaskWanted = {
  kind: 'grant' | 'revoke'
  appId: string
  entitlementId: string
  userId: string
  origin:
    | 'TASK_ORIGIN_PROFILE_MEMBERSHIP'
    | 'TASK_ORIGIN_PROFILE_MEMBERSHIP_MANUAL'
    | 'TASK_ORIGIN_PROFILE_MEMBERSHIP_AUTOMATION'
  description: string
  /** The policy that decides; null means the entitlement's own. */
  policyId: string | null
  profileId: string
}

type ByService = CauseBy<'service'>

/**
 * What profiles do with tasks, which are a room further down: server/registry/jobs.ts passes it in. A task that is open
 * already is used instead of the wanted one; one that cannot be opened is recorded in the system log.
 */
export type TaskHands = {
  /** Reserves numbers for this many tasks, in a separate transaction. */
  reserve(world: TenantWorld, count: number): Promise<number>
  open(tx: Tx, world: TenantWorld, cause: ByService, firstNumber: number, wanted: readonly TaskWanted[]): Promise<void>
  /** Closes the open tasks by which a profile requested access for these members, or asked to revoke it. */
  cancel(
    tx: Tx,
    world: TenantWorld,
    cause: ByService,
    which: { profileId: string; userIds: readonly string[]; kinds: readonly TaskWanted['kind'][]; comment: string },
  ): Promise<void>
}
