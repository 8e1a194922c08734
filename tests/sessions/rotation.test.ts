import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Access, openAccess, outcomeOf } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { openBrowser, signIn } from './support.ts'

let server: TestServer
let second: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer()
  second = await startServer({ beside: server })
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await second.stop()
  await server.stop()
})

const current = '/api/v1/auth/session'
const ended = '401/16 SESSION_ENDED'

describe('rotation', () => {
  const age = (userId: string, minutes: number) => server.db`
    update sessions set rotated_at = rotated_at - ${minutes} * interval '1 minute',
      previous_until = previous_until - ${minutes} * interval '1 minute'
    where user_id = ${userId}`

  test('gives a new secret after a quarter of an hour, and requests under way still pass', async () => {
    const userId = await access.makeUser()
    const browser = await signIn(server, access, userId)
    const before = browser.cookies.get('bailiwick') as string
    await browser.ask(current)
    expect(browser.setCookies).toEqual([])
    await age(userId, 16)
    const old = openBrowser(server)
    old.cookies.set('bailiwick', before)
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => {
        const one = openBrowser(i % 2 ? server : second)
        one.cookies.set('bailiwick', before)
        return one.ask(current).then((reply) => ({ reply, set: one.setCookies }))
      }),
    )
    expect(replies.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 8 }, () => 200))
    const given = replies.flatMap(({ set }) => set)
    expect(given).toHaveLength(1)
    const after = /^bailiwick=([^;]+)/.exec(given[0] as string)?.[1] as string
    expect(after).not.toBe(before)

    browser.cookies.set('bailiwick', after)
    expect(outcomeOf(await browser.ask(current))).toBe('200')
    expect(outcomeOf(await old.ask(current))).toBe('200')
  })

  test('the secret before, used a minute after the new one was, ends the session for both', async () => {
    const userId = await access.makeUser()
    const browser = await signIn(server, access, userId)
    const old = openBrowser(server)
    old.cookies.set('bailiwick', browser.cookies.get('bailiwick') as string)
    await age(userId, 16)
    await browser.ask(current)
    expect(browser.setCookies).toHaveLength(1)
    expect(outcomeOf(await browser.ask(current))).toBe('200')
    await age(userId, 2)
    expect(outcomeOf(await old.ask(current))).toBe(ended)
    expect(outcomeOf(await browser.ask(current))).toBe(ended)
  })

  test('a reply that was lost with the new secret is made up for', async () => {
    const userId = await access.makeUser()
    const browser = await signIn(server, access, userId)
    const before = browser.cookies.get('bailiwick') as string
    await age(userId, 16)
    await browser.ask(current)
    const lost = browser.cookies.get('bailiwick') as string
    browser.cookies.set('bailiwick', before)
    await age(userId, 2)
    expect(outcomeOf(await browser.ask(current))).toBe('200')
    expect(browser.setCookies).toHaveLength(1)
    expect([before, lost]).not.toContain(browser.cookies.get('bailiwick'))
    expect(outcomeOf(await browser.ask(current))).toBe('200')
  })
})
