import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'

const log = new URL('../../server/kernel/log.ts', import.meta.url).href

/** What a program that logs writes to its standard error until it has ended. */
async function logOf(
  program: string,
  { killAfter, readAfterMs }: { killAfter?: string; readAfterMs?: number } = {},
): Promise<string[]> {
  const source = `import { openLog, lineWriter } from ${JSON.stringify(log)}\nconst log = openLog('info')\n${program}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  if (readAfterMs) await new Promise((resolve) => setTimeout(resolve, readAfterMs))
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    text += more
    if (killAfter !== undefined && text.includes(killAfter)) child.kill('SIGKILL')
  })
  await closed
  return text.trim().split('\n')
}
const many = (count: number): string => `for (let n = 0; n < ${count}; n++) log.info({ n }, 'a line')`
const numbersOf = (lines: readonly string[]): number[] =>
  lines.filter((line) => line.startsWith('{')).map((line) => (JSON.parse(line) as { n: number }).n)

test.each([
  ['ends', ''],
  ['exits', 'process.exit(3)'],
])('a program that %s loses no line', async (_what, end) => {
  expect(numbersOf(await logOf(`${many(5000)}\n${end}`))).toEqual(Array.from({ length: 5000 }, (_, n) => n))
})

test('nor does one that exits before anyone has read what it wrote, though it is more than a pipe takes', async () => {
  const lines = numbersOf(await logOf(`${many(20_000)}\nprocess.exit(3)`, { readAfterMs: 1500 }))
  expect(lines).toEqual(Array.from({ length: 20_000 }, (_, n) => n))
})

// Fewer than a pipe takes at once: Node writes the error between them.
test('a program that dies of an error that nobody handles loses no line', async () => {
  expect(numbersOf(await logOf(`${many(300)}\nthrow new Error('a bug')`))).toEqual(
    Array.from({ length: 300 }, (_, n) => n),
  )
})

test('lines stay in order, and a warning is written at once, with all before it', async () => {
  const program = `log.info({ n: 1 }, 'a'); log.warn({ n: 2 }, 'the end'); for (;;) await new Promise(setImmediate)`
  expect(numbersOf(await logOf(program, { killAfter: 'the end' }))).toEqual([1, 2])
})

test('a finished line loses its secrets too', async () => {
  const program = `lineWriter(log)('{"n":1,"path":"/secret-token:abc"}\\n')`
  expect(await logOf(program)).toEqual(['{"n":1,"path":"/[redacted]"}'])
})
