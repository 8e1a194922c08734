import { type JobCall, type JobKind, jobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { takeChangedProfiles } from '#rooms/foundation/writes/index.ts'
import { lockProfile } from '../catalog/store.ts'
import { keyOf } from '../decide.ts'
import { entriesGiven, membersChanged } from '../names.ts'
import { give } from './give.ts'
import type { TaskHands } from './hands.ts'
import { planJoining, settleSome } from './settle.ts'
import { listLivingEntries, listMembers, listTenantsWithChanges } from './store.ts'

/** Enqueues jobs for profiles whose enrollment was granted or revoked; run by the engine. */
export async function noticeEnrollments(world: World): Promise<void> {
  await forEachTenant(await listTenantsWithChanges(world.db), async (tenantId) => {
    const tenant = await findTenant(world.db, tenantId)
    if (!tenant) return
    await transact(world.db, async (tx) => {
      const changed = await takeChangedProfiles(tx, tenantId)
      await enqueue(
        tx,
        world,
        serviceCause(tenant, 'notice enrollments'),
        membersChanged,
        ...changed.map((profileId) => ({
          payload: { profileId },
          subject: { type: 'request_catalog', id: profileId },
          key: profileId,
        })),
      )
    })
  })
}

const patience = {
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 2,
  afterUnknown: 'retry',
  attemptMs: 900_000,
} as const

/** The jobs of profiles for their members. Tasks are a room further down: see hands.ts. */
export const profileJobs = (hands: TaskHands): JobKind[] => [
  jobKind(membersChanged, {
    title: 'Enrollment in an access profile',
    ...patience,
    async handle(call) {
      const { profileId } = call.job.payload
      const settling = { world: call, cause: serviceCause(call.tenant, membersChanged.kind), hands, profileId }
      while (await settleSome(settling)) call.signal.throwIfAborted()
    },
  }),
  jobKind(entriesGiven, {
    title: 'New entitlement of an access profile',
    ...patience,
    async handle(call) {
      for (let after: string | null = ''; after !== null; ) {
        call.signal.throwIfAborted()
        after = await giveEntries(call, hands, after)
      }
    },
  }),
]

const membersPerStep = 50

/** For the next members, by id; returns the last of them, null if there are no more. */
async function giveEntries(
  call: JobCall<{ profileId: string; refs: readonly { appId: string; id: string }[] }>,
  hands: TaskHands,
  after: string,
): Promise<string | null> {
  const { db, tenant, job } = call
  const { profileId, refs } = job.payload
  const cause = serviceCause(tenant, entriesGiven.kind)
  const perStep = Math.max(1, Math.floor(membersPerStep / Math.max(1, refs.length)))
  const wanted = new Set(refs.map(keyOf))
  const plan = async (from: Parameters<typeof lockProfile>[0] | typeof db) => {
    const userIds = await listMembers(from, tenant.id, profileId, after, perStep)
    const entries = (await listLivingEntries(from, tenant.id, profileId)).filter((entry) => wanted.has(keyOf(entry)))
    return { userIds, entries, members: userIds.map((userId) => ({ userId, isAutomatic: false, isByHand: false })) }
  }
  const ahead = await plan(db)
  const last = ahead.userIds.at(-1)
  if (last === undefined || ahead.entries.length === 0) return null
  const firstNumber = await hands.reserve(call, ahead.userIds.length * ahead.entries.length)
  await transact(db, async (tx) => {
    const profile = await lockProfile(tx, tenant.id, profileId)
    if (!profile) return
    const { userIds, entries, members } = await plan(tx)
    const some = members.slice(0, ahead.userIds.length)
    const { given, tasks } = await planJoining(tx, call, profile, { members: some, entries, askedSince: job.createdAt })
    if (given.length > 0) await give(tx, call, cause, profile, { userIds: userIds.slice(0, some.length), refs: given })
    if (tasks.length > 0) await hands.open(tx, call, cause, firstNumber, tasks)
  })
  return last
}
