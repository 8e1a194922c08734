import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { splitStatements } from '#database/split.ts'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { defaultPolicy, forgetEnded, linkByOperator, setPolicy } from '#rooms/identity/sessions/index.ts'
import { insertInvitation, listInvitations } from '#rooms/identity/sessions/invitations/store.ts'
import {
  type Access,
  ask,
  eventually,
  getToken,
  type Json,
  newAddress,
  openAccess,
  outcomeOf,
  type Reply,
  type RoleName,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { listAll } from '../systemlog/support.ts'
import { type Browser, openBrowser, sessionIn, signIn } from './support.ts'

let server: TestServer
let access: Access
let admin: string
let token: string
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  admin = await access.makeUser({ roles: ['system:owner'] })
  token = await getToken(server, await access.makeKey(admin))
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const invitations = '/api/v1/auth/invitations'
const byInvitation = '/auth/v1/sign_in/invitation'
const refused = '400/3 SIGN_IN_REFUSED'

type Invited = { userId: string; id: string; url: string; expiresAt: string | null; refusal: string; reason: string }
type Listed = Json & { id: string; userId: string; state: string }

async function invite(...userIds: string[]): Promise<Invited[]> {
  const reply = await ask(server, invitations, { token, body: { userIds } })
  expect(reply.status, reply.text).toBe(200)
  return reply.json['list'] as Invited[]
}
const secretIn = (url: string): string => url.split('#invitation=')[1] ?? ''
async function invited(userId: string): Promise<{ id: string; secret: string }> {
  const [{ id, url, refusal }] = (await invite(userId)) as [Invited]
  expect(refusal).toBe('')
  return { id, secret: secretIn(url) }
}
const refusalOf = async (userId: string): Promise<string> => (await invite(userId))[0]?.refusal ?? ''
const use = (secret: string, host?: string, browser: Browser = openBrowser(server, { from: newAddress() })) =>
  browser.ask(byInvitation, { body: { token: secret }, ...(host && { host }) })
async function list(query = ''): Promise<Listed[]> {
  const reply = await ask(server, `${invitations}?${query}`, { token })
  expect(reply.status, reply.text).toBe(200)
  return reply.json['list'] as Listed[]
}
const stateOf = async (userId: string): Promise<string[]> => (await list(`user_id=${userId}`)).map(({ state }) => state)

/** Moves the times of a user's invitations, as only the program can: with the MAC that belongs to them. */
async function letPass(userId: string, ms: number): Promise<void> {
  const { world, tenant } = access
  const page = { after: null, limit: 10 }
  const rows = await listInvitations(world.db, tenant.id, { state: '', userId }, world.now(), page)
  await transact(world.db, async (tx) => {
    await tx`delete from invitations where tenant_id = ${tenant.id} and user_id = ${userId}`
    for (const row of rows) {
      const createdAt = new Date(row.createdAt.getTime() - ms)
      const expiresAt = new Date(row.expiresAt.getTime() - ms)
      await insertInvitation(tx, world.seals, tenant.id, { ...row, createdAt, expiresAt })
    }
  })
}
const dayMs = 86_400_000

describe('an invitation', () => {
  test('signs someone in for the first time; its token is only in the reply, in the fragment of the URL', async () => {
    const userId = await access.makeUser({ roles: ['system:user'] })
    const [made] = (await invite(userId)) as [Invited]
    const host = new URL(server.url).host.replace('127.0.0.1', 'localhost')
    expect(made).toMatchObject({ userId, refusal: '', reason: '' })
    expect(made.url).toMatch(new RegExp(String.raw`^http://${host}/sign-in#invitation=[\w-]{43}$`))
    expect(await list(`user_id=${userId}`)).toMatchObject([{ id: made.id, userId, createdBy: admin, state: 'WAITING' }])
    const browser = openBrowser(server, { from: '203.0.113.7' })
    const reply = await use(secretIn(made.url), undefined, browser)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json['userId']).toBe(userId)
    expect(sessionIn(reply)).toMatchObject({ method: 'link', sourceAddress: '203.0.113.7' })
    const current = await browser.ask('/api/v1/auth/session')
    expect(current.json['user']).toMatchObject({ id: userId })
    expect(await stateOf(userId)).toEqual(['USED'])
  })

  test('works once: a link that was forwarded is worth nothing to who comes second', async () => {
    const { secret } = await invited(await access.makeUser())
    expect(outcomeOf(await use(secret))).toBe('200')
    expect(outcomeOf(await use(secret))).toBe(refused)
  })

  test('works once also when it is used several times at once', async () => {
    const userId = await access.makeUser()
    const { secret } = await invited(userId)
    const outcomes = await Promise.all([1, 2, 3, 4].map(async () => outcomeOf(await use(secret))))
    expect(outcomes.toSorted()).toEqual(['200', refused, refused, refused])
    const sessions = await server.db`select 1 from sessions where user_id = ${userId}`
    expect(sessions).toHaveLength(1)
  })

  test('works for 7 days', async () => {
    const userId = await access.makeUser()
    const { secret } = await invited(userId)
    await letPass(userId, 7 * dayMs - 60_000)
    expect(await stateOf(userId)).toEqual(['WAITING'])
    await letPass(userId, 60_000)
    expect(await stateOf(userId)).toEqual(['EXPIRED'])
    expect(outcomeOf(await use(secret))).toBe(refused)
  })

  test('works in its own tenant only', async () => {
    const other = await access.makeTenant('invited.example.com')
    const { secret } = await invited(await access.makeUser())
    expect(outcomeOf(await use(secret, other.domain))).toBe(refused)
    const theirs = await access.makeUser({ tenant: other })
    expect(await refusalOf(theirs)).toBe('USER_NOT_FOUND')
    expect(outcomeOf(await use(secret))).toBe('200')
  })

  test('is revoked by an administrator, and by a newer one for the same person', async () => {
    const userId = await access.makeUser()
    const first = await invited(userId)
    const second = await invited(userId)
    expect(outcomeOf(await use(first.secret))).toBe(refused)
    const reply = await ask(server, `${invitations}/${second.id}/revoke`, { token, body: {} })
    expect(reply.json['invitation']).toMatchObject({ id: second.id, state: 'REVOKED' })
    expect(outcomeOf(await use(second.secret))).toBe(refused)
    expect(await stateOf(userId)).toEqual(['REVOKED', 'REVOKED'])
    const unknown = await ask(server, `${invitations}/${access.world.newId()}/revoke`, { token, body: {} })
    expect(outcomeOf(unknown)).toBe('404/5 INVITATION_NOT_FOUND')
  })

  test('of two requests that invite someone at once, one creates what works', async () => {
    const userId = await access.makeUser()
    const made = (await Promise.all([invite(userId), invite(userId), invite(userId)])).flat()
    expect((await stateOf(userId)).toSorted()).toEqual(['REVOKED', 'REVOKED', 'WAITING'])
    const outcomes = await Promise.all(made.map(async ({ url }) => outcomeOf(await use(secretIn(url)))))
    expect(outcomes.toSorted()).toEqual(['200', refused, refused])
  })

  test('that was used is not revoked', async () => {
    const userId = await access.makeUser()
    const { id, secret } = await invited(userId)
    await use(secret)
    const reply = await ask(server, `${invitations}/${id}/revoke`, { token, body: {} })
    expect(reply.json['invitation']).toMatchObject({ state: 'USED', revokedAt: null })
  })

  test('is refused in the same words whether it never was, was used, was revoked, or is too old', async () => {
    const people = await Promise.all([access.makeUser(), access.makeUser(), access.makeUser()])
    const [used, revoked, old] = await Promise.all(people.map(invited))
    await use(used?.secret ?? '')
    await ask(server, `${invitations}/${revoked?.id}/revoke`, { token, body: {} })
    await letPass(people[2] ?? '', 8 * dayMs)
    const tried = [used?.secret, revoked?.secret, old?.secret, 'x', '']
    const replies = await Promise.all(tried.map((secret) => use(secret ?? '')))
    expect(replies.map(outcomeOf)).toEqual(tried.map(() => refused))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  })

  test('is kept as a hash only, and neither the list nor the system log has its token', async () => {
    const userId = await access.makeUser()
    const { id, secret } = await invited(userId)
    await use(secret)
    const rows = await server.db`select * from invitations where user_id = ${userId}`
    const events = await listAll(server, token)
    for (const text of [JSON.stringify(rows), JSON.stringify(await list()), JSON.stringify(events)]) {
      expect(text).toContain(id)
      expect(text).not.toContain(secret)
      expect(text).not.toContain(createHash('sha256').update(secret).digest('hex'))
    }
    const about = events.filter(({ resources }) => resources?.some(({ uid }) => uid === id))
    expect(about).toHaveLength(2)
    for (const { resources } of about) expect(resources?.some(({ uid }) => uid === userId)).toBe(true)
  })
})

