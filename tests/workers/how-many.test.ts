import { expect, test } from 'vitest'
import { limitsOfWorker, usualLimits } from '#http/guards/limits.ts'
import { usualWorkers } from '#server/workers/how-many.ts'
import { missedMax } from '#server/workers/primary.ts'

const gibibyte = 2 ** 30

test.each([
  [1, 64, 1, 1],
  [2, 64, 1, 1],
  [4, 64, 3, 3],
  [8, 64, 6, 7],
  [64, 256, 16, 16],
  // Little memory.
  [16, 2, 1, 1],
  [16, 4, 3, 3],
])(
  'with %i cores and %i GiB there are %i workers on the embedded PostgreSQL, %i on another',
  (cores, gib, embedded, own) => {
    expect(usualWorkers(true, cores, gib * gibibyte)).toBe(embedded)
    expect(usualWorkers(false, cores, gib * gibibyte)).toBe(own)
  },
)

test('up to four workers together allow what one server allows, and each of many allows a few', () => {
  const { shares, unread, connections } = usualLimits
  for (const workers of [2, 4]) {
    const of = limitsOfWorker(workers, connections)
    expect(of.connections).toEqual({ all: connections.all / workers, perNetwork: connections.perNetwork / workers })
    const { all, tenant, user } = of.shares?.running ?? { all: 0, tenant: 0, user: 0 }
    expect([all * workers, tenant * workers, user * workers]).toEqual(Object.values(shares.running))
    expect((of.unread?.all ?? 0) * workers).toBe(unread.all)
  }
  expect(limitsOfWorker(64, { all: 10, perNetwork: 5 })).toMatchObject({
    connections: { all: 1, perNetwork: 1 },
    shares: { running: { all: 5, tenant: 3, user: 2 } },
  })
})

test('a worker that hangs is given 30 s, and one that still loads its program two minutes, as on a machine that is overloaded', () => {
  // It is asked every 10 s.
  expect(missedMax('opening')).toBe(12)
  expect((['spare', 'starting', 'serving', 'leaving'] as const).map(missedMax)).toEqual([3, 3, 3, 3])
})
