import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openLog } from '#kernel/log.ts'
import { openMemory } from '#kernel/memory.ts'
import type { Db } from '#kernel/sql.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { sealTenant } from '#rooms/foundation/systemlog/chain/seal.ts'
import { change, isHead, operatorCause, record, verifyLog } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { foundTenant } from '#rooms/identity/users/index.ts'
import { readServeConfig } from '#server/settings/config.ts'
import { type Opened, openWorld } from '#server/start/world.ts'
import { run } from '../cli/command.ts'
import { makeFolder } from '../fixture/folder.ts'
import { fewOrMany } from '../fixture/long.ts'
import { makeDatabase } from '../fixture/server.ts'
import { tamper } from './support.ts'

// No server runs here: nothing is sealed but by the tests.
let opened: Opened
let data: { url: string; dataDir: string; drop(): Promise<void> }
let db: Db
let elsewhere: Tenant
let world: World
let tenant: Tenant
let tenants = 0

const make = async (domain: string): Promise<Tenant> =>
  (await transact(db, (tx) => foundTenant(tx, opened.world, { domain, ownerEmail: 'a@b.example' }))) as Tenant

beforeAll(async () => {
  data = { ...(await makeDatabase()), dataDir: await makeFolder() }
  const config = readServeConfig({ 'data-dir': data.dataDir, 'database-url': data.url }, {})
  opened = await openWorld(config, 'command', openLog('silent'))
  db = opened.world.db
  elsewhere = await make('elsewhere.example.com')
  await sealTenant(opened.world, elsewhere.id)
})
afterAll(async () => {
  await opened.close()
  await data.drop()
  await rm(data.dataDir, { recursive: true, force: true })
})

/** As a server that has just started: it has not seen any chain end yet. */
const forgetful = (): World => {
  const made: World = { ...opened.world, memory: openMemory(() => made) }
  return made
}

async function write(...names: string[]): Promise<void> {
  const cause = operatorCause(tenant, 'test')
  await transact(world.db, (tx) =>
    record(tx, world, cause, ...names.map((name) => change(cause, 'update', name, [{ type: 'thing', id: name }]))),
  )
}
async function link(...names: string[]): Promise<void> {
  await write(...names)
  await sealTenant(world, tenant.id)
}

async function verify(head: string | null = null): Promise<string[]> {
  const { findings } = await verifyLog(world, tenant.id, head)
  return findings.map(({ what, eventId, sealNumber }) =>
    [sealNumber, names.get(eventId ?? ''), what].filter(Boolean).join(' '),
  )
}
let names = new Map<string, string>()

/** A tenant of its own for each test, with four links: its founding and `a`; `b c d`; `e f g`; `h i`. */
beforeEach(async () => {
  world = forgetful()
  tenant = await make(`t${++tenants}.example.com`)
  await link('a')
  await link('b', 'c', 'd')
  await link('e', 'f', 'g')
  await link('h', 'i')
  const rows = await db<{ id: string; name: string }[]>`
    select event_id as id, event::json ->> 'message' as name from systemlog_events where tenant_id = ${tenant.id}`
  names = new Map(rows.map(({ id, name }) => [id, name]))
})

const at = (name: string) => db`tenant_id = ${tenant.id} and event::json ->> 'message' = ${name}`
const ofTenant = () => db`tenant_id = ${tenant.id}`

test('an honest log is intact, also with events that are not sealed yet', async () => {
  await write('j', 'k')
  const verdict = await verifyLog(world, tenant.id, null)
  expect(verdict.findings).toEqual([])
  expect(verdict.events).toBe(12)
  expect(isHead(verdict.head)).toBe(true)
  await sealTenant(world, tenant.id)
  expect((await verifyLog(world, tenant.id, verdict.head)).findings).toEqual([])
})

