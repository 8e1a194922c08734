import { authorise, type May } from '#authority/proof.ts'
import { route } from '#authority/route.ts'
import { ExpandMask } from '#kernel/expand.ts'
import { fieldsToChange, keptIn, updatable } from '#kernel/masks.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, empty, type MessageOf, message, nested, text } from '#kernel/wire.ts'
import { getConnector } from '../../connector/actions.ts'
import type { ConnectorOwners } from '../../connector/owners.ts'
import type { ConnectorRef } from '../../connector/ref.ts'
import { about, aboutById, refOf } from '../../connector/ref.ts'
import { ConnectorMessage, connectorReply, viewConnector } from '../../connector/view.ts'
import { scheduleProblem } from '../../schedule/decide.ts'
import { findLastSyncs } from '../../tasks/store.ts'
import { type ConnectorChanges, changeConnector, scheduleSyncs } from '../actions.ts'
import { configOf } from './creating.ts'

const changeable = ['displayName', 'description', 'config', 'userIds'] as const

const body = (name: string) =>
  message(name, { connector: updatable(ConnectorMessage), updateMask: text(), expandMask: nested(ExpandMask) })

type Sent = { connector: MessageOf<(typeof ConnectorMessage)['fields']> | null; updateMask: string }

async function update(
  call: May<'connector.edit'>,
  owners: ConnectorOwners,
  ref: ConnectorRef,
  { connector: said, updateMask }: Sent,
) {
  const fields = fieldsToChange(said, updateMask, changeable)
  const changed = await transact(call.db, async (tx) => {
    const before = await getConnector(tx, call, ref)
    const changes: ConnectorChanges = {}
    if (fields.has('displayName')) {
      changes.displayName = (said?.displayName ?? '').trim()
      if (changes.displayName === '')
        throw invalid({ field: 'connector.displayName', description: 'must not be empty' })
    }
    if (fields.has('description')) changes.description = said?.description ?? ''
    if (fields.has('config')) changes.config = configOf(said?.config ?? null, before.catalogId, 'connector.config')
    const connector = await changeConnector(tx, call, ref, changes)
    if (fields.has('userIds')) await changeUsers(tx, call, owners, ref, said?.userIds ?? [])
    const last = await findLastSyncs(tx, call.tenant.id, [connector.id])
    const users = await owners.listUsers(tx, call, ref)
    const view = viewConnector(connector, last.get(connector.id) ?? null, users)
    keptIn(ConnectorMessage, { at: 'connector', value: said, updateMask }, view.connector)
    return view
  })
  return { connectorView: changed }
}

/**
 * Choosing the owners requires the same permission as in the operations on owners; owners of the connector do not have it.
 */
async function changeUsers(
  tx: Parameters<ConnectorOwners['setUsers']>[0],
  call: Call,
  owners: ConnectorOwners,
  ref: ConnectorRef,
  userIds: readonly string[],
): Promise<void> {
  const before = await owners.listUsers(tx, call, ref)
  const wanted = [...new Set(userIds)]
  if (wanted.length === before.length && wanted.every((id, i) => id === before[i])) return
  await owners.setUsers(tx, authorise(call, 'owners.change', ', to change owners'), ref, wanted)
}

export const updatingRoutes = (owners: ConnectorOwners): Route[] => [
  route({
    id: 'app.v1.ConnectorService.Update',
    at: 'POST /api/v1/apps/{app_id}/connectors/{id}',
    summary: 'Change the name, the description, the owners or the settings of a connector.',
    rule: 'connector.edit',
    about: aboutById,
    body: body('app.v1.ConnectorServiceUpdateRequestInput'),
    reply: connectorReply('app.v1.ConnectorServiceUpdateResponse'),
    handle: (call, { path, body: sent }) => update(call, owners, { appId: path.app_id, connectorId: path.id }, sent),
  }),
  route({
    id: 'app.v1.ConnectorService.UpdateDelegated',
    at: 'POST /api/v1/apps/{connector_app_id}/connectors/{connector_id}/delegated',
    summary: 'The same as app.v1.ConnectorService.Update, at another path.',
    rule: 'connector.edit',
    about: { app: 'connector_app_id', connector: 'connector_id' },
    body: body('app.v1.ConnectorServiceUpdateDelegatedRequestInput'),
    reply: connectorReply('app.v1.ConnectorServiceUpdateResponse'),
    handle: (call, { path, body: sent }) =>
      update(call, owners, { appId: path.connector_app_id, connectorId: path.connector_id }, sent),
  }),
  route({
    id: 'app.v1.ConnectorService.UpdateConnectorSchedule',
    at: 'POST /api/v1/apps/{app_id}/connectors/{connector_id}/schedule',
    summary: 'Set when a connector syncs, as a cron expression; without one it syncs every hour.',
    rule: 'connector.edit',
    about,
    body: message('app.v1.ConnectorServiceUpdateConnectorScheduleRequestInput', {
      cron: nested(
        message('app.v1.ConnectorScheduleCron', {
          cronSpec: described(
            text(),
            'Minute, hour, day of the month, month and day of the week; or @hourly, @daily, @weekly, @monthly.',
          ),
          timezone: described(text(), 'For example Europe/Berlin; UTC by default.'),
        }),
      ),
    }),
    reply: empty,
    async handle(call, { path, body: { cron } }) {
      const cronSpec = cron?.cronSpec.trim() ?? ''
      const schedule = { cronSpec, timeZone: cron?.timezone || 'UTC' }
      const problem =
        cron === null || (cronSpec === '' && cron.timezone === '')
          ? null
          : scheduleProblem(schedule, call.now(), 'cron')
      if (problem) throw invalid(problem)
      await scheduleSyncs(call, refOf(path), cronSpec === '' ? null : schedule)
      return {}
    },
  }),
]
