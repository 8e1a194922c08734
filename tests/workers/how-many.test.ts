import { expect, test } from 'vitest'
import { usualWorkers } from '#server/workers/how-many.ts'

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
