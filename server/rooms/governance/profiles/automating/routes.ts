import type { May } from '#authority/proof.ts'
import { route } from '#authority/route.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { empty, listOf, type MessageOf, message, neverSet } from '#kernel/wire.ts'
import { EntitlementRef } from '#rooms/records/apps/index.ts'
import { type Definition, holdersOfAny, tryDefinition } from '#rooms/rules/automation/index.ts'
import { onceEach } from '../decide.ts'
import { enrollmentOf } from '../profile.ts'
import { service } from '../service.ts'
import {
  getBundleAutomation,
  refusePercent,
  removeBundleAutomation,
  resumeBundleAutomation,
  runBundleAutomation,
  saveBundleAutomation,
} from './actions.ts'
import { BundleAutomationMessage, settingShapes, viewBundleAutomation } from './view.ts'

const at = '/api/v1/catalogs/{request_catalog_id}/bundle_automation'
type Sent = MessageOf<typeof settingShapes>

/** Whom it enrolls: exactly one of the two is set. */
function definitionIn(profileId: string, { entitlements, cel }: Sent): Definition {
  if (entitlements && cel) throw invalid({ field: 'cel', description: 'must not be set beside entitlements' })
  if (cel) return { kind: 'cel', expression: cel.expression }
  if (!entitlements) throw invalid({ field: 'entitlements', description: 'one of entitlements and cel must be set' })
  const refs = onceEach(entitlements.entitlementRefs.map(({ appId, id }) => ({ appId, id })))
  if (refs.length === 0)
    throw invalid({ field: 'entitlements.entitlementRefs', description: 'must name at least one entitlement' })
  return holdersOfAny(enrollmentOf(profileId), refs)
}

async function save(call: May<'profiles.change'>, profileId: string, sent: Sent, mustBeNew: boolean) {
  const definition = definitionIn(profileId, sent)
  refusePercent(sent.removedMembersThresholdPercent)
  await tryDefinition(call, definition, '')
  const wanted = {
    definition,
    isEnabled: sent.enabled,
    createsTasks: sent.createTasks,
    isBreakerDisabled: sent.disableCircuitBreaker,
    removedPercent: sent.removedMembersThresholdPercent,
    holdsFew: sent.enforceOnSmallProfiles,
  }
  const saved = await transact(call.db, (tx) => saveBundleAutomation(tx, call, profileId, wanted, { mustBeNew }))
  return viewBundleAutomation(call.tenant.publicId, profileId, saved)
}

export const automatingRoutes: readonly Route[] = [
  route({
    id: `${service}.GetBundleAutomation`,
    at: `GET ${at}`,
    summary: 'Get the automation of an access profile.',
    rule: 'profiles.read',
    reply: BundleAutomationMessage,
    handle: async (call, { path }) =>
      viewBundleAutomation(
        call.tenant.publicId,
        path.request_catalog_id,
        await getBundleAutomation(call.db, call, path.request_catalog_id),
      ),
  }),
  route({
    id: `${service}.SetBundleAutomation`,
    at: `POST ${at}`,
    summary: 'Create or replace the automation of an access profile. It runs immediately if it is enabled.',
    rule: 'profiles.change',
    body: message('requestcatalog.v1.SetBundleAutomationRequestInput', settingShapes),
    reply: BundleAutomationMessage,
    handle: (call, { path, body }) => save(call, path.request_catalog_id, body, false),
  }),
  route({
    id: `${service}.CreateBundleAutomation`,
    at: `POST ${at}/create`,
    summary: 'Create the automation of an access profile. It runs immediately if it is enabled.',
    rule: 'profiles.change',
    body: message('requestcatalog.v1.CreateBundleAutomationRequestInput', settingShapes),
    reply: BundleAutomationMessage,
    handle: (call, { path, body }) => save(call, path.request_catalog_id, body, true),
  }),
  route({
    id: `${service}.DeleteBundleAutomation`,
    at: `DELETE ${at}`,
    summary: 'Delete the automation of an access profile. Enrolled people stay enrolled.',
    rule: 'profiles.change',
    body: message('requestcatalog.v1.DeleteBundleAutomationRequestInput', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeBundleAutomation(tx, call, path.request_catalog_id))
      return {}
    },
  }),
  route({
    id: `${service}.ForceRunBundleAutomation`,
    at: `POST ${at}/run`,
    summary: 'Run the automation of an access profile for everyone now.',
    rule: 'profiles.change',
    body: message('requestcatalog.v1.ForceRunBundleAutomationRequestInput', { refs: neverSet(listOf(EntitlementRef)) }),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => runBundleAutomation(tx, call, path.request_catalog_id))
      return {}
    },
  }),
  route({
    id: `${service}.ResumePausedBundleAutomation`,
    at: `POST ${at}/resume`,
    summary: 'Resume a run of the automation that was held because it would enroll or unenroll too many people.',
    rule: 'profiles.change',
    body: message('requestcatalog.v1.ResumePausedBundleAutomationRequestInput', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => resumeBundleAutomation(tx, call, path.request_catalog_id))
      return {}
    },
  }),
]
