import type { FieldViolation } from '#kernel/refusals.ts'
import { lifespanProblem, principalLifespanProblem } from './decide.ts'

/**
 * Credentials of users and of service principals are rows of one table. The end of the client id, which is under the MAC of the
 * row, tells which it is, and so which operations show and change it.
 */
export type CredentialKind = 'pcc' | 'spc'

export const credentialKind = (clientId: string): CredentialKind => (clientId.endsWith('/spc') ? 'spc' : 'pcc')

/** What a credential of each kind may be, and what its operations call the allowed addresses. */
export const termsOf: Record<
  CredentialKind,
  { cidrsField: string; cidrsMax: number; lifespanProblem: (seconds: number | null) => FieldViolation | null }
> = {
  pcc: { cidrsField: 'allowSourceCidr', cidrsMax: 100, lifespanProblem },
  spc: { cidrsField: 'allowSourceCidrs', cidrsMax: 32, lifespanProblem: principalLifespanProblem },
}
