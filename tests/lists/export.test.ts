import { request } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertUsers } from '#rooms/identity/users/index.ts'
import { ask, getToken } from '../fixture/access.ts'
import { idsOf, prepare, type Ref } from '../grants/scene.ts'

/** Lists as files: the same rows as the list has, for the same caller. */

const scene = prepare()
const people = 620
let appId = ''
let held: Ref

const hostile = [
  '=HYPERLINK("http://x")',
  '+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  'Comma, and "quotes"',
  'Two\nlines',
  ' space ',
]

beforeAll(async () => {
  const { world, tenant } = scene.access
  const made = Array.from({ length: people }, (_, n) => ({
    id: world.newId(),
    displayName: hostile[n] ?? `Person ${String(n).padStart(4, '0')} Ä`,
    email: `p${n}@example.com`,
    department: n % 2 === 0 ? 'IT' : 'HR',
  }))
  await transact(world.db, (tx) => insertUsers(tx, tenant.id, made, world.now()))
  appId = await scene.app('Exported')
  held = await scene.entitlement(appId, 'Held')
  const account = await scene.account(appId, { displayName: 'Holder', userId: made[100]?.id ?? '' })
  await scene.grant(held, account, { source: 'manual' })
})

const exported = (path: string, body: object, token = scene.admin.token) =>
  ask(scene.server, `/api/v1/lists${path}/export`, { token, body })

/** A CSV text by RFC 4180. */
function cells(text: string): string[][] {
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') lines.push([])
    if (end === '') break
  }
  return lines.slice(0, -1)
}

