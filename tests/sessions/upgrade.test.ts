import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { sealExistingSignIns, setOidc } from '#rooms/identity/sessions/index.ts'
import { type Access, type Json, newAddress, openAccess, outcomeOf } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { Authenticator } from './authenticator.ts'
import { openBrowser, signIn } from './support.ts'

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

test('passkeys and the provider from before get their MACs; without one they do not count', async () => {
  const browser = await signIn(server, access, await access.makeUser())
  const authenticator = new Authenticator(`http://localhost:${new URL(server.url).port}`)
  const { options } = (await browser.ask('/api/v1/auth/passkeys/options', { body: {} })).json as { options: Json }
  await browser.ask('/api/v1/auth/passkeys', {
    body: { displayName: 'Laptop', response: authenticator.create(options) },
  })
  const wanted = { issuer: 'https://login.example.com', clientId: 'bailiwick', clientSecret: null }
  const cause = operatorCause(access.tenant, 'test')
  await transact(access.world.db, (tx) => setOidc(tx, access.world, cause, wanted))

  const works = async (): Promise<[passkey: boolean, provider: unknown]> => {
    const window = openBrowser(server, { from: newAddress() })
    const asked = (await window.ask('/auth/v1/sign_in/passkey_options', { body: {} })).json as { options: Json }
    const reply = await window.ask('/auth/v1/sign_in/passkey', {
      body: { response: authenticator.get(asked.options) },
    })
    return [outcomeOf(reply) === '200', (await window.ask('/auth/v1/sign_in')).json['oidc']]
  }
  // As the version before left them.
  const asBefore = async (): Promise<void> => {
    await server.db`update passkeys set mac = null`
    await server.db`update oidc_providers set mac = null`
  }
  expect(await works()).toEqual([true, true])
  await asBefore()
  expect(await works()).toEqual([false, false])
  expect(await transact(access.world.db, (tx) => sealExistingSignIns(tx, access.world))).toBe(2)
  expect(await works()).toEqual([true, true])
  expect(await transact(access.world.db, (tx) => sealExistingSignIns(tx, access.world))).toBe(0)
})
