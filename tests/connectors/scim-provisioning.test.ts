import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { carryToConnectors } from '#rooms/records/connectors/index.ts'
import { type Access, eventually, getToken, type Json, openAccess } from '../fixture/access.ts'
import { fewOrMany, onlyLongTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type ScimApp, startScimApp } from './scim-app.ts'
import { createScim, lapse, makePerson, type ScimScene } from './scim-scene.ts'

let server: TestServer
let access: Access
let app: ScimApp
let scim: ScimScene
beforeAll(async () => {
  server = await startServer({
    flags: { empty: true, 'outgoing-http': true, 'outgoing-allow': ['127.0.0.0/8'] },
  })
  access = await openAccess(server)
  const token = await getToken(server, await access.makeCaller(['system:owner']))
  app = await startScimApp()
  app.addGroup('Staff')
  app.addGroup('Admins')
  for (let i = 0; i < fewOrMany(2, 10); i++) {
    const known = await makeOne()
    app.addUser(known.email)
    ready.push(known)
  }
  scim = await createScim(server, access, token, app)
  expect((await scim.synced()).state).toBe('CONNECTOR_SYNC_STATE_DONE')
})
afterAll(async () => {
  await access.close()
  await server.stop()
  await app.close()
})

let people = 0
let email = ''
let userId = ''
type Person = { email: string; userId: string }
/** Those whom the first sync finds in the app: each sync takes two threads. */
const ready: Person[] = []
const makeOne = async (): Promise<Person> => {
  people += 1
  const address = `person-${people}@provisioned.example`
  const known = { department: 'Tools', jobTitle: 'Engineer', employeeId: 'E7' }
  return { email: address, userId: await makePerson(access, address, known) }
}
/** Someone of their own for each test, with an account in the app unless they are to get one. */
const person = async ({ hasAccount = true }: { hasAccount?: boolean } = {}): Promise<void> => {
  const one = hasAccount ? ready.shift() : await makeOne()
  if (!one) throw new Error('there are too few people with accounts')
  email = one.email
  userId = one.userId
}
/** The states of this test's own tasks. */
let before = 0
beforeEach(async () => {
  app.bend = null
  app.hasNoFilterPaths = false
  app.asked.length = 0
  before = (await scim.tasks()).length
})
const own = async (): Promise<string[]> => (await scim.tasks()).slice(before)
const until = async (states: readonly string[]): Promise<void> => {
  const isSo = await eventually(async () => JSON.stringify(await own()) === JSON.stringify(states))
  if (!isSo) expect(await own()).toEqual(states)
}
/** Answers the first request that changes something so, and does it or not. */
const once = (isDone: boolean, answer: (response: Parameters<NonNullable<ScimApp['bend']>>[1]) => void): void => {
  app.bend = ({ method, path, body }, response) => {
    if (method === 'GET') return null
    app.bend = null
    if (isDone) {
      const group = app.groups.get(path.split('/')[2] ?? '')
      const [operation] = (body['Operations'] ?? []) as { value: { value: string }[] }[]
      if (group && operation) group.members.push(...operation.value)
      else if (path === '/Users') app.addUser(body['userName'] as string, body)
    }
    answer(response)
    return true
  }
}

