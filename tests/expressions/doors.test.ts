import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routes } from '#server/registry/routes.ts'

/**
 * Where callers write expressions, and what limits what they tell (decision 0126). An operation that takes one, and a file that prepares
 * one, is listed here or fails: whoever adds it says how its author is kept from asking what they may not read.
 */
const limits = {
  tells: 'by what it reads: refuseUnseen',
  sent: 'it is asked only about what the caller sends',
  shown: 'it is asked about tokens whose claims the caller may list',
  nothing: 'it is asked about nobody',
  self: 'it is asked about the caller only',
  readOnly: 'it stands in a field that is not changed by this',
} as const

const automations = 'app.v1.AppEntitlements'
const catalogs = 'requestcatalog.v1.RequestCatalogManagementService'
const routing = 'app.v1.AppEntitlementRoutingRuleService'
const federation = 'workload_federation.v1.WorkloadFederationService'
const directories = 'directory.v1.DirectoryService'
const taking: Record<string, keyof typeof limits> = {
  [`${automations}.Create`]: 'tells',
  [`${automations}.Update`]: 'tells',
  [`${automations}.CreateAutomation`]: 'tells',
  [`${automations}.UpdateAutomation`]: 'tells',
  [`${automations}.PlanAutomation`]: 'tells',
  [`${automations}.ApplyAutomationPlan`]: 'tells',
  [`${catalogs}.SetBundleAutomation`]: 'tells',
  [`${catalogs}.CreateBundleAutomation`]: 'tells',
  [`${catalogs}.Update`]: 'readOnly',
  [`${routing}.CreateAppEntitlementRoutingRule`]: 'tells',
  [`${routing}.UpdateAppEntitlementRoutingRule`]: 'tells',
  [`${directories}.Create`]: 'tells',
  [`${directories}.Update`]: 'tells',
  'directory.v1.DirectoryPlans.Create': 'tells',
  'policy.v1.Policies.Create': 'tells',
  'policy.v1.Policies.Update': 'tells',
  'bailiwick.v1.PolicyPlans.Plan': 'tells',
  'policy.v1.PolicyValidate.ValidateCEL': 'nothing',
  'policy.v1.AccountProvisionPolicyTest.Test': 'self',
  'bailiwick.v1.Subscriptions.Create': 'tells',
  'bailiwick.v1.Subscriptions.Update': 'tells',
  [`${federation}.CreateTrust`]: 'shown',
  [`${federation}.UpdateTrust`]: 'shown',
  'bailiwick.v1.FederationTrustPlans.Plan': 'shown',
  [`${federation}.TestCEL`]: 'sent',
  'bailiwick.v1.FederationConditions.Check': 'nothing',
}

/** Never set: values of forms are computed by no expression. */
const neverSet = 'form.v1.UserProviderConfig'

test('every operation that takes an expression says what limits it', () => {
  const isOne = (name: string): boolean => /cel$|expressions?$|^condition$|^filter$/i.test(name)
  const found = routes.filter(({ body, method }) => {
    const messages = body && method !== 'GET' ? [body, ...body.messages] : []
    return messages.some(({ name, fields }) => name !== neverSet && Object.keys(fields).some(isOne))
  })
  // It takes any text.
  const ids = new Set([...found.map(({ id }) => id), 'policy.v1.PolicyValidate.ValidateCEL'])
  expect([...ids].toSorted()).toEqual(Object.keys(taking).toSorted())
  expect(routes.filter(({ query }) => query && Object.keys(query.fields).some(isOne)).map(({ id }) => id)).toEqual([])
})

/** Files that prepare an expression: a saved one, which was checked when it was written, or one of a caller. */
const preparing: Record<string, keyof typeof limits | 'saved'> = {
  'governance/federation/trusts-actions.ts': 'shown',
  'governance/policies/conditions.ts': 'tells',
  'events/subscriptions/actions.ts': 'tells',
  'events/subscriptions/deliver/filter.ts': 'saved',
  'rules/automation/matching/matching.ts': 'tells',
  'rules/people/match.ts': 'tells',
}

test('every file that prepares an expression says what limits it', () => {
  const folder = new URL('../../server/rooms/', import.meta.url).pathname
  const found = globSync('**/*.ts', { cwd: folder })
    .filter((file) => !file.startsWith('rules/expressions/'))
    .filter((file) => /\bprepare(?:Expression|PolicyExpression|Key|Claims)\(/.test(readFileSync(folder + file, 'utf8')))
  expect(found.toSorted()).toEqual(Object.keys(preparing).toSorted())
})
