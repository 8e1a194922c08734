import { spawn } from 'node:child_process'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { requestLine } from '#http/request-line.ts'
import { openLog, partsOf, strikeSecrets } from '#kernel/log.ts'

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
  // A few times as much: it is written while somebody reads, for two seconds at most, and both may have to wait for a busy machine.
  const lines = numbersOf(await logOf(`${many(3_000)}\nprocess.exit(3)`, { readAfterMs: 500 }))
  expect(lines).toEqual(Array.from({ length: 3_000 }, (_, n) => n))
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

test('the secret in the address of a callback is not in the line of its request', () => {
  const token = 'aB-_'.repeat(11).slice(1)
  const line = lineOf(`/api/v1/webhooks/callback/${token}?x=y`, 'a', 'b')
  expect(JSON.parse(line)).toMatchObject({ path: '/api/v1/webhooks/callback/[removed]' })
  const id = '2fCjnQxpBRyaQQgPO3rW6EWNdld'
  expect(JSON.parse(lineOf(`/api/v1/webhooks/${id}/deliveries/${id}`, 'a', 'b'))).toMatchObject({
    path: `/api/v1/webhooks/${id}/deliveries/${id}`,
  })
})

test('a finished line loses its secrets too', async () => {
  const program = `lineWriter(log)('{"n":1,"path":"/secret-token:abc"}\\n')`
  expect(await logOf(program)).toEqual(['{"n":1,"path":"/[redacted]"}'])
})

// PIPE_BUF: what is written to a pipe at once stays together up to so many bytes.
const pipeBytes = 4096
const lineOf = (url: string, host: string, from: string): string =>
  strikeSecrets(
    requestLine({
      request: { id: 'x'.repeat(64), method: 'PROPPATCH', url, headers: { host }, sourceAddress: from },
      statusCode: 404,
      elapsedTime: 1.25,
    } as unknown as FastifyReply),
  )

test('whatever a caller sends, the line of a request fits into a pipe at once, and is JSON without secrets', () => {
  const long = (text: string): string => text.repeat(16_000 / text.length)
  for (const text of ['x', '"', '\\', '\u00ff', '%22', '\u00e9"', '{"a":'])
    for (const line of [
      lineOf(`/${long(text)}`, 'a', 'b'),
      lineOf('/', long(text), 'b'),
      lineOf('/', 'a', long(text)),
    ]) {
      expect(Buffer.byteLength(line)).toBeLessThan(pipeBytes)
      expect(JSON.parse(line)).toMatchObject({ status: 404, ms: 1.3 })
    }
  // A secret that is cut is struck out all the same.
  const key = 'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk'
  for (const secret of [
    `eyJhbGciOiJFZERTQSJ9.${key}.${key}`,
    `postgres://u:${key}@host`,
    `secret-token:${key}`,
    `"d":"${key}"`,
  ])
    for (let before = 900; before < 1_000; before++)
      expect(lineOf(`/${'/'.repeat(before)}${secret}`, 'a', 'b')).not.toContain('kkkkkkkk')
})

test('lines of several processes go to their pipe in parts that stay together, in order and complete', () => {
  const lines = Array.from({ length: 400 }, (_, n) => `{"n":${n},"msg":"${'é'.repeat((n * 37) % 1900)}"}\n`)
  const parts = partsOf(lines)
  expect(parts.join('')).toBe(lines.join(''))
  expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThanOrEqual(pipeBytes)
  expect(parts.length).toBeLessThan(lines.length)
  expect(partsOf(['a'.repeat(5_000), 'b', 'c'])).toEqual(['a'.repeat(5_000), 'bc'])
})

test('of an error, a process that shares its pipe tells no more than fits into it', () => {
  const written: string[] = []
  const shared = openLog('info', { write: (line) => void written.push(line) }, () => ({ worker: 1 }))
  shared.error({ err: new Error('é'.repeat(10_000)) }, 'failed')
  expect(Buffer.byteLength(written[0] as string)).toBeLessThanOrEqual(pipeBytes)
  expect(JSON.parse(written[0] as string)).toMatchObject({ worker: 1, msg: 'failed', err: { name: 'Error' } })
})