test('a log that grows while it is walked is intact', async () => {
  let isOver = false
  const growing = (async () => {
    for (let n = 0; !isOver; n++) await link(`growing ${n}`)
  })()
  try {
    for (let n = 0; n < fewOrMany(5, 15); n++) expect((await verifyLog(world, tenant.id, null)).findings).toEqual([])
  } finally {
    isOver = true
    await growing
  }
})

type Tampering = {
  what: string
  tampering: () => Promise<unknown>
  found: RegExp
}
// A sum of a time with a zone and an interval is not immutable, as Citus wants it of what is computed from a column.
const shifted = (column: string, by: string) =>
  db.unsafe(`(${column} at time zone 'UTC' + interval '${by}') at time zone 'UTC'`)

const renumber = (name: string, sealNumber: number, position: number) => db`
  update systemlog_events set seal_number = ${sealNumber}, seal_position = ${position} where ${at(name)}`

const tamperings: Tampering[] = [
  {
    what: 'the text of an event is altered',
    tampering: () => db`update systemlog_events set event = replace(event, '"c"', '"x"') where ${at('c')}`,
    found: /c this event was altered/,
  },
  {
    what: 'an event is altered by one space that changes nothing it says',
    tampering: () => db`update systemlog_events set event = event || ' ' where ${at('c')}`,
    found: /c this event was altered/,
  },
  {
    what: 'the time of an event is altered by a millisecond',
    tampering: () => db`update systemlog_events set occurred_at = ${shifted('occurred_at', '1 ms')} where ${at('c')}`,
    found: /c this event was altered/,
  },
  {
    what: 'the mac of an event is altered',
    tampering: () => db`update systemlog_events set mac = sha256(mac) where ${at('c')}`,
    found: /c this event was altered/,
  },
  {
    what: 'the mac of an event is cut off',
    tampering: () => db`update systemlog_events set mac = '' where ${at('c')}`,
    found: /c this event was altered/,
  },
  {
    what: 'the id of an event is altered',
    tampering: () => db`update systemlog_events set event_id = reverse(event_id) where ${at('c')}`,
    found: /this event was altered/,
  },
  {
    what: 'an event not yet sealed is altered',
    tampering: async () => {
      await write('j')
      await db`update systemlog_events set event = replace(event, 'Update', 'x') where ${at('j')}`
    },
    found: /this event was altered/,
  },
  {
    what: 'the first event of a link is removed',
    tampering: () => db`delete from systemlog_events where ${at('e')}`,
    found: /f an event before this one was removed[^]*3 this link had 3 events and has 2/,
  },
  {
    what: 'an event in the middle of a link is removed',
    tampering: () => db`delete from systemlog_events where ${at('f')}`,
    found: /g an event before this one was removed/,
  },
  {
    what: 'the last event of a link is removed',
    tampering: () => db`delete from systemlog_events where ${at('g')}`,
    found: /3 this link had 3 events and has 2/,
  },
  {
    what: 'an event is removed, and the count and the places mended',
    tampering: async () => {
      await db`delete from systemlog_events where ${at('f')}`
      await renumber('g', 3, 2)
      await db`update systemlog_seals set event_count = 2 where ${ofTenant()} and seal_number = 3`
    },
    found: /3 this link of the chain does not fit/,
  },
  {
    what: 'a whole link is removed with its events',
    tampering: async () => {
      await db`delete from systemlog_events where ${ofTenant()} and seal_number = 2`
      await db`delete from systemlog_seals where ${ofTenant()} and seal_number = 2`
    },
    found: /link 2 of the chain is missing/,
  },
  {
    what: 'a link is removed and its events are not',
    tampering: () => db`delete from systemlog_seals where ${ofTenant()} and seal_number = 2`,
    found: /b this event is in no link/,
  },
  {
    what: 'the beginning is removed',
    tampering: async () => {
      await db`delete from systemlog_events where ${ofTenant()} and seal_number <= 2`
      await db`delete from systemlog_seals where ${ofTenant()} and seal_number <= 2`
    },
    found: /links 1 to 2 of the chain are missing[^]*its beginning was removed/,
  },
  {
    what: 'the last link is removed with its events',
    tampering: async () => {
      await db`delete from systemlog_events where ${ofTenant()} and seal_number = 4`
      await db`delete from systemlog_seals where ${ofTenant()} and seal_number = 4`
    },
    found: /ends at link 3 and should at 4/,
  },
  {
    what: 'the last links are removed and the head is set back',
    tampering: async () => {
      await db`delete from systemlog_events where ${ofTenant()} and seal_number >= 3`
      await db`delete from systemlog_seals where ${ofTenant()} and seal_number >= 3`
      await db`update systemlog_heads set seal_number = 2 where ${ofTenant()}`
    },
    found: /the end of the chain is not the one/,
  },
  {
    what: 'the last links are removed and the head too',
    tampering: async () => {
      await db`delete from systemlog_events where ${ofTenant()} and seal_number >= 3`
      await db`delete from systemlog_seals where ${ofTenant()} and seal_number >= 3`
      await db`delete from systemlog_heads where ${ofTenant()}`
    },
    found: /ends at link 2 and should at 0/,
  },
  {
    what: 'the head is removed',
    tampering: () => db`delete from systemlog_heads where ${ofTenant()}`,
    found: /ends at link 4 and should at 0/,
  },
  {
    what: 'the head is altered',
    tampering: () => db`update systemlog_heads set mac = sha256(mac) where ${ofTenant()}`,
    found: /the end of the chain is not the one/,
  },
  {
    what: "another tenant's head is put in its place",
    tampering: async () => {
      const [other] = await db<{ mac: Buffer; number: number }[]>`
        select mac, seal_number as number from systemlog_heads where tenant_id = ${elsewhere.id}`
      await db`
        update systemlog_heads set mac = ${other?.mac ?? null}, seal_number = ${other?.number ?? null}
        where tenant_id = ${tenant.id}`
    },
    found: /the end of the chain is not the one|should at/,
  },
  {
    what: 'everything is removed',
    tampering: async () => {
      await db`delete from systemlog_events where ${ofTenant()}`
      await db`delete from systemlog_seals where ${ofTenant()}`
      await db`delete from systemlog_heads where ${ofTenant()}`
    },
    found: /its beginning was removed/,
  },
  {
    what: 'an event is inserted, not sealed',
    tampering: () => db`
      insert into systemlog_events (tenant_id, event_id, occurred_at, event, mac)
      select tenant_id, ${world.newId()}, occurred_at, event, mac from systemlog_events where ${at('c')}`,
    found: /this event was altered, or was not written/,
  },
  {
    what: 'an event is inserted at the end of a link',
    tampering: () => db`
      insert into systemlog_events (tenant_id, event_id, occurred_at, event, mac, seal_number, seal_position)
      select tenant_id, ${world.newId()}, occurred_at, event, mac, 3, 4 from systemlog_events where ${at('c')}`,
    found: /3 this event was altered, or was not written[^]*3 this link had 3 events and has 4/,
  },
  {
    what: 'a link is put at the end, with an event',
    tampering: async () => {
      await db`
        insert into systemlog_seals select tenant_id, 5, 1, sealed_at, earliest_at, latest_at, comes_late, mac
        from systemlog_seals where ${ofTenant()} and seal_number = 4`
      await db`
        insert into systemlog_events select tenant_id, ${world.newId()}, occurred_at, event, mac, 5, 1
        from systemlog_events where ${at('i')}`
    },
    found: /5 this link of the chain does not fit[^]*ends at link 5 and should at 4/,
  },
  {
    what: 'a link is put far beyond the end',
    tampering: () => db`
      insert into systemlog_seals select tenant_id, 900000000000000, 0, sealed_at, earliest_at, latest_at, comes_late, mac
      from systemlog_seals where ${ofTenant()} and seal_number = 4`,
    found: /links 5 to 899999999999999 of the chain are missing/,
  },
  {
    what: 'two events of a link are swapped',
    tampering: async () => {
      await renumber('e', 3, 99)
      await renumber('f', 3, 1)
      await renumber('e', 3, 2)
    },
    found: /3 this link of the chain does not fit/,
  },
  {
    what: 'the texts of two events are swapped, macs and all',
    tampering: () => db`
      update systemlog_events e set event = o.event, mac = o.mac, occurred_at = o.occurred_at from systemlog_events o
      where e.tenant_id = ${tenant.id} and o.tenant_id = ${tenant.id}
        and (e.event::json ->> 'message', o.event::json ->> 'message') in (('e', 'f'), ('f', 'e'))`,
    found: /e this event was altered[^]*f this event was altered/,
  },
  {
    what: 'an event is moved to another link',
    tampering: async () => {
      await renumber('g', 2, 4)
      await db`update systemlog_seals set event_count = 4 where ${ofTenant()} and seal_number = 2`
      await db`update systemlog_seals set event_count = 2 where ${ofTenant()} and seal_number = 3`
    },
    found: /2 this link of the chain does not fit[^]*3 this link of the chain does not fit/,
  },
  {
    what: 'an event is taken out of the chain, as if it were still to be sealed',
    tampering: () => db`update systemlog_events set seal_number = null, seal_position = null where ${at('g')}`,
    found: /3 this link had 3 events and has 2/,
  },
  {
    what: 'two links are swapped',
    tampering: async () => {
      for (const [from, to] of [
        [2, 99],
        [3, 2],
        [99, 3],
      ] as const) {
        await db`update systemlog_events set seal_number = ${to} where ${ofTenant()} and seal_number = ${from}`
        await db`update systemlog_seals set seal_number = ${to} where ${ofTenant()} and seal_number = ${from}`
      }
    },
    found: /2 this link of the chain does not fit/,
  },
  {
    what: 'the times of a link are altered, so that a search by time passes it over',
    tampering: () => db`
      update systemlog_seals set latest_at = ${shifted('latest_at', '-1 day')} where ${ofTenant()} and seal_number = 3`,
    found: /3 this link of the chain does not fit/,
  },
  {
    what: 'an event is copied from another tenant, mac and all',
    tampering: () => db`
      insert into systemlog_events select ${tenant.id}, event_id, occurred_at, event, mac, null, null
      from systemlog_events where tenant_id = ${elsewhere.id} limit 1`,
    found: /this event was altered, or was not written/,
  },
  {
    what: 'the whole log is put in the place of another',
    tampering: async () => {
      for (const table of ['systemlog_heads', 'systemlog_seals', 'systemlog_events'])
        await db.unsafe(`delete from ${table} where tenant_id = ${tenant.id}`)
      for (const table of ['systemlog_events', 'systemlog_seals', 'systemlog_heads'])
        await db.unsafe(`
          create temp table copied as select * from ${table} where tenant_id = ${elsewhere.id};
          update copied set tenant_id = ${tenant.id}; insert into ${table} select * from copied; drop table copied`)
    },
    found: /this event was altered[^]*1 this link of the chain does not fit/,
  },
]

