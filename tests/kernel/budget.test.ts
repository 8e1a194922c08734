import { expect, test } from 'vitest'
import { budget } from '#kernel/budget.ts'
import { networkOf } from '#kernel/networks.ts'

let clock = 0
const now = (): Date => new Date(clock)

test('a budget refuses when it is empty, tells how many it refused, and refills with time', () => {
  const counted = budget({ now }, { burst: 2, perSecond: 1 })
  expect([1, 2, 3, 4].map(() => counted.take('a'))).toEqual([0, 0, null, null])
  expect(counted.take('b')).toBe(0)
  expect(counted.waitSeconds('a')).toBe(1)
  clock += 1000
  expect(counted.take('a')).toBe(2)
})

test('nobody gets a fresh budget by having many others remembered', () => {
  const counted = budget({ now }, { burst: 2, perSecond: 1 }, 100)
  for (let n = 0; n < 3; n++) counted.take('me')
  expect(counted.take('me')).toBeNull()
  for (let n = 0; n < 1000; n++) counted.take(`other ${n}`)
  expect(counted.take('me')).toBeNull()
})

test('where too many are remembered at once, new ones share one budget, until some are full again', () => {
  const counted = budget({ now }, { burst: 2, perSecond: 1 }, 100)
  for (let n = 0; n < 100; n++) counted.take(`old ${n}`)
  const taken = Array.from({ length: 50 }, (_, n) => counted.take(`new ${n}`)).filter((each) => each !== null)
  expect(taken).toHaveLength(2)
  clock += 10_000
  expect(counted.take('newer')).toBe(0)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:0:192.0.2.7', '0:0:0:0::/64'],
  ['', ''],
  ['unknown', 'unknown'],
])('the network of %j is %j', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
