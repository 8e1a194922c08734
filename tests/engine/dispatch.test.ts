import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Attempt, type Dispatch, type DueTenant, dispatchBells, LeaseLost, Stopping } from '#kernel/dispatch.ts'
import { openMemory } from '#kernel/memory.ts'
import { openWakes } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { startDispatch } from '#server/engine/dispatch/dispatcher.ts'
import { openTurns } from '#server/engine/dispatch/turns.ts'
import { later, until } from '../fixture/later.ts'

type Piece = { id: string; leaseId: number }
type Row = { tenantId: number; id: string; leaseId: number; isDone: boolean }
type Perform = (attempt: Attempt<DueTenant, Piece>) => Promise<void>

/** A table of work, as the database would keep it: an attempt ends a piece only under the lease by which it was claimed. */
function openTable(work: Record<number, readonly string[]>) {
  const rows: Row[] = Object.entries(work).flatMap(([tenantId, ids]) =>
    ids.map((id) => ({ tenantId: Number(tenantId), id, leaseId: 0, isDone: false })),
  )
  const ended: string[] = []
  let leases = 0
  const free = (): Row[] => rows.filter(({ leaseId, isDone }) => leaseId === 0 && !isDone)
  return {
    rows,
    ended,
    isDone: (): boolean => rows.every(({ isDone }) => isDone),
    /** As if the lease were over. */
    free(row: Row): void {
      if (!row.isDone) row.leaseId = 0
    },
    listDue: async () =>
      [...new Set(free().map(({ tenantId: id }) => id))].toSorted((a, b) => a - b).map((id) => ({ id })),
    async claim({ id: tenantId }: DueTenant, countMax: number): Promise<Piece[]> {
      const claimed = free()
        .filter((row) => row.tenantId === tenantId)
        .slice(0, countMax)
      for (const row of claimed) row.leaseId = ++leases
      return claimed.map(({ id, leaseId }) => ({ id, leaseId }))
    },
    renew: async (works: readonly Piece[]) =>
      works.filter(({ leaseId }) => rows.some((row) => row.leaseId === leaseId && !row.isDone)).map(({ id }) => id),
    end({ id, leaseId }: Piece): boolean {
      const row = rows.find((each) => each.id === id && each.leaseId === leaseId && !each.isDone)
      if (!row) return false
      row.isDone = true
      ended.push(id)
      return true
    },
  }
}

type Table = ReturnType<typeof openTable>

function start(table: Table, perform: Perform, changes: Partial<Dispatch<DueTenant, Piece>> = {}) {
  const wakes = openWakes()
  const logged: Record<string, unknown>[] = []
  const memory = openMemory(() => ({}) as World)
  const log = { error: (line: Record<string, unknown>) => void logged.push(line) }
  const world = { now: () => new Date(), log: log as never, memory }
  const kind: Dispatch<DueTenant, Piece> = {
    name: 'pieces',
    inAll: 4,
    leaseMs: 600_000,
    everyMs: { least: 5, most: 20 },
    isPrompt: true,
    listDue: table.listDue,
    nextDue: async () => null,
    claim: (tenant, { countMax }) => table.claim(tenant, countMax),
    perform,
    ...changes,
  }
  const dispatcher = startDispatch(kind, { world, wakes, isQuiet: () => false })
  later(() => dispatcher.stop(0))
  const ring = (): void => memory(dispatchBells).ring('pieces')
  return { ...dispatcher, logged, wake: wakes.wake, ring }
}

const named = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

