import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'

import { transact } from '#kernel/sql.ts'
import { described, empty, listOf, message, text } from '#kernel/wire.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { unlinkIdentity } from '../linked-identities/actions.ts'
import { isAuthenticIdentity, listIdentitiesOf } from '../linked-identities/store.ts'
import { startOidc } from '../oidc/actions.ts'
import { IdentityMessage } from '../view.ts'

export const identityRoutes = [
  route({
    id: 'auth.v1.Identity.List',
    at: 'GET /api/v1/auth/identities',
    summary: 'List your own OpenID Connect identities.',
    rule: 'own-sign-in.read',
    paged: true,
    reply: message('auth.v1.IdentityListResponse', { list: listOf(IdentityMessage), nextPageToken }),
    async handle({ db, seals, tenant, actor }, { page }) {
      const rows = await listIdentitiesOf(db, tenant.id, actor.userId, page)
      const { list: cut, ...next } = page.cut(
        rows,
        (row) => [row.id],
        (row) => row,
      )
      return { ...next, list: cut.filter((row) => isAuthenticIdentity(seals, tenant.id, row)) }
    },
  }),
  route({
    id: 'auth.v1.Identity.StartLink',
    at: 'POST /api/v1/auth/identities/link',
    summary:
      'Open this URL in a browser to link your user to an identity at the OpenID Connect provider. Returning starts a new session.',
    rule: 'own-sign-in.change',
    body: message('auth.v1.IdentityStartLinkRequest', {
      returnTo: described(text({ maxLength: 2000 }), 'The path to return to; / by default.'),
    }),
    reply: message('auth.v1.IdentityStartLinkResponse', { url: text() }),
    handle: async (call, { body }) => ({ url: await startOidc(call, body.returnTo, call.actor.userId) }),
  }),
  route({
    id: 'auth.v1.Identity.Unlink',
    at: 'DELETE /api/v1/auth/identities/{id}',
    summary: 'Unlink your user from an identity at the OpenID Connect provider.',
    rule: 'own-sign-in.change',
    body: message('auth.v1.IdentityUnlinkRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => unlinkIdentity(tx, call, causeOf(call), call.actor.userId, path.id))
      return {}
    },
  }),
]
