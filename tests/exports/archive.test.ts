import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { idMaker } from '#kernel/ids.ts'
import { transact } from '#kernel/sql.ts'
import { archiveIn, planRetention } from '#rooms/events/exports/index.ts'
import { removeOld } from '#rooms/events/exports/retention/remove.ts'
import { verifyLog } from '#rooms/foundation/systemlog/index.ts'
import { ask, eventually, getToken } from '../fixture/access.ts'
import { later } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'
import { conditionMs } from '../fixture/patience.ts'
import { runEach, tamper } from '../systemlog/support.ts'
import { answering } from './receiver.ts'
import { filesBelow, idsInLog, openExports } from './scene.ts'

const scene = openExports()
const archive = (): string => join(scene.folder, 'archive')
const days = 30

/** The world of a server some days later. */
const inDays = (count: number) => {
  const { world, tenant } = scene.access
  const at = (): Date => new Date(Date.now() + count * 86_400_000)
  return { ...world, now: at, settings: { ...world.settings, systemlogRetentionDays: days }, tenant }
}
const removing = (count: number) => ({ ...inDays(count), signal: AbortSignal.timeout(conditionMs) })

const verify = async (folder: string | null) => {
  const { world, tenant } = scene.access
  const { findings, archived, events } = await verifyLog(world, tenant.id, null, {
    archive: folder === null ? null : archiveIn(world, tenant, folder),
  })
  return { findings: findings.map(({ what }) => what), archived, events }
}

let exportId: string
let before: string[]
beforeAll(async () => {
  exportId = await scene.create('archive')
  for (let i = 0; i < 6; i++) {
    await scene.act(6)
    await scene.run(exportId)
  }
  before = await idsInLog(scene)
})

test('nothing is removed without a retention, before its time, or without an archive; the plan says why', async () => {
  const { world, tenant } = scene.access
  expect((await planRetention(world, tenant, [])).reasons[0]).toContain('No retention is configured')
  expect(await planRetention(inDays(days - 1), tenant, [])).toMatchObject({ older: 0, removable: 0 })
  const collecting = await scene.create('otlp')
  scene.collector.bend = answering(500)
  later(() => {
    scene.collector.bend = null
  })
  await scene.fails(collecting)
  const held = await planRetention(inDays(days + 1), tenant, [])
  expect(held).toMatchObject({ removable: 0 })
  expect(held.older).toBeGreaterThan(40)
  expect(held.reasons).toContain(
    `The export To otlp has sent events up to link 0 and fails: Datasource otlp: ${new URL(scene.collector.url).host} answered 500. It will be retried.`,
  )
  await scene.remove(collecting)
  const other = await planRetention(inDays(days + 1), tenant, [
    async () => ({ upTo: 2, why: 'A subscription needs them.' }),
  ])
  expect(other).toMatchObject({ upTo: 2 })
  expect(other.reasons).toContain('A subscription needs them.')
  expect(await removeOld(removing(days - 1))).toBe(0)
  expect((await idsInLog(scene)).slice(0, before.length)).toEqual(before)
})

test('an archive that was changed or is missing does not count: its events are kept, and the reason is shown', async () => {
  const name = filesBelow(archive()).find((each) => each.includes('.ocsf.json.')) ?? ''
  const path = join(archive(), name)
  const bytes = readFileSync(path)
  writeFileSync(path, gzipSync(gunzipSync(bytes).toString().replace('"time":1', '"time":2')))
  await expect(removeOld(removing(days + 1))).rejects.toThrow('does not contain the events that were written to it')
  rmSync(path)
  await expect(removeOld(removing(days + 1))).rejects.toThrow('is no longer in the datasource archive')
  writeFileSync(path, bytes)
  expect((await idsInLog(scene)).slice(0, before.length)).toEqual(before)
})

test('events that were altered in the database do not leave it: that would remove the proof', async () => {
  const { db } = scene.server
  const [row] = await db<
    { event: string }[]
  >`select event from systemlog_events where event_id = ${before[4] as string}`
  await tamper(db, () => db`update systemlog_events set event = '{"time":1}' where event_id = ${before[4] as string}`)
  await expect(removeOld(removing(days + 1))).rejects.toThrow('differs between the database and the archive')
  await tamper(
    db,
    () => db`update systemlog_events set event = ${row?.event ?? ''} where event_id = ${before[4] as string}`,
  )
  expect((await verify(null)).findings).toEqual([])
})

