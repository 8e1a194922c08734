import { expect, test } from 'vitest'
import { sharedBuffersMiB } from '#database/embedded/postmaster.ts'

const gibibyte = 2 ** 30

test.each([
  ['a large machine', 24 * gibibyte, undefined, 1024],
  ['a machine of 4 GiB', 4 * gibibyte, undefined, 512],
  ['a small machine', gibibyte / 2, undefined, 128],
  ['a container with 2 GiB of a large machine', 24 * gibibyte, 2 * gibibyte, 256],
  ['a container without a limit, which says 0', 4 * gibibyte, 0, 512],
  ['a container without a limit, which says more than there is', 4 * gibibyte, 2 ** 64, 512],
])('the embedded PostgreSQL caches what suits %s', (_, machineBytes, containerBytes, expected) => {
  expect(sharedBuffersMiB(machineBytes, containerBytes)).toBe(expected)
})
