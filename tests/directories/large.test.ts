import { channel } from 'node:diagnostics_channel'
import { describe, expect, test } from 'vitest'
import type { Json } from '../fixture/access.ts'
import { longTest } from '../fixture/long.ts'
import { enterpriseUrn, newName, prepare, type Scim, userIdOf } from './support.ts'

/** What has to stay cheap, and whole, where directories are large. */

const scene = prepare()
const patch = (scim: Scim, id: string, value: unknown, path = 'title') =>
  scim.patch(`/Users/${id}`, { op: 'replace', path, value })

/** Users by hand, copies of one another: `z…1` is the first of them, in order. */
async function fill(scim: Scim, count: number): Promise<(n: number) => string> {
  const { db } = scene.server
  const first = await scim.makeUser(newName())
  const id = (n: number): string => `z${String(n).padStart(26, '0')}`
  await db`
    insert into users (tenant_id, user_id, display_name, email, created_at, updated_at)
    select tenant_id, 'z' || substr(md5(${scim.appId} || n), 1, 26), 'Z' || n, n || '@' || lower(${scim.appId}), created_at, updated_at
    from accounts, generate_series(1, ${count}) n where account_id = ${first.id}`
  await db`
    insert into accounts (tenant_id, app_id, account_id, user_id, display_name, created_at, updated_at)
    select tenant_id, app_id, 'z' || lpad(n::text, 26, '0'), 'z' || substr(md5(${scim.appId} || n), 1, 26), 'Z' || n, created_at, updated_at
    from accounts, generate_series(1, ${count}) n where account_id = ${first.id}`
  await db`
    insert into directory_users (tenant_id, app_id, account_id, user_id, user_name, external_id, is_active, emails, resource,
      version, is_source, created_at, updated_at)
    select tenant_id, app_id, 'z' || lpad(n::text, 26, '0'), 'z' || substr(md5(${scim.appId} || n), 1, 26), 'z' || n, 'x' || n, true,
      array[n || '@' || lower(${scim.appId})],
      jsonb_build_object('userName', 'z' || n, 'active', true, 'externalId', 'x' || n, 'emails',
        jsonb_build_array(jsonb_build_object('type', 'work', 'value', n || '@' || lower(${scim.appId})))),
      1, true, created_at, updated_at
    from directory_users, generate_series(1, ${count}) n where account_id = ${first.id}`
  await db`
    insert into directory_sizes (tenant_id, app_id, part, users, active)
    select tenant_id, app_id, 100, ${count}, ${count} from directories where app_id = ${scim.appId}`
  await db`analyze users, accounts, directory_users`
  return id
}

type Node = {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Node[]
  [name: string]: unknown
}
type Sent = { text: string; values: (string | Date)[]; types: number[] }

/** How many rows, or entries of indexes, the statements of a request read. They are carried out again, and undone. */
async function rowsRead(work: () => Promise<unknown>): Promise<{ rows: number; worst: string }> {
  const all: Sent[] = []
  const note = (message: unknown): void => void all.push({ ...(message as Sent) })
  const sent = channel('bailiwick:statement:sent')
  sent.subscribe(note)
  await work().finally(() => sent.unsubscribe(note))
  let [rows, worst, most] = [0, '', -1]
  for (const { text, values, types } of all) {
    if (
      !/\b(?:directory_|accounts|users|grants|entitlements)/.test(text) ||
      !/^\s*(?:select|insert|update|with)/.test(text)
    )
      continue
    // What is only written reads nothing, and cannot be written twice.
    if (/^\s*insert\b[^]*\bvalues\b/.test(text) && !/\bselect\b/.test(text)) continue
    const given = values.map((value, at) => (types[at] === 1184 && typeof value === 'string' ? new Date(value) : value))
    const read = await scene.server.db
      .begin(async (tx) => {
        const [row] = (await tx.unsafe(`explain (analyze, format json) ${text}`, given)) as unknown as Record<
          string,
          { Plan: Node }[]
        >[]
        throw new Read(readBy(row?.['QUERY PLAN']?.[0]?.Plan as Node))
      })
      .catch((error: unknown) => {
        if (error instanceof Read) return error.rows
        throw new Error(`${String(error)}: ${text}`)
      })
    rows += read
    if (read > most) [worst, most] = [text, read]
  }
  return { rows, worst: `${most} of ${all.length} statements: ${worst.slice(0, 1500)}` }
}
class Read extends Error {
  rows: number
  constructor(rows: number) {
    super('undone')
    this.rows = rows
  }
}
const readBy = (node: Node): number => {
  const removed = Object.entries(node)
    .filter(([name]) => name.startsWith('Rows Removed by'))
    .reduce((sum, [, count]) => sum + Number(count), 0)
  const own = node['Node Type'].includes('Scan') ? (node['Actual Rows'] + removed) * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, each) => sum + readBy(each), own)
}

