import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { moveProvidersBefore, removeOidc, sealExistingSignIns } from '#rooms/identity/sessions/index.ts'
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
  // As the version before kept it: without a MAC, and in a table of its own.
  await server.db`
    insert into oidc_providers (tenant_id, issuer, client_id, updated_at)
    values (${access.tenant.id}, 'https://login.example.com', 'bailiwick', now())`

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
  }
  const move = () => moveProvidersBefore(access.world)
  await move()
  expect(await works()).toEqual([true, false])
  await asBefore()
  expect(await works()).toEqual([false, false])
  expect(await transact(access.world.db, (tx) => sealExistingSignIns(tx, access.world))).toBe(2)
  await move()
  expect(await works()).toEqual([true, true])
  // The operator removes it: the row from before does not come to life again.
  const cause = operatorCause(access.tenant, 'test')
  expect(await transact(access.world.db, (tx) => removeOidc(tx, access.world, cause))).toBe(true)
  await move()
  expect(await works()).toEqual([true, false])
  expect(await transact(access.world.db, (tx) => sealExistingSignIns(tx, access.world))).toBe(0)
})
