import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#server/registry/routes.ts'
import { type Access, ask, getToken, type Json, openAccess, outcomeOf } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { Authenticator } from './authenticator.ts'
import { letPass, openBrowser, sessionIn, signIn } from './support.ts'

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer()
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const stale = '403/7 FRESH_SIGN_IN_REQUIRED'
const credentials = '/api/v1/iam/personal_clients'
const count = async (userId: string): Promise<number> => {
  const [row] = await server.db<{ count: number }[]>`
    select count(*) from credentials where user_id = ${userId} and deleted_at is null`
  return row?.count ?? 0
}

test('a session of more than 15 minutes makes no credential and no passkey, and changes nothing', async () => {
  const userId = await access.makeUser({ roles: ['system:owner'] })
  const browser = await signIn(server, access, userId)
  await letPass(access, userId, 14)
  const made = await browser.ask(credentials, { body: { displayName: 'In time' } })
  expect(outcomeOf(made)).toBe('200')
  const { id } = (made.json as { client: { id: string } }).client
  await letPass(access, userId, 2)
  for (const [path, asking] of [
    [credentials, { body: { displayName: 'Too late' } }],
    [`${credentials}/${id}`, { body: { client: { allowSourceCidr: [] }, updateMask: 'allowSourceCidr' } }],
    ['/api/v1/auth/passkeys/options', { body: {} }],
    ['/api/v1/auth/passkeys', { body: { displayName: 'x', response: {} } }],
    ['/api/v1/auth/passkeys/2zzzzzzzzzzzzzzzzzzzzzzzzzz', { method: 'DELETE' }],
    ['/api/v1/auth/identities/link', { body: {} }],
    ['/api/v1/auth/identities/2zzzzzzzzzzzzzzzzzzzzzzzzzz', { method: 'DELETE' }],
    ['/api/v1/auth/sign_in_policy', { body: { policy: { methods: ['link'] } } }],
    [`/api/v1/auth/users/${userId}/sessions/revoke_all`, { body: {} }],
    [`/api/v2/users/${userId}/owners/users/primary/${userId}`, { body: {} }],
    [`/api/v2/users/${userId}/owners/entitlements/primary/an-app/an-entitlement`, { body: {} }],
    ['/api/v1/webhooks', { body: { displayName: 'x', url: 'https://example.com' } }],
    [`/api/v1/webhooks/${id}`, { body: { webhook: { url: 'https://example.com' } } }],
  ] as const)
    expect(outcomeOf(await browser.ask(path, asking)), path).toBe(stale)
  expect(await count(userId)).toBe(1)
  // What only reads, or only takes away from oneself, goes on.
  expect(outcomeOf(await browser.ask(credentials))).toBe('200')
  expect(outcomeOf(await browser.ask(`${credentials}/${id}`, { method: 'DELETE', body: {} }))).toBe('200')
})

test('the session says until when it is fresh', async () => {
  const userId = await access.makeUser()
  const session = sessionIn(await (await signIn(server, access, userId)).ask('/api/v1/auth/session'))
  const { createdAt, freshUntil, idleTime } = session as { createdAt: string; freshUntil: string; idleTime: string }
  expect(Date.parse(freshUntil) - Date.parse(createdAt)).toBe(15 * 60_000)
  expect(idleTime).toBe('43200s')
})

test('an access token is not asked for a fresh sign-in', async () => {
  const key = await access.makeCaller(['system:owner'])
  const token = await getToken(server, key)
  expect(outcomeOf(await ask(server, credentials, { token, body: { displayName: 'By token' } }))).toBe('200')
})

test('being refused is an event, and someone without the permission hears of that first', async () => {
  const userId = await access.makeUser({ roles: ['system:user'] })
  const browser = await signIn(server, access, userId)
  await letPass(access, userId, 16)
  const denied = await browser.ask('/api/v1/auth/sign_in_policy', { body: {} })
  expect(outcomeOf(denied)).toBe('403/7 PERMISSION_DENIED')
  await browser.ask(credentials, { body: { displayName: 'x' } })
  const [event] = await server.db<{ code: string }[]>`
    select event::jsonb ->> 'status_code' as code from systemlog_events
    where event::jsonb #>> '{actor,user,uid}' = ${userId} order by event_id desc limit 1`
  expect(event?.code).toBe('FRESH_SIGN_IN_REQUIRED')
})

