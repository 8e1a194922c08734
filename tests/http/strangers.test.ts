import { expect, test } from 'vitest'
import { countStrangersBodies } from '#http/guards/strangers.ts'

const full = /Too many requests/

test('bodies of strangers are counted by network and in all, with what each piece takes, until they have come', () => {
  const refused: string[] = []
  const bodies = countStrangersBodies({ network: 1000, all: 3000 }, (of) => refused.push(of))
  const one = bodies.hold('203.0.113.1')
  one.add(900)
  expect(bodies.bytes).toBe(1028)
  // Who is there already, and others of the same network, wait; others do not.
  expect(() => one.add(1)).toThrow(full)
  expect(() => bodies.hold('203.0.113.1').add(1)).toThrow(full)
  const two = bodies.hold('198.51.100.7')
  for (let pieces = 0; pieces < 8; pieces++) two.add(1)
  expect(() => two.add(1)).toThrow(full)
  const three = bodies.hold('192.0.2.1')
  three.add(900)
  expect(() => bodies.hold('192.0.2.99').add(1)).toThrow(full)
  expect(refused).toHaveLength(4)
  for (const each of [one, two, three]) each.release()
  one.release()
  expect(bodies.bytes).toBe(0)
  one.add(1)
  expect(bodies.bytes).toBe(129)
})
