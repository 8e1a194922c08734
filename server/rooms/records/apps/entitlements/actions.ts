import { denied, mayEverywhere } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { changeWithinReach, refuseGivingBeyondReach } from '#authority/reach/index.ts'
import { sightOf } from '#authority/sight/index.ts'
import type { FieldViolation } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { causeOf, recordChange, withBefore } from '#rooms/foundation/systemlog/index.ts'
import { complianceFramework, holdValues, riskLevel } from '#rooms/records/attributes/index.ts'
import { keepApp, refuseUnknownApp } from '../app/actions.ts'
import { told } from '../changes.ts'
import { durationProblem, nameProblem, resourceProblem } from '../decide.ts'
import { recordOwnersGone } from '../deletion/owners-gone.ts'
import { takeAlong } from '../deletion/store.ts'
import { delegatedIn, mayDelegate, namedPolicies, type PolicyChecks, provisionerOf } from '../policy-fields.ts'
import type { Entitlement, EntitlementTerms } from '../records.ts'
import { entitlementNotFound, refuseBuiltInApp, refuseProblems } from '../refuse.ts'
import { holdResource } from '../resources/store.ts'
import {
  deleteEntitlement,
  findEntitlement,
  hasDefaultsFor,
  holdEntitlement,
  insertEntitlement,
  lockEntitlement,
  updateEntitlement,
} from './store.ts'

/** As it is sent: a duration, or the mark that there is none. */
export type SentTerms = Omit<EntitlementTerms, 'isDurationUnset'> & { durationUnset: object | null }
export type SentResource = { appResourceTypeId: string; appResourceId: string }

