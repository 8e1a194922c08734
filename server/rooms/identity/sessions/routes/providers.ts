import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { described, empty, flag, list, listOf, message, nested, required, text, timestamp } from '#kernel/wire.ts'
import { sendTo } from '../oidc/actions.ts'
import { configure } from '../oidc/ask.ts'
import { cannotTest, recordTest } from '../oidc/testing.ts'
import {
  changeProvider,
  createProvider,
  disableProvider,
  enableProvider,
  providerNotFound,
  removeProvider,
} from '../providers/actions.ts'
import { domainLengthMax, domainsMax, nameLengthMax } from '../providers/decide.ts'
import { findProvider, listProviders } from '../providers/find.ts'
import type { ProviderRow } from '../providers/store.ts'

const TestMessage = message(
  'auth.v1.SignInProviderTest',
  {
    testedAt: timestamp(),
    testedBy: text(),
    code: described(text(), 'Why nobody would be signed in, as a code; empty if the user would be.'),
    reason: described(text(), 'The same, in words.'),
    subject: described(text(), 'Who signed in at the provider: the claim sub.'),
    email: described(text(), 'The email address that the provider reported.'),
    isEmailVerified: flag(),
    userId: described(text(), 'The user with whom that person is, or would be, linked; empty if there is none.'),
  },
  'What a round trip to the provider returned, with the present settings. Nobody was signed in by it.',
)

const ProviderMessage = message(
  'auth.v1.SignInProvider',
  {
    id: text(),
    displayName: text(),
    issuer: text(),
    clientId: text(),
    hasClientSecret: flag(),
    domains: described(
      list(text()),
      'The mail domains of the people whom it may sign in for the first time; of the provider of the operator, none means all.',
    ),
    isEnabled: flag(),
    isOfOperator: described(flag(), 'Configured with bailiwick tenant oidc, and changed only there.'),
    redirectUri: described(text(), 'To be registered at the provider.'),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    test: described(nested(TestMessage), 'The last test of these settings; null if there was none.'),
  },
  'An OpenID Connect provider with which people sign in to the console.',
)

const view = ({ origin }: { origin: string }, row: ProviderRow) => ({
  ...row,
  hasClientSecret: row.sealedClientSecret !== null,
  redirectUri: `${origin}/auth/v1/oidc/callback`,
  test: row.testResult === null ? null : { ...row.testResult, testedAt: row.testedAt, testedBy: row.testedBy ?? '' },
})

const reply = (name: string) => message(`auth.v1.${name}`, { provider: nested(ProviderMessage) })
const settings = {
  displayName: required(text({ maxLength: nameLengthMax })),
  issuer: required(text({ maxLength: 2000 })),
  clientId: required(text({ maxLength: 500 })),
  clientSecret: described(
    text({ maxLength: 4096 }),
    'It is encrypted, and in no response. Empty: none, or on a change the present one.',
  ),
  domains: required(list(text({ maxLength: domainLengthMax }), domainsMax)),
}
const path = '/api/v1/auth/sign_in_providers'

/** Providers that administrators configure; the operator's is listed with them. */
export const providerRoutes = [
  route({
    id: 'auth.v1.SignInProvider.List',
    at: `GET ${path}`,
    summary: 'List the OpenID Connect providers with which people sign in to the console, in order of creation.',
    rule: 'sign-in-providers.read',
    paged: true,
    reply: message('auth.v1.SignInProviderListResponse', { list: listOf(ProviderMessage), nextPageToken }),
    async handle(call, { page }) {
      const after = String(page.after?.[0] ?? '')
      const rows = (await listProviders(call, call.db, call)).filter(({ id }) => id > after).slice(0, page.limit)
      return page.cut(
        rows,
        ({ id }) => [id],
        (row) => view(call, row),
      )
    },
  }),
  route({
    id: 'auth.v1.SignInProvider.Create',
    at: `POST ${path}`,
    summary: 'Create a provider. It signs in nobody until it is enabled.',
    rule: 'sign-in-providers.change',
    body: message('auth.v1.SignInProviderCreateRequest', settings),
    reply: reply('SignInProviderCreateResponse'),
    handle: async (call, { body }) => ({ provider: view(call, await createProvider(call, body)) }),
  }),
  route({
    id: 'auth.v1.SignInProvider.Update',
    at: `POST ${path}/{id}`,
    summary: 'Change a provider. While it is enabled, only its name and its client secret can be changed.',
    rule: 'sign-in-providers.change',
    body: message('auth.v1.SignInProviderUpdateRequest', settings),
    reply: reply('SignInProviderUpdateResponse'),
    handle: async (call, { path: { id }, body }) => ({ provider: view(call, await changeProvider(call, id, body)) }),
  }),
  route({
    id: 'auth.v1.SignInProvider.Enable',
    at: `POST ${path}/{id}/enable`,
    summary:
      'Enable a provider: it may sign in people whose email address is in its domains. It needs approval if any kind of change does.',
    rule: 'sign-in-providers.change',
    body: message('auth.v1.SignInProviderEnableRequest', {}),
    reply: reply('SignInProviderEnableResponse'),
    handle: async (call, { path: { id } }) => ({ provider: view(call, await enableProvider(call, id)) }),
  }),
  route({
    id: 'auth.v1.SignInProvider.Disable',
    at: `POST ${path}/{id}/disable`,
    summary: 'Disable a provider: nobody signs in with it any more. Existing sessions continue.',
    rule: 'sign-in-providers.change',
    body: message('auth.v1.SignInProviderDisableRequest', {}),
    reply: reply('SignInProviderDisableResponse'),
    handle: async (call, { path: { id } }) => ({ provider: view(call, await disableProvider(call, id)) }),
  }),
  route({
    id: 'auth.v1.SignInProvider.Delete',
    at: `DELETE ${path}/{id}`,
    summary: 'Delete a disabled provider. Identities that are linked with it stay linked.',
    rule: 'sign-in-providers.change',
    body: message('auth.v1.SignInProviderDeleteRequest', {}),
    reply: empty,
    async handle(call, { path: { id } }) {
      await removeProvider(call, id)
      return {}
    },
  }),
  route({
    id: 'auth.v1.SignInProvider.StartTest',
    at: `POST ${path}/{id}/test`,
    summary:
      'Open this URL in the same browser to sign in at the provider as a test. Nobody is signed in here; the result is in the provider.',
    rule: 'sign-in-providers.change',
    body: message('auth.v1.SignInProviderStartTestRequest', {
      returnTo: described(text({ maxLength: 2000 }), 'The path to return to; / by default.'),
    }),
    reply: message('auth.v1.SignInProviderStartTestResponse', { url: text() }),
    async handle(call, { path: { id }, body }) {
      const row = await findProvider(call, call.db, call, id)
      if (!row) throw providerNotFound(id)
      const configuration = await configure(call, row)
      if ('code' in configuration) throw cannotTest(configuration)
      await recordTest(call, row)
      return { url: await sendTo(call, row, { returnTo: body.returnTo, testUserId: call.actor.userId }) }
    },
  }),
]