describe('turns', () => {
  test('nobody has a second turn while another waits for the first, and what is free is shared', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(ids, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 }), (listed, frees) => {
        const tenants = listed.toSorted((a, b) => a - b).map((id) => ({ id }))
        const turns = openTurns<DueTenant>()
        const had = new Map(tenants.map(({ id }) => [id, 0]))
        turns.fill(tenants)
        for (const free of frees) {
          // Sometimes it is asked anew who has work: the turns go on where they were.
          if (free % 5 === 0) turns.fill(tenants)
          const waiting = turns.count()
          const turn = turns.next(free)
          if (!turn) continue
          expect(turn.countMax).toBe(Math.max(1, Math.floor(free / waiting)))
          had.set(turn.tenant.id, (had.get(turn.tenant.id) ?? 0) + 1)
          turns.putBack(turn.tenant)
          const counts = [...had.values()]
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  test('one with a thousand pieces does not hold up the single piece of another', async () => {
    const table = openTable({ 1: named('a', 1_000), 2: ['b'] })
    start(table, async ({ work }) => {
      await sleep(1)
      table.end(work)
    })
    await until(() => table.ended.includes('b'))
    expect(table.ended.length).toBeLessThan(20)
  })

  test('of which one fails, the others are none the worse', async () => {
    const table = openTable({ 1: ['a'], 2: ['b'] })
    const { logged } = start(table, async ({ work }) => void table.end(work), {
      claim: async (tenant, { countMax }) => {
        if (tenant.id === 1) throw new Error('broken')
        return table.claim(tenant, countMax)
      },
    })
    await until(() => table.ended.includes('b'))
    await until(() => logged.length > 0)
    expect(logged).toHaveLength(1)
    expect(logged[0]).toMatchObject({ work: 'pieces' })
  })

  test('go on in a list for as long as that is good, and it is asked once', async () => {
    let lists = 0
    const listsSeen = new Set<number>()
    const table = openTable({ 1: named('a', 10), 2: named('b', 10) })
    const perform: Perform = async ({ work }) => {
      listsSeen.add(lists)
      table.end(work)
    }
    start(table, perform, {
      inAll: 1,
      turnsMs: 600_000,
      listDue: async () => {
        lists++
        return table.listDue()
      },
    })
    await until(table.isDone)
    expect([...listsSeen]).toEqual([1])
    expect(table.ended.slice(0, 4)).toEqual(['a0', 'b0', 'a1', 'b1'])
  })
})

describe('places', () => {
  test('are never more than there are, in all and of a tenant; work beside the others has its own', async () => {
    const table = openTable({ 1: named('a', 30), 2: named('b', 30), 3: named('slow', 5) })
    const running = new Map<string, number>()
    const seen: { inAll: number; ofOne: number }[] = []
    start(
      table,
      async ({ tenant, work }) => {
        const key = tenant.id === 3 ? '' : String(tenant.id)
        running.set(key, (running.get(key) ?? 0) + 1)
        const others = [...running].filter(([each]) => each !== '').map(([, count]) => count)
        seen.push({ inAll: others.reduce((sum, each) => sum + each, 0), ofOne: Math.max(0, ...others) })
        if (key === '') await until(() => table.ended.length >= 60)
        else await sleep(1)
        running.set(key, (running.get(key) ?? 0) - 1)
        table.end(work)
      },
      { inAll: 5, perTenant: 3, isBeside: ({ id }) => id.startsWith('slow') },
    )
    await until(table.isDone)
    expect(Math.max(...seen.map(({ inAll }) => inAll))).toBeLessThanOrEqual(5)
    expect(Math.max(...seen.map(({ ofOne }) => ofOne))).toBeLessThanOrEqual(3)
  })
})

describe('leases', () => {
  test('that are lost abort the attempt, which then ends nothing', async () => {
    const table = openTable({ 1: ['a'] })
    const reasons: unknown[] = []
    const outcomes: boolean[] = []
    const kind = { leaseMs: 30, renew: (_: DueTenant, works: readonly Piece[]) => table.renew(works) }
    const begun: Piece[] = []
    start(
      table,
      async ({ work, abort: { signal } }) => {
        begun.push(work)
        if (begun.length === 1) {
          await until(() => signal.aborted)
          reasons.push(signal.reason)
        }
        outcomes.push(table.end(work))
      },
      kind,
    )
    await until(() => begun.length === 1)
    table.free(table.rows[0] as Row)
    await until(() => outcomes.length === 2)
    expect(reasons).toEqual([expect.any(LeaseLost)])
    expect(new Set(outcomes)).toEqual(new Set([false, true]))
    expect(table.ended).toEqual(['a'])
  })

  test('are renewed while work lasts, but not of what was told to stop', async () => {
    const table = openTable({ 1: ['a', 'b'] })
    const renewed: string[][] = []
    const attempts = new Map<string, AbortController>()
    start(
      table,
      async ({ work, abort }) => {
        attempts.set(work.id, abort)
        await until(() => renewed.length > 2)
        table.end(work)
      },
      {
        leaseMs: 30,
        renew: async (_, works) => {
          renewed.push(works.map(({ id }) => id))
          attempts.get('b')?.abort(new Error('It takes too long.'))
          return table.renew(works)
        },
      },
    )
    await until(() => renewed.length > 2)
    expect(renewed.at(0)).toEqual(['a', 'b'])
    expect(renewed.slice(1)).toEqual(renewed.slice(1).map(() => ['a']))
    expect(attempts.get('a')?.signal.aborted).toBe(false)
  })

  test('hold until they end while the table does not answer', async () => {
    const table = openTable({ 1: ['a'] })
    let asked = 0
    let reason: unknown = null
    start(
      table,
      async ({ abort: { signal } }) => {
        await until(() => signal.aborted)
        reason = signal.reason
      },
      {
        leaseMs: 60,
        renew: async () => {
          asked++
          throw new Error('away')
        },
      },
    )
    await until(() => reason !== null)
    expect(reason).toBeInstanceOf(LeaseLost)
    // At two thirds of the lease it was asked, and the lease held still.
    expect(asked).toBeGreaterThan(1)
  })

  test('of random work on two servers, of which leases end at random: each piece is ended once, and none is forgotten', async () => {
    const load = fc.record({
      counts: fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 4 }),
      fates: fc.array(fc.constantFrom('ends', 'fails', 'loses'), { minLength: 1, maxLength: 12 }),
    })
    await fc.assert(
      fc.asyncProperty(load, async ({ counts, fates }) => {
        const table = openTable(Object.fromEntries(counts.map((count, i) => [i + 1, named(`${i}-`, count)])))
        let attempts = 0
        const perform: Perform = async ({ work }) => {
          const fate = attempts < 40 ? fates[attempts++ % fates.length] : 'ends'
          await sleep(0)
          const row = table.rows.find(({ leaseId }) => leaseId === work.leaseId)
          if (fate !== 'ends' && row) table.free(row)
          if (fate === 'fails') throw new Error('failed')
          await sleep(0)
          table.end(work)
        }
        const servers = [start(table, perform), start(table, perform)]
        await until(() => {
          for (const { wake } of servers) wake()
          return table.isDone()
        })
        for (const { stop } of servers) await stop(0)
        expect(table.ended.toSorted()).toEqual(table.rows.map(({ id }) => id).toSorted())
      }),
      { numRuns: 25 },
    )
  })
})

