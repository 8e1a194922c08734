import type { May } from '#authority/proof.ts'
import { strictRules } from '#kernel/outgoing/addresses.ts'
import { fragmentProblem, isShownUrl, maskProblem, openUrl, redactedUrl, sealUrl } from '#kernel/outgoing/secret-url.ts'
import { urlProblem } from '#kernel/outgoing/send.ts'
import { type FieldViolation, invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Reads, type Tx, transact } from '#kernel/sql.ts'
import { type Activity, alert, causeOf, findHead, record, sealTenant } from '#rooms/foundation/systemlog/index.ts'
import { prepareKey, refuseUnseen } from '#rooms/rules/expressions/index.ts'
import { endOfLink, wordsOf } from './decide.ts'
import { secretsOf } from './deliver/run.ts'
import { kindProblem } from './kinds.ts'
import { requireLog } from './permitted.ts'
import { newSecret, sealSecret } from './secret.ts'
import {
  countSubscriptions,
  deleteSubscription,
  findSubscription,
  insertSubscription,
  lockSubscription,
  updateState,
  updateSubscription,
} from './store/subscriptions.ts'
import type { Subscription } from './subscription.ts'

const notFound = (id: string): Refusal =>
  new Refusal('SUBSCRIPTION_NOT_FOUND', `There is no subscription ${id}.`, { metadata: { id } })

export async function getSubscription(db: Reads, call: Call, id: string): Promise<Subscription> {
  const found = await findSubscription(db, call.tenant.id, id)
  if (!found) throw notFound(id)
  return found
}

export async function holdSubscription(tx: Tx, call: Call, id: string): Promise<Subscription> {
  const found = await lockSubscription(tx, call.tenant.id, id)
  if (!found) throw notFound(id)
  return found
}

export type Wanted = Pick<Subscription, 'displayName' | 'description' | 'url' | 'eventKinds' | 'filter'>

const kindsMax = 50
const perTenantMax = 100

/** Reports all problems of a subscription at once; then checks whether its filter can be evaluated. */
async function checked(call: Call, at: string, wanted: Wanted): Promise<Wanted> {
  const displayName = wanted.displayName.trim()
  const url = wanted.url.trim()
  const filter = wanted.filter.trim()
  const eventKinds = wanted.eventKinds.length === 0 ? ['*'] : [...new Set(wanted.eventKinds)]
  const problems: FieldViolation[] = []
  if (displayName === '') problems.push({ field: `${at}displayName`, description: 'must not be empty' })
  const wrong = urlProblem(url, call.settings.outgoing ?? strictRules) ?? maskProblem(url) ?? fragmentProblem(url)
  if (wrong !== null) problems.push({ field: `${at}url`, description: wrong })
  if (eventKinds.length > kindsMax)
    problems.push({ field: `${at}eventKinds`, description: `must have at most ${kindsMax} items` })
  for (const [place, kind] of eventKinds.slice(0, kindsMax).entries()) {
    const problem = kindProblem(kind)
    if (problem !== null) problems.push({ field: `${at}eventKinds[${place}]`, description: problem })
  }
  if (problems.length > 0) throw invalid(...(problems as [FieldViolation, ...FieldViolation[]]))
  if (filter !== '') {
    const asker = { lane: `subscriptions ${call.tenant.id}`, signal: call.signal }
    const { tells } = await prepareKey(call, asker, filter, 'eventFilter', `${at}filter`)
    await refuseUnseen(call.db, call, tells, `${at}filter`)
  }
  return { displayName, description: wanted.description, url, eventKinds, filter }
}

/** What the system log contains of a subscription: no secret, and no query of the address. */
export const recordAlert = async (
  tx: Tx,
  call: Call,
  activity: Activity,
  message: string,
  { subscription, data = {} }: { subscription: Pick<Subscription, 'id' | 'displayName'>; data?: object },
): Promise<void> => {
  const cause = causeOf(call)
  const touched = [{ type: 'subscription', id: subscription.id, name: subscription.displayName, data }]
  await record(tx, call, cause, alert(cause, activity, message, touched))
}

