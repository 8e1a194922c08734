import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDatasources } from '#rooms/events/exports/datasources/read.ts'
import { run, runProcess } from '../cli/command.ts'
import { later } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'
import { openExports } from './scene.ts'

const scene = openExports()
const data = (): string[] => [
  ...['--data-dir', scene.server.config.dataDir, '--database-url', scene.server.databaseUrl],
  ...['--datasources-file', join(scene.folder, 'datasources.json')],
]

test('verify --archive reads the files', async () => {
  const id = await scene.create('archive')
  await scene.act(5)
  await scene.run(id)
  const where = data().slice(0, 4)
  const ran = await run(['systemlog', 'verify', ...where, '--archive', join(scene.folder, 'archive')])
  expect(ran.stdout).toContain('intact')
  expect(ran.code).toBe(0)
})

longTest('an archive that is not there is one line', async () => {
  const where = data().slice(0, 4)
  const wrong = await run(['systemlog', 'verify', ...where, '--archive', join(scene.folder, 'nowhere')])
  expect(wrong).toMatchObject({ code: 2 })
  expect(wrong.stderr).toMatch(/--archive: there is no file .*nowhere/)
})

test('retention plan says what would leave the database, and why not more', async () => {
  const ran = await run(['systemlog', 'retention', 'plan', ...data(), '--systemlog-retention', '30'])
  expect(ran.stdout).toContain('no events were removed from the database')
  expect(ran.stdout).toContain('older than 30 days: 0 events; to be removed now: 0')
  expect(ran.code).toBe(0)
})

longTest('retention plan says that no retention is configured', async () => {
  const without = await run(['systemlog', 'retention', 'plan', ...data()])
  expect(without.stdout).toContain('No retention is configured')
})

test('a file of datasources that is wrong keeps the server from starting, in one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-datasources-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'd.json')
  writeFileSync(file, '{"a":{"kind":"ftp"}}')
  const where = ['--data-dir', scene.server.config.dataDir, '--database-url', scene.server.databaseUrl]
  const ran = await runProcess(['serve', '--port', '0', '--workers', '1', ...where, '--datasources-file', file])
  expect(ran.code).not.toBe(0)
  expect(ran.stderr).toContain('the datasource "a" needs one of folder, s3, http, otlp as "kind"')
})

test.each([
  ['{', 'is not JSON'],
  ['[]', 'must contain an object of datasources'],
  ['{"a b":{"kind":"folder","path":"x"}}', 'must have a name'],
  ['{"a":{"kind":"folder"}}', 'needs a string "path"'],
  ['{"a":{"kind":"folder","path":"x","colour":"red"}}', 'has unknown fields: colour'],
  ['{"a":{"kind":"folder","path":"x","everySeconds":0}}', 'needs a whole number from 1 to 86400'],
  ['{"a":{"kind":"http","url":"http://example.com"}}', 'has a "url" that must begin with https://'],
  ['{"a":{"kind":"http","url":"https://127.0.0.1/"}}', 'has a "url" that is not allowed'],
  ['{"a":{"kind":"http","url":"https://u:p@example.com/"}}', 'must not contain a user name or password'],
  ['{"a":{"kind":"otlp","url":"https://example.com","tokenHeader":"a b"}}', 'needs the name of a header'],
  ['{"a":{"kind":"s3","endpoint":"https://s3.example.com","bucket":"No/Bucket"}}', 'needs the name of a bucket'],
])('datasources that cannot be used are told of: %s', (text, says) => {
  expect(() => readDatasources(text, '/etc/d.json', { settings: {} as never })).toThrow(says)
})

test('paths are relative to the file of datasources', () => {
  const [source] = readDatasources('{"a":{"kind":"folder","path":"x"}}', '/etc/d.json', {
    settings: {} as never,
  }).values()
  expect(source).toMatchObject({ kind: 'folder', path: '/etc/x', everySeconds: 240, tenants: null })
})
