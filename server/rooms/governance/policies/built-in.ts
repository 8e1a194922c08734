import type { PolicyTerms, PolicyType, WireStep } from './policy.ts'
import { PolicyStepMessage } from './shapes.ts'

/** The policies that every tenant has from the beginning, so that there is always one. They cannot be changed. */

const step = (json: object): WireStep => PolicyStepMessage.read(json, '', [])
const approval = (by: object): WireStep => step({ approval: { ...by, allowReassignment: true, allowDelegation: true } })
const provision = step({ provision: {} })

type BuiltIn = {
  id: string
  type: PolicyType
  name: string
  displayName: string
  description: string
  steps: WireStep[]
}

const grant = (id: string, name: string, displayName: string, description: string, steps: WireStep[]): BuiltIn => ({
  id,
  type: 'POLICY_TYPE_GRANT',
  name,
  displayName,
  description,
  steps,
})

// The ids are the same in every tenant: a policy is identified by tenant and id, and clients find them by name.
export const builtIns: readonly BuiltIn[] = [
  grant(
    '0builtinGrantByAppOwners001',
    'grant-app-owners',
    'App owners approve',
    'One of the owners of the app decides. If there is none, a Super Administrator decides.',
    [approval({ appOwners: {} }), provision],
  ),
  grant(
    '0builtinGrantByManager00001',
    'grant-manager',
    'Manager approves',
    "The subject's manager decides. If there is none, a Super Administrator decides.",
    [approval({ manager: {} }), provision],
  ),
  grant(
    '0builtinGrantManagerOwner01',
    'grant-manager-and-owners',
    'Manager, then app owners approve',
    "The subject's manager decides, and then one of the owners of the app, who must be someone else.",
    [approval({ manager: {} }), approval({ appOwners: { requireDistinctApprovers: true } }), provision],
  ),
  grant(
    '0builtinGrantAutomatic00001',
    'grant-automatic',
    'Approve automatically',
    'Every request is approved without a decision.',
    [step({ accept: { acceptMessage: 'The policy approves every request.' } }), provision],
  ),
  grant('0builtinGrantNever000000001', 'grant-never', 'Deny', 'Every request is denied without a decision.', [
    step({ reject: { rejectMessage: 'The policy denies every request.' } }),
  ]),
  {
    id: '0builtinRevokeAutomatic0001',
    type: 'POLICY_TYPE_REVOKE',
    name: 'revoke-automatic',
    displayName: 'Revoke automatically',
    description: 'Access is revoked without a decision.',
    steps: [step({ accept: { acceptMessage: 'The policy approves every revocation.' } }), provision],
  },
  {
    id: '0builtinRevokeByOwners00001',
    type: 'POLICY_TYPE_REVOKE',
    name: 'revoke-app-owners',
    displayName: 'App owners approve the revocation',
    description: 'Access stays until one of the owners of the app has decided.',
    steps: [approval({ appOwners: {} }), provision],
  },
  {
    id: '0builtinCertifyByManager001',
    type: 'POLICY_TYPE_CERTIFY',
    name: 'certify-manager',
    displayName: 'Manager certifies',
    description: "The holder's manager decides whether they keep their access.",
    steps: [approval({ manager: {} })],
  },
  {
    id: '0builtinCertifyByOwners0001',
    type: 'POLICY_TYPE_CERTIFY',
    name: 'certify-app-owners',
    displayName: 'App owners certify',
    description: 'One of the owners of the app decides who keeps their access.',
    steps: [approval({ appOwners: {} })],
  },
]

/** Used if neither the entitlement nor its app names a policy. */
export const defaultPolicyIds: Readonly<Record<PolicyType, string>> = {
  POLICY_TYPE_GRANT: '0builtinGrantByAppOwners001',
  POLICY_TYPE_REVOKE: '0builtinRevokeAutomatic0001',
  POLICY_TYPE_CERTIFY: '0builtinCertifyByManager001',
}

/** Grant or revoke without a decision. */
export const automaticPolicyIds = {
  grant: '0builtinGrantAutomatic00001',
  revoke: '0builtinRevokeAutomatic0001',
} as const

export const termsOfBuiltIn = ({ type, displayName, description, steps }: BuiltIn): PolicyTerms => ({
  displayName,
  description,
  policySteps: { [type.slice('POLICY_TYPE_'.length).toLowerCase()]: { steps } },
  rules: [],
  remediatesImmediately: null,
  baselinePolicyId: '',
  annotations: {},
})
