import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, test as anyTest, beforeAll, beforeEach, describe, expect } from 'vitest'
import { openMemory } from '#kernel/memory.ts'
import { type Db, type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { headMac, sealMac } from '#rooms/foundation/systemlog/chain/link-mac.ts'
import { sealAll, sealTenant } from '#rooms/foundation/systemlog/chain/seal.ts'
import { change, grouped, operatorCause, verifyLog } from '#rooms/foundation/systemlog/index.ts'
import { findLastSeal, insertSeal, listUnsealed, type Seal } from '#rooms/foundation/systemlog/seals.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { foundTenant } from '#rooms/identity/users/index.ts'
import { isDistributed } from '../fixture/cluster.ts'
import { until } from '../fixture/later.ts'
import { type Alone, openAlone } from './alone.ts'
import { runEach, tamper } from './support.ts'

// Groups of events that are written together with the link that holds them. No server runs here: nothing else is sealed but
// by the tests.
// On a cluster nothing is appended: the trigger on a shard does not hear which link the statement appends (0053).
const test = isDistributed ? anyTest.skip : anyTest

let alone: Alone
let db: Db
let world: World
let tenant: Tenant
let tenants = 0

beforeAll(async () => {
  alone = await openAlone()
  db = alone.world.db
})
afterAll(() => alone.close())

beforeEach(async () => {
  await rm(world?.settings.headsFile ?? '', { force: true })
  world = await alone.start()
  const founding = { domain: `appended${++tenants}.example.com`, ownerEmail: 'a@b.example' }
  tenant = (await transact(db, (tx) => foundTenant(tx, world, founding))) as Tenant
  await sealTenant(world, tenant.id)
  alone.logged.length = 0
})

/** So many events at once, which change nothing else. */
const write = (count: number, by = world, message = 'grouped'): Promise<unknown> =>
  Promise.all(
    Array.from({ length: count }, () =>
      by.memory(grouped).record(tenant.id, change(operatorCause(tenant, 'test'), 'read', message, [])),
    ),
  )
const findings = async (): Promise<string> =>
  (await verifyLog(world, tenant.id, null)).findings.map(({ what }) => what).join('\n')
const ofTenant = () => db`tenant_id = ${tenant.id}`
async function state(): Promise<{ events: number; unsealed: number; updated: number; links: number }> {
  const [row] = await db<{ events: number; unsealed: number; updated: number }[]>`
    select count(*) as events, count(*) filter (where seal_number is null) as unsealed,
      count(*) filter (where xmax::text <> '0') as updated
    from systemlog_events where ${ofTenant()} and event like '%"message":"grouped"%'`
  const [{ links } = { links: 0 }] = await db<{ links: number }[]>`
    select count(*) as links from systemlog_seals where ${ofTenant()}`
  return { ...(row as { events: number; unsealed: number; updated: number }), links }
}

test('a group of events is in the chain as soon as it is written, by one link', async () => {
  await write(40)
  expect(await state()).toEqual({ events: 40, unsealed: 0, updated: 0, links: 2 })
  await write(700)
  expect(await state()).toMatchObject({ events: 740, unsealed: 0, links: 4 })
  await sealAll(world)
  expect(alone.errors()).toEqual([])
  expect(await findings()).toBe('')
})

test('a few events are left to the sealer', async () => {
  await write(3)
  expect(await state()).toMatchObject({ events: 3, unsealed: 3, links: 1 })
  await sealAll(world)
  expect(await state()).toMatchObject({ unsealed: 0, links: 2 })
  expect(await findings()).toBe('')
})

test('while somebody holds the lock of the sealer, events are written without waiting, and sealed later', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const holding = db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${0x6261696c}::int, ${tenant.id}::int)`
    held()
    await mayEnd
  })
  await isHeld
  await write(20)
  expect(await state()).toMatchObject({ events: 20, unsealed: 20 })
  end()
  await holding
  await sealAll(world)
  await write(20)
  expect(await state()).toMatchObject({ events: 40, unsealed: 0, links: 3 })
  expect(await findings()).toBe('')
})

test('of several processes that write at once none breaks the chain, and nothing is lost', async () => {
  const others = [world, await alone.start(), await alone.start()]
  for (let round = 0; round < 12; round++) {
    await Promise.all(others.map((each) => write(10, each)))
    await Promise.all(others.map((each) => sealAll(each)))
  }
  expect(await state()).toMatchObject({ events: 360, unsealed: 0 })
  expect(alone.errors()).toEqual([])
  expect(await findings()).toBe('')
})

describe('two groups under way', () => {
  /** Holds up whoever appends while `work` is done, then does `before` in the same transaction. */
  async function heldUp(work: () => Promise<void>, before: (tx: Tx) => Promise<unknown> = async () => {}) {
    await db.begin(async (tx) => {
      await tx`select 1 from systemlog_heads where ${ofTenant()} for update`
      await work()
      await before(tx)
    })
  }
  /** A process that tells how many statements with a link it has sent. */
  async function telling(): Promise<{ by: World; sent: () => number }> {
    let count = 0
    const started = await alone.start()
    const inOrder = new Proxy(db.inOrder, {
      apply(target, self, args: [TemplateStringsArray]) {
        if (args[0][0]?.includes('with moved as')) count++
        const result: unknown = Reflect.apply(target, self, args)
        return result
      },
    })
    const by: World = {
      ...started,
      db: new Proxy(db, {
        get: (target, name, self) => (name === 'inOrder' ? inOrder : (Reflect.get(target, name, self) as unknown)),
      }),
      memory: openMemory(() => by),
    }
    await write(1, by)
    await sealTenant(by, tenant.id)
    return { by, sent: () => count }
  }

  test('the second is sent before the first is answered, and follows it in the chain', async () => {
    const { by, sent } = await telling()
    const before = await state()
    let writing: Promise<unknown> = Promise.resolve()
    await heldUp(async () => {
      const first = write(40, by)
      await until(() => sent() === 1)
      const second = write(40, by)
      await until(() => sent() === 2)
      // No more than two: this one waits.
      writing = Promise.all([first, second, write(40, by)])
      await sleep(50)
      expect(sent()).toBe(2)
    })
    await writing
    expect(await state()).toMatchObject({
      events: before.events + 120,
      unsealed: 0,
      updated: before.updated,
      links: before.links + 3,
    })
    await sealAll(by)
    expect(alone.errors()).toEqual([])
    expect(await findings()).toBe('')
  })

  test('where the first does not follow the end of the chain the second does not either, and both wait to be sealed', async () => {
    const { by, sent } = await telling()
    const other = await alone.start()
    await write(1, other)
    const before = await state()
    let writing: Promise<unknown> = Promise.resolve()
    await heldUp(
      async () => {
        const first = write(40, by)
        await until(() => sent() === 1)
        const second = write(40, by)
        await until(() => sent() === 2)
        writing = Promise.all([first, second])
      },
      // As if another process had sealed: the head moves on, and is what it must be.
      async (tx) => {
        const last = await findLastSeal(tx, tenant.id)
        const link = { ...(last as Seal), sealNumber: (last as Seal).sealNumber + 1, eventCount: 1 }
        const events = await listUnsealed(tx, tenant.id, 1)
        const macs = events.map(({ mac }) => mac)
        const seal = { ...link, mac: sealMac(world.seals, tenant.id, link, (last as Seal).mac, macs) }
        const ids = events.map(({ eventId }) => eventId)
        await insertSeal(tx, tenant.id, seal, ids, headMac(world.seals, tenant.id, seal.sealNumber, seal.mac))
      },
    )
    await writing
    expect(await state()).toMatchObject({ events: before.events + 80, unsealed: 80, links: before.links + 1 })
    await sealAll(by)
    await write(40, by)
    expect(await state()).toMatchObject({ unsealed: 0, links: before.links + 3 })
    expect(alone.errors()).toEqual([])
    expect(await findings()).toBe('')
  })

  test('when their connection is lost both fail, nothing is written in part, and others continue', async () => {
    const { by, sent } = await telling()
    const before = await state()
    let writing: Promise<PromiseSettledResult<unknown>[]> = Promise.resolve([])
    await heldUp(async () => {
      const first = write(40, by)
      await until(() => sent() === 1)
      const second = write(40, by)
      await until(() => sent() === 2)
      writing = Promise.allSettled([first, second])
      await until(async () => {
        const ended = await db`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%with moved as%'`
        return ended.length === 1
      })
      await writing
    })
    expect((await writing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await state()).toEqual(before)
    await write(40, by)
    await sealAll(by)
    expect(await state()).toMatchObject({ events: before.events + 40, unsealed: 0 })
    expect(alone.errors()).toEqual([])
    expect(await findings()).toBe('')
  })

  test('of several processes at once, each with two: the chain is whole and nothing is lost', async () => {
    const all = [world, await alone.start(), await alone.start()]
    for (let round = 0; round < 4; round++)
      await Promise.all(
        all.flatMap((each) => [write(40, each), sleep(1).then(() => write(40, each)), sealAll(each), write(2, each)]),
      )
    await sealAll(world)
    expect(await state()).toMatchObject({ events: 4 * 3 * 82, unsealed: 0 })
    expect(alone.errors()).toEqual([])
    expect(await findings()).toBe('')
  })
})

