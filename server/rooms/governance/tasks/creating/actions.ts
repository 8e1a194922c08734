import { may } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import type { Step } from '#rooms/governance/policies/index.ts'
import { isRequestable } from '#rooms/governance/profiles/index.ts'
import { refuseUnjustified, type Terms, termsOf } from '#rooms/governance/terms/index.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import { accountNotFound, findAccounts } from '#rooms/records/accounts/index.ts'
import { entitlementNotFound } from '#rooms/records/apps/index.ts'
import { checkAll, formsIn } from '../facts/answers.ts'
import { addressField } from '../facts/conditions.ts'
import { Facts } from '../facts/facts.ts'
import type { SubjectRow } from '../facts/store.ts'
import type { Task, TaskAbout, TaskOrigin } from '../machine/record.ts'
import type { Ran } from '../machine/unfold.ts'
import { refuseChangedPlan } from '../planning/fingerprint.ts'
import { accessNotHeld, notRequestable, taskExists } from '../refuse.ts'
import { durationOf, offboardingRoute, policyOf, type Routed, routeBy, settingsOf } from '../route.ts'
import { isHeld } from '../store.ts'
import { type Answers, type Opening, openTask } from './open.ts'

export type Asked = {
  kind: 'grant' | 'revoke'
  appId: string
  entitlementId: string
  identityUserId: string
  appUserId: string
  description: string
  durationSeconds: number | null
  isEmergency: boolean
  answers: Answers
  source: { readonly [name: string]: unknown }
  /** Of a plan that was seen: refused where the request would go another way by now. */
  planFingerprint?: string
}

/** A request that could be made: all that can be wrong with it was looked at. */
export type Prepared = { facts: Facts; terms: Terms; opening: Omit<Opening, 'number'> }

export type Created = Ran & { isEmergencyEnabled: boolean }

/** Creates a request, and carries it as far as it goes by itself. The number is taken before: see numbers.ts. */
export const createTask = async (tx: Tx, call: Call, number: number, asked: Asked): Promise<Created> =>
  openPrepared(call, number, asked, await prepareTask(new Facts(tx, call), call, asked))

export async function openPrepared(
  call: Call,
  number: number,
  { planFingerprint = '' }: Asked,
  { facts, opening, terms }: Prepared,
): Promise<Created> {
  const ran = await openOnly(facts, call, {
    ...opening,
    number,
    check: (of) => refuseChangedPlan(facts, call, planFingerprint, of),
  })
  return { ...ran, isEmergencyEnabled: terms.isEmergencyEnabled }
}

/** Opens a task for the caller; refused where one about the same is open. */
export async function openOnly(facts: Facts, call: Call, opening: Opening): Promise<Ran> {
  const opened = await openTask(facts, causeOf(call), opening)
  if ('twin' in opened) throw taskExists(opened.twin)
  return opened
}

/** Refuses what cannot be requested, and says what would be. It writes nothing. */
export async function prepareTask(facts: Facts, call: Call, asked: Asked): Promise<Prepared> {
  const { appId, entitlementId, isEmergency } = asked
  const ref = { appId, entitlementId }
  // Whom it is about is mostly said, or is the caller: then all that has to be known is asked in one round trip.
  const presumed = { ...ref, subjectUserId: asked.identityUserId || call.actor.userId, accountId: '' }
  const [{ subject, accountId }, early] = await Promise.all([
    subjectOf(facts, call, asked),
    asked.appUserId === '' ? lookAt(facts, call, asked, presumed) : null,
  ])
  const place = { ...ref, subjectUserId: subject?.id ?? '', accountId }
  const { isOffered, isHeld: holds, readTerms } = early ?? (await lookAt(facts, call, asked, place))
  // First: whoever may not request it does not learn whether it is there, nor that its routing rules fail.
  if (!isOffered) throw notRequestable(appId, entitlementId)
  const terms = readTerms()
  const notHeld = () => accessNotHeld({ ...ref, identityUserId: place.subjectUserId })
  if (!terms && asked.kind === 'revoke' && !may(call.actor, 'entitlements.read')) throw notHeld()
  if (!terms) throw entitlementNotFound(appId, entitlementId)
  await refuseUnjustified(facts.tx, call, asked.description, asked.kind === 'grant' ? terms.formId : '')
  const isGrant = asked.kind === 'grant'
  const durationSeconds = isGrant ? durationOf(asked.durationSeconds, terms, 'grantDuration') : null
  if (!isGrant && !holds) throw notHeld()
  const about: TaskAbout = {
    ...place,
    kind: asked.kind,
    origin: originOf(call),
    createdBy: call.actor.userId,
    resourceTypeId: terms.resourceTypeId,
    resourceId: terms.resourceId,
    displayName: `${isGrant ? 'Grant' : 'Revoke'} ${terms.entitlementName}${subject ? `: ${subject.displayName}` : ''}`,
    description: asked.description,
    source: { ...asked.source, ...(isGrant && holds && { isExtension: true }), [addressField]: call.sourceAddress },
    parentId: '',
  }
  const opening = {
    about,
    durationSeconds,
    isEmergency,
    settings: settingsOf(asked, terms),
    by: call.actor.userId,
    route: (task: Task) => routeBy(facts, task, { policyId: policyOf(asked, terms), terms }),
    answersTo: async ({ route }: Routed) => (isGrant ? answersOf(facts, route, asked.answers) : null),
  }
  return { facts, terms, opening }
}