describe('nobody is invited who', () => {
  test('has signed in before, even long ago', async () => {
    const userId = await access.makeUser()
    await signIn(server, access, userId)
    expect(await refusalOf(userId)).toBe('SIGNED_IN_BEFORE')
    await server.db`delete from sessions where user_id = ${userId}`
    expect(await refusalOf(userId)).toBe('SIGNED_IN_BEFORE')
  })

  test('was invited and has come', async () => {
    const userId = await access.makeUser()
    await use((await invited(userId)).secret)
    await server.db`delete from sessions where user_id = ${userId}`
    await server.db`delete from invitations where user_id = ${userId}`
    expect(await refusalOf(userId)).toBe('SIGNED_IN_BEFORE')
  })

  test('is linked with an identity at the provider', async () => {
    const userId = await access.makeUser()
    const at = { issuer: 'https://login.example.com', subject: userId }
    const cause = operatorCause(access.tenant, 'test')
    await transact(access.world.db, (tx) => linkByOperator(tx, access.world, cause, userId, at))
    expect(await refusalOf(userId)).toBe('SIGNED_IN_BEFORE')
  })

  test('has been merged with someone who has signed in', async () => {
    const [userId, before] = [await access.makeUser(), await access.makeUser()]
    await signIn(server, access, before)
    expect(await refusalOf(userId)).toBe('')
    await server.db`update users set merged_into = ${userId}, status = 'DISABLED' where user_id = ${before}`
    expect(await refusalOf(userId)).toBe('SIGNED_IN_BEFORE')
  })

  test('is disabled, deleted, without an email address, a service principal, or unknown', async () => {
    const [disabled, deleted, unaddressed] = [await access.makeUser(), await access.makeUser(), await access.makeUser()]
    await server.db`update users set status = 'DISABLED' where user_id = ${disabled}`
    await server.db`update users set deleted_at = now() where user_id = ${deleted}`
    await server.db`update users set email = '' where user_id = ${unaddressed}`
    const made = await ask(server, '/api/v1/service_principals', { token, body: { displayName: 'Deploys' } })
    const { id: principal } = (made.json['servicePrincipal'] ?? {}) as { id: string }
    expect(made.status, made.text).toBe(200)
    const answers = await invite(disabled, deleted, unaddressed, principal, access.world.newId())
    expect(answers.map(({ refusal }) => refusal)).toEqual([
      'USER_DISABLED',
      'USER_DISABLED',
      'EMAIL_MISSING',
      'NOT_A_PERSON',
      'USER_NOT_FOUND',
    ])
    for (const { reason, url, id } of answers) expect([reason !== '', url, id]).toEqual([true, '', ''])
  })

  test('and others of the same request are invited all the same, each once', async () => {
    const [one, before, two] = [await access.makeUser(), await access.makeUser(), await access.makeUser()]
    await signIn(server, access, before)
    const answers = await invite(one, before, two, one)
    expect(answers.map(({ userId, refusal }) => [userId, refusal])).toEqual([
      [one, ''],
      [before, 'SIGNED_IN_BEFORE'],
      [two, ''],
    ])
    for (const { url } of [answers[0], answers[2]] as Invited[]) expect(outcomeOf(await use(secretIn(url)))).toBe('200')
  })

  test('not more than 50 at once, and not nobody', async () => {
    const many = Array.from({ length: 51 }, () => access.world.newId())
    for (const userIds of [many, []])
      expect(outcomeOf(await ask(server, invitations, { token, body: { userIds } }))).toBe('400/3 INPUT_INVALID')
  })

  test('and it can be asked beforehand who can be', async () => {
    const [fresh, before] = [await access.makeUser(), await access.makeUser()]
    await signIn(server, access, before)
    const look = async (userId: string) =>
      (await ask(server, `/api/v1/auth/users/${userId}/invitation`, { token })).json
    expect(await look(fresh)).toEqual({ refusal: '', reason: '', latest: null })
    expect(await look(before)).toMatchObject({ refusal: 'SIGNED_IN_BEFORE', latest: null })
    const { id } = await invited(fresh)
    expect(await look(fresh)).toMatchObject({ refusal: '', latest: { id, state: 'WAITING' } })
  })
})

