import { route } from '#authority/route.ts'
import type { ErrorForm } from '#kernel/routes.ts'
import { described, empty, flag, message, nested, struct, text } from '#kernel/wire.ts'
import { endOwnSession } from '../actions.ts'
import type { Begun } from '../begin.ts'
import { findPolicy } from '../current-policy.ts'
import { passkeyHost } from '../decide.ts'
import { signInByInvitation } from '../invitations/actions.ts'
import { signInByLink } from '../links/actions.ts'
import { finishOidc, startOidc } from '../oidc/actions.ts'
import { findOidc } from '../oidc/provider.ts'
import { passkeySignInOptions, signInByPasskey } from '../passkeys/actions.ts'
import { SessionMessage, sessionView } from '../view.ts'

const SignedIn = message('auth.v1.SignedIn', { userId: text(), session: nested(SessionMessage) })
const signedIn = ({ session }: Begun) => ({ userId: session.userId, session: sessionView(session, session.id) })
const OptionsReply = message('auth.v1.PasskeyOptions', {
  options: described(struct(), 'The options for the browser: PublicKeyCredentialRequestOptionsJSON of WebAuthn.'),
})

/** A person sees this in a browser, which is sent to a page with a message for it. */
const toSignInPage: ErrorForm = ({ status, reason, detail }) => {
  if (status >= 500) return null
  const code = detail.metadata?.['code'] ?? (reason === 'TOO_MANY_FAILURES' ? reason : 'OIDC_REFUSED')
  return { status: 303, headers: { location: `/sign-in?error=${code}` }, body: {} }
}

// Longer than any provider's code; a longer text is not sent on to it.
const parameter = text({ maxLength: 4096 })

export const signInRoutes = [
  route({
    id: 'auth.v1.SignIn.Ways',
    at: 'GET /auth/v1/sign_in',
    summary: 'Get the available methods to sign in to the console.',
    rule: 'console.sign-in',
    reply: message('auth.v1.SignInWays', {
      tenantDomain: text(),
      link: described(flag(), 'Whether the policy allows one-time links.'),
      passkey: described(flag(), 'Whether browsers use passkeys at this address, and the policy allows them.'),
      oidc: described(flag(), 'Whether an OpenID Connect provider is set up, and the policy allows it.'),
      oidcIssuer: text(),
    }),
    async handle(call) {
      const { methods } = await findPolicy(call, call.db, call)
      const provider = methods.includes('oidc') ? await findOidc(call, call.db, call) : null
      return {
        tenantDomain: call.tenant.domain,
        link: methods.includes('link'),
        passkey: passkeyHost(call.origin) !== null && methods.includes('passkey'),
        oidc: provider !== null,
        oidcIssuer: provider?.issuer ?? '',
      }
    },
  }),
  route({
    id: 'auth.v1.SignIn.ByLink',
    at: 'POST /auth/v1/sign_in/link',
    summary: 'Sign in to the console with the token of a one-time link. The session is a cookie in the response.',
    rule: 'console.sign-in',
    ownPages: true,
    body: message('auth.v1.SignInByLinkRequest', { token: text({ maxLength: 200 }) }),
    reply: SignedIn,
    handle: async (call, { body }) => signedIn(await signInByLink(call, body.token)),
  }),
  route({
    id: 'auth.v1.SignIn.ByInvitation',
    at: 'POST /auth/v1/sign_in/invitation',
    summary:
      'Sign in to the console for the first time, with the token of an invitation. The session is a cookie in the response.',
    rule: 'console.sign-in',
    ownPages: true,
    body: message('auth.v1.SignInByInvitationRequest', { token: text({ maxLength: 200 }) }),
    reply: SignedIn,
    handle: async (call, { body }) => signedIn(await signInByInvitation(call, body.token)),
  }),
  route({
    id: 'auth.v1.SignIn.PasskeyOptions',
    at: 'POST /auth/v1/sign_in/passkey_options',
    summary:
      'Get the options for a browser to sign in to the console with a passkey. They are valid for 5 minutes and one response.',
    rule: 'console.sign-in',
    ownPages: true,
    body: message('auth.v1.SignInPasskeyOptionsRequest', {}),
    reply: OptionsReply,
    handle: async (call) => ({ options: { ...(await passkeySignInOptions(call)) } }),
  }),
  route({
    id: 'auth.v1.SignIn.ByPasskey',
    at: 'POST /auth/v1/sign_in/passkey',
    summary: 'Sign in to the console with the answer of a passkey. The session is a cookie in the response.',
    rule: 'console.sign-in',
    ownPages: true,
    body: message('auth.v1.SignInByPasskeyRequest', {
      response: described(struct(), 'AuthenticationResponseJSON of WebAuthn.'),
      userId: described(text({ maxLength: 64 }), 'The user who must sign in; empty for any user.'),
    }),
    reply: SignedIn,
    handle: async (call, { body }) => signedIn(await signInByPasskey(call, body.response, body.userId)),
  }),
  route({
    id: 'auth.v1.SignIn.StartOidc',
    at: 'POST /auth/v1/sign_in/oidc',
    summary: 'Open this URL in a browser to sign in to the console with the OpenID Connect provider.',
    rule: 'console.sign-in',
    ownPages: true,
    body: message('auth.v1.SignInStartOidcRequest', {
      returnTo: described(text({ maxLength: 2000 }), 'The path to return to; / by default.'),
    }),
    reply: message('auth.v1.SignInStartOidcResponse', { url: text() }),
    handle: async (call, { body }) => ({ url: await startOidc(call, body.returnTo) }),
  }),
  route({
    id: 'auth.v1.SignIn.OidcCallback',
    at: 'GET /auth/v1/oidc/callback',
    summary: 'The redirect URI of the OpenID Connect provider: continues to the console.',
    rule: 'console.sign-in',
    redirect: true,
    errors: toSignInPage,
    query: message('', {
      code: parameter,
      state: parameter,
      iss: parameter,
      error: parameter,
      error_description: parameter,
    }),
    reply: message('auth.v1.OidcCallbackResponse', { location: text() }),
    handle: async (call, { query }) => ({ location: await finishOidc(call, query) }),
  }),
  route({
    id: 'auth.v1.SignIn.Out',
    at: 'POST /auth/v1/sign_out',
    summary: 'Sign out of the console: ends the session of the cookie, if there is one, and deletes the cookie.',
    rule: 'console.sign-in',
    ownPages: true,
    body: message('auth.v1.SignOutRequest', {}),
    reply: empty,
    async handle(call) {
      await endOwnSession(call)
      return {}
    },
  }),
]
