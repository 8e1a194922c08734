import { type Reads, type Tx, transact } from '#kernel/sql.ts'
import type { CauseBy } from '#rooms/foundation/systemlog/index.ts'
import { automaticPolicyIds } from '#rooms/governance/policies/index.ts'
import { findAnyProfile, lockProfile } from '../catalog/store.ts'
import { bypassesGrants, bypassesRevokes, keyOf, revokedOf } from '../decide.ts'
import { type EntitlementRef, enrollmentOf, type Profile } from '../profile.ts'
import { give, take } from './give.ts'
import type { TaskHands, TaskWanted, TenantWorld } from './hands.ts'
import {
  createsTasksOf,
  deleteMembers,
  type Entry,
  type HeldPair,
  listHeldPairs,
  listLivingEntries,
  listMissing,
  listToSettle,
  type MemberAction,
  putMembers,
  type ToSettle,
} from './store.ts'

// The limits of one transaction: 2,000 grants or revocations take a second, and so do 100 new tasks.
const pairsMax = 2_000
const tasksMax = 100
const usersMax = 500

/** What to do about some members at once. */
type Work = {
  action: MemberAction
  members: readonly ToSettle[]
  given: readonly EntitlementRef[]
  taken: readonly HeldPair[]
  tasks: readonly TaskWanted[]
}

const nothing = { given: [], taken: [], tasks: [] } as const

const originOf = ({ isAutomatic, isByHand }: Pick<ToSettle, 'isAutomatic' | 'isByHand'>) => {
  if (isAutomatic) return 'TASK_ORIGIN_PROFILE_MEMBERSHIP_AUTOMATION' as const
  return isByHand ? ('TASK_ORIGIN_PROFILE_MEMBERSHIP_MANUAL' as const) : ('TASK_ORIGIN_PROFILE_MEMBERSHIP' as const)
}

type Joining = {
  members: readonly Pick<ToSettle, 'userId' | 'isAutomatic' | 'isByHand'>[]
  entries: readonly Entry[]
  askedSince: Date | null
}

/** What new members are granted at once, and what is requested for them. */
export async function planJoining(
  db: Reads,
  world: TenantWorld,
  profile: Profile,
  { members, entries, askedSince }: Joining,
): Promise<Pick<Work, 'given' | 'tasks'>> {
  const isBypass = bypassesGrants(profile)
  const given = isBypass ? entries.filter(({ isGivenByRecord }) => isGivenByRecord) : []
  const asked = isBypass ? entries.filter(({ isGivenByRecord }) => !isGivenByRecord) : entries
  const memberOf = new Map(members.map((each) => [each.userId, each]))
  const missing = await listMissing(db, world.tenant.id, [...memberOf.keys()], asked, {
    at: world.now(),
    askedSince: askedSince && { profileId: profile.id, time: askedSince },
  })
  const tasks = missing.map(
    ({ userId, appId, id }): TaskWanted => ({
      kind: 'grant',
      appId,
      entitlementId: id,
      userId,
      origin: originOf(memberOf.get(userId) ?? { isAutomatic: false, isByHand: false }),
      description: `Enrolled in the access profile ${profile.displayName}.`,
      // Bypasses the policy, but not the people who have to provision it.
      policyId: isBypass ? automaticPolicyIds.grant : null,
      profileId: profile.id,
    }),
  )
  return { given, tasks }
}

async function planLeaving(
  db: Reads,
  world: TenantWorld,
  profile: Profile,
  members: readonly ToSettle[],
  entries: readonly Entry[],
): Promise<Pick<Work, 'taken' | 'tasks'>> {
  const revoked = revokedOf(profile)
  if (revoked === 'none') return nothing
  const isBypass = bypassesRevokes(profile)
  const pairs = await listHeldPairs(
    db,
    world.tenant.id,
    members.map(({ userId }) => userId),
    entries,
    { at: world.now(), leaving: profile.id, onlyUnjustified: revoked === 'unjustified' },
  )
  const byRecord = new Set(entries.filter(({ isTakenByRecord }) => isTakenByRecord).map(keyOf))
  const taken = isBypass ? pairs.filter((pair) => byRecord.has(keyOf(pair))) : []
  const asked = isBypass ? pairs.filter((pair) => !byRecord.has(keyOf(pair))) : pairs
  const tasks = [...new Map(asked.map((pair) => [`${pair.userId} ${keyOf(pair)}`, pair])).values()].map(
    ({ userId, appId, id }): TaskWanted => ({
      kind: 'revoke',
      appId,
      entitlementId: id,
      userId,
      origin: 'TASK_ORIGIN_PROFILE_MEMBERSHIP',
      description: `No longer enrolled in the access profile ${profile.displayName}.`,
      policyId: isBypass ? automaticPolicyIds.revoke : null,
      profileId: profile.id,
    }),
  )
  return { taken, tasks }
}

