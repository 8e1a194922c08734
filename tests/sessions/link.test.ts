import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Access, ask, newAddress, openAccess, outcomeOf, type Reply } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { byLink, expireLinks, makeToken, openBrowser, sessionIn } from './support.ts'

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

const refused = '400/3 SIGN_IN_REFUSED'
const use = (token: string, host?: string): Promise<Reply> =>
  openBrowser(server, { from: newAddress() }).ask(byLink, { body: { token }, ...(host && { host }) })

describe('a sign-in link', () => {
  test('signs its user in, and the console then speaks for them', async () => {
    const userId = await access.makeUser({ roles: ['system:user'] })
    const browser = openBrowser(server, { from: '203.0.113.7' })
    const reply = await browser.ask(byLink, { body: { token: await makeToken(access, userId) } })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json['userId']).toBe(userId)
    expect(sessionIn(reply)).toMatchObject({
      method: 'link',
      sourceAddress: '203.0.113.7',
      userAgent: 'Tester/1.0',
      isCurrent: true,
    })
    const current = await browser.ask('/api/v1/auth/session')
    expect(current.status, current.text).toBe(200)
    expect(current.json['user']).toMatchObject({ id: userId, email: `${userId}@example.com` })
    expect(current.json['tenantDomain']).toBe(access.tenant.domain)
    expect(current.json['permissions']).toContain('credentials.own.write')
    expect(sessionIn(current)['id']).toBe(sessionIn(reply)['id'])
  })

  test('works once', async () => {
    const token = await makeToken(access, await access.makeUser())
    expect(outcomeOf(await use(token))).toBe('200')
    expect(outcomeOf(await use(token))).toBe(refused)
  })

  test('works once also when it is used twice at once', async () => {
    const token = await makeToken(access, await access.makeUser())
    const outcomes = await Promise.all([1, 2, 3, 4].map(async () => outcomeOf(await use(token))))
    expect(outcomes.toSorted()).toEqual(['200', refused, refused, refused])
  })

  test('works for 15 minutes', async () => {
    const userId = await access.makeUser()
    const token = await makeToken(access, userId)
    const [row] = await server.db<{ seconds: number }[]>`
      select extract(epoch from expires_at - created_at)::int as seconds from sign_in_links
      order by link_id desc limit 1`
    expect(row?.seconds).toBe(900)
    await expireLinks(access, userId)
    expect(outcomeOf(await use(token))).toBe(refused)
  })

  test('works for its own tenant only', async () => {
    const other = await access.makeTenant('links.example.com')
    const userId = await access.makeUser({ tenant: other })
    const token = await makeToken(access, userId, other)
    expect(outcomeOf(await use(token))).toBe(refused)
    expect(outcomeOf(await use(token, 'links.example.com'))).toBe('200')
  })

  test('does not work for a user who was disabled meanwhile', async () => {
    const userId = await access.makeUser()
    const token = await makeToken(access, userId)
    await server.db`update users set status = 'DISABLED' where user_id = ${userId}`
    expect(outcomeOf(await use(token))).toBe(refused)
  })

  test('is refused in the same words whether it never was, was used or is too old', async () => {
    const used = await makeToken(access, await access.makeUser())
    await use(used)
    const late = await access.makeUser()
    const old = await makeToken(access, late)
    await expireLinks(access, late)
    const replies = [await use(used), await use(old), await use('x'), await use('')]
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  })

  test('is kept as a hash only', async () => {
    const token = await makeToken(access, await access.makeUser())
    const [row] = await server.db`select * from sign_in_links order by link_id desc limit 1`
    expect(JSON.stringify(row)).not.toContain(token)
    expect(JSON.stringify(row)).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })
})

test('wrong links are slowed for the address that sends them, and right ones are not', async () => {
  const from = newAddress()
  const browser = openBrowser(server, { from })
  const slowed: Reply[] = []
  // One more is allowed each second: how many it takes depends on the machine.
  await until(async () => {
    const wrong = Array.from({ length: 60 }, () => browser.ask(byLink, { body: { token: 'wrong' } }))
    slowed.push(...(await Promise.all(wrong)).filter((reply) => outcomeOf(reply) === '429/8 TOO_MANY_FAILURES'))
    return slowed.length > 0
  })
  for (const { headers } of slowed) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  const token = await makeToken(access, await access.makeUser())
  expect(outcomeOf(await browser.ask(byLink, { body: { token } }))).toBe('200')
})

test('the sign-in methods are public', async () => {
  const reply = await ask(server, '/auth/v1/sign_in')
  expect(reply.json).toEqual({
    tenantDomain: access.tenant.domain,
    link: true,
    passkey: true,
    oidc: false,
    oidcIssuer: '',
  })
})