export async function createEntitlement(
  tx: Tx,
  call: May<'app.create-entitlement'>,
  checks: PolicyChecks,
  appId: string,
  wanted: SentTerms & SentResource,
): Promise<Entitlement> {
  refuseBuiltInApp(appId)
  const { appResourceTypeId, appResourceId } = wanted
  refuseProblems(
    nameProblem('displayName', wanted.displayName),
    durationProblem('durationGrant', wanted),
    resourceProblem(appResourceTypeId, appResourceId),
  )
  const unknownRules = await ruleProblems(tx, call, checks, wanted, {
    prefix: '',
    provisioner: 'provisionPolicy',
    of: { appId, entitlementId: '' },
  })
  await keepApp(tx, call, appId)
  refuseProblems(
    await unknownResource(tx, call, appId, wanted),
    ...(await unknownValues(tx, call, wanted, '')),
    ...unknownRules,
  )
  const at = call.now()
  const entitlement: Entitlement = {
    ...tidy({ ...wanted, isDurationUnset: wanted.durationUnset !== null }),
    id: call.newId(),
    appId,
    externalId: '',
    appResourceTypeId,
    appResourceId,
    requestSchemaId: '',
    defaultValuesApplied: await areDefaultsFor(tx, call, appId, appResourceTypeId, wanted),
    isManuallyManaged: true,
    isAutomationEnabled: false,
    userEdited: [],
    grantCount: 0,
    connectorIds: [],
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
  await insertEntitlement(tx, call, entitlement)
  // A new one can grant more too, through its provisioner, its policy or its app.
  await refuseGivingBeyondReach(tx, call, [{ appId, id: entitlement.id }])
  const message = `Created the entitlement ${entitlement.displayName}`
  await recordChange(tx, call, 'create', message, [touched(entitlement)])
  return entitlement
}

export async function getEntitlement(call: Call, appId: string, id: string): Promise<Entitlement> {
  const entitlement = await findEntitlement(call.db, call.tenant.id, appId, id)
  if (!entitlement) throw await unknownEntitlement(call.db, call, appId, id)
  return entitlement
}

/** Locks the entitlement until the transaction ends: nothing that is attached to it meanwhile is left behind. */
export async function keepEntitlement(tx: Tx, call: Call, appId: string, id: string): Promise<void> {
  if (!(await holdEntitlement(tx, call.tenant.id, appId, id))) throw await unknownEntitlement(tx, call, appId, id)
}

export async function changeEntitlement(
  tx: Tx,
  call: May<'entitlement.edit' | 'entitlements.edit' | 'entitlements.bulk-edit'>,
  checks: PolicyChecks,
  { appId, id }: Pick<Entitlement, 'appId' | 'id'>,
  changes: Partial<SentTerms>,
): Promise<Entitlement> {
  // Before the entitlement is locked: a value's deletion holds the value, and then wants the entitlements.
  const unknown = await unknownValues(tx, call, changes, 'entitlement.')
  const unknownRules = await ruleProblems(tx, call, checks, changes, {
    prefix: 'entitlement.',
    provisioner: 'provisionerPolicy',
    of: { appId, entitlementId: id },
  })
  const before = await lockEntitlement(tx, call.tenant.id, appId, id, 'change')
  if (!before) throw await unknownEntitlement(tx, call, appId, id)
  // The two are one setting: if either is named, the message's values of both apply.
  const saysDuration = 'durationGrant' in changes || 'durationUnset' in changes
  const duration = { durationGrant: changes.durationGrant ?? null, durationUnset: changes.durationUnset ?? null }
  const isDurationUnset = saysDuration ? duration.durationUnset !== null : before.isDurationUnset
  const wanted = { ...before, ...changes, ...(saysDuration && duration), isDurationUnset }
  refuseProblems(
    nameProblem('entitlement.displayName', wanted.displayName),
    saysDuration ? durationProblem('entitlement.durationGrant', duration) : null,
    ...unknown,
    ...unknownRules,
  )
  if (wanted.overrideAccessRequestsDefaults && !before.overrideAccessRequestsDefaults)
    await mayOverride(tx, call, appId)
  const defaultValuesApplied = await areDefaultsFor(tx, call, appId, before.appResourceTypeId, wanted)
  const tidied: Entitlement = { ...before, ...tidy(wanted), defaultValuesApplied, updatedAt: call.now() }
  const after = { ...tidied, userEdited: editedSince(before, tidied, Object.keys(changes)) }
  await changeWithinReach(tx, call, [{ appId, id }], () => updateEntitlement(tx, call, after))
  const message = `Changed ${told(changes)} of the entitlement ${after.displayName}`
  await recordChange(tx, call, 'update', message, [withBefore(touched(after), touched(before))])
  return after
}

export async function removeEntitlement(
  tx: Tx,
  call: May<'entitlement.delete'>,
  appId: string,
  id: string,
): Promise<void> {
  refuseBuiltInApp(appId)
  await removeEntitlementWithAll(tx, call, appId, id)
}

/** Deletes an entitlement, and revokes it from everyone who holds it. */
export async function removeEntitlementWithAll(
  tx: Tx,
  call: May<'entitlement.delete'>,
  appId: string,
  id: string,
): Promise<void> {
  const entitlement = await lockEntitlement(tx, call.tenant.id, appId, id, 'delete')
  if (!entitlement) throw await unknownEntitlement(tx, call, appId, id)
  const at = call.now()
  await deleteEntitlement(tx, call, appId, id, at)
  const { owners, ...taken } = await takeAlong(
    tx,
    call.tenant.id,
    { appId, entitlementId: id },
    { at, by: call.actor.userId },
  )
  const { grants, proxies } = taken
  const gone = {
    type: 'entitlement',
    id,
    name: entitlement.displayName,
    data: { appId, deletedAlong: { grants, proxies, owners: owners.length } },
  }
  const message = `Deleted the entitlement ${entitlement.displayName}`
  await recordChange(tx, call, 'delete', message, [gone])
  await recordOwnersGone(tx, call, causeOf(call), owners)
}

async function unknownEntitlement(db: Reads, call: Call, appId: string, id: string) {
  await refuseUnknownApp(db, call, appId)
  return entitlementNotFound(appId, id)
}

async function unknownResource(
  tx: Tx,
  call: Call,
  appId: string,
  { appResourceTypeId: typeId, appResourceId: id }: SentResource,
): Promise<FieldViolation | null> {
  if (id === '' || (await holdResource(tx, call.tenant.id, { appId, typeId, id }))) return null
  return { field: 'appResourceId', description: `the app ${appId} has no resource ${id} of the type ${typeId}` }
}

async function unknownValues(
  tx: Tx,
  call: Call,
  { riskLevelValueId = '', complianceFrameworkValueIds = [] }: Partial<EntitlementTerms>,
  prefix: string,
): Promise<FieldViolation[]> {
  const risks = riskLevelValueId === '' ? [] : [riskLevelValueId]
  const knownRisks = await holdValues(tx, call.tenant.id, riskLevel.id, risks)
  const knownFrameworks = await holdValues(tx, call.tenant.id, complianceFramework.id, complianceFrameworkValueIds)
  return [
    ...risks
      .filter((id) => !knownRisks.has(id))
      .map((id) => ({ field: `${prefix}riskLevelValueId`, description: `there is no risk level ${id}` })),
    ...complianceFrameworkValueIds
      .map((id, i) => ({ id, field: `${prefix}complianceFrameworkValueIds[${i}]` }))
      .filter(({ id }) => !knownFrameworks.has(id))
      .map(({ id, field }) => ({ field, description: `there is no compliance framework ${id}` })),
  ]
}

const areDefaultsFor = async (
  tx: Tx,
  call: Call,
  appId: string,
  typeId: string,
  { overrideAccessRequestsDefaults }: Pick<EntitlementTerms, 'overrideAccessRequestsDefaults'>,
): Promise<boolean> => !overrideAccessRequestsDefaults && (await hasDefaultsFor(tx, call.tenant.id, appId, typeId))

/**
 * What owners of an app set in its routing rules applies to all of its entitlements: someone who owns only one of these
 * cannot exempt it.
 */
async function mayOverride(tx: Tx, call: Call, appId: string): Promise<void> {
  if (mayEverywhere(call.actor, 'entitlements.edit') || (await sightOf(call, tx).apps()).owned.has(appId)) return
  throw denied('entitlements.edit', ' everywhere, or to own the app, to override its access request defaults')
}

/** What is wrong with the policies and provisioners that are named. */
async function ruleProblems(
  tx: Tx,
  call: Call,
  checks: PolicyChecks,
  sent: Partial<EntitlementTerms>,
  { prefix, provisioner, of }: { prefix: string; provisioner: string; of: { appId: string; entitlementId: string } },
): Promise<FieldViolation[]> {
  mayDelegate(call, sent.provisionerPolicy, sent.deprovisionerPolicy)
  const problems = await checks.policyProblems(tx, call, namedPolicies(sent, prefix, of))
  const isProvisioned = sent.provisionerPolicy ?? sent.deprovisionerPolicy ?? null
  const before =
    isProvisioned && of.entitlementId !== ''
      ? await findEntitlement(tx, call.tenant.id, of.appId, of.entitlementId)
      : null
  const kept = [before?.provisionerPolicy, before?.deprovisionerPolicy].flatMap((policy) => policy ?? [])
  for (const [name, policy] of [
    [provisioner, sent.provisionerPolicy],
    ['deprovisionerPolicy', sent.deprovisionerPolicy],
  ] as const) {
    const wanted = provisionerOf(policy ?? null)
    const at = `${prefix}${name}`
    if (wanted) problems.push(...(await checks.provisionProblems(tx, call, wanted, { at, kept })))
    if (delegatedIn(wanted).some((each) => each.appId === of.appId && each.entitlementId === of.entitlementId))
      problems.push({ field: `${at}.delegated`, description: 'must name another entitlement' })
  }
  return problems
}

/** The requested values, as they are stored. */
const tidy = (wanted: EntitlementTerms): EntitlementTerms => ({
  displayName: wanted.displayName.trim(),
  description: wanted.description,
  slug: wanted.slug.trim(),
  alias: wanted.alias.trim(),
  purpose:
    wanted.purpose === 'APP_ENTITLEMENT_PURPOSE_VALUE_UNSPECIFIED'
      ? 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT'
      : wanted.purpose,
  annotations: wanted.annotations,
  riskLevelValueId: wanted.riskLevelValueId,
  complianceFrameworkValueIds: [...new Set(wanted.complianceFrameworkValueIds)],
  durationGrant: wanted.durationGrant,
  isDurationUnset: wanted.isDurationUnset,
  grantPolicyId: wanted.grantPolicyId,
  revokePolicyId: wanted.revokePolicyId,
  certifyPolicyId: wanted.certifyPolicyId,
  emergencyGrantPolicyId: wanted.emergencyGrantPolicyId,
  emergencyGrantEnabled: wanted.emergencyGrantEnabled,
  overrideAccessRequestsDefaults: wanted.overrideAccessRequestsDefaults,
  provisionerPolicy: provisionerOf(wanted.provisionerPolicy),
  deprovisionerPolicy: provisionerOf(wanted.deprovisionerPolicy),
})

/** The fields that people have changed, sorted by name: those changed before, and those that differ now. */
function editedSince(before: Entitlement, after: Entitlement, named: readonly string[]): string[] {
  const asStored = (name: string) => (name === 'durationUnset' ? 'isDurationUnset' : name) as keyof Entitlement
  const isOther = (name: string) => JSON.stringify(before[asStored(name)]) !== JSON.stringify(after[asStored(name)])
  return [...new Set([...before.userEdited, ...named.filter(isOther)])].toSorted()
}

const touched = (entitlement: Entitlement) => {
  const { id, appId, displayName, appResourceTypeId, appResourceId, slug, alias, purpose } = entitlement
  const { riskLevelValueId, complianceFrameworkValueIds, durationGrant: durationGrantSeconds } = entitlement
  const { grantPolicyId, revokePolicyId, certifyPolicyId, emergencyGrantPolicyId, emergencyGrantEnabled } = entitlement
  const { overrideAccessRequestsDefaults, provisionerPolicy, deprovisionerPolicy } = entitlement
  return {
    type: 'entitlement',
    id,
    name: displayName,
    data: {
      appId,
      appResourceTypeId,
      appResourceId,
      slug,
      alias,
      purpose,
      riskLevelValueId,
      complianceFrameworkValueIds,
      durationGrantSeconds,
      grantPolicyId,
      revokePolicyId,
      certifyPolicyId,
      emergencyGrantPolicyId,
      emergencyGrantEnabled,
      overrideAccessRequestsDefaults,
      provisionerPolicy,
      deprovisionerPolicy,
    },
  }
}