describe('exports', () => {
  test('of JSON are the items of all pages of the list, in its order', async () => {
    const asked = { departments: ['IT'], orderBy: 'name desc' }
    const reply = await exported('/users', { ...asked, format: 'json' })
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json'])
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="users-\d{4}-\d\d-\d\d\.json"$/)
    expect(JSON.parse(reply.text)).toEqual(await scene.all('/api/v1/search/users', asked))
  })

  test('of CSV are the columns of the list, and a line for each item', async () => {
    const reply = await exported('/users', { orderBy: 'created', format: 'csv' })
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(reply.text.startsWith('\ufeffName,Email,Job title,Department,Manager,Type,Status,')).toBe(true)
    const [header, ...lines] = cells(reply.text.slice(1))
    const ids = idsOf(await scene.all('/api/v1/search/users', { orderBy: 'created' }), 'user', 'id')
    expect(lines.map((line) => line[header?.indexOf('ID') ?? -1])).toEqual(ids)
    expect(lines.every((line) => line.length === header?.length)).toBe(true)
    expect(reply.text).toContain(' Ä,')
  })

  test('of CSV hold no formula: what would be one has an apostrophe before it', async () => {
    const reply = await exported('/users', { query: '', emails: [], format: 'csv' })
    const names = cells(reply.text.slice(1)).map(([name]) => name)
    for (const name of hostile) expect(names).toContain(/^\s*[=+@-]/.test(name) ? `'${name}` : name)
    expect(names.filter((name) => /^\s*[=+@-]/.test(name ?? ''))).toEqual([])
  })

  test.each([
    ['/accounts', { appId: '' }, 'Account,Username,Email,App,User,Type,Status'],
    ['/entitlements', {}, 'Entitlement,Description,App,Resource,Kind,Risk'],
    ['/apps', {}, 'App,Description,Source,Accounts'],
    ['/tasks', {}, 'Number,Request,Kind,For'],
    ['/imports', {}, 'Finished,By,Extent'],
  ])('of %s have their columns', async (path, body, header) => {
    const reply = await exported(path, { ...body, format: 'csv' })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.text.slice(1)).toMatch(new RegExp(`^${header}`))
  })

  test('of members name them, and say why they are', async () => {
    const reply = await exported(`/apps/${held.appId}/entitlements/${held.id}/members`, { format: 'csv' })
    const [header, line] = cells(reply.text.slice(1))
    expect(header?.slice(0, 4)).toEqual(['Member', 'Account', 'Email', 'Source'])
    expect([line?.[0], line?.[3]]).toEqual(['Holder', 'Manual'])
    const runs = await exported(`/apps/${held.appId}/entitlements/${held.id}/automation/runs`, { format: 'json' })
    expect([runs.status, JSON.parse(runs.text)]).toEqual([200, []])
  })

  test('are refused whom the list refuses, and show of it what the list shows', async () => {
    expect((await exported('/imports', {}, scene.basic.token)).status).toBe(403)
    const unseen = `/apps/${held.appId}/entitlements/${held.id}/members`
    expect((await exported(unseen, {}, scene.basic.token)).status).toBe(403)
    const own = await exported('/accounts', { format: 'json' }, scene.basic.token)
    expect([own.status, JSON.parse(own.text)]).toEqual([200, []])
    expect((await exported('/users', { orderBy: 'shoeSize' })).status).toBe(400)
    expect((await exported('/users', { access: 'PRESENCE_NONE', format: 'xlsx' })).status).toBe(400)
    const unknown = `/apps/${held.appId}/entitlements/${scene.access.world.newId()}/members`
    expect((await exported(unknown, {})).status).toBe(404)
  })

  test('of an owner hold what they see of it, as their list does', async () => {
    const key = await scene.access.makeCaller(['system:user', 'system:application-admin'])
    const path = `/api/v1/apps/${appId}/owners/${key.userId}`
    const added = await scene.post(path, {})
    expect(added.status, added.text).toBe(200)
    const by = { userId: key.userId, token: await getToken(scene.server, key) }
    const list = await scene.all(`/api/v1/apps/${held.appId}/entitlements/${held.id}/users`, null, by)
    const file = await exported(`/apps/${held.appId}/entitlements/${held.id}/members`, { format: 'json' }, by.token)
    expect(list).toHaveLength(1)
    expect(JSON.parse(file.text)).toEqual(list)
  })

  test('are recorded in the system log, with the filters; refused ones are not', async () => {
    const operation = 'lists.v1.ListExports.Apps'
    const before = (await scene.logged(operation)).length
    await exported('/apps', { query: 'Exp', format: 'csv' })
    await exported('/apps', { orderBy: 'no' })
    const events = (await scene.logged(operation)).slice(before)
    expect(events.map(({ message }) => message)).toEqual(['Exported the list of apps as CSV'])
    expect(events[0]?.resources[0]?.data).toMatchObject({ format: 'csv', filters: { query: 'Exp' } })
  })

  test('of members are recorded with the entitlement, its app and the moment, and so is the file called', async () => {
    const path = `/apps/${held.appId}/entitlements/${held.id}/members`
    const [{ entitlement, app } = { entitlement: '', app: '' }] = await scene.server.db<
      { entitlement: string; app: string }[]
    >`
      select e.display_name as entitlement, a.display_name as app from entitlements e
      join apps a on a.tenant_id = e.tenant_id and a.app_id = e.app_id where e.entitlement_id = ${held.id}`
    const operation = 'lists.v1.ListExports.Members'
    const before = (await scene.logged(operation)).length
    const past = await exported(path, { format: 'csv', asOf: '2026-08-01T00:00:00Z' })
    expect([past.status, past.text.trimEnd().split('\r\n').length]).toEqual([200, 1])
    const slug = (text: string) => text.toLowerCase().replace(/\W+/g, '-')
    const name = `members-${slug(`${entitlement} ${app}`)}-2026-08-01.csv`
    expect(past.headers['content-disposition']).toBe(`attachment; filename="${name}"`)
    await exported(path, { format: 'json' })
    expect((await scene.logged(operation)).slice(before).map(({ message }) => message)).toEqual([
      `Exported the members of ${entitlement} (${app}) as of 2026-08-01 00:00 UTC as CSV`,
      `Exported the members of ${entitlement} (${app}) as JSON`,
    ])
  })

  test('are two at a time for one person, and whoever goes away makes room', async () => {
    const { port } = new URL(scene.server.url)
    const open = () =>
      new Promise<{ status: number; end: () => void }>((resolve, reject) => {
        const sent = request(
          {
            host: '127.0.0.1',
            port,
            method: 'POST',
            path: '/api/v1/lists/users/export',
            agent: false,
            headers: {
              host: `localhost:${port}`,
              authorization: `Bearer ${scene.viewer.token}`,
              'content-type': 'application/json',
            },
          },
          (reply) => resolve({ status: reply.statusCode ?? 0, end: () => sent.destroy() }),
        )
        sent.on('error', reject)
        sent.end(JSON.stringify({ format: 'json' }))
      })
    // Nobody reads them: what was written of them fills what the system takes, and they wait.
    await scene.server
      .db`update users set profile = jsonb_build_object('filler', repeat('x', 20000)) where department <> ''`
    const taken = [await open(), await open()]
    const third = await open()
    expect([...taken, third].map(({ status }) => status)).toEqual([200, 200, 429])
    third.end()
    for (const each of taken) each.end()
    await expect
      .poll(async () => {
        const again = await open()
        again.end()
        return again.status
      })
      .toBe(200)
  })

  test('leave room for others when the client goes away before the first byte', async () => {
    const { port } = new URL(scene.server.url)
    const leave = (afterMs: number) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => {
          const body = JSON.stringify({ format: 'json' })
          socket.write(
            `POST /api/v1/lists/apps/export HTTP/1.1\r\nhost: localhost:${port}\r\nauthorization: Bearer ${scene.viewer.token}\r\n` +
              `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
          )
          setTimeout(() => socket.destroy(), afterMs)
        })
        socket.on('close', () => resolve()).on('error', () => {})
      })
    for (let afterMs = 0; afterMs < 24; afterMs++) await leave(afterMs / 2)
    await expect.poll(async () => (await exported('/apps', { format: 'json' }, scene.viewer.token)).status).toBe(200)
  })
})