test('old events leave the database, the chain is verified across the seam, and without the archive from there on', async () => {
  const { tenant, world } = scene.access
  const planned = await planRetention(inDays(days + 1), tenant, [])
  expect(planned.removable).toBeGreaterThan(40)
  const removed = await removeOld(removing(days + 1))
  expect(removed).toBe(planned.removable)
  // More is written, so that the log goes on behind the seam.
  await scene.act(5)
  const left = new Set(await idsInLog(scene))
  expect(before.slice(0, removed).filter((id) => left.has(id))).toEqual([])
  const alone = await verify(null)
  expect(alone.findings).toEqual([])
  expect(alone.archived).toMatchObject({ events: removed, isChecked: false })
  const whole = await verify(archive())
  expect(whole.findings).toEqual([])
  expect(whole.archived).toMatchObject({ events: removed, isChecked: true })
  // Nothing else is written, but what was may be sealed between two looks.
  await expect.poll(async () => (await verify(archive())).events - (await verify(null)).events).toBe(removed)
  // What reads old events goes on.
  expect((await verifyLog(world, tenant.id, null)).findings).toEqual([])
  await scene.run(exportId)
  expect((await verify(archive())).findings).toEqual([])
  const plan = await scene.ask('/api/v1/systemlog/retention')
  expect(plan.json).toMatchObject({ archivedEvents: String(removed), days: '0' })
  expect(await removeOld(removing(days + 1))).toBeGreaterThan(0)
  expect((await verify(archive())).findings).toEqual([])
})

test('an event that a killed server noted before it was sealed, and that was archived since, is not missing', async () => {
  const { world, tenant } = scene.access
  const headsFile = join(scene.folder, 'heads-of-a-killed-server')
  const keep = (waiting: string[]): void => {
    const standing = { tenantId: tenant.id, writer: '', waiting, process: 'killed', at: new Date().toISOString() }
    const body = JSON.stringify({ heads: {}, standings: [standing], restored: null })
    writeFileSync(headsFile, `${body}\n${world.seals.mac('kept heads', '', body).toString('hex')}\n`)
  }
  const look = async (folder: string | null): Promise<string[]> => {
    const at = { ...world, settings: { ...world.settings, headsFile } }
    const { findings } = await verifyLog(at, tenant.id, null, {
      archive: folder === null ? null : archiveIn(world, tenant, folder),
    })
    return findings.map(({ what }) => what)
  }
  keep([before[0] as string])
  expect(await look(archive())).toEqual([])
  expect(await look(null)).toEqual([])
  // One of that time that the archive does not hold is missed with the archive, and one of later in any case.
  keep([`${(before[0] as string).slice(0, 20)}0000000`])
  expect(await look(archive())).toEqual([expect.stringContaining('was committed but is missing')])
  keep([idMaker(() => Date.now() + 365 * 86_400_000)()])
  expect(await look(null)).toEqual([expect.stringContaining('was committed but is missing')])
})

longTest(
  'what a subscription has not delivered stays, paused or not; a replay from archived events is refused with where they are',
  async () => {
    const { tenant } = scene.access
    const wanted = { displayName: 'Lagging', url: 'https://receiver.example.com/events', eventKinds: ['*'] }
    const made = await scene.ask('/api/v1/subscriptions', wanted)
    expect(made.status, made.text).toBe(200)
    const path = `/api/v1/subscriptions/${(made.json['subscription'] as { id: string }).id}`
    expect((await scene.ask(`${path}/pause`, {})).status).toBe(200)
    await scene.act(5)
    await scene.run(exportId)
    // The events of the removals above are of the time of the world that made them.
    const ahead = 3 * days
    const held = await planRetention(inDays(ahead), tenant)
    expect(held.reasons.join()).toContain('The subscription Lagging has delivered events up to link')
    await removeOld(removing(ahead))
    expect((await idsInLog(scene)).length).toBeGreaterThan(5)
    expect((await planRetention(inDays(ahead), tenant)).removable).toBe(0)
    expect((await planRetention(inDays(ahead), tenant, [])).removable).toBeGreaterThan(0)
    for (const from of [{ fromEventId: before[0] }, { fromTime: '2020-01-01T00:00:00Z' }])
      for (const operation of ['replay/plan', 'replay']) {
        const reply = await scene.ask(`${path}/${operation}`, from)
        expect([reply.status, reply.json['message']]).toEqual([404, expect.stringContaining('archived')])
      }
    expect((await scene.ask(path, undefined, 'DELETE')).status).toBe(200)
    expect((await planRetention(inDays(ahead), tenant)).removable).toBeGreaterThan(0)
  },
)

