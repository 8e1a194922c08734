import { described, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import { type Invitation, type InvitationState, invitationStates, stateOf } from './decide.ts'

export const InvitationMessage = message(
  'auth.v1.Invitation',
  {
    id: text(),
    userId: described(text(), 'Who is invited.'),
    state: described(
      oneOf(['', ...invitationStates]),
      'Whether it waits for its use, was used, has expired, or was revoked: by an administrator, by a newer invitation, or because the user was disabled.',
    ),
    createdBy: described(text(), 'The user who created it.'),
    createdAt: timestamp(),
    expiresAt: timestamp(),
    usedAt: timestamp(),
    revokedAt: timestamp(),
  },
  'A link for the first sign-in of one person. It works once, for 7 days. Its URL is only in the response that creates it.',
)

export const invitationView = (invitation: Invitation, now: Date) => ({
  id: invitation.id,
  userId: invitation.userId,
  state: stateOf(invitation, now) satisfies InvitationState,
  createdBy: invitation.createdBy,
  createdAt: invitation.createdAt,
  expiresAt: invitation.expiresAt,
  usedAt: invitation.usedAt,
  revokedAt: invitation.revokedAt,
})