type Place = { appId: string; entitlementId: string; subjectUserId: string; accountId: string }

/**
 * What applies to what is asked for, whether it may be requested, and whether it is held already. Whether a task about it is open
 * is read along with it, for later.
 */
async function lookAt(facts: Facts, call: Call, { kind }: Asked, place: Place) {
  const { tx, tenantId } = facts
  const [isOffered, isAlreadyHeld, readTerms] = await Promise.all([
    kind === 'revoke' || isRequestable(tx, call, place.subjectUserId, place),
    isHeld(tx, tenantId, place, call.now()),
    // A refusal is told only to those who may request it.
    (kind === 'grant' ? termsOf(tx, call, place) : facts.terms(place)).then(
      (terms) => () => terms,
      (error: unknown) => (): never => {
        throw error
      },
    ),
    facts.openTwin({ kind, ...place }),
  ])
  return { isOffered, isHeld: isAlreadyHeld, readTerms }
}

export const originOf = ({ actor }: Call): TaskOrigin =>
  actor.sessionId === '' ? 'TASK_ORIGIN_API' : 'TASK_ORIGIN_WEBAPP'

/** What was answered, as it is kept; what is missing is asked for in a step. */
async function answersOf(facts: Facts, route: readonly Step[], data: Answers): Promise<Answers> {
  const forms = formsIn(route)
  const { answers, problems } = await checkAll(facts.tx, facts.tenantId, forms, data ?? {}, facts.world.now())
  const [first, ...others] = problems.map(({ field, description }) => ({ field: `requestData.${field}`, description }))
  if (first) throw invalid(first, ...others)
  return forms.length === 0 ? null : answers
}

/** Someone leaves: everything that they hold by request or by hand is revoked, each under its own policy. */
export async function createOffboarding(
  tx: Tx,
  call: May<'tasks.offboard'>,
  number: number,
  { subjectUserId, description }: { subjectUserId: string; description: string },
): Promise<Ran> {
  const [subject] = await findUsers(tx, call.tenant.id, [subjectUserId], call.now())
  if (!subject)
    throw new Refusal('USER_NOT_FOUND', `There is no user ${subjectUserId}.`, { metadata: { userId: subjectUserId } })
  const about: TaskAbout = {
    kind: 'offboarding',
    origin: originOf(call),
    createdBy: call.actor.userId,
    subjectUserId,
    description,
    appId: '',
    entitlementId: '',
    accountId: '',
    resourceTypeId: '',
    resourceId: '',
    parentId: '',
    displayName: `Offboard ${subject.displayName}`,
    source: { [addressField]: call.sourceAddress },
  }
  const opening = { number, about, by: call.actor.userId, route: async () => offboardingRoute() }
  return openOnly(new Facts(tx, call), call, opening)
}

type Subject = { subject: SubjectRow | null; accountId: string }

/** Whose access it is about: the user, or who has the account; the caller where neither is said. */
async function subjectOf(facts: Facts, call: Call, asked: Asked): Promise<Subject> {
  const { actor, tenant } = call
  const ref = { appId: asked.appId, id: asked.appUserId }
  const [account] = asked.appUserId === '' ? [] : await findAccounts(facts.tx, tenant.id, [ref])
  const isKnown = account && account.deletedAt === null
  const userId = asked.identityUserId || (asked.appUserId === '' ? actor.userId : (account?.identityUserId ?? ''))
  const mayAskForOthers = may(actor, 'tasks.request-for-others')
  const subject = await facts.subject(userId)
  const isForOther = userId !== actor.userId
  // The same answer whether or not there is such a user or account: nobody learns who is here.
  if (isForOther && !mayAskForOthers && !subject?.managerIds.includes(actor.userId))
    throw new Refusal('PERMISSION_DENIED', 'This needs the permission tasks.others, unless you are their manager.', {
      metadata: { permission: 'tasks.others' },
    })
  if (asked.appUserId !== '' && !isKnown) throw accountNotFound(ref)
  if (account && asked.identityUserId !== '' && account.identityUserId !== asked.identityUserId)
    throw mayAskForOthers
      ? invalid({ field: 'appUserId', description: 'is not an account of identityUserId' })
      : accountNotFound(ref)
  if (userId !== '' && !subject)
    throw new Refusal('USER_NOT_FOUND', `There is no user ${userId}.`, { metadata: { userId } })
  if (asked.kind === 'grant' && !subject?.isEnabled)
    throw new Refusal('SUBJECT_DISABLED', 'Access cannot be requested for someone who is disabled or deleted.')
  return { subject, accountId: asked.appUserId }
}