describe('verify finds it, and finds it still after the program has gone on:', () => {
  test.for(tamperings)('$what', async ({ tampering, found }) => {
    await tamper(db, tampering)
    world = forgetful()
    expect((await verify()).join('\n')).toMatch(found)
    await link('afterwards')
    expect((await verify()).length, 'after more was sealed').toBeGreaterThan(0)
    await link('and later')
    const [row] = await db`select seal_number from systemlog_events where ${at('and later')}`
    expect(row?.['seal_number'], 'sealing goes on').toBeGreaterThan(0)
    expect((await verify()).length).toBeGreaterThan(0)
  })
})

describe('when the end is cut off and an older head put back,', () => {
  let head: string
  let old: { seal_number: number; mac: Buffer }
  const cutBack = () =>
    tamper(db, async () => {
      await db`delete from systemlog_events where ${ofTenant()} and seal_number > 4`
      await db`delete from systemlog_seals where ${ofTenant()} and seal_number > 4`
      await db`update systemlog_heads set seal_number = 4, mac = ${old.mac} where ${ofTenant()}`
    })
  beforeEach(async () => {
    old = (await db`select * from systemlog_heads where ${ofTenant()}`)[0] as never
    await link('j')
    await link('k', 'l')
    head = (await verifyLog(world, tenant.id, null)).head
  })

  test('verify --head proves it, also after the log has grown past where it was', async () => {
    await cutBack()
    world = forgetful()
    expect(await verify()).toEqual([])
    expect(await verify(head)).toEqual(['the given head is not in the chain: events that it covers were removed'])
    for (const name of ['m', 'n', 'o']) await link(name)
    expect(await verify(head)).toEqual(['the given head is not in the chain: events that it covers were removed'])
  })

  test('a server that saw the old end leaves a gap that verify finds without any head', async () => {
    await cutBack()
    await link('m')
    expect(await verify()).toEqual([
      'links 5 to 7 of the chain are missing',
      '8 link 6 differs from the one that existed when this event was written: the chain was rewritten',
      '3 events that were committed are missing',
    ])
  })

  test('a server notices also where another has gone on meanwhile', async () => {
    await cutBack()
    const seen = world
    world = forgetful()
    for (const name of ['m', 'n', 'o']) await link(name)
    expect(await verify()).toEqual([])
    world = seen
    await link('p')
    expect(await verify()).toEqual([
      'link 8 of the chain is missing',
      '9 link 6 differs from the one that existed when this event was written: the chain was rewritten',
      '3 events that were committed are missing',
    ])
  })
})

