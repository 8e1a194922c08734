import { isDeepStrictEqual } from 'node:util'
import { fieldsToChange } from '#kernel/masks.ts'
import { invalid, notSupported } from '#kernel/refusals.ts'
import type { MessageOf } from '#kernel/wire.ts'
import type { Policy, PolicyScope, PolicyTerms, PolicyType } from './policy.ts'
import type { PolicyMessage, termShapes } from './shapes.ts'
import { isPolicyType } from './store.ts'

type Asked = MessageOf<typeof termShapes>
type AskedPolicy = MessageOf<(typeof PolicyMessage)['fields']>

/** The terms in a request: its rules by either name of their steps, its post actions by what they do. */
export const termsOf = ({
  postActions,
  rules,
  displayName,
  description,
  policySteps,
  baselinePolicyId,
  annotations,
}: Asked): PolicyTerms => ({
  displayName,
  description,
  policySteps,
  rules: rules.map(({ condition, stepKey, policyKey, policyId }) => ({
    condition,
    stepKey: stepKey || policyKey,
    policyId,
  })),
  remediatesImmediately:
    postActions.length === 0
      ? null
      : postActions.some(({ certifyRemediateImmediately }) => certifyRemediateImmediately),
  baselinePolicyId,
  annotations,
})

export const withoutEmpty = (annotations: PolicyTerms['annotations']): PolicyTerms['annotations'] =>
  Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== ''))

export function typeOf(asked: string): PolicyType {
  if (isPolicyType(asked)) return asked
  if (asked === 'POLICY_TYPE_UNSPECIFIED') throw invalid({ field: 'policyType', description: 'must be given' })
  throw invalid(notSupported('policyType', `${asked} is not supported by this service`))
}

export function scopeOf(asked: AskedPolicy['scope'], prefix = ''): PolicyScope | null {
  if (!asked) return null
  const { appId, appEntitlementId, slot } = asked
  if (slot !== 'POLICY_SCOPE_SLOT_EMERGENCY')
    throw invalid({ field: `${prefix}scope.slot`, description: 'must be POLICY_SCOPE_SLOT_EMERGENCY' })
  if (appId === '') throw invalid({ field: `${prefix}scope.appId`, description: 'must be given' })
  return { appId, appEntitlementId, slot }
}

const changeable = [
  'displayName',
  'description',
  'policySteps',
  'rules',
  'postActions',
  'baselinePolicyId',
  'annotations',
] as const
const termNamed = { postActions: 'remediatesImmediately' } as Partial<
  Record<(typeof changeable)[number], keyof PolicyTerms>
>

/** What an update changes. Annotations are changed name by name: an empty value deletes one. */
export function changesOf(before: Policy, asked: AskedPolicy, updateMask: string): Partial<PolicyTerms> {
  if (asked.policyType !== 'POLICY_TYPE_UNSPECIFIED' && asked.policyType !== before.policyType)
    throw invalid({ field: 'policy.policyType', description: 'cannot be changed' })
  if (asked.scope && !isDeepStrictEqual(scopeOf(asked.scope, 'policy.'), before.scope))
    throw invalid({ field: 'policy.scope', description: 'cannot be changed' })
  const terms = termsOf(asked)
  // Without a mask the policy becomes what was sent: Terraform omits fields that should be empty.
  const names = updateMask.trim() === '' ? changeable : [...fieldsToChange(asked, updateMask, changeable)]
  const changes: Partial<PolicyTerms> = Object.fromEntries(
    names.map((name) => {
      const term = termNamed[name] ?? (name as keyof PolicyTerms)
      return [term, terms[term]]
    }),
  )
  if (!changes.annotations) return changes
  return { ...changes, annotations: withoutEmpty({ ...before.annotations, ...changes.annotations }) }
}
