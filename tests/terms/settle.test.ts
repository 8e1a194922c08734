import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Said, settle, type TriedRule } from '#rooms/governance/terms/decide.ts'
import { fewOrMany } from '../fixture/long.ts'

const nothing: Said = {
  appId: 'a',
  appName: 'Ledger',
  entitlementId: 'e',
  entitlementName: 'Reader',
  resourceTypeId: '',
  resourceId: '',
  overrides: false,
  own: {
    grantPolicyId: '',
    revokePolicyId: '',
    isEmergencyEnabled: false,
    emergencyPolicyId: '',
    formId: '',
    maxSeconds: null,
    isDurationUnset: false,
    provisioner: null,
    deprovisioner: null,
  },
  app: { grantPolicyId: '', revokePolicyId: '' },
  defaults: null,
}
const own = (more: Partial<Said['own']>, said: Partial<Said> = {}): Said => ({
  ...nothing,
  ...said,
  own: { ...nothing.own, ...more },
})
const rule = (settings: Partial<TriedRule['settings']>): TriedRule => ({
  id: 'r',
  appId: 'a',
  priority: 2,
  displayName: 'Production',
  condition: '',
  settings: {
    requestPolicyId: '',
    requestSchemaId: '',
    maxGrantDuration: null,
    emergencyGrantEnabled: false,
    emergencyGrantPolicyId: '',
    ...settings,
  },
})
const defaults = (more: Partial<NonNullable<Said['defaults']>>): NonNullable<Said['defaults']> => ({
  requestPolicyId: '',
  requestSchemaId: '',
  durationGrant: null,
  isDurationUnset: false,
  emergencyGrantEnabled: false,
  emergencyGrantPolicyId: '',
  ...more,
})
const source = (name: string): string => `APPLIED_SETTINGS_SOURCE_${name}`

describe('what applies to a request', () => {
  test('is the word of the first source that says something, in the published order', () => {
    const full = own({ grantPolicyId: 'own' }, { defaults: defaults({ requestPolicyId: 'defaults' }) })
    const steps: [Said, TriedRule | null, string, string][] = [
      [{ ...full, overrides: true }, rule({ requestPolicyId: 'rule' }), 'own', 'ENTITLEMENT_OVERRIDE'],
      [full, rule({ requestPolicyId: 'rule' }), 'rule', 'ROUTING_RULE'],
      [full, null, 'own', 'ENTITLEMENT_DEFAULT'],
      [full, rule({}), 'own', 'ENTITLEMENT_DEFAULT'],
      [{ ...full, own: nothing.own }, null, 'defaults', 'APP_DEFAULT'],
      [{ ...nothing, app: { grantPolicyId: 'app', revokePolicyId: '' } }, null, 'app', 'APP_DEFAULT'],
      [nothing, null, '', 'UNSPECIFIED'],
    ]
    for (const [said, by, policyId, from] of steps) {
      const { grantPolicyId, applied } = settle(said, by)
      expect([grantPolicyId, applied.grantPolicy.source]).toEqual([policyId, source(from)])
    }
  })

  test('is said in a sentence, with the rule by its place and name', () => {
    expect(settle(nothing, rule({ requestPolicyId: 'p' })).applied.grantPolicy).toEqual({
      source: source('ROUTING_RULE'),
      routingRuleId: 'r',
      why: 'Routing rule 2 of the app Ledger (Production) sets the policy.',
    })
    expect(settle(nothing, null).applied.grantPolicy.why).toBe('Nothing sets the policy.')
  })

  test('is the longest duration of the first source; that there is none can be said, too', () => {
    const max = (said: Said, by: TriedRule | null = null) => settle(said, by).maxSeconds
    const hourOfApp = { defaults: defaults({ durationGrant: 3600 }) }
    expect(max(own({ maxSeconds: 60 }, hourOfApp), rule({ maxGrantDuration: 30 }))).toBe(30)
    expect(max(own({ maxSeconds: 60 }, hourOfApp))).toBe(60)
    expect(max(own({ isDurationUnset: true }, hourOfApp))).toBeNull()
    expect(max(own({}, hourOfApp))).toBe(3600)
    expect(max(nothing)).toBeNull()
  })

  test('has no emergency access where a rule or an override does not say so', () => {
    const eager = own(
      { isEmergencyEnabled: true, emergencyPolicyId: 'own' },
      { defaults: defaults({ emergencyGrantEnabled: true, emergencyGrantPolicyId: 'app' }) },
    )
    const emergency = (said: Said, by: TriedRule | null = null) => {
      const { isEmergencyEnabled, emergencyPolicyId } = settle(said, by)
      return [isEmergencyEnabled, emergencyPolicyId]
    }
    expect(emergency(eager)).toEqual([true, 'own'])
    expect(emergency(eager, rule({ requestPolicyId: 'p' }))).toEqual([false, ''])
    expect(emergency({ ...eager, own: nothing.own })).toEqual([true, 'app'])
    expect(emergency({ ...eager, own: nothing.own, overrides: true })).toEqual([false, ''])
    // Without a policy nobody would decide it.
    expect(emergency(own({ isEmergencyEnabled: true }))).toEqual([false, ''])
  })

  test('never comes from the rules or defaults of an app where the entitlement overrides them', () => {
    const text = fc.constantFrom('', 'x', 'y')
    const ids = fc.record({ requestPolicyId: text, requestSchemaId: text, emergencyGrantPolicyId: text })
    const said = fc.record({ flag: fc.boolean(), seconds: fc.option(fc.integer({ min: 1, max: 99 })) })
    fc.assert(
      fc.property(ids, ids, said, said, text, (ofRule, ofDefaults, ruled, defaulted, policyId) => {
        const by = rule({ ...ofRule, emergencyGrantEnabled: ruled.flag, maxGrantDuration: ruled.seconds })
        const more = { emergencyGrantEnabled: defaulted.flag, durationGrant: defaulted.seconds }
        const entitlement = own(
          { grantPolicyId: policyId },
          { overrides: true, defaults: defaults({ ...ofDefaults, ...more }) },
        )
        expect(settle(entitlement, null)).toEqual(settle({ ...entitlement, defaults: null }, null))
        const open = settle({ ...entitlement, overrides: false }, by)
        const word = ofRule.requestPolicyId || policyId || ofDefaults.requestPolicyId
        expect(open.grantPolicyId).toBe(word)
        expect(open.isEmergencyEnabled).toBe(ruled.flag && ofRule.emergencyGrantPolicyId !== '')
      }),
      { numRuns: fewOrMany(100, 5000) },
    )
  })
})
