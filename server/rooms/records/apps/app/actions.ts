import type { May } from '#authority/proof.ts'
import { changeWithinReach } from '#authority/reach/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { causeOf, recordChange, withBefore } from '#rooms/foundation/systemlog/index.ts'
import { told } from '../changes.ts'
import { costProblem, nameProblem } from '../decide.ts'
import { recordOwnersGone } from '../deletion/owners-gone.ts'
import { takeAlong } from '../deletion/store.ts'
import { namedPolicies, type PolicyChecks } from '../policy-fields.ts'
import type { App, AppTerms, WithoutConnector } from '../records.ts'
import { appNotFound, refuseBuiltInApp, refuseProblems } from '../refuse.ts'
import {
  deleteApp,
  findApp,
  findWithoutConnector,
  holdApp,
  insertApp,
  isApp,
  lockApp,
  updateApp,
  updateWithoutConnector,
} from './store.ts'

export async function createApp(
  tx: Tx,
  call: May<'apps.create'>,
  checks: PolicyChecks,
  wanted: AppTerms,
): Promise<App> {
  const at = call.now()
  const app: App = {
    ...tidy(wanted, ''),
    id: call.newId(),
    isManuallyManaged: true,
    isDirectory: false,
    userCount: 0,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
  refuseProblems(
    ...(await checks.policyProblems(tx, call, namedPolicies(app, '', { appId: app.id, entitlementId: '' }))),
  )
  await insertApp(tx, call, app)
  await recordChange(tx, call, 'create', `Created the app ${app.displayName}`, [touched(app)])
  return app
}

export async function getApp(call: Call, id: string): Promise<App> {
  const app = await findApp(call.db, call.tenant.id, id)
  if (!app) throw appNotFound(id)
  return app
}

/** For empty lists: refuses if the reason is that the app does not exist. */
export async function refuseUnknownApp(db: Reads, call: Call, id: string): Promise<void> {
  if (!(await isApp(db, call.tenant.id, id))) throw appNotFound(id)
}

/** Locks the app until the transaction ends. */
export async function keepApp(tx: Tx, call: Call, id: string): Promise<void> {
  if (!(await holdApp(tx, call.tenant.id, id))) throw appNotFound(id)
}

export async function changeApp(
  tx: Tx,
  call: May<'app.edit'>,
  checks: PolicyChecks,
  id: string,
  changes: Partial<AppTerms>,
): Promise<App> {
  // Before the app is locked, as everywhere that a policy is set.
  const unknown = await checks.policyProblems(
    tx,
    call,
    namedPolicies(changes, 'app.', { appId: id, entitlementId: '' }),
  )
  const before = await lockApp(tx, call.tenant.id, id, 'change')
  if (!before) throw appNotFound(id)
  refuseProblems(...unknown)
  const after: App = { ...before, ...tidy({ ...before, ...changes }, 'app.'), updatedAt: call.now() }
  await changeWithinReach(tx, call, { appId: id }, () => updateApp(tx, call, after))
  const message = `Changed ${told(changes)} of the app ${after.displayName}`
  await recordChange(tx, call, 'update', message, [withBefore(touched(after), touched(before))])
  return after
}

/** Sets whether the owners of an app are asked about changes that no connector carries out because there is none. */
export async function setWithoutConnector(
  tx: Tx,
  call: May<'app.edit'>,
  id: string,
  kind: WithoutConnector,
): Promise<void> {
  refuseBuiltInApp(id)
  const app = await lockApp(tx, call.tenant.id, id, 'change')
  if (!app) throw appNotFound(id)
  const before = await findWithoutConnector(tx, call.tenant.id, id)
  await updateWithoutConnector(tx, call, id, { kind, at: call.now() })
  const touches = (withoutConnector: WithoutConnector | null) => ({
    type: 'app',
    id,
    name: app.displayName,
    data: { withoutConnector },
  })
  const does = kind === 'manual' ? 'its owners are asked' : 'changes are only recorded'
  const message = `Set what happens in the app ${app.displayName} without a connector: ${does}`
  await recordChange(tx, call, 'update', message, [withBefore(touches(kind), touches(before))])
}

/** Deletes an app with everything in it, and ends the access that it granted. */
export async function removeApp(tx: Tx, call: May<'apps.delete'>, id: string): Promise<void> {
  refuseBuiltInApp(id)
  const app = await lockApp(tx, call.tenant.id, id, 'delete')
  if (!app) throw appNotFound(id)
  const at = call.now()
  await deleteApp(tx, call, id, at)
  const { owners, ...taken } = await takeAlong(tx, call.tenant.id, { appId: id }, { at, by: call.actor.userId })
  const gone = { type: 'app', id, name: app.displayName, data: { deletedAlong: { ...taken, owners: owners.length } } }
  await recordChange(tx, call, 'delete', `Deleted the app ${app.displayName}`, [gone])
  await recordOwnersGone(tx, call, causeOf(call), owners)
}

/** The requested values, as they are stored; refused if they are invalid. */
function tidy(wanted: AppTerms, prefix: string): AppTerms {
  const { displayName, description, annotations, instructions, monthlyCostUsd, identityMatching, iconUrl } = wanted
  const { grantPolicyId, revokePolicyId, certifyPolicyId } = wanted
  refuseProblems(
    nameProblem(`${prefix}displayName`, displayName),
    costProblem(`${prefix}monthlyCostUsd`, monthlyCostUsd),
  )
  return {
    displayName: displayName.trim(),
    description,
    annotations,
    instructions,
    monthlyCostUsd,
    identityMatching:
      identityMatching === 'APP_USER_IDENTITY_MATCHING_UNSPECIFIED'
        ? 'APP_USER_IDENTITY_MATCHING_STRICT'
        : identityMatching,
    iconUrl,
    grantPolicyId,
    revokePolicyId,
    certifyPolicyId,
  }
}

const touched = ({ id, displayName, description, monthlyCostUsd, identityMatching, iconUrl, ...app }: App) => ({
  type: 'app',
  id,
  name: displayName,
  data: {
    description,
    monthlyCostUsd,
    identityMatching,
    iconUrl,
    grantPolicyId: app.grantPolicyId,
    revokePolicyId: app.revokePolicyId,
    certifyPolicyId: app.certifyPolicyId,
  },
})
