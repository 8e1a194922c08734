import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import { described, list, listOf, message, nested, oneOf, required, text, timestamp } from '#kernel/wire.ts'
import { invitationStates, invitedMax, notInvitable } from './decide.ts'
import { findInvitable, type Invited, invite, revokeInvitation } from './invite.ts'
import { findLatestOf, isAuthenticInvitation, listInvitations } from './store.ts'
import { InvitationMessage, invitationView } from './view.ts'

const idLength = 64
const hindrance = {
  refusal: described(oneOf(['', ...notInvitable]), 'Why the user cannot be invited; empty if they can.'),
  reason: described(text(), 'The same, as a sentence.'),
}
const InvitedMessage = message(
  'auth.v1.Invited',
  {
    userId: text(),
    id: described(text(), 'The invitation; empty if the user cannot be invited.'),
    url: described(
      text(),
      'The link. Whoever has it signs in as this user: send it to nobody else. It is in no other response.',
    ),
    expiresAt: timestamp(),
    ...hindrance,
  },
  'What became of one user who was to be invited.',
)

const invitedView = (invited: Invited) =>
  'hindrance' in invited
    ? {
        userId: invited.userId,
        id: '',
        url: '',
        expiresAt: null,
        refusal: invited.hindrance.code,
        reason: invited.hindrance.reason,
      }
    : {
        userId: invited.userId,
        id: invited.invitation.id,
        url: invited.url,
        expiresAt: invited.invitation.expiresAt,
        refusal: '' as const,
        reason: '',
      }

export const invitationRoutes = [
  route({
    id: 'auth.v1.Invitation.Create',
    at: 'POST /api/v1/auth/invitations',
    summary:
      'Create links for the first sign-in of up to 50 people. Each user gets one or a refusal, whatever becomes of the others; an earlier invitation of the same user is revoked.',
    rule: 'invitations.change',
    body: message('auth.v1.InvitationCreateRequest', {
      userIds: required(list(text({ maxLength: idLength }), invitedMax)),
    }),
    reply: message('auth.v1.InvitationCreateResponse', { list: listOf(InvitedMessage) }),
    async handle(call, { body: { userIds } }) {
      if (userIds.length === 0) throw invalid({ field: 'userIds', description: 'must name at least one user' })
      return { list: (await invite(call, userIds)).map(invitedView) }
    },
  }),
  route({
    id: 'auth.v1.Invitation.List',
    at: 'GET /api/v1/auth/invitations',
    summary: 'List invitations, newest first. They are listed until 90 days after they expire.',
    rule: 'invitations.read',
    paged: true,
    query: message('auth.v1.InvitationListRequest', {
      state: described(oneOf(['', ...invitationStates]), 'Only those in this state.'),
      userId: described(text({ maxLength: idLength }), 'Only those of this user.'),
    }),
    reply: message('auth.v1.InvitationListResponse', { list: listOf(InvitationMessage), nextPageToken }),
    async handle({ db, seals, tenant, now }, { query, page }) {
      const at = now()
      const rows = await listInvitations(db, tenant.id, query, at, page)
      const { list: cut, ...next } = page.cut(
        rows,
        (row) => [row.id],
        (row) => row,
      )
      // A row that this program did not write is not an invitation.
      const ours = cut.filter((row) => isAuthenticInvitation(seals, tenant.id, row))
      return { ...next, list: ours.map((row) => invitationView(row, at)) }
    },
  }),
  route({
    id: 'auth.v1.Invitation.Revoke',
    at: 'POST /api/v1/auth/invitations/{id}/revoke',
    summary: 'Revoke an invitation, so that its link does not work. One that was used, or has ended, stays as it is.',
    rule: 'invitations.change',
    body: message('auth.v1.InvitationRevokeRequest', {}),
    reply: message('auth.v1.InvitationRevokeResponse', { invitation: nested(InvitationMessage) }),
    async handle(call, { path }) {
      return { invitation: invitationView(await revokeInvitation(call, path.id), call.now()) }
    },
  }),
  route({
    id: 'auth.v1.UserInvitation.Get',
    at: 'GET /api/v1/auth/users/{user_id}/invitation',
    summary: 'Get whether a user can be invited, otherwise the reason, and the latest invitation of the user.',
    rule: 'invitations.read',
    reply: message('auth.v1.UserInvitationGetResponse', {
      ...hindrance,
      latest: described(nested(InvitationMessage), 'The latest invitation, if there is one.'),
    }),
    async handle(call, { path }) {
      const found = await findInvitable(call.db, call, path.user_id)
      const latest = await findLatestOf(call.db, call.tenant.id, path.user_id)
      const isOurs = latest && isAuthenticInvitation(call.seals, call.tenant.id, latest)
      return {
        refusal: 'code' in found ? found.code : ('' as const),
        reason: 'code' in found ? found.reason : '',
        latest: isOurs ? invitationView(latest, call.now()) : null,
      }
    },
  }),
]