longTest('of 3,000 users and a group of all of them, no request reads more than a page and a little', async () => {
  const scim = await scene.makeDirectory()
  const count = 3_000
  const id = await fill(scim, count)
  const group = (await scim.post('/Groups', { displayName: 'All' })).json.id
  await scene.server.db`
    insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at)
    select tenant_id, app_id, ${group}, account_id, account_id, 'directory', created_at, created_at from directory_users
    where app_id = ${scim.appId}`
  await scene.server.db`analyze grants`
  const filter = (text: string): string => `filter=${encodeURIComponent(text)}`
  const requests: Record<string, () => Promise<{ status: number; text: string }>> = {
    'the first page': () => scim.get('/Users?count=50'),
    'the last page': () => scim.get(`/Users?startIndex=${count - 20}&count=50`),
    'by user name': () => scim.get(`/Users?${filter('userName eq "z1500"')}`),
    'by external id': () => scim.get(`/Users?${filter('externalId eq "x1500"')}`),
    'by address': () => scim.get(`/Users?${filter(`emails.value eq "1500@${scim.appId.toLowerCase()}"`)}`),
    'by work address': () =>
      scim.get(`/Users?${filter(`emails[type eq "work"].value eq "1500@${scim.appId.toLowerCase()}"`)}`),
    'one user': () => scim.get(`/Users/${id(1500)}`),
    'an update': () => patch(scim, id(1500), 'Lead'),
    'a manager': () => patch(scim, id(1500), 'x7', `${enterpriseUrn}:manager`),
    'a deactivation': () => patch(scim, id(1501), false, 'active'),
    'a creation': () => scim.post('/Users', { userName: newName(), externalId: newName() }),
    'a deletion': () => scim.remove(`/Users/${id(1502)}`),
    'one more member': () => scim.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${id(9)}"]` }),
    'one member less': () => scim.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: id(9) }] }),
    'whether someone is a member': () =>
      scim.get(`/Groups?${filter(`id eq "${group}" and members eq "${id(9)}"`)}&attributes=id`),
    'groups of a member': () => scim.get(`/Groups?${filter(`members eq "${id(9)}"`)}&attributes=id`),
    'a group without its members': () => scim.get(`/Groups/${group}?excludedAttributes=members`),
    'groups without their members': () => scim.get('/Groups?excludedAttributes=members'),
  }
  for (const [name, ask] of Object.entries(requests)) {
    const { rows, worst } = await rowsRead(async () => {
      const reply = await ask()
      expect(reply.status, `${name}: ${reply.text}`).toBeLessThan(300)
    })
    expect(rows, `${name} reads ${rows}: ${worst}`).toBeLessThan(name.endsWith('page') ? 400 : 150)
  }
})

longTest(
  'every page is the same, whether one comes from the page before or from nowhere, and totals are counted without counting',
  async () => {
    const scim = await scene.makeDirectory()
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, n) => scim.makeUser(newName(), { active: n % 3 !== 0 })),
    )
    await Promise.all([
      ...made.slice(0, 5).map(({ id }) => scim.remove(`/Users/${id}`)),
      ...made.slice(6, 9).map(({ id }) => patch(scim, id, true, 'active')),
      ...made.slice(12, 14).map(({ id }) => patch(scim, id, false, 'active')),
    ])
    const whole = (await scim.get('/Users?count=200')).json.Resources.map(({ id }) => id)
    expect(whole).toHaveLength(19)
    // Another directory of the same data has no marks of where pages ended.
    for (let startIndex = 1; startIndex <= 21; startIndex += 1) {
      const { json } = await scim.get(`/Users?startIndex=${startIndex}&count=3`)
      expect(json.totalResults).toBe(19)
      expect(json.Resources.map(({ id }) => id)).toEqual(whole.slice(startIndex - 1, startIndex + 2))
    }
    const [row] = await scene.server.db`
    select (select sum(users) from directory_sizes where app_id = ${scim.appId}) = count(*) as users,
      (select sum(active) from directory_sizes where app_id = ${scim.appId}) = count(*) filter (where is_active) as active
    from directory_users where app_id = ${scim.appId} and deleted_at is null`
    expect(row).toEqual({ users: true, active: true })
  },
)

