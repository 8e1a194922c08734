import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findSession } from '#rooms/identity/sessions/store.ts'
import { type Access, type Json, openAccess, outcomeOf, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type Browser, byLink, letPass, makeToken, openBrowser, sessionIn, signIn } from './support.ts'

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
const whyOf = (reply: Reply): unknown =>
  ((reply.json['details'] as Json[])[0]?.['metadata'] as Json | undefined)?.['why']
const cookieOf = (browser: Browser): string => browser.cookies.get('bailiwick') as string

/** Another browser with a copy of the cookie. */
function copyOf(browser: Browser, on: TestServer = server): Browser {
  const copy = openBrowser(on)
  copy.cookies.set('bailiwick', cookieOf(browser))
  return copy
}
/** One request whose reply, with the new cookie in it, is thrown away. */
async function askIgnoring(browser: Browser): Promise<Reply> {
  const cookie = cookieOf(browser)
  const reply = await browser.ask(current)
  browser.cookies.set('bailiwick', cookie)
  return reply
}
async function begin(): Promise<{ userId: string; sessionId: string; owner: Browser }> {
  const userId = await access.makeUser()
  const owner = await signIn(server, access, userId)
  return { userId, owner, sessionId: sessionIn(await owner.ask(current))['id'] as string }
}
const endings = (sessionId: string) => server.db<{ message: string; severity: string }[]>`
  select event::jsonb ->> 'message' as message, event::jsonb ->> 'severity' as severity from systemlog_events
  where event::jsonb #>> '{session,uid}' = ${sessionId} and event::jsonb ->> 'activity_name' = 'Logoff'`

describe('the cookie', () => {
  test('is replaced after a quarter of an hour, once for many requests at once, and those under way still pass', async () => {
    const { userId, owner } = await begin()
    expect(owner.setCookies).toEqual([])
    await letPass(access, userId, 16)
    const before = copyOf(owner)
    const replies = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const one = copyOf(owner, i % 2 ? server : second)
        return { reply: await one.ask(current), set: one.setCookies }
      }),
    )
    expect(replies.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 8 }, () => 200))
    const given = replies.flatMap(({ set }) => set)
    expect(given).toHaveLength(1)
    owner.cookies.set('bailiwick', /^bailiwick=([^;]+)/.exec(given[0] as string)?.[1] as string)
    const confirming = Array.from({ length: 8 }, (_, i) => copyOf(owner, i % 2 ? server : second).ask(current))
    expect((await Promise.all(confirming)).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(outcomeOf(await before.ask(current))).toBe('200')
    expect(before.setCookies).toEqual([])
  })

  test('stays good when the reply with the next one is lost, also for hours, and another is offered', async () => {
    const { userId, owner, sessionId } = await begin()
    await letPass(access, userId, 16)
    expect((await askIgnoring(owner)).status).toBe(200)
    await letPass(access, userId, 5 * 60)
    expect((await askIgnoring(owner)).status).toBe(200)
    await letPass(access, userId, 2)
    const before = cookieOf(owner)
    expect(outcomeOf(await owner.ask(current))).toBe('200')
    expect(cookieOf(owner)).not.toBe(before)
    expect(outcomeOf(await owner.ask(current))).toBe('200')
    expect(await endings(sessionId)).toEqual([])
  })

  test('is not replaced by the reply to an upload, which may come later than the next cookie', async () => {
    const { userId, owner } = await begin()
    await letPass(access, userId, 16)
    const headers = { 'content-type': 'text/csv' }
    await owner.ask('/api/v1/imports/users', { method: 'POST', body: 'x', headers })
    expect(owner.setCookies).toEqual([])
  })
})

