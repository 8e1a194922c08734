import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { described, flag, list, listOf, message, nested, struct, text, timestamp } from '#kernel/wire.ts'
import { refuseUnknownApp } from '#rooms/records/apps/index.ts'
import { adviceOnWaiting } from '../connector/waiting.ts'
import { type ProvisioningTask, provisioningKinds, shownState, type TaskState } from '../connector.ts'
import { cancelTask, changeSettings, getSupport, retryTask } from './actions.ts'
import { listProvisioners, type Provisioner } from './store/provisioners.ts'
import { listProvisioningTasks } from './store/tasks.ts'

const about = { app: 'app_id' } as const

const TaskMessage = message(
  'bailiwick.v1.ProvisioningTask',
  {
    id: text(),
    connectorId: text(),
    appId: text(),
    kind: described(text(), 'grant, revoke, create_account or delete_account.'),
    state: described(text(), 'queued, with the connector, done, failed, unknown or cancelled.'),
    appEntitlementId: text(),
    appEntitlementName: text(),
    appUserId: text(),
    appUserName: text(),
    error: described(text(), 'Why it failed or is unknown, as reported by the connector.'),
    advice: described(text(), 'What to do if the connector does not fetch it.'),
    isAwaited: described(flag(), 'Whether a request waits for it.'),
    retryOf: described(text(), 'The task that it repeats.'),
    settledBySyncId: described(text(), 'The sync that showed its outcome.'),
    hostId: text(),
    createdAt: timestamp(),
    startedAt: timestamp(),
    endedAt: timestamp(),
  },
  'Something that a connector does in its app.',
)

const viewTask = (task: ProvisioningTask & { entitlementName?: string; accountName?: string }, advice = '') => ({
  ...task,
  advice,
  state: shownState(task.state),
  appEntitlementId: task.entitlementId,
  appEntitlementName: task.entitlementName ?? '',
  appUserId: task.accountId,
  appUserName: task.accountName ?? '',
  settledBySyncId: task.settledBy,
  startedAt: task.begunAt,
})

/** What to do about a task that does not continue. */
function adviceOn({ state }: ProvisioningTask, connector: Provisioner | undefined, at: Date): string {
  if (!connector || (state !== 'queued' && state !== 'leased')) return ''
  if (state === 'queued' && connector.isDisabled)
    return `Provisioning by the connector ${connector.displayName} is turned off. Turn it on, or cancel the task.`
  return adviceOnWaiting(connector, at)
}

const states: Record<string, TaskState> = {
  queued: 'queued',
  'with the connector': 'leased',
  leased: 'leased',
  done: 'done',
  failed: 'failed',
  unknown: 'unknown',
  cancelled: 'cancelled',
}

/** A filter of one word, or several separated by commas. */
function chosen<T extends string>(given: string, field: string, of: Readonly<Record<string, T>>): T[] {
  const words = given
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  return words.map((word) => {
    if (!Object.hasOwn(of, word))
      throw invalid({
        field,
        description: `must be one of ${Object.keys(of).join(', ')}, or several separated by commas`,
      })
    return of[word] as T
  })
}

const SupportMessage = message('bailiwick.v1.AppProvisioning', {
  appId: text(),
  connectorId: described(text(), 'The connector that grants and revokes access in the app; empty if there is none.'),
  connectorName: text(),
  isSupported: flag(),
  reason: described(text(), 'Why access is not provisioned in the app.'),
  canCreateAccounts: flag(),
  canDeleteAccounts: flag(),
  isEnabled: described(flag(), 'Whether provisioning is turned on.'),
  deletesAccounts: described(flag(), 'Whether accounts of people who are offboarded are deleted in the app.'),
  accountProfile: described(struct(), 'Further fields for accounts that the connector creates.'),
  requiredAccountFields: described(
    list(text()),
    'Fields that the connector requires for accounts that it creates and that have no default.',
  ),
  isPaused: described(flag(), 'Whether the connector is paused: tasks wait until it is resumed.'),
})

async function viewSupport(call: Call, appId: string) {
  const { connector, why, ...can } = await getSupport(call, appId)
  return {
    ...can,
    appId,
    connectorId: connector?.id ?? '',
    connectorName: connector?.displayName ?? '',
    isSupported: why === '',
    reason: why,
    isEnabled: connector !== null && !connector.isDisabled,
    deletesAccounts: connector?.deletesAccounts ?? false,
    accountProfile: connector?.accountProfile ?? {},
    requiredAccountFields: (connector?.metadata.accountFields ?? [])
      .filter(({ isRequired, default: value }) => isRequired && value === undefined)
      .map(({ name }) => name),
    isPaused: connector?.isPaused ?? false,
  }
}

