import type { Person } from '../person.ts'
import type { SignInPolicy } from '../policy/policy.ts'

export type Invitation = {
  id: string
  userId: string
  /** The address that the user had: if they have another one, the invitation may have been meant for somebody else. */
  email: string
  secretSha256: Buffer
  createdBy: string
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
  revokedAt: Date | null
}

const dayMs = 24 * 60 * 60_000

export const invitationMsMax = 7 * dayMs
/** How long an invitation is listed after it could no longer be used. */
export const keptMs = 90 * dayMs
export const invitedMax = 50

export const invitationStates = ['WAITING', 'USED', 'EXPIRED', 'REVOKED'] as const
export type InvitationState = (typeof invitationStates)[number]

export function stateOf({ usedAt, revokedAt, expiresAt }: Invitation, now: Date): InvitationState {
  if (usedAt) return 'USED'
  if (revokedAt) return 'REVOKED'
  return expiresAt <= now ? 'EXPIRED' : 'WAITING'
}

/** Why someone cannot be invited. */
export const notInvitable = [
  'USER_NOT_FOUND',
  'NOT_A_PERSON',
  'USER_DISABLED',
  'EMAIL_MISSING',
  'LINKS_NOT_ALLOWED',
  'SIGNED_IN_BEFORE',
] as const
export type Hindrance = { code: (typeof notInvitable)[number]; reason: string }

type Facts = { user: Person | null; methods: SignInPolicy['methods']; hasWayIn: boolean }

/** Why someone cannot be invited, or null. */
export function hindranceOf({ user, methods, hasWayIn }: Facts): Hindrance | null {
  if (!user) return { code: 'USER_NOT_FOUND', reason: 'There is no such user.' }
  const { name } = user
  if (user.isPrincipal)
    return { code: 'NOT_A_PERSON', reason: `${name} is a service principal, and cannot sign in to the console.` }
  if (!user.isEnabled) return { code: 'USER_DISABLED', reason: `${name} is disabled or deleted, and cannot sign in.` }
  if (user.email.trim() === '')
    return { code: 'EMAIL_MISSING', reason: `${name} has no email address, so nobody knows where to send the link.` }
  if (!methods.includes('link'))
    return { code: 'LINKS_NOT_ALLOWED', reason: 'The sign-in policy does not allow one-time links.' }
  if (hasWayIn)
    return {
      code: 'SIGNED_IN_BEFORE',
      reason: `${name} has signed in before, or can. Invitations are for the first sign-in only; the operator of the server can create a sign-in link.`,
    }
  return null
}
