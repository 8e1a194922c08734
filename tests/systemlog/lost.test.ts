import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openMemory } from '#kernel/memory.ts'
import { type Db, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { lateness, sealAll, sealTenant } from '#rooms/foundation/systemlog/chain/seal.ts'
import {
  change,
  grouped,
  keepHeads,
  openKept,
  operatorCause,
  record,
  verifyLog,
} from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { foundTenant } from '#rooms/identity/users/index.ts'
import { isDistributed } from '../fixture/cluster.ts'
import { until } from '../fixture/later.ts'
import { type Alone, openAlone } from './alone.ts'
import { runEach, tamper } from './support.ts'

// What whoever writes to the database, and lacks the secret key, can do to the log. No server runs here: nothing is
// sealed or kept but by the tests.
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
const findings = async (): Promise<string> =>
  (await verifyLog(world, tenant.id, null)).findings.map(({ what }) => what).join('\n')
const at = (...names: string[]) => db`tenant_id = ${tenant.id} and event::json ->> 'message' = any(${names}::text[])`
const ofTenant = () => db`tenant_id = ${tenant.id}`
const remove = (...names: string[]) => tamper(db, () => db`delete from systemlog_events where ${at(...names)}`)

beforeEach(async () => {
  await rm(world?.settings.headsFile ?? '', { force: true })
  world = await alone.start()
  const founding = { domain: `lost${++tenants}.example.com`, ownerEmail: 'a@b.example' }
  tenant = (await transact(db, (tx) => foundTenant(tx, world, founding))) as Tenant
  await link('a')
  await link('b', 'c')
  alone.logged.length = 0
})

/** Takes every event out of the chain, as if none had ever been sealed. */
const unseal = () =>
  tamper(db, async () => {
    await db`delete from systemlog_seals where ${ofTenant()}`
    await db`delete from systemlog_heads where ${ofTenant()}`
    await db`update systemlog_events set seal_number = null, seal_position = null where ${ofTenant()}`
  })

describe('a log that is sealed again while no server runs', () => {
  test('is found by what its own events say, with nothing kept anywhere', async () => {
    await link('d')
    await remove('b')
    await unseal()
    world = await alone.start()
    await sealTenant(world, tenant.id)
    expect(await findings()).toMatch(/the chain was (started again|rewritten)/)
    expect(await findings()).toMatch(/an event that was committed is missing/)
  })

  test('is found by what was stored next to the secret key, whichever events are left', async () => {
    await keepHeads(world)
    await remove('b', 'c')
    await unseal()
    world = await alone.start()
    expect(await findings()).toMatch(/link 2, which was stored next to the secret key at .*, is not in the chain/)
    await sealTenant(world, tenant.id)
    expect(alone.errors()).toEqual([expect.stringContaining('the end of the system log was changed')])
    expect(await findings()).toMatch(/stored next to the secret key/)
  })

  test('is found also when all of it is gone but the founding', async () => {
    await keepHeads(world)
    await remove('a', 'b', 'c')
    await unseal()
    world = await alone.start()
    await sealTenant(world, tenant.id)
    expect(await findings()).toMatch(/stored next to the secret key/)
  })
})

describe('events that are removed while they wait to be sealed', () => {
  const removals: { what: string; removing: () => Promise<unknown> }[] = [
    { what: 'one of several', removing: () => remove('e') },
    { what: 'all of them', removing: () => remove('d', 'e', 'f') },
    { what: 'the last', removing: () => remove('f') },
  ]
  test.each(removals)('$what: the process that wrote them finds it, and says so for good', async ({ removing }) => {
    await write('d', 'e')
    await write('f')
    await removing()
    await sealAll(world)
    expect(alone.errors()).toEqual([
      'recorded events are missing from the system log: someone removed them from the database',
    ])
    await sealAll(world)
    world = await alone.start()
    expect(await findings()).toMatch(/a server reported: \d recorded events? (was|were) removed/)
  })

  test('and looked for by two at once, as the sealer and a verification do: reported once', async () => {
    await write('d')
    await remove('d')
    let looks = 0
    const count = (message: unknown): void => {
      if (/"sealNumber" from systemlog_events\s/.test((message as { text: string }).text)) looks++
    }
    subscribe('bailiwick:statement:sent', count)
    let sealing: Promise<unknown>[] = []
    // Neither gets further than to find it missing before the other does.
    await db.begin(async (tx) => {
      await tx`lock table systemlog_seams in access exclusive mode`
      sealing = [sealTenant(world, tenant.id), sealTenant(world, tenant.id)]
      await until(() => looks === 2)
    })
    unsubscribe('bailiwick:statement:sent', count)
    await Promise.all(sealing)
    expect(alone.errors()).toHaveLength(1)
  })

  test('while the lock of the sealer is held: found as soon as it is let go', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    const holding = db.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${0x6261696c}::int, ${tenant.id}::int)`
      held()
      await mayEnd
    })
    await isHeld
    await write('d', 'e')
    const sealing = sealAll(world)
    await remove('d')
    end()
    await holding
    await sealing
    expect(alone.errors()).toHaveLength(1)
    await sealAll(world)
    expect(await findings()).toMatch(/a server reported: 1 recorded event/)
  })

  // The process would take them for sealed by another server, and no longer miss them.
  const places: { what: string; sealNumber: number }[] = [
    { what: 'a link that is there', sealNumber: 2 },
    { what: 'a link that is not there', sealNumber: 99 },
  ]
  test.each(places)('and first put into $what: found when it is put there', async ({ sealNumber }) => {
    await write('d')
    await tamper(
      db,
      () => db`update systemlog_events set seal_number = ${sealNumber}, seal_position = 9 where ${at('d')}`,
    )
    await sealAll(world)
    expect(alone.errors()).toEqual([
      expect.stringContaining('are in a link of the system log that no server wrote this way'),
    ])
    await remove('d')
    await sealAll(world)
    world = await alone.start()
    expect(await findings()).toMatch(/a server reported: 1 recorded event was put into a link/)
  })

  test('and the process killed: those that follow say how many there were', async () => {
    await write('d')
    await write('e')
    await write('f')
    await remove('d')
    world = await alone.start()
    await sealAll(world)
    expect(await findings()).toMatch(/an event that was committed is missing/)
  })

  test('and the process killed, a second after: what it stored next to the secret key names them', async () => {
    await write('d', 'e')
    await keepHeads(world)
    await remove('d', 'e')
    world = await alone.start()
    expect(await findings()).toMatch(
      /this event was committed but is missing[^]*this event was committed but is missing/,
    )
  })

  test('by another process, too, that only finds what the dead one kept', async () => {
    await write('d', 'e')
    await keepHeads(world)
    await remove('e')
    world = await alone.start()
    const later: World = { ...world, now: () => new Date(Date.now() + 60_000), memory: openMemory(() => later) }
    await openKept(later)
    world = later
    await link('f')
    await keepHeads(later)
    expect(alone.errors()).toEqual([
      'recorded events are missing from the system log: someone removed them from the database',
    ])
    await sealAll(later)
    expect(await findings()).toMatch(/a server reported: 1 recorded event/)
  })

  test('the report of it cannot be removed in silence either', async () => {
    await write('d')
    await remove('d')
    await sealAll(world)
    await tamper(db, () => db`delete from systemlog_events where ${ofTenant()} and event like '%SYSTEM_LOG_TAMPERED%'`)
    await sealAll(world)
    expect(alone.errors().length).toBeGreaterThan(1)
    await sealAll(world)
    expect(await findings()).toMatch(/a server reported/)
  })
})

describe('a database that does not store what it is given', () => {
  const swallowers: { what: string; sql: string; undo: string }[] = [
    {
      what: 'a trigger that swallows inserts',
      sql: `create function swallow() returns trigger language plpgsql as $$ begin return null; end $$;
        create trigger swallow before insert on systemlog_events for each row execute function swallow()`,
      undo: 'drop function swallow() cascade',
    },
    {
      what: 'a trigger that swallows some of them',
      sql: `create function swallow() returns trigger language plpgsql as $$
          begin if new.event like '%"e"%' then return null; end if; return new; end $$;
        create trigger swallow before insert on systemlog_events for each row execute function swallow()`,
      undo: 'drop function swallow() cascade',
    },
    {
      what: 'a rule that does nothing instead',
      sql: 'create rule swallow as on insert to systemlog_events do instead nothing',
      undo: 'drop rule swallow on systemlog_events',
    },
    {
      what: 'a trigger that changes their ids',
      sql: `create function swallow() returns trigger language plpgsql as $$
          begin new.event_id = reverse(new.event_id); return new; end $$;
        create trigger swallow before insert on systemlog_events for each row execute function swallow()`,
      undo: 'drop function swallow() cascade',
    },
  ]
  test.each(swallowers)('$what: the change itself fails, alone and in a group', async ({ sql, undo }) => {
    await runEach(db, sql)
    try {
      await expect(write('d', 'e')).rejects.toThrow(/system log events as given|INSERT RETURNING/)
      const cause = operatorCause(tenant, 'test')
      const event = change(cause, 'update', 'grouped', [{ type: 'thing', id: 'e', name: 'e' }])
      await expect(world.memory(grouped).record(tenant.id, event)).rejects.toThrow(
        /system log events as given|INSERT RETURNING/,
      )
    } finally {
      await db.unsafe(undo)
    }
    await link('after')
    expect(await findings()).toBe('')
  })

  // On a cluster a trigger runs on a shard, where it cannot delete from the distributed table.
  test.skipIf(isDistributed)(
    'a trigger that deletes them once they are inserted: found when the log is sealed',
    async () => {
      await runEach(
        db,
        `
      create function swallow() returns trigger language plpgsql as $$
        begin
          set local session_replication_role = replica;
          delete from systemlog_events where event_id = new.event_id and event like '%"e"%';
          set local session_replication_role = origin;
          return null;
        end $$;
      create trigger swallow after insert on systemlog_events for each row execute function swallow()`,
      )
      try {
        await write('d', 'e')
      } finally {
        await db.unsafe('drop function swallow() cascade')
      }
      await sealAll(world)
      await sealAll(world)
      expect(alone.errors()).toHaveLength(1)
      expect(await findings()).toMatch(/a server reported: 1 recorded event/)
    },
  )

  test('a trigger that alters them: verify names them', async () => {
    await runEach(
      db,
      `
      create function alter_it() returns trigger language plpgsql as $$
        begin new.event = replace(new.event, '"d"', '"x"'); return new; end $$;
      create trigger alter_it before insert on systemlog_events for each row execute function alter_it()`,
    )
    try {
      await write('d')
    } finally {
      await db.unsafe('drop function alter_it() cascade')
    }
    await sealAll(world)
    expect(await findings()).toMatch(/this event was altered/)
  })

  // Citus refuses to go on as another role in one transaction.
  test.skipIf(isDistributed)('row-level security that hides them: the change itself fails', async () => {
    // The role that owns the tables here is a superuser, whom policies do not bind: another one is made to be the server's.
    const hidden = transact(world.db, async (tx) => {
      await tx`create role lesser`
      await tx`grant all on all tables in schema public to lesser`
      await tx`alter table systemlog_events enable row level security`
      await tx`create policy take on systemlog_events for insert with check (true)`
      await tx`set local role lesser`
      const cause = operatorCause(tenant, 'test')
      await record(tx, world, cause, change(cause, 'update', 'hidden', []))
    })
    await expect(hidden).rejects.toThrow(/row-level security|as given/)
  })

  // Citus distributes tables, and no view that stands in for one.
  test.skipIf(isDistributed)(
    'a view in the place of the table that keeps only some of them: found when the log is sealed',
    async () => {
      await runEach(
        db,
        `
      alter table systemlog_events rename to kept_events;
      create view systemlog_events as select * from kept_events;
      create function choose() returns trigger language plpgsql as $$
        begin
          if new.event not like '%"e"%' then
            insert into kept_events (tenant_id, event_id, occurred_at, event, mac, trail)
            values (new.tenant_id, new.event_id, new.occurred_at, new.event, new.mac, new.trail);
          end if;
          return new;
        end $$;
      create trigger choose instead of insert on systemlog_events for each row execute function choose()`,
      )
      try {
        await write('d', 'e')
      } finally {
        await runEach(
          db,
          `drop view systemlog_events; drop function choose() cascade;
        alter table kept_events rename to systemlog_events`,
        )
      }
      await sealAll(world)
      await sealAll(world)
      expect(await findings()).toMatch(/a server reported: 1 recorded event/)
    },
  )

  test('links that are not stored are not believed: sealing fails and goes on when it can', async () => {
    await db.unsafe('create rule swallow as on insert to systemlog_seals do instead nothing')
    try {
      await write('d')
      await expect(sealAll(world)).rejects.toThrow(/could not be sealed/)
    } finally {
      await db.unsafe('drop rule swallow on systemlog_seals')
    }
    await sealAll(world)
    expect(await findings()).toBe('')
  })
})

describe('honest trouble is no finding:', () => {
  test('transactions that roll back, alone and among others', async () => {
    const cause = operatorCause(tenant, 'test')
    for (let n = 0; n < 5; n++) {
      const failing = transact(world.db, async (tx) => {
        await record(tx, world, cause, change(cause, 'update', 'never', []))
        throw new Error('undone')
      })
      await Promise.all([expect(failing).rejects.toThrow('undone'), write(`x${n}`), write(`y${n}`)])
    }
    await sealAll(world)
    await link('d')
    expect(await findings()).toBe('')
  })

  test('one that commits long after others that came later', async () => {
    const cause = operatorCause(tenant, 'test')
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const slow = transact(world.db, async (tx) => {
      await record(tx, world, cause, change(cause, 'update', 'slow', []))
      await mayEnd
    })
    await sleep(20)
    for (let n = 0; n < 4; n++) await link(`quick ${n}`)
    expect(await findings()).toBe('')
    end()
    await slow
    await link('afterwards')
    await link('and later')
    expect(await findings()).toBe('')
  })

  test('a process killed in the middle of transactions, and another that goes on', async () => {
    const cause = operatorCause(tenant, 'test')
    const dead = world
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const open = transact(world.db, async (tx) => {
      await record(tx, dead, cause, change(cause, 'update', 'under way', []))
      await mayEnd
      throw new Error('killed')
    }).catch(() => {})
    await write('d')
    await keepHeads(world)
    world = await alone.start()
    end()
    await open
    await sealAll(world)
    await keepHeads(world)
    expect(await findings()).toBe('')
    expect(alone.errors()).toEqual([])
  })

  test('two processes that seal what the other wrote', async () => {
    const one = world
    const two = await alone.start()
    for (let n = 0; n < 6; n++) {
      world = n % 2 ? one : two
      await write(`n${n}`)
      await sealAll(n % 3 ? one : two)
      await keepHeads(world)
    }
    await sealAll(one)
    await sealAll(two)
    expect(alone.errors()).toEqual([])
    expect(await findings()).toBe('')
  })
})

test('an event that nobody seals for more than ten seconds is a finding, and an error in the log of its writer', async () => {
  await write('d')
  const hourLater: World = { ...world, now: () => new Date(Date.now() + 3_600_000) }
  const { findings: found } = await verifyLog(hourLater, tenant.id, null)
  expect(found.map(({ what }) => what)).toEqual([
    'an event has been waiting for more than 10 seconds to be sealed: no server is running, or something prevents sealing',
  ])
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 11_000)
  world.memory(lateness).look()
  world.memory(lateness).look()
  clock.mockRestore()
  expect(alone.errors()).toEqual([expect.stringContaining('sealing the system log is delayed')])
  await sealAll(world)
  expect((await verifyLog(hourLater, tenant.id, null)).findings).toEqual([])
})

test('the file beside the secret key is for its owner only, and one that was altered is not believed', async () => {
  const file = world.settings.headsFile as string
  await keepHeads(world)
  const { stat } = await import('node:fs/promises')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const text = await readFile(file, 'utf8')
  await copyFile(file, `${file}.copy`)
  await writeFile(file, text.replace('"number":2', '"number":1'))
  expect(await findings()).toMatch(/was altered, or belongs to another secret key/)
  await copyFile(`${file}.copy`, file)
  expect(await findings()).toBe('')
})

test('where the file cannot be written the log says so, once, and the rest goes on', async () => {
  const made: World = {
    ...alone.world,
    settings: { ...alone.world.settings, headsFile: '/proc/nowhere/secret.key.heads' },
    memory: openMemory(() => made),
  }
  world = made
  for (const name of ['d', 'e', 'f']) {
    await link(name)
    await keepHeads(world)
  }
  expect(alone.errors()).toEqual([
    expect.stringContaining('cannot store the state of the system log next to the secret key'),
  ])
})