describe('a dispatcher', () => {
  test('looks when its bell is rung or something changes, and rests until then', async () => {
    const table = openTable({})
    let lists = 0
    const { ring, wake } = start(table, async ({ work }) => void table.end(work), {
      listDue: async () => {
        lists++
        return table.listDue()
      },
    })
    await until(() => lists === 1)
    for (const [rouse, seen] of [
      [ring, 2],
      [wake, 3],
    ] as const) {
      rouse()
      await until(() => lists >= seen)
    }
    table.rows.push({ tenantId: 1, id: 'a', leaseId: 0, isDone: false })
    ring()
    await until(table.isDone)
  })

  test('that stops begins nothing more, lets what runs end, and then tells it to', async () => {
    const table = openTable({ 1: ['quick', 'long', 'later'] })
    const reasons: unknown[] = []
    let isStopping = false
    const calls: string[] = []
    const { stop } = start(
      table,
      async ({ work, abort: { signal } }) => {
        if (work.id === 'quick') await until(() => isStopping)
        else {
          await until(() => signal.aborted)
          reasons.push(signal.reason)
          await until(() => calls.includes('interrupt'))
        }
        if (work.id === 'quick') table.end(work)
      },
      { inAll: 2, interrupt: () => void calls.push('interrupt'), close: () => void calls.push('close') },
    )
    await until(() => table.rows.filter(({ leaseId }) => leaseId > 0).length === 2)
    isStopping = true
    await stop(100)
    expect(table.ended).toEqual(['quick'])
    expect(reasons).toEqual([expect.any(Stopping)])
    expect(calls).toEqual(['interrupt', 'close'])
    expect(table.rows.find(({ id }) => id === 'later')?.leaseId).toBe(0)
  })
})
