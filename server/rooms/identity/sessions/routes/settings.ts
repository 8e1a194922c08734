import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'

import { version } from '#kernel/version.ts'
import { described, empty, int32, list, listOf, message, nested, required, struct, text } from '#kernel/wire.ts'
import { revokeOtherSessions, revokeSession } from '../actions.ts'
import { passkeyNameLengthMax } from '../decide.ts'
import { addPasskey, changePasskeyName, newPasskeyOptions, removePasskey } from '../passkeys/actions.ts'
import { isAuthenticPasskey, listPasskeysOf } from '../passkeys/store.ts'
import { findSession, isAuthenticSession, listSessionsOf } from '../store.ts'
import { PasskeyMessage, SessionMessage, sessionView } from '../view.ts'

const displayName = required(text({ maxLength: passkeyNameLengthMax }))
const passkeyReply = (name: string) => message(name, { passkey: nested(PasskeyMessage) })
const Caller = message('auth.v1.CallingUser', { id: text(), displayName: text(), email: text() })

export const settingsRoutes = [
  route({
    id: 'auth.v1.Session.Current',
    at: 'GET /api/v1/auth/session',
    summary: 'Get the caller, their permissions, and how they signed in; with an access token, the session is null.',
    rule: 'self.introspect',
    asksWhoIsThere: true,
    reply: message('auth.v1.CurrentSessionResponse', {
      user: nested(Caller),
      tenantId: text(),
      tenantDomain: text(),
      serverVersion: text(),
      roles: described(list(text()), 'The ids of the roles.'),
      permissions: list(text()),
      permissionsOnOwned: described(list(text()), 'Further permissions on objects that they own.'),
      session: nested(SessionMessage),
    }),
    async handle({ actor, tenant, db }) {
      const session = actor.sessionId === '' ? null : await findSession(db, tenant.id, actor.sessionId)
      return {
        user: { id: actor.userId, displayName: actor.name, email: actor.email },
        tenantId: tenant.publicId,
        tenantDomain: tenant.domain,
        serverVersion: version,
        roles: actor.roleIds,
        permissions: [...actor.permissions].toSorted(),
        permissionsOnOwned: [...actor.permissionsOnOwned.difference(actor.permissions)].toSorted(),
        session: session && sessionView(session, actor.sessionId),
      }
    },
  }),
  route({
    id: 'auth.v1.Session.List',
    at: 'GET /api/v1/auth/sessions',
    summary: 'List your own console sessions, newest first.',
    rule: 'own-sessions.read',
    paged: true,
    reply: message('auth.v1.SessionListResponse', { list: listOf(SessionMessage), nextPageToken }),
    async handle({ db, seals, tenant, actor, now }, { page }) {
      const rows = await listSessionsOf(db, tenant.id, actor.userId, now(), page)
      const { list: cut, ...next } = page.cut(
        rows,
        (row) => [row.id],
        (row) => row,
      )
      // A row that this program did not write is not a session.
      const own = cut.filter((row) => isAuthenticSession(seals, tenant.id, row))
      return { ...next, list: own.map((row) => sessionView(row, actor.sessionId)) }
    },
  }),
  route({
    id: 'auth.v1.Session.Revoke',
    at: 'DELETE /api/v1/auth/sessions/{id}',
    summary: 'End one of your own console sessions.',
    rule: 'own-sessions.end',
    body: message('auth.v1.SessionRevokeRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      await revokeSession(call, path.id)
      return {}
    },
  }),
  route({
    id: 'auth.v1.Session.RevokeOthers',
    at: 'POST /api/v1/auth/sessions/revoke_others',
    summary: 'End all of your own console sessions except this one.',
    rule: 'own-sessions.end',
    body: message('auth.v1.SessionRevokeOthersRequest', {}),
    reply: message('auth.v1.SessionRevokeOthersResponse', { revoked: int32() }),
    handle: async (call) => ({ revoked: await revokeOtherSessions(call) }),
  }),
  route({
    id: 'auth.v1.Passkey.List',
    at: 'GET /api/v1/auth/passkeys',
    summary: 'List your own passkeys.',
    rule: 'own-sign-in.read',
    paged: true,
    reply: message('auth.v1.PasskeyListResponse', { list: listOf(PasskeyMessage), nextPageToken }),
    async handle({ db, seals, tenant, actor }, { page }) {
      const rows = await listPasskeysOf(db, tenant.id, actor.userId, page)
      const { list: cut, ...next } = page.cut(
        rows,
        (row) => [row.id],
        (row) => row,
      )
      return { ...next, list: cut.filter((row) => isAuthenticPasskey(seals, tenant.id, row)) }
    },
  }),
  route({
    id: 'auth.v1.Passkey.Options',
    at: 'POST /api/v1/auth/passkeys/options',
    summary: 'Get the options for a browser to create a passkey. They are valid for 5 minutes and one response.',
    rule: 'own-sign-in.change',
    body: message('auth.v1.PasskeyOptionsRequest', {}),
    reply: message('auth.v1.NewPasskeyOptions', {
      options: described(struct(), 'The options for the browser: PublicKeyCredentialCreationOptionsJSON of WebAuthn.'),
    }),
    handle: async (call) => ({ options: { ...(await newPasskeyOptions(call)) } }),
  }),
  route({
    id: 'auth.v1.Passkey.Create',
    at: 'POST /api/v1/auth/passkeys',
    summary: 'Add a passkey to sign in to the console with.',
    rule: 'own-sign-in.change',
    body: message('auth.v1.PasskeyCreateRequest', {
      displayName,
      response: described(struct(), 'RegistrationResponseJSON of WebAuthn.'),
    }),
    reply: passkeyReply('auth.v1.PasskeyCreateResponse'),
    handle: async (call, { body }) => ({ passkey: await addPasskey(call, body.displayName, body.response) }),
  }),
  route({
    id: 'auth.v1.Passkey.Rename',
    at: 'POST /api/v1/auth/passkeys/{id}',
    summary: 'Rename one of your own passkeys.',
    rule: 'own-sign-in.rename',
    body: message('auth.v1.PasskeyRenameRequest', { displayName }),
    reply: passkeyReply('auth.v1.PasskeyRenameResponse'),
    handle: async (call, { path, body }) => ({ passkey: await changePasskeyName(call, path.id, body.displayName) }),
  }),
  route({
    id: 'auth.v1.Passkey.Delete',
    at: 'DELETE /api/v1/auth/passkeys/{id}',
    summary: 'Delete one of your own passkeys.',
    rule: 'own-sign-in.change',
    body: message('auth.v1.PasskeyDeleteRequest', {}),
    reply: empty,
    async handle(call, { path }) {
      await removePasskey(call, path.id)
      return {}
    },
  }),
]
