import { expect, test } from 'vitest'
import { openLog } from '#kernel/log.ts'
import { forPeople, textLine } from '#kernel/log-text.ts'
import { loggingOf } from '#server/settings/config.ts'

/** What is written for people, without the time of day. */
function said(tell: (log: ReturnType<typeof openLog>) => void, isTerminal = false): string[] {
  const written: string[] = []
  tell(
    openLog(
      'debug',
      forPeople(isTerminal, (text) => void written.push(text)),
    ),
  )
  return written.map((text) => text.replace(/\d\d:\d\d:\d\d /, ''))
}

test('a line says the time of day, what happened, what belongs to it, and how long it took', () => {
  const line = textLine(
    '{"level":"info","time":"2026-11-17T04:35:42.588Z","version":67,"ms":483,"msg":"created the schema"}\n',
  )
  expect(line).toMatch(/^\d\d:\d\d:42 created the schema version=67 \(483 ms\)\n$/)
  expect(said((log) => log.info({ ms: 1826 }, 'created the first tenant'))).toEqual([
    'created the first tenant (1.8 s)\n',
  ])
  expect(said((log) => log.info({ worker: 2, pid: 7, note: 'two words' }, 'a worker serves'))).toEqual([
    '[worker 2] a worker serves pid=7 note="two words"\n',
  ])
})

test('levels are told unless it is the usual one, and an error with its stack', () => {
  expect(said((log) => log.warn('the database is unavailable'))).toEqual(['WARN the database is unavailable\n'])
  const error = new Error('the tables have turned')
  const [text = ''] = said((log) => log.error({ err: error }, 'a bug'))
  expect(text).toMatch(/^ERROR a bug: the tables have turned\n {4}at .*log-text\.test\.ts/)
})

test('a request is one line', () => {
  const request =
    '{"level":"info","time":"2026-11-17T04:35:42.588Z","requestId":"abc","method":"GET","path":"/api/v1/x","status":500,"ms":1.5,"host":"h","from":"::1"}\n'
  expect(textLine(request)).toMatch(/^\d\d:\d\d:42 GET \/api\/v1\/x 500 requestId=abc host=h from=::1 \(2 ms\)\n$/)
})

test('nothing that a caller sent moves the cursor or begins a line', () => {
  const [text] = said((log) => log.warn({ sent: 'a\u001b[2J\u009b31m\rb\nc' }, 'x\u0007\ny'))
  expect(text).toBe(`WARN x\\x07 y sent="a\\u001b[2J\\x9b31m\\rb\\nc"\n`)
})

test('secrets are struck out of it too', () => {
  expect(said((log) => log.warn('postgresql://u:hunter2@h/db'))).toEqual(['WARN postgresql://[redacted]@h/db\n'])
})

test('on a terminal a line takes the place of how far something has come', () => {
  expect(said((log) => log.info('ready'), true)).toEqual(['\r\u001b[Kready\n'])
})

test.each([
  [{ logFormat: null, logRequests: null }, true, { format: 'text', requests: 'failed' }],
  [{ logFormat: null, logRequests: null }, false, { format: 'json', requests: 'all' }],
  [{ logFormat: 'json', logRequests: null }, true, { format: 'json', requests: 'all' }],
  [{ logFormat: 'text', logRequests: null }, false, { format: 'text', requests: 'failed' }],
  [{ logFormat: null, logRequests: 'all' }, true, { format: 'text', requests: 'all' }],
  [{ logFormat: null, logRequests: 'none' }, false, { format: 'json', requests: 'none' }],
] as const)('with %j, and a terminal %s, the log is %j', (config, isTerminal, wanted) => {
  expect(loggingOf(config, isTerminal)).toEqual(wanted)
})
