import type { Invitation } from '#client/api/types.ts'

/** The states of invitations. */
export const invitationStates: Readonly<Record<Invitation['state'], string>> = {
  '': 'Any',
  WAITING: 'Waiting',
  USED: 'Used',
  EXPIRED: 'Expired',
  REVOKED: 'Revoked',
}
