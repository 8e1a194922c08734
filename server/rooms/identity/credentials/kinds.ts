import type { FieldViolation } from '#kernel/refusals.ts'
import { deviceLifespanProblem, lifespanProblem, principalLifespanProblem } from './decide.ts'

/**
 * Credentials of users (`pcc`), of service principals (`spc`) and of authorized devices (`device`), and trusts of
 * service principals in other issuers (`wfe`), are rows of one table. The end of the client id, which the MAC of the
 * row covers, identifies the kind, and so which operations show and change it. Those of devices, and trusts, have no
 * secret.
 */
export type CredentialKind = 'pcc' | 'spc' | 'device' | 'wfe'

export function credentialKind(clientId: string): CredentialKind {
  if (clientId.endsWith('/spc')) return 'spc'
  if (clientId.endsWith('/wfe')) return 'wfe'
  return clientId.endsWith('/device') ? 'device' : 'pcc'
}

/** The names that events use. */
export const nameOfKind: Record<CredentialKind, string> = {
  pcc: 'API credential',
  spc: 'API credential',
  device: 'authorized device',
  wfe: 'federation trust',
}

/** Whether a client acts for a service principal. The person who controls it does not count as a second person. */
export const isProgram = (clientId: string): boolean => ['spc', 'wfe'].includes(credentialKind(clientId))

/**
 * The limits for credentials of each kind, and the names that its operations use for the allowed addresses and the
 * roles.
 */
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
  device: {
    cidrsField: 'allowSourceCidr',
    rolesField: 'scopedRoles',
    cidrsMax: 100,
    lifespanProblem: deviceLifespanProblem,
  },
  // There is no secret that could leak: it ends with what created it, or never.
  wfe: { cidrsField: 'allowSourceCidrs', rolesField: 'scopedRoleIds', cidrsMax: 32, lifespanProblem: () => null },
}
