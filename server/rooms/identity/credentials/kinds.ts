import type { FieldViolation } from '#kernel/refusals.ts'
import { deviceLifespanProblem, lifespanProblem, principalLifespanProblem } from './decide.ts'

/**
 * Credentials of users, of service principals and of authorized devices are rows of one table. The end of the client id, which is
 * under the MAC of the row, tells which it is, and so which operations show and change it. That of a device has no secret.
 */
export type CredentialKind = 'pcc' | 'spc' | 'device'

export function credentialKind(clientId: string): CredentialKind {
  if (clientId.endsWith('/spc')) return 'spc'
  return clientId.endsWith('/device') ? 'device' : 'pcc'
}

/** As events call one. */
export const nameOfKind: Record<CredentialKind, string> = {
  pcc: 'API credential',
  spc: 'API credential',
  device: 'authorized device',
}

/** What a credential of each kind may be, and what its operations call the allowed addresses. */
export const termsOf: Record<
  CredentialKind,
  { cidrsField: string; cidrsMax: number; lifespanProblem: (seconds: number | null) => FieldViolation | null }
> = {
  pcc: { cidrsField: 'allowSourceCidr', cidrsMax: 100, lifespanProblem },
  spc: { cidrsField: 'allowSourceCidrs', cidrsMax: 32, lifespanProblem: principalLifespanProblem },
  device: { cidrsField: 'allowSourceCidr', cidrsMax: 100, lifespanProblem: deviceLifespanProblem },
}
