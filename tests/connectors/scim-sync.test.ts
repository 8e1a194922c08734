import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openOutgoing } from '#kernel/outgoing/send.ts'
import type { FileWriter } from '#rooms/records/baton/index.ts'
import { scimClient } from '../../server/rooms/records/connectors/scim/protocol/client.ts'
import { ScimFailed } from '../../server/rooms/records/connectors/scim/protocol/failed.ts'
import { readApp, readingLimits } from '../../server/rooms/records/connectors/scim/reading/read.ts'
import { adviceOnScim } from '../../server/rooms/records/connectors/scim-connection/advice.ts'
import { type Access, getToken, openAccess } from '../fixture/access.ts'
import { onlyLongTest } from '../fixture/long.ts'
import { conditionMs } from '../fixture/patience.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type ScimApp, startScimApp } from './scim-app.ts'
import { createScim, makePerson } from './scim-scene.ts'

// A sync is a thread and a job each.
let server: TestServer
let access: Access
let token: string
const apps: ScimApp[] = []
beforeAll(async () => {
  server = await startServer({ flags: { empty: true, 'outgoing-http': true, 'outgoing-allow': ['127.0.0.0/8'] } })
  access = await openAccess(server)
  token = await getToken(server, await access.makeCaller(['system:owner']))
})
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const open = async (): Promise<ScimApp> => {
  const app = await startScimApp()
  apps.push(app)
  return app
}
const create = (app: ScimApp) => createScim(server, access, token, app)
const done = 'CONNECTOR_SYNC_STATE_DONE'
const failed = 'CONNECTOR_SYNC_STATE_FAILED'