describe('an invitation does not work any more', () => {
  const changes: [string, (userId: string) => Promise<unknown>][] = [
    ['once its user is disabled', (id) => server.db`update users set status = 'DISABLED' where user_id = ${id}`],
    ['once its user is deleted', (id) => server.db`update users set deleted_at = now() where user_id = ${id}`],
    ['once they have another email address', (id) => server.db`update users set email = 'x@y.z' where user_id = ${id}`],
    ['once they have signed in another way', (id) => signIn(server, access, id)],
  ]
  test.each(changes)('%s', async (_, change) => {
    const userId = await access.makeUser()
    const { secret } = await invited(userId)
    await change(userId)
    expect(outcomeOf(await use(secret))).toBe(refused)
  })

  test('once its user was disabled, and enabled again', async () => {
    const userId = await access.makeUser({ roles: ['system:user'] })
    const { secret } = await invited(userId)
    expect(outcomeOf(await ask(server, `/api/v1/users/${userId}/disable`, { token, body: {} }))).toBe('200')
    expect(await eventually(async () => (await stateOf(userId))[0] === 'REVOKED')).toBe(true)
    expect(outcomeOf(await ask(server, `/api/v1/users/${userId}/enable`, { token, body: {} }))).toBe('200')
    expect(outcomeOf(await use(secret))).toBe(refused)
  })

  test('once the policy of its tenant has no links; then none can be created either', async () => {
    const strict = await access.makeTenant('no-links.example.com')
    const { token: theirs, userId } = await administratorOf(strict)
    const create = () => ask(server, invitations, { token: theirs, host: strict.domain, body: { userIds: [userId] } })
    const before = ((await create()).json['list'] as [Invited])[0]
    const policy = { ...defaultPolicy, methods: ['passkey'] as const }
    const cause = operatorCause(strict, 'test')
    await transact(access.world.db, (tx) => setPolicy(tx, access.world, cause, policy))
    expect((await create()).json['list']).toMatchObject([{ userId, refusal: 'LINKS_NOT_ALLOWED', url: '' }])
    expect(outcomeOf(await use(secretIn(before.url), strict.domain))).toBe(refused)
  })

  async function administratorOf(tenant: Tenant): Promise<{ token: string; userId: string }> {
    const key = await access.makeCaller(['system:owner'], {}, tenant)
    return { token: await access.makeToken(key, tenant), userId: await access.makeUser({ tenant }) }
  }
})

