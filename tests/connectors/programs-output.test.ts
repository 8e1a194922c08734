import { PassThrough } from 'node:stream'
import { setImmediate as soon } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cleanLine, formsOf, lineKeptMax, readLines } from '#kernel/programs/output.ts'
import { isReserved, readDeclared } from '../../server/rooms/records/connectors/catalog/declared.ts'
import { afterEnd, failuresMax } from '../../server/rooms/records/connectors/running/decide.ts'
import { environmentFor } from '../../server/rooms/records/connectors/running/environment.ts'
import { readSettings } from '../../server/rooms/records/connectors/running/settings.ts'

const clean = (line: string, ...secrets: string[]): string => cleanLine(line, secrets.flatMap(formsOf))

test('a secret is not shown in any form in which programs print it', () => {
  const secret = 'p@ss/w"rd'
  expect(clean(`a ${secret} b`, secret)).toBe('a [redacted] b')
  expect(clean(`{"password":${JSON.stringify(secret)}}`, secret)).toBe('{"password":"[redacted]"}')
  expect(clean(`https://x?p=${encodeURIComponent(secret)}`, secret)).toBe('https://x?p=[redacted]')
  expect(clean(`Basic ${Buffer.from(secret).toString('base64')}`, secret)).toBe('Basic [redacted]')
  const key = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----'
  expect(clean('it contains MIGHAgEAMBMGByqGSM49', key)).toBe('it contains [redacted]')
})

test('a password within a connection string is not shown alone either', () => {
  expect(clean('denied: hunter22', 'postgresql://baton:hunter22@db.example/app')).toBe('denied: [redacted]')
  expect(clean('denied: p@ss', 'postgresql://baton:p%40ss@db.example/app')).toBe('denied: [redacted]')
  expect(clean('denied: hunter22', 'server=db;user id=baton;password=hunter22;port=1')).toBe('denied: [redacted]')
  expect(clean('denied: hunter22', 'baton:hunter22@tcp(db:3306)/')).toBe('denied: [redacted]')
})

test('lines have no commands to terminals, no control characters, and an end', () => {
  expect(clean('\u001b[31mred\u001b[0m \u001b]0;title\u0007text\u0000\u202e!')).toBe('red text !')
  expect(clean('a\rb\bc')).toBe('a b c')
  expect(clean('x'.repeat(10_000))).toBe(`${'x'.repeat(lineKeptMax)}…`)
})

test('of a line without an end, its beginning is read', async () => {
  const stream = new PassThrough()
  const lines: string[] = []
  readLines(stream, (line) => lines.push(line), { output: { bytesPerSecond: 1e9, everyMs: 1000 } })
  for (let i = 0; i < 100; i++) stream.write('x'.repeat(10_000))
  stream.end('\nnext\nlast')
  while (!stream.closed) await soon()
  expect(lines.map((line) => line.length)).toEqual([16_384, 4, 4])
})

test('a program that prints much has to wait', async () => {
  const stream = new PassThrough({ highWaterMark: 1000 })
  let count = 0
  readLines(stream, () => count++, { output: { bytesPerSecond: 5000, everyMs: 3_600_000 } })
  for (let i = 0; i < 100; i++) stream.write(`${'x'.repeat(99)}\n`.repeat(10))
  for (let i = 0; i < 100; i++) await soon()
  expect([count, stream.isPaused()]).toEqual([50, true])
  stream.destroy()
})

test('a program that ends is started again ever later, and then not at all', () => {
  const waits: (number | null)[] = []
  let failures = 0
  for (let i = 0; i < failuresMax; i++) {
    const next = afterEnd(failures, 1000)
    failures = next.failures
    waits.push(next.waitMs)
  }
  expect(waits.slice(0, 4)).toEqual([1000, 2000, 4000, 8000])
  expect(waits.at(-2)).toBe(600_000)
  expect(waits.at(-1)).toBe(null)
  expect(afterEnd(15, 700_000)).toEqual({ failures: 1, waitMs: 1000 })
})

test('what a program says about its settings is read with care', () => {
  expect(readDeclared('not JSON')).toBe(null)
  expect(readDeclared('[]')).toBe(null)
  expect(readDeclared('{"fields":{"a":1}}')).toBe(null)
  const field = (name: unknown, more: object = { stringField: {} }) => ({ name, ...more })
  const declared = readDeclared(
    JSON.stringify({
      displayName: 'A\u202eB',
      fields: [
        ...[field('url'), field('a b'), field('PATH'), field('../x'), field(7), field('x', {}), 'text', null],
        ...[field('client-id'), field('otel_collector_endpoint'), field('config-path'), field('host_id')],
        field('orgs', { stringSliceField: {}, isSecret: 'yes', description: 'x'.repeat(9000) }),
      ],
      fieldGroups: [
        { name: 'one', fields: ['url', 'nothing'] },
        { name: 'none', fields: 'url' },
      ],
    }),
  )
  expect(declared?.displayName).toBe('A B')
  expect(declared?.settings.map(({ name, type, isSecret }) => [name, type, isSecret])).toEqual([
    ['url', 'string', false],
    ['orgs', 'list', false],
  ])
  expect(declared?.settings[1]?.description).toHaveLength(500)
  expect(declared?.groups).toEqual([{ name: 'one', displayName: 'one', isDefault: false, settings: ['url'] }])
  expect(['file', 'log_level', 'otel-x', 'health-check-port'].map(isReserved)).toEqual([true, true, true, true])
})

test('no setting replaces what the server sets', () => {
  const reached = { clientId: 'id', clientSecret: 'secret', port: 1, certificateFile: '/c', isProvisioning: false }
  const said = ['client-id', 'c1-api-host', 'path'].map((name) => ({ name, value: 'evil', isSecret: false }))
  expect(environmentFor(said, reached)).toEqual({
    BATON_PATH: 'evil',
    BATON_CLIENT_ID: 'id',
    BATON_CLIENT_SECRET: 'secret',
    BATON_C1_API_HOST: '127.0.0.1:1',
    BATON_HOST_ID: 'bailiwick',
    SSL_CERT_FILE: '/c',
  })
})

test('of several ways to sign in, the required settings of one are enough', () => {
  const setting = (name: string, isRequired = true) => ({
    ...{ name, description: '', type: 'string' as const, isRequired, isSecret: false, example: '' },
  })
  const group = (name: string, settings: string[], isDefault = false) => ({
    name,
    displayName: name,
    isDefault,
    settings,
  })
  const entry = {
    ...{ id: 'x', displayName: 'X', reads: [], provisions: [], createsAccounts: false },
    settings: [setting('url'), setting('token'), setting('user'), setting('password'), setting('note', false)],
    groups: [group('token', ['token'], true), group('password', ['user', 'password'])],
  }
  const read = (...names: string[]) =>
    readSettings(
      names.map((name) => ({ name, value: 'v' })),
      entry,
      's',
    ).map((each) => ('field' in each ? each.field : each.name))
  expect(read('url', 'token')).toEqual(['url', 'token'])
  expect(read('url', 'user', 'password')).toEqual(['url', 'user', 'password'])
  expect(read('url', 'user')).toEqual(['s.password'])
  expect(read('url')).toEqual(['s.token'])
  expect(read('token')).toEqual(['s.url'])
  expect(read('url', 'token', 'token')).toEqual(['s[2].name'].map(() => 's[2].value'))
})
