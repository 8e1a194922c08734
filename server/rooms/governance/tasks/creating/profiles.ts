import { Refusal } from '#kernel/refusals.ts'
import { transact } from '#kernel/sql.ts'
import { alert, record } from '#rooms/foundation/systemlog/index.ts'
import type { TaskHands, TaskWanted } from '#rooms/governance/profiles/index.ts'
import { findTerms, type Terms } from '#rooms/governance/terms/index.ts'
import { findUsers, type User } from '#rooms/identity/users/index.ts'
import { carry } from '../carry.ts'
import { Facts } from '../facts/facts.ts'
import { replay } from '../machine/fold.ts'
import type { Task, TaskAbout } from '../machine/record.ts'
import { routeBy } from '../route.ts'
import { isHeld, listEventsOf, lockTask, reserveNumbers } from '../store.ts'
import type { Deciding } from '../verdict.ts'
import { openTask } from './open.ts'
import { listOpenOfProfile } from './store.ts'

/**
 * What access profiles do with tasks for their members: not requested by a caller, but by the service in the member's name.
 */
export const profileTasks: TaskHands = {
  reserve: (world, count) => transact(world.db, (tx) => reserveNumbers(tx, world.tenant.id, count)),

  async open(tx, world, cause, firstNumber, wanted) {
    const facts = new Facts(tx, world)
    const subjects = new Map(
      (
        await findUsers(
          tx,
          world.tenant.id,
          wanted.map(({ userId }) => userId),
          world.now(),
        )
      ).map((user) => [user.id, user]),
    )
    const termsOf = new Map<string, Terms | null>()
    for (const [place, each] of wanted.entries()) {
      const key = `${each.kind} ${each.appId}/${each.entitlementId}`
      if (!termsOf.has(key)) termsOf.set(key, await termsFor(facts, each))
      const [subject, terms] = [subjects.get(each.userId), termsOf.get(key)]
      if (subject && terms) await openOne(facts, cause, { number: firstNumber + place, each, subject, terms })
    }
  },

  async cancel(tx, world, cause, { profileId, userIds, kinds, comment }) {
    const ids = await listOpenOfProfile(tx, world.tenant.id, { profileId, userIds, kinds })
    const facts = new Facts(tx, world)
    const events = await listEventsOf(tx, world.tenant.id, ids)
    for (const id of ids) {
      const task = await lockTask(tx, world.tenant.id, id)
      if (!task?.isOpen) continue
      const closed = { is: 'closed', outcome: 'cancelled', comment } as const
      const before = { task, state: replay(events.get(id) ?? []) }
      await carry(facts, cause, before, { events: [closed], by: '', verb: 'Cancelled' })
    }
  },
}

/** Null if the entitlement no longer exists, or if its routing rules fail: nothing is granted by a guess. */
async function termsFor(facts: Facts, wanted: TaskWanted): Promise<Terms | null> {
  if (wanted.kind === 'revoke') return facts.terms(wanted)
  const terms = await findTerms(facts.tx, facts.world, wanted)
  return terms && 'refusal' in terms ? null : terms
}

type Wanted = { number: number; each: TaskWanted; subject: User; terms: Terms }

/**
 * An open task for the same access is used instead of a new one. If its policy cannot be resolved, the task is not opened,
 * and that is recorded: nothing is granted.
 */
async function openOne(facts: Facts, cause: Deciding, { number, each, subject, terms }: Wanted): Promise<void> {
  const { tx, world, tenantId } = facts
  const place = {
    appId: each.appId,
    entitlementId: each.entitlementId,
    subjectUserId: subject.id,
    accountId: '',
  }
  const isGrant = each.kind === 'grant'
  const isExtension = isGrant && (await isHeld(tx, tenantId, place, world.now()))
  const durationSeconds = isGrant ? terms.maxSeconds : null
  const about: TaskAbout = {
    ...place,
    kind: each.kind,
    origin: each.origin,
    // A member requests what the profile contains; nobody requests that it is revoked.
    createdBy: isGrant ? subject.id : '',
    resourceTypeId: terms.resourceTypeId,
    resourceId: terms.resourceId,
    displayName: `${isGrant ? 'Grant' : 'Revoke'} ${terms.entitlementName}: ${subject.displayName}`,
    description: each.description,
    source: { profileId: each.profileId, ...(isExtension && { isExtension: true }) },
    parentId: '',
  }
  const policyId = each.policyId ?? (isGrant ? terms.grantPolicyId : terms.revokePolicyId)
  const route = (task: Task) => routeBy(facts, task, { policyId, terms })
  try {
    await openTask(facts, cause, { number, about, durationSeconds, by: about.createdBy, route })
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    const touched = [{ type: 'entitlement', id: each.entitlementId, data: { ...place, profileId: each.profileId } }]
    const message = `Could not open the task ${about.displayName}: ${error.message}`
    await record(tx, world, cause, alert(cause, 'create', message, touched))
  }
}