export const provisioningRoutes = [
  route({
    id: 'bailiwick.v1.Provisioning.Get',
    at: 'GET /api/v1/apps/{app_id}/provisioning',
    summary: 'Get whether the connector of an app provisions access in it, and if not, why.',
    rule: 'app.list-connectors',
    about,
    reply: message('bailiwick.v1.ProvisioningGetResponse', { provisioning: nested(SupportMessage) }),
    async handle(call, { path }) {
      await refuseUnknownApp(call.db, call, path.app_id)
      return { provisioning: await viewSupport(call, path.app_id) }
    },
  }),
  route({
    id: 'bailiwick.v1.Provisioning.Update',
    at: 'POST /api/v1/apps/{app_id}/connectors/{connector_id}/provisioning',
    summary:
      'Set whether a connector provisions access, and deletes accounts of people who leave. Sets both; the account profile only if it is given.',
    rule: 'connectors.set-provisioning',
    body: message('bailiwick.v1.ProvisioningUpdateRequest', {
      isDisabled: described(flag(), 'Access is no longer provisioned in the app.'),
      deletesAccounts: described(flag(), 'Accounts of people who are offboarded are deleted in the app.'),
      accountProfile: described(
        struct(),
        'Further fields for accounts that the connector creates. Strings can contain attributes of the person, as in {username}.',
      ),
    }),
    reply: message('bailiwick.v1.ProvisioningUpdateResponse', { provisioning: nested(SupportMessage) }),
    async handle(call, { path, body }) {
      await changeSettings(call, { appId: path.app_id, connectorId: path.connector_id }, body)
      return { provisioning: await viewSupport(call, path.app_id) }
    },
  }),
  route({
    id: 'bailiwick.v1.ProvisioningTasks.List',
    at: 'GET /api/v1/apps/{app_id}/provisioning_tasks',
    summary: 'List the provisioning tasks of the connectors of an app, newest first, with the state of each.',
    rule: 'app.list-connectors',
    about,
    paged: true,
    query: message('', {
      connectorId: described(text(), 'Only tasks of this connector.'),
      state: described(text(), 'Only tasks in this state, or in several, separated by commas.'),
      kind: described(text(), 'Only tasks of this kind, or of several, separated by commas.'),
    }),
    reply: message('bailiwick.v1.ProvisioningTasksListResponse', { list: listOf(TaskMessage), nextPageToken }),
    async handle(call, { path, query, page }) {
      const filter = {
        connectorId: query.connectorId,
        states: chosen(query.state, 'state', states),
        kinds: chosen(query.kind, 'kind', Object.fromEntries(provisioningKinds.map((kind) => [kind, kind]))),
      }
      const rows = await listProvisioningTasks(call.db, call.tenant.id, path.app_id, filter, page)
      if (rows.length === 0) await refuseUnknownApp(call.db, call, path.app_id)
      const connectors = await listProvisioners(call.db, call.tenant.id, path.app_id)
      const at = call.now()
      return page.cut(
        rows,
        (row) => [row.id],
        (row) =>
          viewTask(
            row,
            adviceOn(
              row,
              connectors.find(({ id }) => id === row.connectorId),
              at,
            ),
          ),
      )
    },
  }),
  route({
    id: 'bailiwick.v1.ProvisioningTasks.Retry',
    at: 'POST /api/v1/apps/{app_id}/provisioning_tasks/{id}/retry',
    summary: 'Repeat a task that failed. The response contains the new task.',
    rule: 'app.change-provisioning-tasks',
    about,
    body: message('bailiwick.v1.ProvisioningTasksRetryRequest', {
      acceptUnknown: described(flag(), 'Repeat a task whose outcome is unknown: it may be done twice.'),
    }),
    reply: message('bailiwick.v1.ProvisioningTasksRetryResponse', { task: nested(TaskMessage) }),
    async handle(call, { path, body }) {
      const ref = { appId: path.app_id, id: path.id }
      return { task: viewTask(await retryTask(call, ref, { isUnknownAccepted: body.acceptUnknown })) }
    },
  }),
  route({
    id: 'bailiwick.v1.ProvisioningTasks.Cancel',
    at: 'POST /api/v1/apps/{app_id}/provisioning_tasks/{id}/cancel',
    summary: 'Cancel a task that the connector has not fetched. A request that waits for it is provisioned by people.',
    rule: 'app.change-provisioning-tasks',
    about,
    reply: message('bailiwick.v1.ProvisioningTasksCancelResponse', {}),
    async handle(call, { path }) {
      await cancelTask(call, { appId: path.app_id, id: path.id })
      return {}
    },
  }),
]
