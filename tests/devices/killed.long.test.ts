import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { longTest } from '../fixture/long.ts'
import { startChild } from '../tasks/start-child.ts'
import { approve, begin, introspect, person, poll, prepare, scene, told } from './scene.ts'

prepare()

const hostOfScene = (): string => new URL(scene.server.url).host.replace('127.0.0.1', 'localhost')

longTest('kill -9 between approval and redemption: what was approved is redeemed at another server, once', async () => {
  const who = await person()
  const begun = await begin()
  const child = await startChild(scene.server)
  const pending = await poll(begun.device_code, {}, { server: child, host: hostOfScene() })
  expect(told(pending)).toBe('400 authorization_pending')
  expect((await approve(who, begun.user_code)).status).toBe(200)
  await child.kill()
  const reply = await poll(begun.device_code)
  expect(told(reply)).toBe('200')
  expect((await introspect(reply.json['access_token'] as string)).status).toBe(200)
})

longTest('kill -9 while codes are redeemed: each gave one credential or none, and is never good for two', async () => {
  const who = await person()
  const codes: string[] = []
  for (let i = 0; i < 15; i++) {
    const begun = await begin()
    expect((await approve(await person(), begun.user_code)).status).toBe(200)
    codes.push(begun.device_code)
  }
  const child = await startChild(scene.server)
  const asked = codes.map((code) => poll(code, {}, { server: child, host: hostOfScene() }).catch(() => null))
  await sleep(15 + Math.random() * 60)
  await child.kill()
  const first = await Promise.all(asked)
  for (const [i, code] of codes.entries()) {
    const again = await poll(code)
    // Where the first was answered, the second ends it; where it was not, it was either done or not.
    if (first[i]?.status === 200) expect(told(again)).toBe('400 invalid_grant')
    else expect(['200', '400 invalid_grant']).toContain(told(again))
  }
  const { db } = scene.access.world
  const tenantId = scene.access.tenant.id
  const rows = await db<{ state: string; made: number }[]>`
    select r.state, count(c.credential_id)::int as made from device_requests r
    left join credentials c on c.tenant_id = r.tenant_id and c.credential_id = r.credential_id
    where r.tenant_id = ${tenantId} group by r.tenant_id, r.request_id, r.state`
  for (const { state, made } of rows) expect(made).toBe(state === 'redeemed' ? 1 : 0)
  const [count] = await db<{ credentials: number }[]>`
    select count(*)::int as credentials from credentials where tenant_id = ${tenantId} and client_id like '%/device'`
  expect(count?.credentials).toBe(rows.filter(({ state }) => state === 'redeemed').length)
  expect((await who.browser.ask('/api/v1/auth/devices')).json['list']).toEqual([])
})
