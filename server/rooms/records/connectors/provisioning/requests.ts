import type { Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { insertSettled } from '#rooms/records/grants/index.ts'
import { connectorCause } from '../cause.ts'
import { shownState, type TaskState } from '../connector.ts'
import { findTask, lockConnector } from '../tasks/store.ts'
import { withoutConnectors } from './carrier.ts'
import { endTask, replacedWhy, rootOf } from './end.ts'
import { placeDeletion, placeReady, prepareWish, type Ready, type Wish } from './place.ts'
import { listFacts } from './store/facts.ts'
import { findAccountsOf, findEntitlement, listAccountsOfUser } from './store/objects.ts'
import { listProvisioners } from './store/provisioners.ts'
import { listOpenOf, listTasksOf, setAwaited } from './store/tasks.ts'

type Doing = World & { tenant: Tenancy }

export type RequestAsked = Omit<Wish, 'isAwaited'>
export type PreparedRequest = Ready
type Prepared =
  /** What connectors would have to do; empty if nothing has to be done in the app, and recording it is enough. */
  | { is: 'ready'; requests: readonly PreparedRequest[] }
  /** Why no connector can do it: people have to. */
  | { is: 'impossible'; why: string }

/**
 * What the connector of the app would have to do for a request, for one account or for several. If one of them is
 * impossible, none is placed: people get the request, and a connector would otherwise do half of their work. Nothing is
 * written.
 */
export async function prepareRequest(tx: Tx, doing: Doing, asked: readonly RequestAsked[]): Promise<Prepared> {
  const requests: Ready[] = []
  for (const each of asked) {
    const found = await lookAt(tx, doing, each)
    if (found?.is === 'impossible') return { is: 'impossible', why: found.why }
    if (found) requests.push(found)
  }
  return { is: 'ready', requests }
}

/**
 * Has connectors do what was prepared in this transaction. `newAccountId`: the account that was created meanwhile if there
 * was none.
 */
export async function placeRequest(
  tx: Tx,
  doing: Doing,
  requests: readonly PreparedRequest[],
  newAccountId: string,
): Promise<{ connectorId: string; rootId: string }[]> {
  const placed: { connectorId: string; rootId: string }[] = []
  for (const each of requests) {
    const accountId = each.wish.accountId || newAccountId
    placed.push(await placeReady(tx, doing, { ...each, wish: { ...each.wish, accountId } }))
  }
  return placed
}

/**
 * Null if the app has what is requested already, and, unless a connector has to do it, if the app has no connector or the
 * entitlement exists only here.
 */
async function lookAt(
  tx: Tx,
  doing: Doing,
  wish: RequestAsked,
): Promise<Ready | { is: 'impossible'; why: string } | null> {
  const { appId, entitlementId, accountId, kind } = wish
  const tenantId = doing.tenant.id
  const [connectors, entitlement, [account], [fact]] = await Promise.all([
    listProvisioners(tx, tenantId, appId),
    findEntitlement(tx, tenantId, wish),
    findAccountsOf(tx, tenantId, appId, [accountId]),
    listFacts(tx, tenantId, appId, [{ entitlementId, accountId }], { at: doing.now() }),
  ])
  const without = withoutConnectors(connectors, entitlement, wish.isRequired === true)
  if (without) return without.is === 'people' ? { is: 'impossible', why: without.why } : null
  const open = await listOpenOf(tx, tenantId, wish)
  const isQuiet = !open.some((task) => task.entitlementId === entitlementId)
  if (kind === 'grant' && isQuiet && fact?.inAppSince) return null
  if (kind === 'revoke' && isQuiet && account?.externalId === '') return null
  if (kind === 'revoke' && fact?.inAppSince && fact.isDerived)
    return {
      is: 'impossible',
      why: 'The account has it through another entitlement of the app, such as a group. Remove that one.',
    }
  return prepareWish(tx, doing, { ...wish, isAwaited: true })
}

export type Outcome = {
  state: TaskState
  error: string
  accountId: string
  /** The opposite was decided meanwhile. */
  isReplaced: boolean
  connectorName: string
}

/** Takes the result of a task that a request waited for. From now on, other decisions count again. */
export async function takeOutcome(
  tx: Tx,
  tenantId: number,
  { connectorId, taskId }: { connectorId: string; taskId: string },
): Promise<Outcome | null> {
  const connector = await lockConnector(tx, tenantId, connectorId)
  const task = await findTask(tx, tenantId, connectorId, taskId)
  if (!task || task.kind === 'sync') return null
  await setAwaited(tx, tenantId, task, false)
  await insertSettled(tx, tenantId, task)
  const { state, error, accountId } = task
  return { state, error, accountId, isReplaced: error === replacedWhy, connectorName: connector?.displayName ?? '' }
}

/**
 * A request no longer waits for its tasks. Queued ones are cancelled; a leased one is undone, unless something else wants
 * it, once its outcome is known.
 */
export async function releaseRequest(
  tx: Tx,
  doing: Doing,
  { connectorId, rootId }: { connectorId: string; rootId: string },
): Promise<void> {
  const tenantId = doing.tenant.id
  const connector = await lockConnector(tx, tenantId, connectorId)
  const root = await findTask(tx, tenantId, connectorId, rootId)
  if (!root || root.kind === 'sync') return
  const repeated = await listTasksOf(tx, tenantId, root.appId, [root])
  for (const task of repeated.filter((each) => rootOf(each) === rootId && each.isAwaited)) {
    await setAwaited(tx, tenantId, task, false)
    if (task.state === 'queued') {
      const cause = connectorCause(doing.tenant, { displayName: connector?.displayName ?? '' }, 'provisioning')
      const ended = { state: 'cancelled', error: 'The request was closed.' } as const
      await endTask(tx, doing, cause, { ...task, isAwaited: false }, ended)
    }
    await insertSettled(tx, tenantId, task)
  }
}

/** The progress of the tasks that a request waits for, to be shown. */
export async function findProgress(
  tx: Tx,
  tenantId: number,
  { connectorId, rootId }: { connectorId: string; rootId: string },
): Promise<{ state: string; connectorName: string; error: string } | null> {
  const root = await findTask(tx, tenantId, connectorId, rootId)
  if (!root || root.kind === 'sync') return null
  const all = await listTasksOf(tx, tenantId, root.appId, [root])
  const last = all.find((task) => rootOf(task) === rootId) ?? root
  const connectors = await listProvisioners(tx, tenantId, root.appId)
  const connectorName = connectors.find(({ id }) => id === connectorId)?.displayName ?? ''
  return { state: shownState(last.state), error: last.error, connectorName }
}

/** Has the accounts of someone who left deleted, in the apps whose settings say so. Returns how many will be. */
export async function deleteAccountsOf(tx: Tx, doing: Doing, userId: string): Promise<number> {
  let count = 0
  for (const { appId, id: accountId } of await listAccountsOfUser(tx, doing.tenant.id, userId))
    if (await placeDeletion(tx, doing, { appId, accountId, askedBy: '' })) count++
  return count
}