/** Requests the enrollment, or its end, because the automation matches someone or no longer does. */
const planAsking = (profile: Profile, members: readonly ToSettle[], kind: TaskWanted['kind']): Pick<Work, 'tasks'> => {
  const { appId, id: entitlementId } = enrollmentOf(profile.id)
  const matches = kind === 'grant' ? 'matches' : 'no longer matches'
  return {
    tasks: members.map(
      ({ userId }): TaskWanted => ({
        kind,
        appId,
        entitlementId,
        userId,
        origin: 'TASK_ORIGIN_PROFILE_MEMBERSHIP_AUTOMATION',
        description: `The automation of the access profile ${profile.displayName} ${matches}.`,
        policyId: null,
        profileId: profile.id,
      }),
    ),
  }
}

/** The next thing to do in a profile; null if there is nothing. */
async function planNext(db: Reads, world: TenantWorld, profile: Profile): Promise<Work | null> {
  const { tenant } = world
  const entries = await listLivingEntries(db, tenant.id, profile.id)
  const createsTasks = await createsTasksOf(db, tenant.id, profile.id)
  const found = await listToSettle(db, tenant.id, profile.id, { createsTasks, at: world.now(), limit: usersMax })
  const [first] = found
  if (!first) return null
  const { action } = first
  const isByTask =
    action === 'ask' ||
    action === 'ask to leave' ||
    (action === 'join' ? !bypassesGrants(profile) : action === 'leave' && !bypassesRevokes(profile))
  const perUser = Math.max(1, action === 'join' || action === 'leave' ? entries.length : 1)
  const count = Math.max(1, Math.floor((isByTask ? tasksMax : pairsMax) / perUser))
  const members = found.filter((each) => each.action === action).slice(0, count)
  const work = { ...nothing, action, members }
  if (action === 'join')
    return { ...work, ...(await planJoining(db, world, profile, { members, entries, askedSince: null })) }
  if (action === 'leave') return { ...work, ...(await planLeaving(db, world, profile, members, entries)) }
  if (action === 'ask') return { ...work, ...planAsking(profile, members, 'grant') }
  return action === 'ask to leave' ? { ...work, ...planAsking(profile, members, 'revoke') } : work
}

export type Settling = { world: TenantWorld; cause: CauseBy<'service'>; hands: TaskHands; profileId: string }

/**
 * Does the next thing to do about members who were enrolled or have left, in one transaction that locks the profile. Returns
 * whether there was anything. If the process is killed, nothing is done, and another one does it.
 */
export async function settleSome({ world, cause, hands, profileId }: Settling): Promise<boolean> {
  const { db, tenant } = world
  const seen = await findAnyProfile(db, tenant.id, profileId)
  const ahead = seen && (await planNext(db, world, seen))
  if (!ahead) return false
  // Reserved before anything is locked: others who open tasks do not wait for this.
  const reserved = ahead.tasks.length
  const firstNumber = reserved > 0 ? await hands.reserve(world, reserved) : 0
  await transact(db, async (tx) => {
    const profile = await lockProfile(tx, tenant.id, profileId, true)
    const work = profile && (await planNext(tx, world, profile))
    // If there is more to do than was planned before the lock, the next call does it.
    if (profile && work && work.tasks.length <= reserved)
      await apply(tx, world, cause, { hands, profile, work, firstNumber })
  })
  return true
}

type Applying = { hands: TaskHands; profile: Profile; work: Work; firstNumber: number }

async function apply(
  tx: Tx,
  world: TenantWorld,
  cause: CauseBy<'service'>,
  { hands, profile, work, firstNumber }: Applying,
): Promise<void> {
  const { action, members, given, taken, tasks } = work
  const { tenant } = world
  const userIds = members.map(({ userId }) => userId)
  const cancel = (kinds: readonly TaskWanted['kind'][], comment: string): Promise<void> =>
    hands.cancel(tx, world, cause, { profileId: profile.id, userIds, kinds, comment })
  if (action === 'leave') await cancel(['grant', 'revoke'], `No longer enrolled in ${profile.displayName}.`)
  if (action === 'unask') await cancel(['grant'], 'The automation no longer matches.')
  if (action === 'stay') await cancel(['revoke'], 'The automation matches again.')
  if (given.length > 0) await give(tx, world, cause, profile, { userIds, refs: given })
  if (taken.length > 0) await take(tx, world, cause, profile, taken)
  if (tasks.length > 0) await hands.open(tx, world, cause, firstNumber, tasks)
  if (action === 'leave' || action === 'unask') return deleteMembers(tx, tenant.id, profile.id, userIds)
  const state = action === 'ask' ? 'asked' : action === 'ask to leave' ? 'leaving' : 'joined'
  await putMembers(tx, tenant.id, profile.id, members, { state, at: world.now() })
}