test('an event that was archived is not said never to have been', async () => {
  const reply = await scene.ask('/api/v1/systemlog/events', { sinceEventUid: before[3] })
  expect(reply.status).toBe(400)
  const name = filesBelow(archive()).find((each) => each.includes('.ocsf.json.'))
  expect(reply.text).toContain('is no longer in the database: events of its time were archived by 20')
  expect(reply.text).toContain(name)
  const never = await scene.ask('/api/v1/systemlog/events', { sinceEventUid: 'nothing' })
  expect(never.text).toContain('there is no event nothing')
})

test('a new export begins behind what was archived', async () => {
  const id = await scene.create('storage')
  await scene.run(id)
  const keys = [...scene.storage.objects.keys()].filter((key) => key.includes(id) && key.includes('.ocsf.'))
  expect(keys.length).toBeGreaterThan(0)
  await scene.remove(id)
})

test('hands are kept off: nobody deletes events, or moves the seam back, by a plain statement', async () => {
  const { db } = scene.server
  for (const attempt of [
    'delete from systemlog_events',
    'delete from systemlog_seams',
    'update systemlog_seams set seal_number = 1',
    'truncate systemlog_seams',
    "set local bailiwick.archived_up_to = '1'; delete from systemlog_events",
  ]) {
    const attempted = transact(db, (tx) => runEach(tx, attempt))
    await expect(attempted, attempt).rejects.toThrow('append-only')
  }
})

test('a seam that someone moved in the database is found', async () => {
  const { db } = scene.server
  const [row] = await db<{ number: number }[]>`select seal_number as number from systemlog_seams`
  const move = async (to: number): Promise<void> => {
    await db.unsafe('alter table systemlog_seams disable trigger all')
    await db`update systemlog_seams set seal_number = ${to}`
    await db.unsafe('alter table systemlog_seams enable trigger all')
  }
  await move((row?.number ?? 0) + 1)
  const { findings } = await verify(null)
  expect(findings.join()).toContain('the record of the archived events was altered')
  await move(row?.number ?? 0)
  expect((await verify(null)).findings).toEqual([])
})

type Tampering = [name: string, change: (folder: string, files: string[]) => void, finds: RegExp]
const write = (path: string, text: string): void => writeFileSync(path, gzipSync(text))
const textOf = (path: string): string => gunzipSync(readFileSync(path)).toString()
const chainOf = (path: string): string => path.replace('.ocsf.', '.chain.')
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

/** As someone does it who knows how files are written, and has no secret key. */
function rewrite(path: string, change: (lines: string[], chain: { rows: unknown[]; events: number }) => void): void {
  const chain = JSON.parse(textOf(chainOf(path))) as { rows: unknown[]; events: number; sha256: string }
  const lines = textOf(path).trimEnd().split('\n')
  change(lines, chain)
  const text = `${lines.join('\n')}\n`
  chain.sha256 = sha(text)
  chain.events = lines.length
  write(path, text)
  write(chainOf(path), JSON.stringify(chain))
}

test.each<Tampering>([
  [
    'a file was removed',
    (_, [, second = '']) => [second, chainOf(second)].forEach((path) => rmSync(path)),
    /missing|gap/,
  ],
  [
    'the first file was removed',
    (_, [first = '']) => [first, chainOf(first)].forEach((path) => rmSync(path)),
    /missing|beginning/,
  ],
  [
    'the last file was removed',
    (_, files) => {
      for (const path of files.slice(2)) for (const each of [path, chainOf(path)]) rmSync(each)
    },
    /the archive ends at link/,
  ],
  ['a file of events was removed', (_, [, second = '']) => rmSync(second), /without its other file/],
  [
    'an event was altered',
    (_, [, second = '']) => write(second, textOf(second).replace('Event', 'event')),
    /does not contain the events/,
  ],
  [
    'two files were swapped',
    (folder, [first = '', second = '']) => {
      const aside = join(folder, 'aside')
      renameSync(first, aside)
      renameSync(second, first)
      renameSync(aside, second)
    },
    /does not contain the events that were written to it/,
  ],
  [
    'two files were swapped together with what proves them',
    (folder, [first = '', second = '']) => {
      for (const [a, b] of [
        [first, second],
        [chainOf(first), chainOf(second)],
      ] as const) {
        const aside = join(folder, 'aside')
        renameSync(a, aside)
        renameSync(b, a)
        renameSync(aside, b)
      }
    },
    /was written as/,
  ],
  [
    'a file cannot be decompressed',
    (_, [, second = '']) => writeFileSync(second, 'nonsense'),
    /cannot be decompressed/,
  ],
  [
    'a chain file is nonsense',
    (_, [, second = '']) => write(chainOf(second), '{}'),
    /chain file with an unknown format/,
  ],
])('verify --archive finds it when %s', async (_, change, finds) => {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-archive-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(archive(), folder, { recursive: true })
  const files = filesBelow(folder)
    .filter((name) => name.includes('.ocsf.json.'))
    .map((name) => join(folder, name))
  change(folder, files)
  const { findings } = await verify(folder)
  expect(findings.length).toBeGreaterThan(0)
  expect(findings.join('\n')).toMatch(finds)
})

