import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'

import { transact } from '#kernel/sql.ts'
import { empty, int32, listOf, message, nested } from '#kernel/wire.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { findPolicy } from '../current-policy.ts'
import { forget } from '../end.ts'
import { unlinkIdentity } from '../linked-identities/actions.ts'
import { isAuthenticIdentity, listIdentitiesOf } from '../linked-identities/store.ts'
import { changePolicy } from '../policy/actions.ts'
import { isAuthenticSession, listSessionsOf } from '../store.ts'
import { IdentityMessage, PolicyMessage, policyView, SessionMessage, sessionView } from '../view.ts'
import { endSessionsOf } from './actions.ts'

const policyReply = (name: string) => message(name, { policy: nested(PolicyMessage) })

/** Operations of administrators about how others sign in. */
export const administerRoutes = [
  route({
    id: 'auth.v1.UserSession.List',
    at: 'GET /api/v1/auth/users/{user_id}/sessions',
    summary: "List a user's sessions of the console, newest first.",
    rule: 'sessions.read',
    paged: true,
    reply: message('auth.v1.UserSessionListResponse', { list: listOf(SessionMessage), nextPageToken }),
    async handle({ db, seals, tenant, actor, now }, { path, page }) {
      const rows = await listSessionsOf(db, tenant.id, path.user_id, now(), page)
      const { list: cut, ...next } = page.cut(
        rows,
        (row) => [row.id],
        (row) => row,
      )
      const ours = cut.filter((row) => isAuthenticSession(seals, tenant.id, row))
      return { ...next, list: ours.map((row) => sessionView(row, actor.sessionId)) }
    },
  }),
  route({
    id: 'auth.v1.UserSession.Revoke',
    at: 'DELETE /api/v1/auth/users/{user_id}/sessions/{id}',
    summary: "End one of a user's sessions of the console.",
    rule: 'sessions.end',
    body: message('auth.v1.UserSessionRevokeRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      const cause = causeOf(call)
      forget(call, ...(await transact(call.db, (tx) => endSessionsOf(tx, call, cause, path.user_id, path.id))))
      return {}
    },
  }),
  route({
    id: 'auth.v1.UserSession.RevokeAll',
    at: 'POST /api/v1/auth/users/{user_id}/sessions/revoke_all',
    summary: "End all of a user's sessions of the console.",
    rule: 'sessions.end',
    body: message('auth.v1.UserSessionRevokeAllRequest', {}),
    reply: message('auth.v1.UserSessionRevokeAllResponse', { revoked: int32() }),
    async handle(call, { path }) {
      const ended = await transact(call.db, (tx) => endSessionsOf(tx, call, causeOf(call), path.user_id, null))
      forget(call, ...ended)
      return { revoked: ended.length }
    },
  }),
  route({
    id: 'auth.v1.UserIdentity.List',
    at: 'GET /api/v1/auth/users/{user_id}/identities',
    summary: 'List the OpenID Connect identities of a user.',
    rule: 'sessions.read',
    paged: true,
    reply: message('auth.v1.UserIdentityListResponse', { list: listOf(IdentityMessage), nextPageToken }),
    async handle({ db, seals, tenant }, { path, page }) {
      const rows = await listIdentitiesOf(db, tenant.id, path.user_id, page)
      const { list: cut, ...next } = page.cut(
        rows,
        (row) => [row.id],
        (row) => row,
      )
      return { ...next, list: cut.filter((row) => isAuthenticIdentity(seals, tenant.id, row)) }
    },
  }),
  route({
    id: 'auth.v1.UserIdentity.Unlink',
    at: 'DELETE /api/v1/auth/users/{user_id}/identities/{id}',
    summary: 'Unlink a user from an OpenID Connect identity.',
    rule: 'sessions.end',
    body: message('auth.v1.UserIdentityUnlinkRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => unlinkIdentity(tx, call, causeOf(call), path.user_id, path.id))
      return {}
    },
  }),
  route({
    id: 'auth.v1.SignInPolicy.Get',
    at: 'GET /api/v1/auth/sign_in_policy',
    summary: 'How people may sign in to the console, and for how long.',
    rule: 'sign-in-policy.read',
    reply: policyReply('auth.v1.SignInPolicyGetResponse'),
    handle: async (call) => ({ policy: policyView(await findPolicy(call, call.db, call)) }),
  }),
  route({
    id: 'auth.v1.SignInPolicy.Update',
    at: 'POST /api/v1/auth/sign_in_policy',
    summary: 'Change how people may sign in to the console. Sessions that used a method that is turned off end.',
    rule: 'sign-in-policy.change',
    body: message('auth.v1.SignInPolicyUpdateRequest', { policy: nested(PolicyMessage) }),
    reply: policyReply('auth.v1.SignInPolicyUpdateResponse'),
    async handle(call, { body }) {
      const before = await findPolicy(call, call.db, call)
      const wanted = {
        methods: body.policy?.methods ?? [],
        idleSeconds: body.policy?.idleTime ?? before.idleSeconds,
        sessionSeconds: body.policy?.sessionTime ?? before.sessionSeconds,
        freshSeconds: body.policy?.freshTime ?? before.freshSeconds,
      }
      await changePolicy(call, wanted)
      return { policy: policyView(wanted) }
    },
  }),
]
