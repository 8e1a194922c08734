import type { May } from '#authority/proof.ts'
import { changeWithinReach } from '#authority/reach/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { durationProblem, keepApp, refuseUnknownApp } from '#rooms/records/apps/index.ts'
import { defaultsNotFound } from '../refuse.ts'
import { namingProblems, refuseProblems } from '../request-terms.ts'
import type { DefaultTerms, RequestDefaults } from './defaults.ts'
import { findDefaults, listTypesAmong, putDefaults } from './store.ts'

export async function getDefaults(db: Reads, call: Call, appId: string): Promise<RequestDefaults> {
  const defaults = await findDefaults(db, call.tenant.id, appId)
  if (defaults) return defaults
  await refuseUnknownApp(db, call, appId)
  throw defaultsNotFound(appId)
}

/** Replaces the defaults of the app. They apply from the commit on: each request looks them up. */
export async function saveDefaults(
  tx: Tx,
  call: May<'app.change-terms'>,
  appId: string,
  wanted: DefaultTerms,
): Promise<RequestDefaults> {
  const durationUnset = wanted.isDurationUnset ? {} : null
  refuseProblems(durationProblem('durationGrant', { durationGrant: wanted.durationGrant, durationUnset }))
  const unknown = await namingProblems(tx, call, appId, wanted, '')
  await keepApp(tx, call, appId)
  const types = new Set(await listTypesAmong(tx, call.tenant.id, appId, wanted.resourceTypeIds))
  refuseProblems(
    ...unknown,
    ...wanted.resourceTypeIds
      .map((id, place) => ({ id, field: `resourceTypeIds[${place}]` }))
      .filter(({ id }) => !types.has(id))
      .map(({ id, field }) => ({ field, description: `the app has no resource type ${id}` })),
  )
  const at = call.now()
  const before = await findDefaults(tx, call.tenant.id, appId)
  const after: RequestDefaults = { ...wanted, appId, createdAt: before?.createdAt ?? at, updatedAt: at }
  await changeWithinReach(tx, call, { appId }, () => putDefaults(tx, call, after))
  const { appId: id, createdAt: _, updatedAt: __, ...data } = after
  const message = `${before ? 'Changed' : 'Created'} the defaults for access requests of the app ${id}`
  const touched = [{ type: 'app', id, data: { accessRequestDefaults: data } }]
  await recordChange(tx, call, before ? 'update' : 'create', message, touched)
  return after
}