const dataOf = ({ url, eventKinds, filter }: Wanted) => ({ url: redactedUrl(url), eventKinds, filter })

/** Creates a subscription to events that occur from now on. Only the response contains the secret. */
export async function createSubscription(
  call: May<'subscriptions.create'>,
  sent: Wanted,
): Promise<{ subscription: Subscription; secret: string }> {
  requireLog(call.actor)
  const wanted = await checked(call, '', sent)
  const id = call.newId()
  const secret = newSecret()
  const at = call.now()
  const { userId } = call.actor
  const url = sealUrl(call.seals, call.tenant.id, wanted.url)
  const target = { ...wanted, url, responsibleId: userId }
  // Earlier events are in the links up to here.
  await sealTenant(call, call.tenant.id)
  return transact(call.db, async (tx) => {
    if ((await countSubscriptions(tx, call.tenant.id)) >= perTenantMax)
      throw new Refusal(
        'SUBSCRIPTIONS_TOO_MANY',
        `There can be at most ${perTenantMax} subscriptions. Delete one first.`,
      )
    const head = await findHead(tx, call.tenant.id)
    const subscription: Subscription = {
      id,
      ...target,
      state: 'active',
      reason: '',
      detail: '',
      stateChangedAt: at,
      version: 1,
      sealedSecret: sealSecret({ seals: call.seals, tenantId: call.tenant.id, id, target }, secret),
      sealedOldSecret: null,
      oldSecretUntil: null,
      createdBy: userId,
      createdAt: at,
      updatedAt: at,
      cursor: endOfLink(head?.sealNumber ?? 0),
      attempt: 0,
      failingSince: null,
      nextAttemptAt: null,
      lastDeliveredAt: null,
      deliveredCount: 0,
      filterErrorCount: 0,
      filterError: '',
    }
    await insertSubscription(tx, call, subscription)
    await recordAlert(tx, call, 'create', `Created the subscription ${wanted.displayName}`, {
      subscription,
      data: dataOf(wanted),
    })
    return { subscription, secret }
  })
}

/**
 * Changes its name, what it sends, or its address. Whoever changes it becomes responsible for it. The secrets stay; they are
 * sealed again for the new state.
 */
export async function changeSubscription(
  call: May<'subscriptions.create'>,
  id: string,
  changes: Partial<Wanted>,
): Promise<Subscription> {
  requireLog(call.actor)
  // Before the row is locked: compiling a filter can take a while.
  const seen = await getSubscription(call.db, call, id)
  const { url: sentUrl, ...others } = changes
  const asked = sentUrl === undefined || isShownUrl(sentUrl, seen.url) ? others : changes
  const url = openUrl(call.seals, call.tenant.id, seen.url) ?? ''
  const wanted = await checked(call, 'subscription.', { ...seen, url, ...asked })
  const sealed = { ...wanted, url: sealUrl(call.seals, call.tenant.id, wanted.url) }
  return transact(call.db, async (tx) => {
    const before = await holdSubscription(tx, call, id)
    const picked = Object.fromEntries(
      (Object.keys(asked) as (keyof Wanted)[]).map((name) => [name, sealed[name]]),
    ) as Partial<Wanted>
    const after: Subscription = { ...before, ...picked, responsibleId: call.actor.userId, updatedAt: call.now() }
    // If the row was changed outside the program, only a rotation sets a new secret.
    const secrets = secretsOf(call, call.tenant.id, before)
    const sealing = { seals: call.seals, tenantId: call.tenant.id, id, target: after }
    const [secret, oldSecret] = secrets ?? []
    if (secret !== undefined) after.sealedSecret = sealSecret(sealing, secret)
    after.sealedOldSecret = oldSecret === undefined ? null : sealSecret(sealing, oldSecret)
    if (oldSecret === undefined) after.oldSecretUntil = null
    await updateSubscription(tx, call.tenant.id, after)
    await recordAlert(tx, call, 'update', `Changed the subscription ${after.displayName}`, {
      subscription: after,
      data: { ...dataOf(after), before: dataOf(before) },
    })
    return after
  })
}