describe('a manager who comes after their reports', () => {
  const managersOf = async (scim: Scim, id: string) =>
    (await scene.user(await userIdOf(scene, scim, id)))['managerIds'] as string[]

  test('is theirs as soon as they are there: by external id, by user name, and when they get such a name', async () => {
    const scim = await scene.makeDirectory()
    const [byId, byName, later] = [newName(), newName(), newName()]
    const report = (manager: string) => scim.makeUser(newName(), { [enterpriseUrn]: { manager: { value: manager } } })
    const reports = await Promise.all([report(byId), report(byName.toUpperCase()), report(later)])
    for (const { id } of reports) expect(await managersOf(scim, id)).toEqual([])
    const boss = await scim.makeUser(byName, { externalId: byId })
    const other = await scim.makeUser(newName())
    await patch(scim, other.id, later, 'externalId')
    for (const [at, { id }] of reports.entries()) {
      const manager = await userIdOf(scene, scim, at < 2 ? boss.id : other.id)
      await expect.poll(() => managersOf(scim, id)).toEqual([manager])
    }
    // Nothing was said by the client: neither the resource nor its version is another one.
    expect((await scim.get(`/Users/${reports[0]?.id}`)).json.meta.version).toBe('W/"1"')
  })

  test('is theirs also when both come at the same moment, and nobody becomes their own or a stranger’s', async () => {
    const scim = await scene.makeDirectory()
    const pairs = Array.from({ length: 12 }, () => [newName(), newName()] as const)
    const made = await Promise.all(
      pairs.flatMap(([boss, name], at) => {
        // Each the manager of the other, in circles too.
        const ofBoss = at % 2 ? { [enterpriseUrn]: { manager: { value: name } } } : {}
        return [
          scim.makeUser(name, { externalId: name, [enterpriseUrn]: { manager: { value: boss } } }),
          scim.makeUser(boss, { externalId: boss, ...ofBoss }),
        ]
      }),
    )
    for (let at = 0; at < made.length; at += 2) {
      const [report, boss] = [made[at]?.id as string, made[at + 1]?.id as string]
      const bossId = await userIdOf(scene, scim, boss)
      await expect.poll(() => managersOf(scim, report)).toEqual([bossId])
    }
  })
})

describe('held deactivations', () => {
  const countOf = async (scim: Scim): Promise<Json> => {
    const [row] = await scene.server.db`
      select count(*) filter (where is_held) as held, count(*) filter (where u.status = 'DISABLED') as disabled
      from directory_users x join users u on u.tenant_id = x.tenant_id and u.user_id = x.user_id where x.app_id = ${scim.appId}`
    return row as Json
  }
  const hold = async (scim: Scim, count: number) => {
    await fill(scim, count)
    await scene.server.db`
      update directory_users set is_held = true, is_active = false, deactivated_at = now() - interval '1 minute'
      where app_id = ${scim.appId} and user_name like 'z%'`
    await scene.server.db`update directories set held_since = now() where app_id = ${scim.appId}`
  }
  const decide = (scim: Scim, what: string) =>
    scene.api(`/api/v1/scim-directories/${scim.appId}/held/${what}`, { body: {} })

  longTest('are confirmed by a job where they are many, and those that are held meanwhile go on waiting', async () => {
    const scim = await scene.makeDirectory()
    await hold(scim, 450)
    const late = await scim.makeUser(newName())
    await scene.server.db`
      update directory_users set is_held = true, is_active = false, deactivated_at = now() + interval '1 hour'
      where account_id = ${late.id}`
    const reply = await decide(scim, 'confirm')
    expect(reply.json).toEqual({ count: 450 })
    await expect.poll(() => countOf(scim)).toEqual({ held: 1, disabled: 450 })
    const decision = async () =>
      (
        await scene.server.db`
          select held_decision, held_since is null as free from directories where app_id = ${scim.appId}`
      )[0]
    await expect.poll(decision).toEqual({ held_decision: null, free: false })
    const [events] = await scene.server.db`
      select count(*) as count from systemlog_events where event like ${`%${scim.appId}%`} and event like '%Confirmed%held deactivations%'`
    expect(events?.['count']).toBe(3)
  })

  test('are not dismissed while they are being confirmed', async () => {
    const scim = await scene.makeDirectory()
    await hold(scim, 3)
    await scene.server.db`
      update directories set held_decision = '{"isConfirmed": true, "until": "2026-01-01T00:00:00.000Z"}' where app_id = ${scim.appId}`
    const reply = await decide(scim, 'dismiss')
    expect([reply.status, reply.text]).toEqual([400, expect.stringMatching(/being confirmed/)])
    expect(await countOf(scim)).toEqual({ held: 3, disabled: 0 })
  })
})