describe('where another hand was at the end of the chain', () => {
  const hands: { what: string; change: () => Promise<unknown> }[] = [
    {
      what: 'the last link was removed',
      change: () => db`delete from systemlog_seals where ${ofTenant()} and seal_number = 2`,
    },
    {
      what: 'a link was put behind it',
      change: () => db`insert into systemlog_seals select tenant_id, 9, event_count, sealed_at, earliest_at, latest_at,
        comes_late, mac from systemlog_seals where ${ofTenant()} and seal_number = 2`,
    },
    { what: 'the head was set back', change: () => db`update systemlog_heads set seal_number = 1 where ${ofTenant()}` },
    { what: 'the head was forged', change: () => db`update systemlog_heads set mac = '\\x00' where ${ofTenant()}` },
    {
      what: 'the last link was forged',
      change: () => db`update systemlog_seals set mac = '\\x00' where ${ofTenant()} and seal_number = 2`,
    },
  ]
  test.each(hands)('$what: nothing is appended, and the sealer says so', async ({ change: tampering }) => {
    await write(10)
    await tamper(db, tampering)
    await write(10)
    expect(await state()).toMatchObject({ events: 20, unsealed: 10 })
    await sealAll(world)
    expect(alone.errors().join()).toContain('the end of the system log was changed')
    expect(await findings()).not.toBe('')
  })
})

