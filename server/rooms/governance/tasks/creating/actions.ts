import { may } from '#authority/may.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import type { Step } from '#rooms/governance/policies/index.ts'
import { isRequestable } from '#rooms/governance/profiles/index.ts'
import { refuseUnjustified, type Terms, termsOf, unroutedTerms } from '#rooms/governance/terms/index.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import { accountNotFound, findAccounts } from '#rooms/records/accounts/index.ts'
import { entitlementNotFound } from '#rooms/records/apps/index.ts'
import { checkAll, formsIn } from '../answers.ts'
import { durationOf, policyOf } from '../by-terms.ts'
import { addressField } from '../facts/conditions.ts'
import { findSubject, type SubjectRow } from '../facts/store.ts'
import type { Task, TaskAbout, TaskOrigin } from '../machine/record.ts'
import type { Ran } from '../machine/run.ts'
import { refuseChangedPlan } from '../planning/fingerprint.ts'
import { accessNotHeld, notRequestable, taskExists } from '../refuse.ts'
import { offboardingRoute, type Routed, routeBy, settingsOf } from '../route.ts'
import { findOpenTwin, isHeld, lockOpenTwin } from '../store.ts'
import { type Born, openTask } from './open.ts'

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
  /** Of a plan that was seen: refused where the request would go another way by now. */
  planFingerprint?: string
}

/** A request that could be made: all that can be wrong with it was looked at. */
export type Prepared = {
  terms: Terms
  born: Omit<Born, 'number'>
  route(task: Task): Promise<Routed>
  answersTo(routed: Routed): Promise<Asked['answers']>
}

export type Created = Ran & { isEmergencyEnabled: boolean }

/** Creates a request, and carries it as far as it goes by itself. The number is taken before: see numbers.ts. */
export const createTask = async (tx: Tx, call: Call, number: number, asked: Asked): Promise<Created> =>
  openPrepared(tx, call, number, asked, await prepareTask(tx, call, asked))

export async function openPrepared(
  tx: Tx,
  call: Call,
  number: number,
  asked: Asked,
  { born, terms, route, answersTo }: Prepared,
): Promise<Created> {
  const opened = await openTask(
    tx,
    call,
    causeOf(call),
    { ...born, number },
    call.actor.userId,
    route,
    answersTo,
    asked.planFingerprint ? (of) => refuseChangedPlan(tx, call, asked.planFingerprint ?? '', of) : null,
  )
  return { ...(await told(tx, call, opened)), isEmergencyEnabled: terms.isEmergencyEnabled }
}

/** Refuses what cannot be requested, and says what would be. It writes nothing. */
export async function prepareTask(tx: Tx, call: Call, asked: Asked): Promise<Prepared> {
  const { appId, entitlementId } = asked
  const ref = { appId, entitlementId }
  // Whom it is about is mostly said, or is the caller: then all that has to be known is asked in one round trip.
  const isAsked = asked.appUserId === ''
  const presumed = { ...ref, subjectUserId: asked.identityUserId || call.actor.userId, accountId: '' }
  const early = isAsked ? lookAt(tx, call, asked, presumed) : null
  const { subject, accountId } = await subjectOf(tx, call, asked)
  const place = { ...ref, subjectUserId: subject?.id ?? '', accountId }
  const { looked, twin } = early ?? lookAt(tx, call, asked, place)
  const { isOffered, holds, readTerms } = await looked
  // First: whoever may not request it does not learn whether it is there, nor that its routing rules fail.
  if (!isOffered) throw notRequestable(appId, entitlementId)
  const terms = readTerms()
  if (!terms && asked.kind === 'revoke' && !may(call.actor, 'entitlements.read'))
    throw accessNotHeld({ ...asked, identityUserId: place.subjectUserId })
  if (!terms) throw entitlementNotFound(appId, entitlementId)
  await refuseUnjustified(tx, call, asked.description, asked.kind === 'grant' ? terms.formId : '')
  const durationSeconds = asked.kind === 'grant' ? durationOf(asked.durationSeconds, terms, 'grantDuration') : null
  if (asked.kind === 'revoke' && !holds) throw accessNotHeld({ ...asked, identityUserId: place.subjectUserId })
  const isGrant = asked.kind === 'grant'
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
  const { isEmergency } = asked
  return {
    terms,
    born: {
      about,
      durationSeconds,
      answers: null,
      isEmergency,
      settings: settingsOf(asked, terms),
      known: { subject: subject && Promise.resolve(subject), twin },
    },
    route: (task) => routeBy(tx, call, task, task, policyOf(asked, terms), terms),
    answersTo: async ({ route }) => (isGrant ? answersOf(tx, call, route, asked.answers) : null),
  }
}

