import type { May } from '#authority/proof.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { lockApp } from '../app/store.ts'
import { told } from '../changes.ts'
import { daysProblem } from '../decide.ts'
import type { UsageControls } from '../records.ts'
import { appNotFound, refuseProblems } from '../refuse.ts'
import { findUsageControls, putUsageControls } from './store.ts'

export async function getUsageControls(call: Call, appId: string): Promise<UsageControls> {
  const controls = await findUsageControls(call.db, call.tenant.id, appId)
  if (!controls) throw appNotFound(appId)
  return controls
}

export async function changeUsageControls(
  tx: Tx,
  call: May<'app.edit'>,
  appId: string,
  changes: Partial<Omit<UsageControls, 'appId'>>,
): Promise<UsageControls> {
  // The app is locked in place of its controls, which may not exist yet.
  const app = await lockApp(tx, call.tenant.id, appId, 'change')
  const before = app && (await findUsageControls(tx, call.tenant.id, appId))
  if (!app || !before) throw appNotFound(appId)
  const after = { ...before, ...changes }
  refuseProblems(
    daysProblem('appUsageControls.notifyAfterDays', after.notifyAfterDays),
    daysProblem('appUsageControls.revokeAfterDays', after.revokeAfterDays),
  )
  await putUsageControls(tx, call.tenant.id, after)
  const { appId: _, ...data } = after
  const { appId: _id, ...was } = before
  const touched = { type: 'app', id: appId, name: app.displayName, data: { usageControls: data, before: was } }
  const message = `Changed ${told(changes)} of the usage controls of the app ${app.displayName}`
  await recordChange(tx, call, 'update', message, [touched])
  return after
}