describe('a sync', () => {
  test('brings users and groups in, and what changed with the next one', async () => {
    const app = await open()
    const userId = await makePerson(access, 'ada@sync.example')
    const ada = app.addUser('ada@sync.example', { displayName: 'Ada', title: 'Engineer' })
    const bo = app.addUser('bo@sync.example', { active: 'False' })
    app.addGroup('Staff', [ada.id, bo.id])
    app.addGroup('Empty')
    const scim = await create(app)
    expect(await scim.synced()).toMatchObject({ state: done, error: '' })
    expect(await scim.accounts()).toEqual(['ada@sync.example', 'bo@sync.example (disabled)'])
    expect(await scim.holds()).toEqual(['ada@sync.example/Staff', 'bo@sync.example/Staff'])
    const [account] = await server.db`
      select user_id as "userId", display_name as name, profile ->> 'title' as title from accounts
      where app_id = ${scim.appId} and username = 'ada@sync.example'`
    expect(account).toEqual({ userId, name: 'Ada', title: 'Engineer' })
    // The page of the connector shows it as it does others.
    const { json } = await scim.ask(`${scim.path}/overview`)
    expect(json['connector']).toMatchObject({
      state: 'CONNECTOR_LIVE_STATE_CONNECTED',
      catalogId: 'scim',
      program: { name: 'SCIM 2.0', capabilities: expect.arrayContaining(['sync', 'provision']) as string[] },
    })

    app.users.delete(bo.id)
    for (const group of app.groups.values()) group.members = group.members.filter(({ value }) => value !== bo.id)
    app.addGroup('New', [ada.id])
    expect((await scim.sync()).state).toBe(done)
    expect(await scim.accounts()).toEqual(['ada@sync.example'])
    expect(await scim.holds()).toEqual(['ada@sync.example/New', 'ada@sync.example/Staff'])
  })

  onlyLongTest(
    'reads apps page by page, however they page, and groups one by one where lists leave members out',
    async () => {
      const app = await open()
      for (let i = 0; i < 230; i++) app.addUser(`p${i}@many.example`)
      const all = [...app.users.keys()]
      for (let i = 0; i < 45; i++) app.addGroup(`Group ${i}`, i % 2 ? all.slice(0, 3) : [])
      app.hasNoMembersInLists = true
      app.pageMax = 7
      const scim = await create(app)
      expect((await scim.synced()).state).toBe(done)
      expect(await scim.accounts()).toHaveLength(230)
      expect(await scim.holds()).toHaveLength(22 * 3)
      expect(app.asked.filter(({ path }) => /^\/Groups\/./.test(path))).toHaveLength(45)

      Object.assign(app, { hasNoMembersInLists: false, pageMax: 1000, isIgnoringCount: true })
      app.asked.length = 0
      const again = await scim.sync()
      expect(again).toMatchObject({ state: done })
      expect(again.counts.every(({ added, removed }) => Number(added) + Number(removed) === 0)).toBe(true)
      expect(app.asked.filter(({ path }) => path === '/Users')).toHaveLength(1)
    },
  )

  onlyLongTest('shows by which group someone in a nested group is a member', async () => {
    const app = await open()
    const [ada, bo] = [app.addUser('ada@nest.example'), app.addUser('bo@nest.example')]
    const inner = app.addGroup('Inner', [ada.id])
    const middle = app.addGroup('Middle', [inner.id])
    const outer = app.addGroup('Outer', [middle.id, bo.id])
    // A ring ends somewhere.
    inner.members.push({ value: outer.id, type: 'Group' })
    const scim = await create(app)
    expect((await scim.synced()).state).toBe(done)
    expect(await scim.holds()).toEqual([
      'ada@nest.example/Inner',
      'ada@nest.example/Middle',
      'ada@nest.example/Outer',
      'bo@nest.example/Inner',
      'bo@nest.example/Middle',
      'bo@nest.example/Outer',
    ])
    const sources = await server.db<{ held: string; by: string }[]>`
      select e.display_name as held, s.display_name as by from grant_sources x
      join entitlements e on e.tenant_id = x.tenant_id and e.app_id = x.app_id and e.entitlement_id = x.entitlement_id
      join entitlements s on s.tenant_id = x.tenant_id and s.app_id = x.app_id and s.entitlement_id = x.source_entitlement_id
      where x.app_id = ${scim.appId} and e.display_name = 'Outer member'`
    expect(sources).toEqual([{ held: 'Outer member', by: 'Inner member' }])
  })

  onlyLongTest('is read again when the app changes while it is read', async () => {
    const app = await open()
    for (let i = 0; i < 150; i++) app.addUser(`p${i}@moving.example`)
    const [first] = app.users.keys()
    let isGone = false
    app.bend = ({ path, query }) => {
      // Someone of the first page is deleted, and who was on the second page moves to the first.
      if (path === '/Users' && query.get('startIndex') === '101' && !isGone) isGone = app.users.delete(first as string)
      return null
    }
    const scim = await create(app)
    expect((await scim.synced()).state).toBe(done)
    expect(await scim.accounts()).toEqual(
      expect.arrayContaining([...app.users.values()].map(({ userName }) => userName)),
    )
    // A total that is wrong for ever is no reason not to read an app that ends in an empty page.
    app.bend = null
    app.total = (real) => real + 1
    expect((await scim.sync()).state).toBe(done)
    expect(await scim.accounts()).toHaveLength(149)
  })

  onlyLongTest('that would remove too much is held, and confirmed by a person', async () => {
    const app = await open()
    for (let i = 0; i < 30; i++) app.addUser(`p${i}@held.example`)
    const scim = await create(app)
    expect((await scim.synced()).state).toBe(done)
    for (const key of [...app.users.keys()].slice(0, 20)) app.users.delete(key)
    const held = await scim.sync()
    expect(held).toMatchObject({ state: 'CONNECTOR_SYNC_STATE_HELD' })
    expect(await scim.accounts()).toHaveLength(30)
    expect((await scim.post(`${scim.path}/confirm_sync_valid/${held.id}`)).status).toBe(200)
    expect((await scim.synced()).state).toBe(done)
    expect(await scim.accounts()).toHaveLength(10)
  })

  onlyLongTest('does not begin while the connector is paused', async () => {
    const app = await open()
    app.addUser('ada@paused.example')
    const scim = await create(app)
    await scim.synced()
    expect((await scim.post(`${scim.path}/pause`)).status).toBe(200)
    app.asked.length = 0
    await server.db`update connectors set next_sync_at = now() where connector_id = ${scim.connectorId}`
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(app.asked).toEqual([])
    expect((await scim.post(`${scim.path}/resume`)).status).toBe(200)
    expect((await scim.sync()).state).toBe(done)
  })
})