type Place = { appId: string; entitlementId: string; subjectUserId: string; accountId: string }

/** What has to be known of what is asked for, sent in one go. What fails is told to whoever waits for it. */
function lookAt(tx: Tx, call: Call, asked: Asked, place: Place) {
  const looked = lookedAt(tx, call, asked, place)
  const twin = lockOpenTwin(tx, call.tenant.id, { kind: asked.kind, ...place })
  looked.catch(() => {})
  twin.catch(() => {})
  return { looked, twin }
}

/** What applies to what is asked for, whether it may be requested, and whether it is held already. */
async function lookedAt(tx: Tx, call: Call, { kind }: Asked, place: Place) {
  const [isOffered, holds, readTerms] = await Promise.all([
    kind === 'revoke' || isRequestable(tx, call, place.subjectUserId, place),
    isHeld(tx, call.tenant.id, place, call.now()),
    // A refusal is told only to those who may request it.
    (kind === 'grant' ? termsOf : unroutedTerms)(tx, call, place).then(
      (terms) => () => terms,
      (error: unknown) => (): never => {
        throw error
      },
    ),
  ])
  return { isOffered, holds, readTerms }
}

/** The task that was opened; refused where one about the same is open. */
export async function told(tx: Tx, call: Call, opened: Awaited<ReturnType<typeof openTask>>): Promise<Ran> {
  if ('ran' in opened) return opened.ran
  const twin = await findOpenTwin(tx, call.tenant.id, opened.twinOf)
  throw twin
    ? taskExists(twin)
    : new Refusal('LOST_RACE', 'The same object was being changed by another request; try again.')
}

export const originOf = ({ actor }: Call): TaskOrigin =>
  actor.sessionId === '' ? 'TASK_ORIGIN_API' : 'TASK_ORIGIN_WEBAPP'

/** What was answered, as it is kept; what is missing is asked for in a step. */
async function answersOf(
  tx: Tx,
  call: Call,
  route: readonly Step[],
  data: Asked['answers'],
): Promise<Asked['answers']> {
  const forms = formsIn(route)
  const { answers, problems } = await checkAll(tx, call.tenant.id, forms, data ?? {}, call.now())
  const [first, ...others] = problems.map(({ field, description }) => ({ field: `requestData.${field}`, description }))
  if (first) throw invalid(first, ...others)
  return forms.length === 0 ? null : answers
}

/** Someone leaves: everything that they hold by request or by hand is revoked, each under its own policy. */
export async function createOffboarding(
  tx: Tx,
  call: Call,
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
  const born = { number, about, durationSeconds: null, answers: null, isEmergency: false }
  const opened = await openTask(tx, call, causeOf(call), born, call.actor.userId, async () => offboardingRoute())
  return told(tx, call, opened)
}

type Subject = { subject: SubjectRow | null; accountId: string }

/** Whose access it is about: the user, or who has the account; the caller where neither is said. */
async function subjectOf(db: Reads, call: Call, asked: Asked): Promise<Subject> {
  const { actor, tenant } = call
  const ref = { appId: asked.appId, id: asked.appUserId }
  const [account] = asked.appUserId === '' ? [] : await findAccounts(db, tenant.id, [ref])
  const isKnown = account && account.deletedAt === null
  const userId = asked.identityUserId || (asked.appUserId === '' ? actor.userId : (account?.identityUserId ?? ''))
  const mayAskForOthers = may(actor, 'tasks.request-for-others')
  const subject = userId === '' ? null : await findSubject(db, tenant.id, userId, call.now())
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
