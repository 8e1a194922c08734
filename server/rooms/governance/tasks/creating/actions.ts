import { may } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
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
import { type Opener, openingFor } from '../verdict.ts'
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
  /** The fingerprint of the plan that the client saw: refused if the request would now have other steps. */
  planFingerprint?: string
}

/** A request that can be made: everything that can be wrong with it was checked. */
export type Prepared = { facts: Facts; terms: Terms; opening: Omit<Opening, 'number'> }

export type Created = Ran & { isEmergencyEnabled: boolean }

/**
 * Creates a request, and advances it as far as possible without people. The number is reserved before the transaction: see
 * numbers.ts.
 */
export const createTask = async (tx: Tx, call: May<Opener>, number: number, asked: Asked): Promise<Created> =>
  openPrepared(call, number, asked, await prepareTask(new Facts(tx, call), call, asked))

export async function openPrepared(
  call: May<Opener>,
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

/** Opens a task for the caller; refused if one for the same access is open. */
export async function openOnly(facts: Facts, call: May<Opener>, opening: Opening): Promise<Ran> {
  const opened = await openTask(facts, openingFor(call), opening)
  if ('twin' in opened) throw taskExists(opened.twin)
  return opened
}

/** Refuses what cannot be requested, and prepares the rest. Writes nothing. */
export async function prepareTask(facts: Facts, call: Call, asked: Asked): Promise<Prepared> {
  const { appId, entitlementId, isEmergency } = asked
  const ref = { appId, entitlementId }
  // Usually the subject is named, or is the caller: then everything is read in one round trip.
  const presumed = { ...ref, subjectUserId: asked.identityUserId || call.actor.userId, accountId: '' }
  const [{ subject, accountId }, early] = await Promise.all([
    subjectOf(facts, call, asked),
    asked.appUserId === '' ? lookAt(facts, call, asked, presumed) : null,
  ])
  const place = { ...ref, subjectUserId: subject?.id ?? '', accountId }
  const { isOffered, isHeld: holds, readTerms } = early ?? (await lookAt(facts, call, asked, place))
  // Checked first: callers who may not request it must not find out whether it exists, or that its routing rules fail.
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
 * Reads what applies to the requested access, whether it may be requested, and whether it is held already. Also reads
 * whether a task for it is open, for later.
 */
async function lookAt(facts: Facts, call: Call, { kind }: Asked, place: Place) {
  const { tx, tenantId } = facts
  const [isOffered, isAlreadyHeld, readTerms] = await Promise.all([
    kind === 'revoke' || isRequestable(tx, call, place.subjectUserId, place),
    isHeld(tx, tenantId, place, call.now()),
    // The refusal is thrown only for callers who may request it.
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

/** The answers, as they are stored; a step asks for missing ones. */
async function answersOf(facts: Facts, route: readonly Step[], data: Answers): Promise<Answers> {
  const forms = formsIn(route)
  const { answers, problems } = await checkAll(facts.tx, facts.tenantId, forms, data ?? {}, facts.world.now())
  const [first, ...others] = problems.map(({ field, description }) => ({ field: `requestData.${field}`, description }))
  if (first) throw invalid(first, ...others)
  return forms.length === 0 ? null : answers
}

/** Creates an offboarding: everything that someone holds by request or manually is revoked, each under its own policy. */
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

/** The subject of the request: the user, or the owner of the account; the caller if neither is given. */
async function subjectOf(facts: Facts, call: Call, asked: Asked): Promise<Subject> {
  const { actor, tenant } = call
  const ref = { appId: asked.appId, id: asked.appUserId }
  const [account] = asked.appUserId === '' ? [] : await findAccounts(facts.tx, tenant.id, [ref])
  const isKnown = account && account.deletedAt === null
  const userId = asked.identityUserId || (asked.appUserId === '' ? actor.userId : (account?.identityUserId ?? ''))
  const mayAskForOthers = may(actor, 'tasks.request-for-others')
  const subject = await facts.subject(userId)
  const isForOther = userId !== actor.userId
  // The same response whether or not the user or account exists: it does not reveal who is a user.
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