test('a link that was stuffed with more than it can hold does not fill the memory of verify', async () => {
  const last = fewOrMany(5000, 20_000)
  await tamper(
    db,
    () => db`
      insert into systemlog_events (tenant_id, event_id, occurred_at, event, mac, seal_number, seal_position)
      select ${tenant.id}, lpad(n::text, 27, '0'), now(), repeat('x', 1000), '', 2, n from generate_series(4, ${last}::int) n`,
  )
  let told = 0
  const { findings, events } = await verifyLog(world, tenant.id, null, { onProgress: () => told++ })
  expect(findings).toHaveLength(1000)
  expect(events).toBe(last + 7)
  expect(told).toBeGreaterThan(last / 1500)
})

test('the command says intact or names what it found, and exits 1', async () => {
  const args = ['systemlog', 'verify', '--data-dir', data.dataDir, '--database-url', data.url]
  const one = [...args, '--tenant', tenant.domain]
  const intact = await run(one)
  expect([intact.code, intact.stderr]).toEqual([0, ''])
  expect(intact.stdout).toMatch(
    /^t\d+\.example\.com: intact; 10 events in 4 links, 0 not yet sealed; head 4:[0-9a-f]{64}\n$/,
  )
  const head = intact.stdout.trim().split(' ').at(-1) as string
  const otherHead = (await verifyLog(world, elsewhere.id, null)).head
  await tamper(db, () => db`update systemlog_events set event = replace(event, '"c"', '"x"') where ${at('c')}`)
  const [altered, byHead, malformed] = await Promise.all([
    run([...one, '--json', '--head', head]),
    run([...one, '--head', otherHead]),
    run([...one, '--head', 'mine']),
  ])
  expect(altered.code).toBe(1)
  expect(JSON.parse(altered.stdout)).toMatchObject([
    {
      domain: tenant.domain,
      findings: [{ what: 'this event was altered, or was not written by this program', sealNumber: 2 }],
    },
  ])
  expect(byHead.code).toBe(1)
  expect(byHead.stdout).toMatch(/2 findings[^]*the given head is not in the chain/)
  expect([malformed.code, malformed.stderr]).toEqual([2, expect.stringContaining('--head')])
  const all = await run(args)
  expect(all.code).toBe(1)
  expect(all.stdout).toMatch(/^elsewhere.example.com: intact/m)
})
