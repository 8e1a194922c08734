import { asService, authorise, type May } from '#authority/proof.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { nameOwners } from '#rooms/governance/owners/index.ts'
import { policyChecks } from '#rooms/governance/policies/index.ts'
import { createApp, createEntitlement, mayNameOwners, setByHand } from '#rooms/records/apps/index.ts'
import { addMembers } from '#rooms/records/grants/index.ts'
import { setupProblems, type WantedApp, type WantedEntitlement } from './decide.ts'

export type SetUp = { appId: string; entitlements: { id: string; displayName: string; members: number }[] }

/** Refuses before anything is done: each part needs the permission that it needs alone. */
function refuseUnable(call: Call, { ownerIds, entitlements }: WantedApp): void {
  mayNameOwners(call, { userIds: ownerIds, entitlements: [] })
  if (entitlements.length > 0) authorise(call, 'entitlements.edit', ', to create entitlements')
  if (entitlements.some(({ memberIds }) => memberIds.length > 0)) authorise(call, 'grants.give', ', to add members')
}

/** Creates an app with its owners, its entitlements and their members: all of it, or nothing. */
export async function setUpApp(tx: Tx, call: May<'apps.create'>, wanted: WantedApp): Promise<SetUp> {
  refuseUnable(call, wanted)
  const [first, ...others] = setupProblems(wanted)
  if (first) throw invalid(first, ...others)
  const { displayName, description, ownerIds, isRecordsOnly } = wanted
  const app = await createApp(tx, call, policyChecks, {
    displayName,
    description,
    annotations: {},
    instructions: '',
    monthlyCostUsd: 0,
    identityMatching: 'APP_USER_IDENTITY_MATCHING_UNSPECIFIED',
    iconUrl: '',
    grantPolicyId: '',
    revokePolicyId: '',
    certifyPolicyId: '',
  })
  await nameOwners(
    tx,
    call,
    { kind: 'app', appId: app.id, typeId: '', id: app.id },
    { userIds: ownerIds, entitlements: [] },
  )
  if (isRecordsOnly)
    await setByHand(tx, asService(call, 'app.edit', 'the same caller creates it'), app.id, { kind: 'records only' })
  const entitlements: SetUp['entitlements'] = []
  for (const [at, each] of wanted.entitlements.entries())
    entitlements.push(await addEntitlement(tx, call, app.id, each, at))
  return { appId: app.id, entitlements }
}

async function addEntitlement(
  tx: Tx,
  call: May<'apps.create'>,
  appId: string,
  { displayName, description, memberIds }: WantedEntitlement,
  at: number,
): Promise<SetUp['entitlements'][number]> {
  const creating = asService(call, 'app.create-entitlement', 'refuseUnable has asked for entitlements.edit')
  const entitlement = await createEntitlement(tx, creating, policyChecks, appId, {
    displayName,
    description,
    slug: '',
    alias: '',
    purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_UNSPECIFIED',
    annotations: {},
    riskLevelValueId: '',
    complianceFrameworkValueIds: [],
    durationGrant: null,
    durationUnset: null,
    emergencyGrantPolicyId: '',
    emergencyGrantEnabled: false,
    overrideAccessRequestsDefaults: false,
    provisionerPolicy: null,
    deprovisionerPolicy: null,
    grantPolicyId: '',
    revokePolicyId: '',
    certifyPolicyId: '',
    appResourceTypeId: '',
    appResourceId: '',
  })
  const granting = asService(call, 'entitlement.give', 'refuseUnable has asked for grants.give')
  const ref = { appId, id: entitlement.id }
  const members = [...new Set(memberIds)]
  if (members.length === 0) return { id: entitlement.id, displayName, members: 0 }
  const { unknown } = await addMembers(tx, granting, ref, members)
  if (unknown.length > 0)
    throw invalid({
      field: `entitlements[${at}].memberIds`,
      description: `there is no user ${unknown.slice(0, 10).join(', ')}`,
    })
  return { id: entitlement.id, displayName, members: members.length }
}