describe('signing in again with a passkey, in place', () => {
  test('makes it fresh, ends the session before with whatever copies of its cookie there are, and is for the same user', async () => {
    const origin = `http://localhost:${new URL(server.url).port}`
    const holder = async () => {
      const userId = await access.makeUser({ roles: ['system:user'] })
      const browser = await signIn(server, access, userId)
      const authenticator = new Authenticator(origin)
      const { options } = (await browser.ask('/api/v1/auth/passkeys/options', { body: {} })).json as { options: Json }
      await browser.ask('/api/v1/auth/passkeys', {
        body: { displayName: 'Laptop', response: authenticator.create(options) },
      })
      return { userId, browser, authenticator }
    }
    const { userId, browser, authenticator } = await holder()
    const other = await holder()
    await letPass(access, userId, 16)
    await browser.ask('/api/v1/auth/session')
    expect(outcomeOf(await browser.ask(credentials, { body: { displayName: 'x' } }))).toBe(stale)
    const thief = openBrowser(server)
    thief.cookies.set('bailiwick', browser.cookies.get('bailiwick') as string)

    const prove = async (by: Authenticator) => {
      const { options } = (await browser.ask('/auth/v1/sign_in/passkey_options', { body: {} })).json as {
        options: Json
      }
      return browser.ask('/auth/v1/sign_in/passkey', { body: { response: by.get(options), userId } })
    }
    expect(outcomeOf(await prove(other.authenticator))).toBe('400/3 SIGN_IN_REFUSED')
    expect(outcomeOf(await browser.ask('/api/v1/auth/session'))).toBe('200')
    expect(outcomeOf(await prove(authenticator))).toBe('200')
    expect(outcomeOf(await browser.ask(credentials, { body: { displayName: 'x' } }))).toBe('200')
    expect(outcomeOf(await thief.ask('/api/v1/auth/session'))).toBe('401/16 SESSION_ENDED')
  })
})

test('whatever makes a way in is marked', () => {
  const marked = routes.filter(({ needsFresh }) => needsFresh).map(({ id }) => id)
  expect(marked.toSorted()).toEqual(
    [
      'app.v1.ConnectorService.RotateCredential',
      'auth.v1.DeviceRequest.Approve',
      'auth.v1.Identity.StartLink',
      'auth.v1.Identity.Unlink',
      'auth.v1.Invitation.Create',
      'auth.v1.Invitation.Revoke',
      'auth.v1.Passkey.Create',
      'auth.v1.Passkey.Delete',
      'auth.v1.Passkey.Options',
      'auth.v1.SignInPolicy.Update',
      'auth.v1.UserIdentity.Unlink',
      'auth.v1.UserSession.Revoke',
      'auth.v1.UserSession.RevokeAll',
      'bailiwick.v1.AccessRemovals.Create',
      'bailiwick.v1.AccessRemovals.CreateExcluding',
      'bailiwick.v1.AccessRemovals.Undo',
      'bailiwick.v1.BulkUsers.Disable',
      'bailiwick.v1.BulkUsers.Enable',
      'bailiwick.v1.BulkUsers.Undo',
      'bailiwick.v1.Subscriptions.Create',
      'bailiwick.v1.Subscriptions.RotateSecret',
      'bailiwick.v1.Subscriptions.Update',
      'directory.v1.DirectoryPlans.Apply',
      'directory.v1.DirectoryPrecedences.Set',
      'directory.v1.DirectoryService.Create',
      'directory.v1.DirectoryService.Delete',
      'directory.v1.DirectoryService.Update',
      'directory.v1.ScimDirectories.Create',
      'directory.v1.ScimDirectories.Delete',
      'directory.v1.ScimDirectories.Update',
      'directory.v1.ScimHeld.Confirm',
      'directory.v1.ScimHeld.Dismiss',
      'directory.v1.ScimTokens.Create',
      'directory.v1.ScimTokens.Revoke',
      'settings.v1.ChatWebhooks.Set',
      'settings.v1.ContactsService.UpdateContacts',
      'settings.v1.SessionSettingsService.Update',
      'four_eyes.v1.FourEyes.Set',
      'iam.v1.PersonalClientService.Create',
      'iam.v1.PersonalClientService.Update',
      'service_principal.v1.ServicePrincipalService.CreateCredential',
      'service_principal.v1.ServicePrincipalService.Delete',
      'user.v1.UserDelegation.Set',
      'user.v1.UserMerges.Create',
      'user.v1.UserMerges.Split',
      'user.v1.UserRoles.Add',
      'user.v1.UserRoles.Remove',
      'user.v1.UserStatus.Disable',
      'user.v1.UserStatus.Enable',
      'user.v1.UserService.SetExpiringUserDelegationBindingByAdmin',
      'user.v2.UserOwnersV2.CreateEntitlementOwner',
      'user.v2.UserOwnersV2.CreateUserOwner',
      'user.v2.UserOwnersV2.Set',
      'webhooks.v1.WebhooksService.Create',
      'webhooks.v1.WebhooksService.Update',
      'workload_federation.v1.WorkloadFederationService.CreateProvider',
      'workload_federation.v1.WorkloadFederationService.CreateTrust',
      'workload_federation.v1.WorkloadFederationService.UpdateProvider',
      'workload_federation.v1.WorkloadFederationService.UpdateTrust',
    ].toSorted(),
  )
})