type Rewriting = [name: string, change: Parameters<typeof rewrite>[1], finds: RegExp]
test.each<Rewriting>([
  [
    'alters an event',
    (lines) => (lines[1] = (lines[1] as string).replace('"severity_id":1', '"severity_id":2')),
    /altered/,
  ],
  [
    'removes an event',
    (lines, chain) => {
      lines.splice(1, 1)
      chain.rows.splice(1, 1)
    },
    /removed|had \d+ events|does not/,
  ],
  [
    'adds an event of their own',
    (lines, chain) => {
      lines.splice(1, 0, lines[0] as string)
      chain.rows.splice(1, 0, chain.rows[0])
    },
    /removed|had \d+ events|does not/,
  ],
  [
    'swaps two events',
    (lines) => {
      const [a, b] = [lines[1] as string, lines[2] as string]
      lines[1] = b
      lines[2] = a
    },
    /altered|does not fit/,
  ],
  [
    'swaps two events with their places',
    (lines, chain) => {
      const [a, b] = [lines[1] as string, lines[2] as string]
      lines[1] = b
      lines[2] = a
      const [c, d] = [chain.rows[1], chain.rows[2]] as [unknown[], unknown[]]
      chain.rows[1] = [c[0], c[1], d[2], d[3]]
      chain.rows[2] = [d[0], d[1], c[2], c[3]]
    },
    /does not fit/,
  ],
])('verify --archive finds it when someone who knows the format %s', async (_, change, finds) => {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-archive-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(archive(), folder, { recursive: true })
  const [, second = ''] = filesBelow(folder)
    .filter((name) => name.includes('.ocsf.json.'))
    .map((name) => join(folder, name))
  rewrite(second, change)
  const { findings } = await verify(folder)
  expect(findings.join('\n')).toMatch(finds)
})

longTest('files of two exports that hold the same events are both checked, and neither is a finding', async () => {
  const second = await scene.create('archive', { datasource: { datasourceId: 'archive', prefix: 'second' } })
  await scene.run(second)
  expect((await verify(archive())).findings).toEqual([])
  const name = filesBelow(archive()).find((each) => each.includes(second) && each.includes('.ocsf.')) ?? ''
  const path = join(archive(), name)
  const bytes = readFileSync(path)
  const chain = readFileSync(chainOf(path))
  rewrite(path, (lines) => (lines[0] = (lines[0] as string).replace('"severity_id":', '"severity_id": ')))
  expect((await verify(archive())).findings.join()).toContain('altered in the archive')
  writeFileSync(path, bytes)
  writeFileSync(chainOf(path), chain)
  await scene.remove(second)
})

longTest(
  "another tenant's files are no part of the archive of this one, and a copy of them under its name is found",
  async () => {
    const host = 'archive-other.example.com'
    const tenant = await scene.access.makeTenant(host)
    const token = await getToken(scene.server, await scene.access.makeCaller(['system:owner'], {}, tenant), { host })
    const made = await ask(scene.server, '/api/v1/systemlog/exports', {
      ...{ token, host },
      body: { displayName: 'Theirs', datasource: { datasourceId: 'archive' } },
    })
    const id = (made.json['exporter'] as { exportId: string }).exportId
    const theirs = (): string[] => filesBelow(archive()).filter((name) => name.includes(id))
    expect(await eventually(async () => theirs().length >= 2)).toBe(true)
    expect((await verify(archive())).findings).toEqual([])
    for (const name of theirs()) {
      const ours = filesBelow(archive()).find((each) => !each.includes(id)) ?? ''
      cpSync(join(archive(), name), join(archive(), dirname(ours), basename(name)))
    }
    expect((await verify(archive())).findings.join()).toContain('belongs to another tenant')
    for (const name of theirs()) {
      const ours = filesBelow(archive()).find((each) => !each.includes(id)) ?? ''
      rmSync(join(archive(), dirname(ours), basename(name)), { force: true })
    }
  },
)
