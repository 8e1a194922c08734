import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressCheck, blockOf, liesWithin } from '#kernel/cidrs.ts'
import { fewOrMany } from '../fixture/long.ts'

const octets = fc.tuple(...Array.from({ length: 4 }, () => fc.nat(255)))
const ipv4 = octets.map((each) => each.join('.'))
const cidr4 = fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })).map(([address, bits]) => `${address}/${bits}`)
const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
const ipv6 = groups.map((each) => each.map((group) => group.toString(16)).join(':'))
const cidr6 = fc.tuple(
  fc.oneof(
    ipv6,
    ipv4.map((each) => `::ffff:${each}`),
  ),
  fc.integer({ min: 0, max: 128 }),
)
const cidr = fc.oneof(
  cidr4,
  cidr6.map(([address, bits]) => `${address}/${bits}`),
)

// Wide enough to hold others now and then.
const outers = fc.tuple(cidr, fc.nat(4)).map(([each, bits]) => each.replace(/\/.*/, `/${bits}`))

test('whatever is within a block admits nobody whom the block does not admit', () => {
  fc.assert(
    fc.property(cidr, outers, fc.oneof(ipv4, ipv6), (inner, outer, address) => {
      fc.pre(liesWithin([inner], [outer]))
      expect(!addressCheck([inner])(address) || addressCheck([outer])(address)).toBe(true)
      // Near misses as well: the inner block's own first address.
      const first = inner.split('/')[0] as string
      expect(addressCheck([outer])(first) || blockOf(inner)?.family === 'ipv6').toBe(true)
    }),
    { numRuns: fewOrMany(400, 3000) },
  )
})

test('a block is within itself, and an IPv4 one is the same when it is written as IPv6', () => {
  fc.assert(
    fc.property(ipv4, fc.integer({ min: 0, max: 32 }), ipv4, (address, bits, source) => {
      const [plain, mapped] = [`${address}/${bits}`, `::ffff:${address}/${bits + 96}`]
      expect(liesWithin([plain], [mapped]) && liesWithin([mapped], [plain])).toBe(true)
      expect(addressCheck([plain])(source)).toBe(addressCheck([mapped])(source))
      expect(addressCheck([plain])(`::ffff:${source}`)).toBe(addressCheck([plain])(source))
      expect(addressCheck([plain])(address)).toBe(true)
    }),
    { numRuns: fewOrMany(300, 1000) },
  )
})

test('a block of few bits does not hold an IPv4 address because its text begins as a mapped one', () => {
  for (const bits of [0, 8, 9, 64, 95]) {
    expect(addressCheck([`::ffff:10.0.0.0/${bits}`])('10.0.0.1')).toBe(false)
    expect(liesWithin([`::ffff:10.0.0.0/${bits}`], ['10.0.0.0/8', '0.0.0.0/0'])).toBe(false)
  }
})

test('no blocks are no limit, and what is no address is in no block', () => {
  expect(addressCheck([])('')).toBe(true)
  for (const source of ['', 'unknown', '10.0.0.1:80', '10.0.0', '::g']) {
    expect(addressCheck(['0.0.0.0/0', '::/0'])(source)).toBe(false)
  }
  expect(addressCheck(['fe80::/10'])('fe80::1%eth0')).toBe(true)
})

test('text of any kind is a block or is not, and never an error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((each) => `10.0.0.0/${each}`),
        cidr,
      ),
      (each) => {
        blockOf(each)
      },
    ),
  )
})