describe('events that were appended and are gone', () => {
  test('by a trigger that deletes one as it is inserted: the process that wrote them finds it', async () => {
    await runEach(
      db,
      `
      create function swallow() returns trigger language plpgsql as $$
        begin
          set local session_replication_role = replica;
          delete from systemlog_events where event_id = new.event_id and seal_position = 5;
          set local session_replication_role = origin;
          return null;
        end $$;
      create trigger swallow after insert on systemlog_events for each row execute function swallow()`,
    )
    try {
      await write(10)
    } finally {
      await db.unsafe('drop function swallow() cascade')
    }
    await sealAll(world)
    await sealAll(world)
    expect(alone.errors().join()).toContain('recorded events are missing from the system log')
    expect(await findings()).toMatch(/a server reported: 1 recorded event/)
  })

  const removals: { what: string; sql: () => Promise<unknown> }[] = [
    {
      what: 'an event',
      sql: () => db`delete from systemlog_events where ${ofTenant()} and seal_number = 2 and seal_position = 3`,
    },
    { what: 'the link', sql: () => db`delete from systemlog_seals where ${ofTenant()} and seal_number = 2` },
    {
      what: 'the link with all its events',
      sql: async () => {
        await db`delete from systemlog_events where ${ofTenant()} and seal_number = 2`
        await db`delete from systemlog_seals where ${ofTenant()} and seal_number = 2`
        await db`update systemlog_heads set seal_number = 1 where ${ofTenant()}`
      },
    },
  ]
  test.each(removals)('$what, before they were looked at: found at the next sealing', async ({ sql }) => {
    await write(10)
    await tamper(db, sql)
    await sealAll(world)
    expect(alone.errors()).not.toEqual([])
    expect(await findings()).not.toBe('')
  })
})

test('a trigger that swallows links makes nobody wait and nothing be lost: the events wait to be sealed', async () => {
  await runEach(
    db,
    `
    create function swallow() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger swallow before insert on systemlog_seals for each row execute function swallow()`,
  )
  try {
    await write(10)
    expect(await state()).toMatchObject({ events: 10, unsealed: 10, links: 1 })
  } finally {
    await db.unsafe('drop function swallow() cascade')
  }
  await sealAll(world)
  expect(await findings()).toBe('')
})

test('by plain SQL no event is written into a link, in a transaction that appends another one either', async () => {
  await write(10)
  const copy = (
    number: number,
  ) => `insert into systemlog_events select tenant_id, overlay(event_id placing '000' from 1),
    occurred_at, event, mac, ${number}, 999, trail from systemlog_events where tenant_id = ${tenant.id} limit 1`
  await expect(db.unsafe(copy(2))).rejects.toThrow('append-only')
  await expect(
    db.begin(async (tx) => {
      await tx`select set_config('bailiwick.appends_link', '3', true)`
      await tx.unsafe(copy(2))
    }),
  ).rejects.toThrow('append-only')
})

test('events that waited are counted though they stand in the chain after a group, and missed when they are gone', async () => {
  const waiting = async (): Promise<void> => {
    await write(2)
    await write(12)
    await write(3)
    await write(12)
  }
  await waiting()
  await sealAll(world)
  expect(await findings()).toBe('')
  await waiting()
  await tamper(
    db,
    () => db`
    delete from systemlog_events where ${ofTenant()} and event_id =
      (select min(event_id) from systemlog_events where ${ofTenant()} and seal_number is null)`,
  )
  world = await alone.start()
  await sealAll(world)
  expect(await findings()).toBe('an event that was committed is missing')
})