describe('whoever copied the cookie', () => {
  test('and ignores new ones, asking every 61 seconds, is detected as soon as the owner has a new one; both get the reason', async () => {
    const { userId, owner, sessionId } = await begin()
    const thief = copyOf(owner)
    for (let minute = 0; minute < 16; minute++) {
      await letPass(access, userId, 61 / 60)
      expect((await askIgnoring(thief)).status).toBe(200)
      expect((await owner.ask(current)).status).toBe(200)
    }
    // The offers go to whoever asks first, and that was the thief: the owner gets one all the same, or it ends.
    let last = await askIgnoring(thief)
    for (let round = 0; round < 5 && last.status === 200; round++) {
      await letPass(access, userId, 61 / 60)
      await owner.ask(current)
      await owner.ask(current)
      last = await askIgnoring(thief)
    }
    expect(outcomeOf(last)).toBe(ended)
    const reply = await owner.ask(current)
    expect(outcomeOf(reply)).toBe(ended)
    expect(['COOKIE_REUSED', 'COOKIE_NOT_REPLACED']).toContain(whyOf(reply))
    expect(await endings(sessionId)).toMatchObject([{ severity: 'High' }])
  })

  test('and takes the next one first, is signed out when the owner uses theirs, who gets the reason', async () => {
    const { userId, owner, sessionId } = await begin()
    const thief = copyOf(owner)
    await letPass(access, userId, 16)
    expect((await thief.ask(current)).status).toBe(200)
    expect(thief.setCookies).toHaveLength(1)
    expect((await thief.ask(current)).status).toBe(200)
    expect(outcomeOf(await owner.ask(current))).toBe('200')
    await letPass(access, userId, 1)
    const reply = await owner.ask(current)
    expect([outcomeOf(reply), whyOf(reply)]).toEqual([ended, 'COOKIE_REUSED'])
    expect(reply.json['message']).toContain('used in two places')
    expect(whyOf(await thief.ask(current))).toBe('COOKIE_REUSED')
    expect(whyOf(await copyOf(owner, second).ask(current))).toBe('COOKIE_REUSED')
    const events = await endings(sessionId)
    expect(events).toMatchObject([{ severity: 'High' }])
    expect(events[0]?.message).toContain('a cookie was used that had been replaced')
  })

  test('never gets the cookie that the owner has: each offer is another, and the one not taken gives it away', async () => {
    const { userId, owner, sessionId } = await begin()
    const thief = copyOf(owner)
    await letPass(access, userId, 16)
    await thief.ask(current)
    await letPass(access, userId, 2)
    await owner.ask(current)
    expect(owner.setCookies).toHaveLength(1)
    expect(cookieOf(owner)).not.toBe(cookieOf(thief))
    expect((await owner.ask(current)).status).toBe(200)
    expect(whyOf(await thief.ask(current))).toBe('COOKIE_REUSED')
    expect(whyOf(await owner.ask(current))).toBe('COOKIE_REUSED')
    expect(await endings(sessionId)).toHaveLength(1)
  })

  test('is not given the cookie in use for the one before, nor a fresh sign-in', async () => {
    const { userId, owner } = await begin()
    const thief = copyOf(owner)
    await letPass(access, userId, 14)
    // Fresh until now, and after the rotation for the owner's cookie only.
    await letPass(access, userId, 2)
    await owner.ask(current)
    await owner.ask(current)
    expect((await thief.ask(current)).status).toBe(200)
    expect(thief.setCookies).toEqual([])
    const made = await thief.ask('/api/v1/auth/passkeys/options', { body: {} })
    expect(outcomeOf(made)).toBe('403/7 FRESH_SIGN_IN_REQUIRED')
  })

  test('and comes back generations later, is an event all the same', async () => {
    const { userId, owner, sessionId } = await begin()
    const thief = copyOf(owner)
    for (let round = 0; round < 3; round++) {
      await letPass(access, userId, 16)
      await owner.ask(current)
      expect((await owner.ask(current)).status).toBe(200)
    }
    expect(whyOf(await thief.ask(current))).toBe('COOKIE_REUSED')
    expect(outcomeOf(await owner.ask(current))).toBe(ended)
    expect(await endings(sessionId)).toHaveLength(1)
  })

  test('and goes on alone without taking a new one, is out after five were sent', async () => {
    const { userId, owner, sessionId } = await begin()
    await letPass(access, userId, 16)
    for (let offer = 0; offer < 5; offer++) {
      expect((await askIgnoring(owner)).status).toBe(200)
      await letPass(access, userId, 61 / 60)
    }
    expect(whyOf(await askIgnoring(owner))).toBe('COOKIE_NOT_REPLACED')
    expect(await endings(sessionId)).toMatchObject([{ severity: 'High' }])
  })

  test('and comes at once from many sides, ends the session once', async () => {
    const { userId, owner, sessionId } = await begin()
    const thief = copyOf(owner)
    await letPass(access, userId, 16)
    await owner.ask(current)
    await owner.ask(current)
    await letPass(access, userId, 1)
    const asked = Array.from({ length: 10 }, (_, i) => copyOf(thief, i % 2 ? server : second).ask(current))
    expect(new Set((await Promise.all(asked)).map(outcomeOf))).toEqual(new Set([ended]))
    expect(await endings(sessionId)).toHaveLength(1)
  })

  test('and signs in or out with one that was replaced, ends the session as stolen', async () => {
    for (const path of [byLink, '/auth/v1/sign_out']) {
      const { userId, owner, sessionId } = await begin()
      const thief = copyOf(owner)
      await letPass(access, userId, 16)
      await owner.ask(current)
      await owner.ask(current)
      await letPass(access, userId, 1)
      const other = await access.makeUser()
      await thief.ask(path, { body: path === byLink ? { token: await makeToken(access, other) } : {} })
      expect(whyOf(await owner.ask(current)), path).toBe('COOKIE_REUSED')
      expect(await endings(sessionId), path).toMatchObject([{ severity: 'High' }])
    }
  })

  test('cannot number one of their own', async () => {
    const { owner } = await begin()
    const [id, , , proof] = cookieOf(owner).split('.') as [string, string, string, string]
    const other = await access.makeTenant(`numbers-${id.toLowerCase()}.example.com`)
    for (const value of [`${id}.2.1.${proof}`, `${id}.1.2.${proof}`, `${id}.01.1.${proof}`, `${id}.1.1.${proof}A`]) {
      const thief = openBrowser(server)
      thief.cookies.set('bailiwick', value)
      expect(outcomeOf(await thief.ask(current))).toBe(ended)
    }
    expect(outcomeOf(await copyOf(owner).ask(current, { host: other.domain }))).toBe(ended)
    expect((await owner.ask(current)).status).toBe(200)
  })
})

test('a session whose record was set back to an earlier state ends when its browser comes with a later cookie', async () => {
  const { userId, owner, sessionId } = await begin()
  const [old] = await server.db`select * from sessions where session_id = ${sessionId}`
  for (let round = 0; round < 2; round++) {
    await letPass(access, userId, 16)
    await owner.ask(current)
    await owner.ask(current)
  }
  await server.db`delete from sessions where session_id = ${sessionId}`
  await server.db`insert into sessions ${server.db(old as Record<string, unknown>)}`
  expect(whyOf(await owner.ask(current))).toBe('RECORD_SET_BACK')
  expect(await endings(sessionId)).toMatchObject([{ severity: 'High' }])
  expect((await findSession(server.db, access.tenant.id, sessionId))?.endedWhy).toBe('RECORD_SET_BACK')
})
