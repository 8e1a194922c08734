import type { FieldViolation } from '#kernel/refusals.ts'
import { lifespanProblem, principalLifespanProblem } from './decide.ts'

/**
 * Credentials of users (`pcc`) and of service principals (`spc`), and trusts of service principals in other issuers (`wfe`), are rows
 * of one table. The end of the client id, which is under the MAC of the row, tells which it is, and so which operations show and
 * change it.
 */
export type CredentialKind = 'pcc' | 'spc' | 'wfe'

export const credentialKind = (clientId: string): CredentialKind =>
  clientId.endsWith('/spc') ? 'spc' : clientId.endsWith('/wfe') ? 'wfe' : 'pcc'

/** Whether a client speaks for a service principal. Whoever controls it is no second person. */
export const isProgram = (clientId: string): boolean => credentialKind(clientId) !== 'pcc'

/** What a credential of each kind may be, and what its operations call the allowed addresses and the roles. */
export const termsOf: Record<
  CredentialKind,
  {
    cidrsField: string
    rolesField: string
    cidrsMax: number
    lifespanProblem: (seconds: number | null) => FieldViolation | null
  }
> = {
  pcc: { cidrsField: 'allowSourceCidr', rolesField: 'scopedRoles', cidrsMax: 100, lifespanProblem },
  spc: {
    cidrsField: 'allowSourceCidrs',
    rolesField: 'scopedRoles',
    cidrsMax: 32,
    lifespanProblem: principalLifespanProblem,
  },
  // There is no secret that could leak: it ends with what it was created by, or never.
  wfe: { cidrsField: 'allowSourceCidrs', rolesField: 'scopedRoleIds', cidrsMax: 32, lifespanProblem: () => null },
}
