import type { May } from '#authority/proof.ts'
import { type FieldViolation, invalid } from '#kernel/refusals.ts'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { changeOrganisation, changePersonal } from './change.ts'
import type { OrganisationSettings, PersonalSettings } from './settings.ts'
import { findOrganisation, findPersonal, lockSettings, putSettings } from './store.ts'
import type { Sent } from './view.ts'

const organisationsRow = ''

/** The result of an update, unless some of it is refused. */
function settled<T extends object>(result: T | FieldViolation[]): T {
  if (Array.isArray(result)) throw invalid(...(result as [FieldViolation, ...FieldViolation[]]))
  return result
}

export async function setOrganisation(
  tx: Tx,
  call: May<'notifications.change'>,
  sent: Sent,
): Promise<OrganisationSettings> {
  const { tenant } = call
  await lockSettings(tx, call, organisationsRow, call.now())
  const after = settled(changeOrganisation(await findOrganisation(tx, tenant.id), sent))
  await putSettings(tx, call, organisationsRow, after, call.now())
  const touched = [{ type: 'notification_settings', id: tenant.publicId, data: after }]
  await recordChange(tx, call, 'update', 'Changed the notification settings', touched)
  return after
}

export async function setPersonal(
  tx: Tx,
  call: May<'own-notifications.use'>,
  sent: Sent,
): Promise<{ organisation: OrganisationSettings; own: PersonalSettings }> {
  const { tenant, actor } = call
  await lockSettings(tx, call, actor.userId, call.now())
  const organisation = await findOrganisation(tx, tenant.id)
  const before = (await findPersonal(tx, tenant.id, [actor.userId])).get(actor.userId) ?? {}
  const own = settled(changePersonal(organisation, before, sent))
  await putSettings(tx, call, actor.userId, own, call.now())
  const touched = [{ type: 'user', id: actor.userId, name: actor.name, data: { notifications: own } }]
  const message = `Changed the notification settings of ${actor.name}`
  await recordChange(tx, call, 'update', message, touched)
  return { organisation, own }
}