describe('an app that is broken or hostile changes nothing, and the error has advice', () => {
  let app: ScimApp
  let scim: Awaited<ReturnType<typeof create>>
  beforeAll(async () => {
    app = await startScimApp()
    for (let i = 0; i < 5; i++) app.addUser(`p${i}@hostile.example`)
    app.addGroup('Staff', [...app.users.keys()])
    scim = await create(app)
    expect((await scim.synced()).state).toBe(done)
  })
  afterAll(() => app.close())

  const refused = async (): Promise<{ error: string; advice: string }> => {
    const sync = await scim.sync()
    expect(sync.state).toBe(failed)
    expect(await scim.accounts()).toHaveLength(5)
    expect(await scim.holds()).toHaveLength(5)
    expect(JSON.stringify(sync)).not.toContain(app.token)
    app.bend = null
    return sync
  }
  const reply = (path: string, json: unknown, status = 200): void => {
    app.bend = (asked, response) => {
      if (asked.path !== path) return null
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(typeof json === 'string' ? json : JSON.stringify(json))
      return true
    }
  }

  test('the token is refused: the app echoes it, and it is not shown', async () => {
    const right = app.token
    app.token = 'another'
    const sync = await scim.sync()
    app.token = right
    expect(sync).toMatchObject({ state: failed, error: expect.stringContaining('401') as string })
    expect(sync.error).toContain('Wrong: Bearer …')
    expect(sync.advice).toContain('replace the token')
    expect(JSON.stringify(sync)).not.toContain(right)
    expect(JSON.stringify(server.logged)).not.toContain(right)
  })

  onlyLongTest('a redirect is not followed, also not to a private address', async () => {
    app.bend = (_, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
      return true
    }
    const { error } = await refused()
    expect(error).toMatch(/redirect \(302\)/)
  })

  onlyLongTest('members that are no text refuse the whole sync', async () => {
    reply('/Groups', { totalResults: 1, Resources: [{ id: 'g', displayName: 'G', members: [{ value: 7 }] }] })
    expect((await refused()).error).toMatch(/has a member without a value/)
  })

  onlyLongTest('and it recovers by itself', async () => {
    app.addUser('p5@hostile.example')
    let errors = 0
    app.bend = ({ path }, response) => {
      if (path !== '/Users' || errors++ > 1) return null
      response.writeHead(errors === 1 ? 503 : 429, { 'retry-after': '0' }).end()
      return true
    }
    expect((await scim.sync()).state).toBe(done)
    expect(await scim.accounts()).toHaveLength(6)
  })
})