test('someone is refused from an address that the organization does not allow, and uses it from another', async () => {
  const host = 'addresses.example.com'
  const tenant = await access.makeTenant(host)
  const key = await access.makeCaller(['system:owner'], {}, tenant)
  const theirs = await access.makeToken(key, tenant)
  const userId = await access.makeUser({ tenant, roles: ['system:user'] })
  const limits = { ssoUserSource: { enabled: true, sourceCidr: ['198.51.100.0/24'] } }
  const body = { sessionSettings: limits, updateMask: 'ssoUserSource' }
  const set = await ask(server, '/api/v1/settings/session', { token: theirs, host, body })
  expect(set.status, set.text).toBe(200)
  const made = await ask(server, invitations, { token: theirs, host, body: { userIds: [userId] } })
  const secret = secretIn((made.json['list'] as [Invited])[0].url)
  const from = (address: string): Promise<Reply> => use(secret, host, openBrowser(server, { from: address }))
  expect(outcomeOf(await from('203.0.113.9'))).toBe(refused)
  expect(outcomeOf(await from('198.51.100.9'))).toBe('200')
})

describe('who may', () => {
  const lower: RoleName[] = ['system:user', 'system:helpdesk', 'system:application-admin', 'system:request-admin']
  test.each(lower)('%s neither invites, nor revokes, nor lists', async (role) => {
    const own = await getToken(server, await access.makeCaller([role]))
    const userId = await access.makeUser()
    const { id, secret } = await invited(userId)
    const replies = [
      await ask(server, invitations, { token: own, body: { userIds: [userId] } }),
      await ask(server, `${invitations}/${id}/revoke`, { token: own, body: {} }),
      await ask(server, invitations, { token: own }),
      await ask(server, `/api/v1/auth/users/${userId}/invitation`, { token: own }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(outcomeOf(await use(secret))).toBe('200')
  })

  test('a Read-Only Administrator lists, and does not invite', async () => {
    const own = await getToken(server, await access.makeCaller(['system:viewer']))
    const body = { userIds: [await access.makeUser()] }
    expect((await ask(server, invitations, { token: own })).status).toBe(200)
    expect((await ask(server, invitations, { token: own, body })).status).toBe(403)
  })
})

describe('with access to the database, and without the secret key,', () => {
  test('an invitation that is inserted signs nobody in, and is not listed', async () => {
    const userId = await access.makeUser({ roles: ['system:owner'] })
    const id = access.world.newId()
    await server.db`
      insert into invitations (tenant_id, invitation_id, user_id, email, secret_sha256, created_by, created_at,
        expires_at, mac)
      values (${access.tenant.id}, ${id}, ${userId}, ${`${userId}@example.com`},
        ${createHash('sha256').update(id).digest()}, ${admin}, now(), now() + interval '1 day', '')`
    expect(outcomeOf(await use(id))).toBe(refused)
    expect(await list(`user_id=${userId}`)).toEqual([])
    const forged = (await listAll(server, token)).filter(
      (event) => (event as unknown as Json)['status_code'] === 'ROW_FORGED' && event.resources?.[0]?.uid === id,
    )
    expect(forged).toHaveLength(1)
  })

  test.each<[string, (userId: string) => Promise<unknown>]>([
    ['to another user', (id) => server.db`update invitations set user_id = ${admin} where user_id = ${id}`],
    ['another address', (id) => server.db`update invitations set email = 'x@y.z' where user_id = ${id}`],
    [
      'more time',
      (id) => server.db`update invitations set expires_at = now() + interval '1 year' where user_id = ${id}`,
    ],
    ['another author', (id) => server.db`update invitations set created_by = ${id} where user_id = ${id}`],
  ])('one that is given %s does not work', async (_, change) => {
    const userId = await access.makeUser()
    const { secret } = await invited(userId)
    await change(userId)
    expect(outcomeOf(await use(secret))).toBe(refused)
  })

  test('one that was used does not work when its row is put back as it was', async () => {
    const userId = await access.makeUser()
    const { secret } = await invited(userId)
    const rows = await server.db`select * from invitations where user_id = ${userId}`
    expect(outcomeOf(await use(secret))).toBe('200')
    await server.db`delete from sessions where user_id = ${userId}`
    await server.db`delete from first_sign_ins where user_id = ${userId}`
    await server.db`delete from invitations where user_id = ${userId}`
    await server.db`insert into invitations ${server.db(rows)}`
    expect(outcomeOf(await use(secret))).toBe(refused)
  })

  test('one that is used or revoked in the database only does not stay listed', async () => {
    const userId = await access.makeUser()
    await invited(userId)
    await server.db`update invitations set used_at = now() where user_id = ${userId}`
    expect(await list(`user_id=${userId}`)).toEqual([])
  })
})

test('they are listed by state, and deleted 90 days after they expire', async () => {
  const [waiting, expired, old] = [await access.makeUser(), await access.makeUser(), await access.makeUser()]
  await invite(waiting, expired, old)
  await letPass(expired, (7 + 89) * dayMs)
  const states = async (state: string) => (await list(`state=${state}&page_size=100`)).map(({ userId }) => userId)
  expect(await states('WAITING')).toContain(waiting)
  expect(await states('EXPIRED')).toEqual(expect.arrayContaining([expired]))
  expect(await states('WAITING')).not.toContain(expired)
  await letPass(old, (7 + 91) * dayMs)
  await forgetEnded(access.world)
  expect(await stateOf(old)).toEqual([])
  expect(await stateOf(expired)).toEqual(['EXPIRED'])
  expect(await stateOf(waiting)).toEqual(['WAITING'])
})

test('the migration counts those who signed in before it, or had an API credential, and nobody else', async () => {
  const [came, has, neither] = [await access.makeUser(), await access.makeUser(), await access.makeUser()]
  await signIn(server, access, came)
  await access.makeKey(has)
  const statements = splitStatements(readFileSync('server/database/migrations/0074_invitations.sql', 'utf8'))
  await access.world.db`drop table first_sign_ins`
  for (const each of statements.filter((text) => text.includes('first_sign_ins'))) await access.world.db.unsafe(each)
  expect([await refusalOf(came), await refusalOf(has), await refusalOf(neither)]).toEqual([
    'SIGNED_IN_BEFORE',
    'SIGNED_IN_BEFORE',
    '',
  ])
})