/** Creates a new secret; the old one stays valid next to it for a while. */
export const rotateSecret = (
  call: May<'subscriptions.create'>,
  id: string,
  overlapSeconds: number,
): Promise<{ subscription: Subscription; secret: string }> =>
  transact(call.db, async (tx) => {
    requireLog(call.actor)
    const before = await holdSubscription(tx, call, id)
    const [oldSecret] = secretsOf(call, call.tenant.id, before) ?? []
    const at = call.now()
    const isKept = oldSecret !== undefined && overlapSeconds > 0
    const target: Subscription = { ...before, responsibleId: call.actor.userId }
    const sealing = { seals: call.seals, tenantId: call.tenant.id, id, target }
    const secret = newSecret()
    const after: Subscription = {
      ...target,
      sealedSecret: sealSecret(sealing, secret),
      sealedOldSecret: isKept ? sealSecret(sealing, oldSecret) : null,
      oldSecretUntil: isKept ? new Date(at.getTime() + overlapSeconds * 1_000) : null,
      updatedAt: at,
    }
    await updateSubscription(tx, call.tenant.id, after)
    const data = { oldSecretUntil: after.oldSecretUntil?.toISOString() ?? null }
    await recordAlert(tx, call, 'update', `Rotated the secret of the subscription ${after.displayName}`, {
      subscription: after,
      data,
    })
    return { subscription: after, secret }
  })

/** Pauses a subscription. Events that occur in the meantime are kept, and sent once it is resumed. */
export const pauseSubscription = (call: May<'subscriptions.use'>, id: string): Promise<Subscription> =>
  transact(call.db, async (tx) => {
    const before = await holdSubscription(tx, call, id)
    if (before.state !== 'active')
      throw new Refusal('SUBSCRIPTION_STATE', `The subscription is ${before.state}, not active.`)
    const detail = wordsOf.USER
    const after: Subscription = { ...before, state: 'paused', reason: 'USER', detail, ...begun(call) }
    await updateState(tx, call.tenant.id, after)
    await recordAlert(tx, call, 'update', `Paused the subscription ${after.displayName}`, { subscription: after })
    return after
  })

const begun = (call: Call) => ({
  stateChangedAt: call.now(),
  attempt: 0,
  failingSince: null,
  nextAttemptAt: null,
})

/** Resumes after the last acknowledged event; if it is active, tries again at once. */
export const resumeSubscription = (call: May<'subscriptions.use'>, id: string): Promise<Subscription> =>
  transact(call.db, async (tx) => {
    requireLog(call.actor)
    const before = await holdSubscription(tx, call, id)
    const responsible: Subscription = { ...before, responsibleId: call.actor.userId, updatedAt: call.now() }
    const [secret, oldSecret] = secretsOf(call, call.tenant.id, before) ?? []
    // Whoever resumes it becomes responsible for it. One that was changed outside the program is not repaired: it pauses
    // again.
    if (secret !== undefined && before.responsibleId !== responsible.responsibleId) {
      const sealing = { seals: call.seals, tenantId: call.tenant.id, id, target: responsible }
      responsible.sealedSecret = sealSecret(sealing, secret)
      responsible.sealedOldSecret = oldSecret === undefined ? null : sealSecret(sealing, oldSecret)
      await updateSubscription(tx, call.tenant.id, responsible)
    }
    const after: Subscription = { ...responsible, state: 'active', reason: '', detail: '', ...begun(call) }
    await updateState(tx, call.tenant.id, after)
    await recordAlert(tx, call, 'update', `Resumed the subscription ${after.displayName}`, { subscription: after })
    return after
  })

export const removeSubscription = (call: May<'subscriptions.use'>, id: string): Promise<void> =>
  transact(call.db, async (tx) => {
    const before = await holdSubscription(tx, call, id)
    await deleteSubscription(tx, call, id)
    await recordAlert(tx, call, 'delete', `Deleted the subscription ${before.displayName}`, {
      subscription: before,
      data: dataOf(before),
    })
  })