describe('a member', () => {
  test('is added and removed by request and manually, and the next sync agrees', async () => {
    await person()
    const grant = await scim.request('grant', 'Staff', userId)
    expect(await eventually(() => scim.isClosed(grant))).toBe(true)
    expect(app.members('Staff')).toEqual([email])
    await scim.give('Admins', userId)
    await until(['grant done', 'grant done'])
    expect(app.members('Admins')).toEqual([email])
    await scim.sync()
    expect(await scim.holds('import')).toEqual([`${email}/Admins`, `${email}/Staff`])

    const revoke = await scim.request('revoke', 'Staff', userId)
    expect(await eventually(() => scim.isClosed(revoke))).toBe(true)
    await scim.take('Admins', await scim.account(email))
    await until(['grant done', 'grant done', 'revoke done', 'revoke done'])
    expect([...app.members('Staff'), ...app.members('Admins')]).toEqual([])
  })

  onlyLongTest('is removed in apps that do not understand filters; all others stay', async () => {
    await person()
    app.hasNoFilterPaths = true
    const staff = [...app.groups.values()].find(({ displayName }) => displayName === 'Staff')
    staff?.members.push({ value: 'somebody-else' })
    await scim.give('Staff', userId)
    await until(['grant done'])
    await scim.take('Staff', await scim.account(email))
    await until(['grant done', 'revoke done'])
    expect(app.members('Staff')).toEqual(['somebody-else'])
    // One that takes a value to mean all.
    await scim.give('Staff', userId)
    await until(['grant done', 'revoke done', 'grant done'])
    app.bend = ({ method, body }, response) => {
      const [operation] = (body['Operations'] ?? []) as { op: string; path: string }[]
      if (method !== 'PATCH' || operation?.op !== 'remove' || operation.path !== 'members' || !staff) return null
      staff.members = []
      response.writeHead(204).end()
      return true
    }
    await scim.take('Staff', await scim.account(email))
    await until(['grant done', 'revoke done', 'grant done', 'revoke failed'])
    expect(app.members('Staff')).toEqual(['somebody-else'])
    if (staff) staff.members = []
  })

  onlyLongTest('is added after the app was busy or failed, without anybody asking', async () => {
    await person()
    let refusals = 0
    app.bend = ({ method }, response) => {
      if (method !== 'PATCH' || refusals >= 2) return null
      response.writeHead([429, 500][refusals++] as number, { 'retry-after': '0' }).end()
      return true
    }
    await scim.give('Staff', userId)
    await until(['grant done'])
    expect(app.changes()).toEqual(['PATCH Groups', 'PATCH Groups', 'PATCH Groups'])
    // One that asks for more patience gets it, and other tasks wait as well.
    once(false, (response) => response.writeHead(429, { 'retry-after': '30' }).end())
    await scim.take('Staff', await scim.account(email))
    expect(
      await eventually(async () => {
        const { json } = await scim.ask(`${scim.path}/scim`)
        return (json['connection'] as Json)['waitUntil'] !== null
      }),
    ).toBe(true)
    await until(['grant done', 'revoke queued'])
    await server.db`update scim_connections set wait_until = now() where connector_id = ${scim.connectorId}`
    await until(['grant done', 'revoke done'])
    expect(app.members('Staff')).toEqual([])
    // What was decided the other way meanwhile is not carried out any more.
    const accountId = await scim.account(email)
    app.bend = ({ method }, response) => {
      if (method !== 'PATCH') return null
      app.bend = null
      void scim
        .take('Staff', accountId)
        .then(() => carryToConnectors(access.world))
        .finally(() => response.writeHead(429, { 'retry-after': '30' }).end())
      return true
    }
    await scim.give('Staff', userId)
    await until(['grant done', 'revoke done', 'grant cancelled', 'revoke queued'])
    await server.db`update scim_connections set wait_until = now() where connector_id = ${scim.connectorId}`
    await until(['grant done', 'revoke done', 'grant cancelled', 'revoke done'])
    expect(app.members('Staff')).toEqual([])
  })

  onlyLongTest(
    'whose addition was not answered is unknown until the next sync shows it, and is not added twice',
    async () => {
      await person()
      once(true, (response) => response.destroy())
      await scim.give('Staff', userId)
      expect(await eventually(async () => (await own())[0] !== 'grant queued')).toBe(true)
      // The sync that settles it is requested at once.
      await until(['grant done'])
      expect(app.changes()).toEqual(['PATCH Groups'])
      const [task] = await server.db`
      select settled_by <> '' as "isSettled" from connector_tasks
      where connector_id = ${scim.connectorId} and kind = 'grant' order by task_id desc limit 1`
      expect(task).toEqual({ isSettled: true })
      // Not carried out: repeated once.
      app.asked.length = 0
      once(false, (response) => response.destroy())
      await scim.take('Staff', await scim.account(email))
      await until(['grant done', 'revoke failed', 'revoke done'])
      expect(app.members('Staff')).toEqual([])
    },
  )

  onlyLongTest('of a server that was killed is unknown, and the next sync shows it', async () => {
    await person()
    let release: () => void = () => {}
    app.bend = ({ method }, response) => {
      if (method !== 'PATCH') return null
      release = () => response.destroy()
      return true
    }
    await scim.give('Staff', userId)
    await until(['grant with the connector'])
    await lapse(access, scim.connectorId)
    // The sync that tells is requested at once, and may be over by now.
    expect(['grant unknown', 'grant failed']).toContain((await own())[0])
    app.bend = null
    release()
    await until(['grant failed', 'grant done'])
    expect(app.members('Staff')).toEqual([email])
    await scim.take('Staff', await scim.account(email))
    await until(['grant failed', 'grant done', 'revoke done'])
  })

  onlyLongTest(
    'that the app refuses is reported with the message of the app, and the request goes to people',
    async () => {
      await person()
      once(false, (response) => response.writeHead(403).end(JSON.stringify({ detail: `No rights with ${app.token}` })))
      await scim.request('grant', 'Staff', userId)
      await until(['grant failed'])
      const { json, text } = await scim.ask(`/api/v1/apps/${scim.appId}/provisioning_tasks`)
      expect((json['list'] as { error: string }[])[0]?.error).toMatch(/403 \(forbidden\): No rights with …/)
      expect(text).not.toContain(app.token)
    },
  )
})

