import { may } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { described, duration, flag, message, nested, oneOf, text } from '#kernel/wire.ts'
import { FormMessage, findForm, formOnWire, type MayRequest } from '#rooms/governance/forms/index.ts'
import { entitlementNotFound } from '#rooms/records/apps/index.ts'
import { defaultsRoutes } from './defaults/routes.ts'
import { needsJustification, termsOf } from './find.ts'
import { routingRoutes } from './routing/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { type Applied, sources, type Terms } from './terms.ts'

export const AppliedMessage = message(
  'bailiwick.v1.AppliedSetting',
  {
    source: oneOf(sources),
    routingRuleId: text(),
    why: described(text(), 'The same as a sentence.'),
  },
  'Where a setting comes from.',
)
const applied = () => nested(AppliedMessage)

const reply = message('bailiwick.v1.GetRequestTermsResponse', {
  appId: text(),
  appEntitlementId: text(),
  maxGrantDuration: described(duration(), 'The maximum duration that can be requested; null if there is none.'),
  emergencyAvailable: described(flag(), 'Whether it can be requested in an emergency.'),
  justificationRequired: described(flag(), 'Whether a request needs a description.'),
  requestSchema: described(nested(FormMessage), 'The form that requesters fill in; null if there is none.'),
  grantPolicyId: text(),
  revokePolicyId: text(),
  emergencyGrantPolicyId: text(),
  grantPolicySource: applied(),
  revokePolicySource: applied(),
  emergencySource: applied(),
  requestSchemaSource: applied(),
  maxGrantDurationSource: applied(),
})

/**
 * The policy, and the reason for it, are for callers who may read the settings; requesters see what they have to fill in.
 */
async function present(call: Call, terms: Terms) {
  const form = terms.formId === '' ? null : await findForm(call.db, call.tenant.id, terms.formId)
  const mayReadAll = may(call.actor, 'terms.read')
  const told = (by: Applied): Applied | null => (mayReadAll ? by : null)
  return {
    appId: terms.appId,
    appEntitlementId: terms.entitlementId,
    maxGrantDuration: terms.maxSeconds,
    emergencyAvailable: terms.isEmergencyEnabled,
    justificationRequired: await needsJustification(call.db, call.tenant.id, terms.formId),
    requestSchema: form && formOnWire(form),
    grantPolicyId: mayReadAll ? terms.grantPolicyId : '',
    revokePolicyId: mayReadAll ? terms.revokePolicyId : '',
    emergencyGrantPolicyId: mayReadAll ? terms.emergencyPolicyId : '',
    grantPolicySource: told(terms.applied.grantPolicy),
    revokePolicySource: told(terms.applied.revokePolicy),
    emergencySource: told(terms.applied.emergency),
    requestSchemaSource: told(terms.applied.form),
    maxGrantDurationSource: told(terms.applied.maxDuration),
  }
}

export const termsRoutes = (mayRequest: MayRequest): readonly Route[] => [
  ...routingRoutes,
  ...defaultsRoutes,
  ...settingsRoutes,
  route({
    id: 'bailiwick.v1.RequestTerms.Get',
    at: 'GET /api/v1/apps/{app_id}/entitlements/{entitlement_id}/request_terms',
    summary:
      'Get the settings that apply to a request of an entitlement: its form, maximum duration, policies, and the source of each. Requesters see only what they need to know.',
    rule: 'entitlement.read-terms',
    about: { app: 'app_id', entitlement: 'entitlement_id' },
    reply,
    async handle(call, { path: { app_id: appId, entitlement_id: entitlementId } }) {
      const isSeen = may(call.actor, 'terms.read') || (await mayRequest(call.db, call, { appId, id: entitlementId }))
      const terms = isSeen ? await termsOf(call.db, call, { appId, entitlementId }) : null
      if (!terms) throw entitlementNotFound(appId, entitlementId)
      return present(call, terms)
    },
  }),
]