describe('reading', () => {
  let app: ScimApp
  beforeAll(async () => {
    app = await startScimApp()
    for (let i = 0; i < 5; i++) app.addUser(`p${i}@read.example`)
    app.addGroup('Staff', [...app.users.keys()])
  })
  afterAll(() => app.close())
  afterEach(() => Object.assign(app, { bend: null, isIgnoringStart: false, pageMax: 1000, total: null }))

  /** Reads it as the thread does; answers what was written, or why not. */
  const read = async (
    limits: Partial<typeof readingLimits> = {},
    replyBytesMax = 100_000,
    timeoutMs = conditionMs,
  ): Promise<string> => {
    const outgoing = openOutgoing({ allow: ['127.0.0.0/8'], isHttpAllowed: true })
    const client = scimClient({ baseUrl: app.url, token: app.token }, outgoing, {
      limits: { timeoutMs, replyBytesMax, triesMax: 2, waitMsMax: 600 },
    })
    const written = { users: 0, groups: 0, members: 0 }
    const file: FileWriter = {
      user: () => void written.users++,
      group: () => void written.groups++,
      member: () => void written.members++,
      nest: (_outer, inner, countMax) => Math.min(inner.length, countMax + 1),
      close: () => {},
    }
    try {
      await readApp(client, file, { ...readingLimits, ...limits }, () => {})
      return JSON.stringify(written)
    } catch (error) {
      if (!(error instanceof ScimFailed)) throw error
      return `${error.message} ${adviceOnScim(error.message)}`
    } finally {
      outgoing.close()
    }
  }
  const answer = (path: string, json: unknown, status = 200): void => {
    app.bend = (asked, response) => {
      if (asked.path !== path) return null
      response.writeHead(status).end(typeof json === 'string' ? json : JSON.stringify(json))
      return true
    }
  }

  test.each([
    ['is not JSON', '<html>Sign in</html>', /is not JSON.*base URL/],
    ['is no object', '[1]', /not a JSON object/],
    ['has no list of resources', { totalResults: 1, Resources: { id: 'x' } }, /Resources is not a list/],
    ['has a user that is no object', { totalResults: 1, Resources: ['x'] }, /is not an object/],
    ['has a user without an id', { totalResults: 1, Resources: [{ userName: 'x' }] }, /id is empty or not text/],
    ['has an id that is a number', { totalResults: 1, Resources: [{ id: 5 }] }, /id is empty or not text/],
    ['has a total that is no number', { totalResults: 'many', Resources: [] }, /totalResults is not a number/],
    ['is nested too deeply', `{"Resources":[${'['.repeat(40_000)}`, /levels deep/],
    ['is too large', `{"x":"${'x'.repeat(200_000)}"}`, /larger than/],
  ])('refuses an app whose reply %s', async (_, json, words) => {
    answer('/Users', json)
    expect(await read()).toMatch(words)
  })
  test('refuses an app that does not page, does not end, changes all the time, or has too much', async () => {
    Object.assign(app, { isIgnoringStart: true, pageMax: 2 })
    expect(await read()).toMatch(/same users again and again: 2 of 5/)
    let page = 0
    app.bend = ({ path }, response) => {
      if (path !== '/Users') return null
      page++
      response.end(JSON.stringify({ totalResults: 1_000_000, Resources: [{ id: `new-${page}` }] }))
      return true
    }
    expect(await read({ users: { countMax: 1000, pagesMax: 30, passesMax: 3 } })).toMatch(/does not end: 30 pages/)
    expect(await read({ users: { countMax: 10, pagesMax: 100, passesMax: 3 } })).toMatch(/more than 10 users/)
    app.bend = ({ path }, response) => {
      if (path !== '/Users') return null
      page++
      response.end(JSON.stringify({ totalResults: 100 + page, Resources: page % 2 ? [] : [{ id: `new-${page}` }] }))
      return true
    }
    expect(await read()).toMatch(/was not complete/)
    app.bend = null
    Object.assign(app, { isIgnoringStart: false, pageMax: 1000 })
    expect(await read({ membersMax: 4 })).toMatch(/more than 4 members/)
    expect(await read()).toBe('{"users":5,"groups":1,"members":5}')
  })
  test('reads groups one by one where a page of them is too large', async () => {
    const page = JSON.stringify([...app.groups.values()]).length
    expect(await read({}, 100_000)).toContain('"members":5')
    app.addGroup(
      'Large',
      Array.from({ length: 30 }, (_, i) => `somebody-${i}`),
    )
    expect(page).toBeLessThan(1000)
    // Both groups do not fit into one reply; each alone does.
    const both = JSON.stringify([...app.groups.values()]).length
    expect(await read({}, both)).toBe('{"users":5,"groups":2,"members":35}')
    expect(app.asked.some(({ query }) => query.get('excludedAttributes') === 'members')).toBe(true)
  })
  onlyLongTest('gives up on an app that does not answer or drips', async () => {
    app.bend = (_, response) => {
      response.destroy()
      return true
    }
    expect(await read()).toMatch(/closed before the response was complete.*is running/)
    app.bend = (_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
      return true
    }
    expect(await read({}, 100_000, 1000)).toMatch(/did not respond in time/)
  })
})
