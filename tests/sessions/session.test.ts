import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { setStatus } from '#rooms/identity/users/index.ts'
import { type Access, ask, eventually, getToken, type Json, openAccess, outcomeOf } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { importRecords } from '../imports/support.ts'
import { byLink, cookieForm, makeToken, openBrowser, rewriteSessions, sessionIn, signIn } from './support.ts'

let server: TestServer
let second: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  second = await startServer({ beside: server, flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await second.stop()
  await server.stop()
})

const current = '/api/v1/auth/session'
const sessions = '/api/v1/auth/sessions'
const ended = '401/16 SESSION_ENDED'

describe('the cookie', () => {
  const setBy = async (headers: Record<string, string>): Promise<string> => {
    const browser = openBrowser(server)
    const token = await makeToken(access, await access.makeUser())
    const reply = await browser.ask(byLink, { body: { token }, headers })
    expect(reply.status, reply.text).toBe(200)
    return browser.setCookies[0] as string
  }

  test('is httpOnly, SameSite=Strict, of this host only, and lasts as long as a session may', async () => {
    expect(await setBy({})).toMatch(
      new RegExp(`^bailiwick=${cookieForm}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict$`),
    )
  })

  test('by HTTPS is Secure, and bound to the host by its name', async () => {
    const { port } = new URL(server.url)
    const origin = `https://localhost:${port}`
    expect(await setBy({ 'x-forwarded-proto': 'https', origin })).toMatch(
      new RegExp(`^__Host-bailiwick=${cookieForm}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$`),
    )
  })

  test('is another with each sign-in, and the one before is not taken over', async () => {
    const userId = await access.makeUser()
    const browser = openBrowser(server)
    browser.cookies.set('bailiwick', 'A'.repeat(43))
    await browser.ask(byLink, { body: { token: await makeToken(access, userId) } })
    const first = browser.cookies.get('bailiwick')
    await browser.ask(byLink, { body: { token: await makeToken(access, userId) } })
    expect(new Set(['A'.repeat(43), first, browser.cookies.get('bailiwick')]).size).toBe(3)
  })

  test('of the previous session is refused once the same browser signs in again, also as someone else', async () => {
    const [one, other] = [await access.makeUser(), await access.makeUser()]
    const browser = await signIn(server, access, one)
    const elsewhere = await signIn(server, access, one)
    for (const userId of [one, other]) {
      const before = openBrowser(server)
      before.cookies.set('bailiwick', browser.cookies.get('bailiwick') as string)
      const { id } = sessionIn(await browser.ask(current))
      await browser.ask(byLink, { body: { token: await makeToken(access, userId) } })
      expect((await browser.ask(current)).json['user']).toMatchObject({ id: userId })
      expect(outcomeOf(await before.ask(current))).toBe(ended)
      const [event] = await server.db<{ message: string }[]>`
        select event::jsonb ->> 'message' as message from systemlog_events
        where event::jsonb #>> '{session,uid}' = ${id as string} and event::jsonb ->> 'activity_name' = 'Logoff'`
      expect(event?.message).toMatch(/: signed in again$/)
    }
    expect((await elsewhere.ask(current)).status).toBe(200)
  })

  test('is given to both of two sign-ins at once, and the session before ends once', async () => {
    const userId = await access.makeUser()
    const browser = await signIn(server, access, userId)
    const { id } = sessionIn(await browser.ask(current))
    const cookie = browser.cookies.get('bailiwick') as string
    const signedIn = await Promise.all(
      [1, 2].map(async () => {
        const window = openBrowser(server)
        window.cookies.set('bailiwick', cookie)
        const token = await makeToken(access, userId)
        return (await window.ask(byLink, { body: { token } })).status
      }),
    )
    expect(signedIn).toEqual([200, 200])
    const [row] = await server.db<{ count: number }[]>`
      select count(*) from systemlog_events
      where event::jsonb #>> '{session,uid}' = ${id as string} and event::jsonb ->> 'activity_name' = 'Logoff'`
    expect(row?.count).toBe(1)
  })

  test('is not in the database, and neither it nor a link is in the log', async () => {
    const token = await makeToken(access, await access.makeUser())
    const browser = openBrowser(server)
    await browser.ask(byLink, { body: { token } })
    await browser.ask(current)
    const secret = browser.cookies.get('bailiwick') as string
    const tables = await server.db<{ name: string }[]>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`
    for (const { name } of tables) {
      const rows = await server.db.unsafe(`select t::text as row from ${name} t`)
      const text = JSON.stringify(rows)
      for (const each of [secret, token]) {
        expect(text.includes(each), name).toBe(false)
        expect(text.includes(Buffer.from(each).toString('hex')), name).toBe(false)
      }
    }
    const logged = JSON.stringify(server.logged)
    for (const each of [secret, token]) expect(logged).not.toContain(each)
  })

  test('that was made up, cut or spoiled is worth nothing', async () => {
    const browser = await signIn(server, access, await access.makeUser())
    const secret = browser.cookies.get('bailiwick') as string
    for (const value of ['', 'x', 'A'.repeat(43), secret.slice(1), `${secret}A`, `${secret} `, '"'.repeat(5000)]) {
      browser.cookies.set('bailiwick', value)
      expect((await browser.ask(current)).status, value.slice(0, 50)).toBe(value.endsWith(' ') ? 200 : 401)
    }
  })

  test('of one tenant is worth nothing on the host of another', async () => {
    await access.makeTenant('cookies.example.com')
    const browser = await signIn(server, access, await access.makeUser())
    expect(outcomeOf(await browser.ask(current, { host: 'cookies.example.com' }))).toBe(ended)
  })
})

describe('who calls', () => {
  test('is the token where there is one, whatever the cookie says', async () => {
    const key = await access.makeCaller(['system:owner'])
    const browser = await signIn(server, access, await access.makeUser())
    const reply = await browser.ask(current, { token: await getToken(server, key) })
    expect((reply.json['user'] as Json)['id']).toBe(key.userId)
    expect(reply.json['session']).toBeNull()
    const wrong = await browser.ask(current, { headers: { authorization: 'Bearer nonsense' } })
    expect(outcomeOf(wrong)).toBe('401/16 TOKEN_INVALID')
  })

  test('without token and cookie gets an error that asks for a token', async () => {
    expect(outcomeOf(await ask(server, current))).toBe('401/16 TOKEN_MISSING')
    expect(outcomeOf(await ask(server, current, { headers: { cookie: 'other=1' } }))).toBe('401/16 TOKEN_MISSING')
  })

  test('in the console may do what their roles permit, and no more', async () => {
    const plain = await signIn(server, access, await access.makeUser({ roles: ['system:user'] }))
    const owner = await signIn(server, access, await access.makeUser({ roles: ['system:owner'] }))
    const everyone = '/api/v1/search/iam/personal_clients'
    expect(outcomeOf(await plain.ask(everyone, { body: {} }))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await owner.ask(everyone, { body: {} }))).toBe('200')
  })

  test('makes API credentials in the console, and the system log names the session', async () => {
    const userId = await access.makeUser({ roles: ['system:owner'] })
    const browser = await signIn(server, access, userId)
    const made = await browser.ask('/api/v1/iam/personal_clients', { body: { displayName: 'From the console' } })
    expect(made.status, made.text).toBe(200)
    const id = sessionIn(await browser.ask(current))['id']
    const log = await browser.ask('/api/v1/systemlog/events', {
      body: { sortDirection: 'SORT_DIRECTION_DESC', pageSize: 10 },
    })
    const event = (log.json['list'] as Json[]).find(({ message }) => String(message).startsWith('Created the API'))
    expect(event?.['actor']).toMatchObject({ user: { uid: userId }, session: { uid: id } })
  })

  test('by the token endpoint is never the cookie', async () => {
    const browser = await signIn(server, access, await access.makeUser())
    const reply = await browser.ask('/auth/v1/token', {
      body: 'grant_type=client_credentials',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(reply.status).toBe(400)
  })

  test('with an access token does not get at sessions and passkeys', async () => {
    const token = await getToken(server, await access.makeCaller(['system:owner']))
    for (const path of [sessions, '/api/v1/auth/passkeys'])
      expect(outcomeOf(await ask(server, path, { token }))).toBe('403/7 SESSION_REQUIRED')
  })
})

describe('a session', () => {
  test('ends after twelve hours without use, and after seven days in any case', async () => {
    const userId = await access.makeUser()
    for (const column of ['lastSeenAt', 'expiresAt'] as const) {
      const browser = await signIn(server, access, userId)
      const hours = column === 'lastSeenAt' ? 12 : 7 * 24
      await rewriteSessions(access, userId, (session) => ({
        ...session,
        [column]: new Date(session[column].getTime() - hours * 3_600_000),
      }))
      expect(outcomeOf(await browser.ask(current)), column).toBe(ended)
    }
  })

  test('is listed with when, from where, by which browser and how, the newest first', async () => {
    const userId = await access.makeUser()
    const first = await signIn(server, access, userId)
    const browser = openBrowser(server, { from: '198.51.100.9', headers: { 'user-agent': 'Phone/2' } })
    await browser.ask(byLink, { body: { token: await makeToken(access, userId) } })
    const { list, nextPageToken } = (await browser.ask(sessions)).json as { list: Json[]; nextPageToken: string }
    expect(nextPageToken).toBe('')
    expect(list.map(({ userAgent, isCurrent, method }) => ({ userAgent, isCurrent, method }))).toEqual([
      { userAgent: 'Phone/2', isCurrent: true, method: 'link' },
      { userAgent: 'Tester/1.0', isCurrent: false, method: 'link' },
    ])
    expect(list[0]).toMatchObject({ sourceAddress: '198.51.100.9', lastSeenAt: list[0]?.['createdAt'] })
    const seen = (await first.ask(sessions)).json['list'] as Json[]
    expect(seen.map(({ isCurrent }) => isCurrent)).toEqual([false, true])
  })

  test('lists page by page', async () => {
    const userId = await access.makeUser()
    const browser = await signIn(server, access, userId)
    for (let i = 0; i < 11; i++) await signIn(server, access, userId)
    const first = (await browser.ask(`${sessions}?page_size=10`)).json as { list: Json[]; nextPageToken: string }
    const token = encodeURIComponent(first.nextPageToken)
    const next = (await browser.ask(`${sessions}?page_size=10&page_token=${token}`)).json as { list: Json[] }
    const ids = [...first.list, ...next.list].map(({ id }) => id)
    expect([first.list.length, next.list.length, new Set(ids).size]).toEqual([10, 2, 12])
  })

  test('that its owner revokes is worth nothing from the next request, on another server too', async () => {
    const userId = await access.makeUser()
    const mine = await signIn(server, access, userId)
    const other = await signIn(server, access, userId)
    const elsewhere = openBrowser(second)
    elsewhere.cookies.set('bailiwick', other.cookies.get('bailiwick') as string)
    expect(outcomeOf(await elsewhere.ask(current))).toBe('200')
    const id = sessionIn(await other.ask(current))['id'] as string
    expect(outcomeOf(await mine.ask(`${sessions}/${id}`, { method: 'DELETE' }))).toBe('200')
    expect(outcomeOf(await other.ask(current))).toBe(ended)
    expect(outcomeOf(await elsewhere.ask(current))).toBe(ended)
    expect(outcomeOf(await mine.ask(`${sessions}/${id}`, { method: 'DELETE' }))).toBe('404/5 SESSION_NOT_FOUND')
  })

  test('of someone else is not there to revoke', async () => {
    const mine = await signIn(server, access, await access.makeUser({ roles: ['system:owner'] }))
    const theirs = await signIn(server, access, await access.makeUser())
    const id = sessionIn(await theirs.ask(current))['id'] as string
    expect(outcomeOf(await mine.ask(`${sessions}/${id}`, { method: 'DELETE' }))).toBe('404/5 SESSION_NOT_FOUND')
    expect(outcomeOf(await theirs.ask(current))).toBe('200')
  })

  test('ends with signing out, which deletes the cookie and can be repeated', async () => {
    const browser = await signIn(server, access, await access.makeUser())
    const secret = browser.cookies.get('bailiwick') as string
    expect(outcomeOf(await browser.ask('/auth/v1/sign_out', { body: {} }))).toBe('200')
    expect(browser.setCookies).toEqual(['bailiwick=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict'])
    expect(outcomeOf(await browser.ask('/auth/v1/sign_out', { body: {} }))).toBe('200')
    browser.cookies.set('bailiwick', secret)
    expect(outcomeOf(await browser.ask(current))).toBe(ended)
  })

  test('stays while its owner signs out everywhere else', async () => {
    const userId = await access.makeUser()
    const mine = await signIn(server, access, userId)
    const others = [await signIn(server, access, userId), await signIn(server, access, userId)]
    const stranger = await signIn(server, access, await access.makeUser())
    const reply = await mine.ask(`${sessions}/revoke_others`, { body: {} })
    expect(reply.json).toEqual({ revoked: 2 })
    for (const other of others) expect(outcomeOf(await other.ask(current))).toBe(ended)
    for (const kept of [mine, stranger]) expect(outcomeOf(await kept.ask(current))).toBe('200')
  })

  test('ends when its user is disabled, from the next request, and does not come back with them', async () => {
    const userId = await access.makeUser()
    const browser = await signIn(server, access, userId)
    const set = (status: 'ENABLED' | 'DISABLED') =>
      transact(access.world.db, (tx) =>
        setStatus(tx, access.world, operatorCause(access.tenant, 'test'), userId, { status }),
      )
    await set('DISABLED')
    expect(outcomeOf(await browser.ask(current))).toBe(ended)
    const isGone = async (): Promise<boolean> =>
      (await server.db`select 1 as here from sessions where user_id = ${userId}`).length === 0
    expect(await eventually(isGone)).toBe(true)
    await set('ENABLED')
    expect(outcomeOf(await browser.ask(current))).toBe(ended)
  })

  test('ends when an import disables its user, and again when a full import removes them', async () => {
    const externalId = access.world.newId()
    const tried = { world: access.world, tenant: access.tenant }
    const user = { kind: 'user', externalId, email: `${externalId}@example.com`, displayName: 'Imported' }
    await importRecords(tried, [user])
    const [row] = await server.db<{ id: string }[]>`select user_id as id from users where external_id = ${externalId}`
    const userId = row?.id as string
    const isGone = async (): Promise<boolean> =>
      (await server.db`select 1 as here from sessions where user_id = ${userId}`).length === 0
    await signIn(server, access, userId)
    await importRecords(tried, [{ ...user, status: 'DISABLED' }])
    expect(await eventually(isGone)).toBe(true)
    await importRecords(tried, [{ ...user, status: 'ENABLED' }])
    await signIn(server, access, userId)
    const another = {
      kind: 'user',
      externalId: `${externalId}2`,
      email: `2${externalId}@example.com`,
      displayName: 'O',
    }
    await importRecords(tried, [another], { full: true, force: true })
    expect(await eventually(isGone)).toBe(true)
  })

  test('ends when its user is deleted', async () => {
    const userId = await access.makeUser()
    const browser = await signIn(server, access, userId)
    await server.db`update users set deleted_at = now() where user_id = ${userId}`
    expect(outcomeOf(await browser.ask(current))).toBe(ended)
  })

  test('tells when it was last seen, to the minute', async () => {
    const userId = await access.makeUser()
    const browser = await signIn(server, access, userId)
    await rewriteSessions(access, userId, (session) => ({
      ...session,
      lastSeenAt: new Date(session.lastSeenAt.getTime() - 3_600_000),
    }))
    await browser.ask(current)
    const isSeen = async (): Promise<boolean> => {
      const [one] = (await browser.ask(sessions)).json['list'] as Json[]
      return Date.now() - Date.parse(one?.['lastSeenAt'] as string) < 120_000
    }
    expect(await eventually(isSeen)).toBe(true)
  })
})
