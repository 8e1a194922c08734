import { hostname } from 'node:os'
import { type JobCall, type JobKind, jobKind } from '#kernel/jobs.ts'
import { strictRules } from '#kernel/outgoing/addresses.ts'
import { openOutgoing } from '#kernel/outgoing/send.ts'
import { loadWriter } from '#rooms/records/baton/index.ts'
import { connectorCause } from '../../cause.ts'
import { findAnyConnector } from '../../connector/store.ts'
import type { ProvisioningTask } from '../../connector.ts'
import type { CreatedAccount } from '../../provisioning/created.ts'
import { findAccountsOf, findEntitlement, findPersonOf } from '../../provisioning/store/objects.ts'
import { builtInAgent, hostOf, type ScimConnection } from '../../scim-connection/connection.ts'
import { findConnection, setWait } from '../../scim-connection/store.ts'
import { noteSeen } from '../../tasks/store.ts'
import { finishTask, leaseTasks, type Report, releaseTask } from '../../work/actions.ts'
import { scimTasksDue } from '../names.ts'
import { type ScimClient, scimClient } from '../protocol/client.ts'
import { ScimFailed } from '../protocol/failed.ts'
import { userOf } from '../reading/mapped.ts'
import { openAccess, unreadableToken } from '../seal.ts'
import { addMember, createUser, removeMember, removeUser } from './carry.ts'

/** Longer than everything that is done for one task takes, with its retries. */
const leaseMs = 5 * 60_000
/** After so many tasks another job continues, so that other connectors get their turn. */
const tasksMax = 100
const workMs = 60_000
/** How often a task is returned to the queue because the app asks to wait, or cannot be reached. */
const waitsMax = 10
const waitEachMs = 15_000

/**
 * Provisions in apps that support SCIM. Tasks are leased and reported as by any connector: if a reply is lost, or the server
 * is killed, the outcome is unknown, and the next sync shows it.
 */
export const changeScimApps: JobKind = jobKind(scimTasksDue, {
  title: 'SCIM provisioning',
  retry: { firstMs: 2_000, maxMs: 60_000, attemptsMax: 50 },
  limitPerTenant: 2,
  afterUnknown: 'retry',
  attemptMs: 10 * 60_000,
  async handle(call) {
    const { connectorId } = call.job.payload
    const connection = await findConnection(call.db, call.tenant.id, connectorId)
    if (!connection || (connection.waitUntil && connection.waitUntil > call.now())) return
    const outgoing = openOutgoing(call.settings.outgoing ?? strictRules)
    const access = openAccess(call, call.tenant.id, connection)
    const client = access && scimClient(access, outgoing, { signal: call.signal })
    try {
      const until = performance.now() + workMs
      for (let count = 0; count < tasksMax && performance.now() < until && !call.signal.aborted; count++)
        if (!(await doNext(call, connection, client))) return
    } finally {
      outgoing.close()
    }
  },
})

/** Does one task. False if there is none, or if the app asks to wait. */
async function doNext(
  call: JobCall<{ connectorId: string }>,
  connection: ScimConnection,
  client: ScimClient | null,
): Promise<boolean> {
  const { connectorId } = connection
  const tenantId = call.tenant.id
  const hostId = hostOf(hostname(), call.job.id)
  const [task] = await leaseTasks(call, tenantId, connectorId, { hostId, countMax: 1, only: 'provisioning', leaseMs })
  const connector = task && (await findAnyConnector(call.db, tenantId, connectorId))
  if (!task || !connector) return false
  const cause = connectorCause(call.tenant, connector, scimTasksDue.kind)
  const report = (of: Omit<Report, 'hostId' | 'taskId'>): Promise<boolean> =>
    finishTask(call, cause, connectorId, { hostId, taskId: task.id, ...of })
  let account: CreatedAccount | null
  try {
    if (!client) throw new ScimFailed(unreadableToken)
    account = await carryOut(call, client, connection, task as ProvisioningTask)
  } catch (error) {
    if (!(error instanceof ScimFailed)) {
      // A bug in this server; whether it occurred before or after the request is unknown.
      call.log.error({ err: error, connectorId, taskId: task.id }, 'a task could not be done by SCIM')
      const words = 'Unexpected error. The server log has the details.'
      await report({ error: words, isUnknown: true })
      return true
    }
    const { status, retryAfterMs, mayBeDone, isUnreached } = error.is
    const isPassing = status === 429 || status === 503 || isUnreached
    if ((isPassing && task.attempts < waitsMax) || (call.signal.aborted && !mayBeDone)) {
      const waitMs = retryAfterMs ?? waitEachMs * (task.attempts + 1)
      if (isPassing)
        await setWait(call.db, tenantId, connectorId, new Date(call.now().getTime() + Math.max(waitMs, 1_000)))
      await releaseTask(call, cause, connectorId, { hostId, taskId: task.id })
      return false
    }
    await report({ error: error.message, isUnknown: mayBeDone })
    return true
  }
  await report({ error: null, account })
  const at = call.now()
  const notSince = new Date(at.getTime() - 20_000)
  await noteSeen(call.db, tenantId, connectorId, { agent: builtInAgent, hostId, at, notSince })
  return true
}

/** What a task names is gone, or was never read by this connector. */
class Unsendable extends ScimFailed {}

const idIn = (externalId: string, prefix: string, suffix = ''): string => {
  if (
    !externalId.startsWith(prefix) ||
    !externalId.endsWith(suffix) ||
    externalId.length <= prefix.length + suffix.length
  )
    throw new Unsendable('The last sync of this connector did not report it.')
  return externalId.slice(prefix.length, externalId.length - suffix.length)
}

/** Carries out a task in the app. Returns the account if one was created. */
async function carryOut(
  { db, tenant }: JobCall,
  client: ScimClient,
  { deletesUsers }: ScimConnection,
  task: ProvisioningTask,
): Promise<CreatedAccount | null> {
  const [account] = await findAccountsOf(db, tenant.id, task.appId, [task.accountId])
  if (!account) throw new Unsendable('The account was deleted.')
  if (task.kind === 'create_account') {
    const person = await findPersonOf(db, tenant.id, account.userId)
    if (!person) throw new Unsendable('The person for whom the account is to be created was deleted.')
    if (account.externalId !== '') throw new Unsendable(`The account already exists: ${account.externalId}.`)
    const made = await createUser(client, { ...person, id: account.userId })
    if (!made) return null
    const { userResource, userType } = await loadWriter()
    return { is: 'created', typeId: userType, resourceId: made.id, data: userResource(userOf(made.user)), secrets: [] }
  }
  if (account.externalId === '') throw new Unsendable('The account is not in the app.')
  const userId = idIn(account.externalId, 'user:')
  if (task.kind === 'delete_account') {
    await removeUser(client, userId, { isDeleting: deletesUsers })
    return null
  }
  const entitlement = await findEntitlement(db, tenant.id, task)
  if (!entitlement) throw new Unsendable('The entitlement was deleted.')
  const groupId = idIn(entitlement.externalId, 'group:', ':member')
  await (task.kind === 'grant' ? addMember : removeMember)(client, groupId, userId)
  return null
}