describe('an account', () => {
  test('is created from what is known of the person, before what it is given', async () => {
    await person({ hasAccount: false })
    const request = await scim.request('grant', 'Staff', userId)
    await until(['create_account done', 'grant done'])
    expect(await eventually(() => scim.isClosed(request))).toBe(true)
    expect(app.members('Staff')).toEqual([email])
    const post = app.asked.find(({ method }) => method === 'POST')
    expect(post?.body).toMatchObject({
      ...{ userName: email, externalId: userId, active: true, title: 'Engineer' },
      emails: [{ value: email, primary: true }],
      name: { givenName: `person-${people}`, familyName: 'Person' },
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Tools', employeeNumber: 'E7' },
    })
    expect(post?.body).not.toHaveProperty('password')
    await scim.sync()
    expect((await scim.accounts()).filter((name) => name === email)).toHaveLength(1)
    await scim.take('Staff', await scim.account(email))
    await until(['create_account done', 'grant done', 'revoke done'])
  })

  onlyLongTest('that the app has already is used, and enabled', async () => {
    await person({ hasAccount: false })
    const user = app.addUser(email, { active: false })
    await scim.give('Staff', userId)
    await until(['create_account done', 'grant done'])
    expect(app.members('Staff')).toEqual([email])
    expect(user.active).toBe(true)
    expect([...app.users.values()].filter(({ userName }) => userName === email)).toHaveLength(1)
    await scim.take('Staff', await scim.account(email))
    await until(['create_account done', 'grant done', 'revoke done'])
  })

  onlyLongTest('whose creation was not answered is not created twice', async () => {
    await person({ hasAccount: false })
    once(true, (response) => response.destroy())
    await scim.give('Staff', userId)
    await until(['create_account done', 'grant done'])
    expect([...app.users.values()].filter(({ userName }) => userName === email)).toHaveLength(1)
    expect(app.changes().filter((each) => each === 'POST Users')).toHaveLength(1)
    await scim.take('Staff', await scim.account(email))
    await until(['create_account done', 'grant done', 'revoke done'])
  })

  onlyLongTest('of someone who is offboarded is disabled, or deleted where the connector is set so', async () => {
    const set = async (body: Json): Promise<void> => {
      expect((await scim.post(`${scim.path}/provisioning`, body)).status).toBe(200)
    }
    await set({ deletesAccounts: true })
    await person()
    const user = [...app.users.values()].find(({ userName }) => userName === email)
    expect((await scim.post('/api/v1/task/offboarding', { subjectUserId: userId })).status).toBe(200)
    await until(['delete_account done'])
    expect(user?.active).toBe(false)
    expect(await scim.accounts()).toContain(`${email} (disabled)`)
    await scim.sync()
    expect(await scim.accounts()).toContain(`${email} (disabled)`)

    const changed = await scim.post(`${scim.path}/scim`, { deletesUsers: true })
    expect(changed.json['connection']).toMatchObject({ deletesUsers: true, baseUrl: app.url })
    await person()
    expect((await scim.post('/api/v1/task/offboarding', { subjectUserId: userId })).status).toBe(200)
    await until(['delete_account done', 'delete_account done'])
    expect([...app.users.values()].some(({ userName }) => userName === email)).toBe(false)
    expect((await scim.accounts()).some((name) => name.startsWith(email))).toBe(false)
  })
})
