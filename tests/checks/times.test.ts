import { expect, test } from 'vitest'
import { filesToCheck, findIn } from '../../scripts/check-times.ts'

const found = (source: string): string[] => findIn('a.test.ts', source).map(({ line, why }) => `${line}: ${why}`)

const took = ['asserts how long something took']
const limit = ['sets its own time limit']

test.each<[string, string]>([
  [
    'a difference of two moments',
    'const begun = performance.now(); expect(performance.now() - begun).toBeLessThan(500)',
  ],
  [
    'one with a name',
    'const a = Date.now(); await x(); const took = Date.now() - a; expect(took).toBeLessThanOrEqual(9)',
  ],
  ['CPU time', 'const { user } = process.cpuUsage(before); expect(user / 1000).toBeLessThan(50)'],
  ['what a fixture measured', 'const { result, ms } = await longestStretch(work); expect(ms).toBeLessThan(50)'],
  ['a property of what it returned', 'expect((await run(["--help"])).ms).toBeLessThan(900)'],
  [
    'what a function measured',
    'async function timed() { const a = performance.now(); await x(); return performance.now() - a }; expect(await timed()).toBeLessThan(5)',
  ],
  [
    'the best of several',
    'const all = [1, 2].map(() => { const a = performance.now(); work(); return performance.now() - a }); expect(Math.min(...all)).toBeLessThan(5)',
  ],
  [
    'the worst of several',
    'const all = []; const a = Date.now(); all.push(Date.now() - a); expect(Math.max(...all)).toBeLessThan(5)',
  ],
  ['a comparison', 'const a = Date.now(); expect(Date.now() - a < 500).toBe(true)'],
  ['a least time', 'const a = Date.now(); expect(Date.now() - a, "not before").toBeGreaterThan(900)'],
  [
    'one in a test',
    "test('a', async () => {\nconst a = Date.now(); expect(Date.now() - a).not.toBeGreaterThan(900) })",
  ],
])('an assertion about a time is found: %s', (_what, source) => {
  expect(findIn('a.test.ts', source).map(({ why }) => why)).toEqual(took)
})

test('an assertion that it is not later than a moment is found', () => {
  expect(found('\nexpect(Date.now()).toBeLessThan(begun + 5000)')).toEqual(['2: asserts what time it is'])
})

test.each<[string, string]>([
  ['a test', "test('a', async () => {}, 60_000)"],
  ['a hook', 'beforeAll(start, 60_000)'],
  ['options of a test', "test('a', { timeout: 60_000 }, async () => {})"],
  ['a poll', 'await expect.poll(read, { timeout: 5_000, interval: 50 }).toBe(1)'],
  ['a locator', 'await page.getByText("a").waitFor({ timeout: 5_000 })'],
])('a time limit is found: %s', (_what, source) => {
  expect(findIn('a.test.ts', source).map(({ why }) => why)).toEqual(limit)
})

test.each<[string, string]>([
  ['an order of moments', 'const a = Date.now(); expect(Date.parse(row.at)).toBeGreaterThanOrEqual(a - 50)'],
  ['what the program told, from now on', 'expect(Date.parse(row.expiresAt) - Date.now()).toBeLessThan(3_600_000)'],
  ['a count', 'const times = []; times.push(Date.now() - a); expect(times.length).toBeGreaterThan(5)'],
  ['what a longer time allows', 'const a = Date.now(); expect(denials).toBeLessThan(5 + (Date.now() - a) / 1000)'],
  ['a setting of the program', 'const server = await startServer({ limits: { timeout: 500 } })'],
  ['a long test', "longTest('a', async () => { expect(Date.now() - begun).toBeLessThan(90_000) }, 60_000)"],
])('no complaint about %s', (_what, source) => {
  expect(found(source)).toEqual([])
})

test('all tests are looked at, except the long ones', () => {
  const files = filesToCheck()
  expect(files).toContain('tests/checks/times.test.ts')
  expect(files).toContain('tests/fixture/browser.ts')
  expect(files.filter((file) => file.endsWith('.long.test.ts'))).toEqual([])
})
