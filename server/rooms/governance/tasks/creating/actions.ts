import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { isRequestable } from '#rooms/governance/profiles/index.ts'
import { refuseUnjustified, type Terms, termsOf, unroutedTerms } from '#rooms/governance/terms/index.ts'
import { findUsers, type User } from '#rooms/identity/users/index.ts'
import { accountNotFound, findAccounts } from '#rooms/records/accounts/index.ts'
import { entitlementNotFound } from '#rooms/records/apps/index.ts'
import { addressField } from '../assigning/facts.ts'
import { carry } from '../carry.ts'
import { unborn } from '../machine/fold.ts'
import type { Ran } from '../machine/run.ts'
import type { Task, TaskOrigin } from '../record.ts'
import { durationTooLong, notRequestable, taskExists } from '../refuse.ts'
import { routeBy, settingsOf } from '../route.ts'
import { findOpenTwin, insertTask, isHeld } from '../store.ts'

export type Asked = {
  kind: 'grant' | 'revoke'
  appId: string
  entitlementId: string
  identityUserId: string
  appUserId: string
  description: string
  durationSeconds: number | null
  isEmergency: boolean
  answers: { readonly [name: string]: unknown } | null
  source: { readonly [name: string]: unknown }
}

/** Creates a request, and carries it as far as it goes by itself. The number is taken before: see numbers.ts. */
export async function createTask(tx: Tx, call: Call, number: number, asked: Asked): Promise<Ran> {
  const { appId, entitlementId } = asked
  const { subject, accountId } = await subjectOf(tx, call, asked)
  const terms = await (asked.kind === 'grant' ? termsOf : unroutedTerms)(tx, call, { appId, entitlementId })
  if (!terms) throw entitlementNotFound(appId, entitlementId)
  if (asked.kind === 'grant' && !(await isRequestable(tx, call, subject?.id ?? '', { appId, entitlementId })))
    throw notRequestable(appId, entitlementId)
  await refuseUnjustified(tx, call, asked.description, asked.kind === 'grant' ? terms.formId : '')
  const durationSeconds = asked.kind === 'grant' ? durationOf(asked.durationSeconds, terms, 'grantDuration') : null
  const about = { appId, entitlementId, subjectUserId: subject?.id ?? '', accountId }
  const holds = await isHeld(tx, call.tenant.id, about, call.now())
  if (asked.kind === 'revoke' && !holds)
    throw new Refusal('ACCESS_NOT_HELD', 'This access is not held, so that there is nothing to revoke.', {
      metadata: { appId, appEntitlementId: entitlementId, identityUserId: about.subjectUserId },
    })
  const at = call.now()
  const origin: TaskOrigin = call.actor.sessionId === '' ? 'TASK_ORIGIN_API' : 'TASK_ORIGIN_WEBAPP'
  const task: Task = {
    ...about,
    id: call.newId(),
    number,
    kind: asked.kind,
    origin,
    createdBy: call.actor.userId,
    resourceTypeId: terms.resourceTypeId,
    resourceId: terms.resourceId,
    displayName: `${asked.kind === 'grant' ? 'Grant' : 'Revoke'} ${terms.entitlementName}${subject ? `: ${subject.displayName}` : ''}`,
    description: asked.description,
    source: {
      ...asked.source,
      ...(asked.kind === 'grant' && holds && { isExtension: true }),
      [addressField]: call.sourceAddress,
    },
    isOpen: true,
    outcome: null,
    outcomeAt: null,
    isEmergency: asked.isEmergency,
    durationSeconds,
    policyId: '',
    stepId: '',
    stepKind: '',
    stepApprovers: '',
    stepDueAt: null,
    stuckWhy: null,
    approverIds: [],
    commentCount: 0,
    version: 0,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
  const routed = await routeBy(tx, call, task, task, policyOf(asked, terms))
  if (!(await insertTask(tx, call.tenant.id, task))) {
    const twin = await findOpenTwin(tx, call.tenant.id, task)
    throw twin ? taskExists(twin) : new Refusal('LOST_RACE', 'Others were changing the same thing; try again.')
  }
  const created = { is: 'created', durationSeconds, answers: asked.answers, isEmergency: asked.isEmergency } as const
  return carry(tx, call, causeOf(call), task, unborn, {
    events: [created, settingsOf(asked, terms), routed],
    by: call.actor.userId,
    verb: 'Created',
    activity: 'create',
  })
}

/** In an emergency the policy for it, where the entitlement has one. */
export function policyOf({ kind, isEmergency }: Pick<Asked, 'kind' | 'isEmergency'>, terms: Terms): string {
  if (kind === 'revoke') return terms.revokePolicyId
  if (!isEmergency) return terms.grantPolicyId
  if (!terms.isEmergencyEnabled || terms.emergencyPolicyId === '')
    throw new Refusal('EMERGENCY_UNAVAILABLE', 'This entitlement has no emergency access.')
  return terms.emergencyPolicyId
}

/** How long access is asked for: what the entitlement allows at most, unless less is said. */
export function durationOf(
  asked: number | null,
  { maxSeconds }: Pick<Terms, 'maxSeconds'>,
  field: string,
): number | null {
  if (asked === null) return maxSeconds
  if (asked < 1 || !Number.isInteger(asked)) throw invalid({ field, description: 'must be whole seconds, at least 1s' })
  if (maxSeconds !== null && asked > maxSeconds) throw durationTooLong(field, maxSeconds)
  return asked
}

type Subject = { subject: User | null; accountId: string }

/** Whose access it is about: the user, or who has the account; the caller where neither is said. */
async function subjectOf(db: Reads, call: Call, asked: Asked): Promise<Subject> {
  const { actor, tenant } = call
  const ref = { appId: asked.appId, id: asked.appUserId }
  const [account] = asked.appUserId === '' ? [] : await findAccounts(db, tenant.id, [ref])
  const isKnown = account && account.deletedAt === null
  const userId = asked.identityUserId || (asked.appUserId === '' ? actor.userId : (account?.identityUserId ?? ''))
  const mayAskForOthers = actor.permissions.has('tasks.others')
  const [subject] = userId === '' ? [] : await findUsers(db, tenant.id, [userId], call.now())
  const isForOther = userId !== actor.userId
  // The same answer whether or not there is such a user or account: nobody learns who is here.
  if (isForOther && !mayAskForOthers && !subject?.managerIds.includes(actor.userId))
    throw new Refusal('PERMISSION_DENIED', 'This needs the permission tasks.others, unless you are their manager.', {
      metadata: { permission: 'tasks.others' },
    })
  if (asked.appUserId !== '' && !isKnown) throw accountNotFound(ref)
  if (account && asked.identityUserId !== '' && account.identityUserId !== asked.identityUserId)
    throw invalid({ field: 'appUserId', description: 'is not an account of identityUserId' })
  if (userId !== '' && !subject)
    throw new Refusal('USER_NOT_FOUND', `There is no user ${userId}.`, { metadata: { userId } })
  if (asked.kind === 'grant' && (!subject || subject.status !== 'ENABLED' || subject.deletedAt !== null))
    throw new Refusal('SUBJECT_DISABLED', 'Access cannot be requested for someone who is disabled or deleted.')
  return { subject: subject ?? null, accountId: asked.appUserId }
}
