import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run, runProcess, serve, start } from '../cli/command.ts'
import { dataFolder, later, temporaryFolder, until } from '../fixture/later.ts'
import { onlyLongTest } from '../fixture/long.ts'
import { makeDatabase } from '../fixture/server.ts'
import { company, companyWith, jsonl } from './support.ts'

function prepare() {
  const folder = temporaryFolder()
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const data = ['--data-dir', join(folder, 'data')]
  return { folder, file, data }
}

/** The same on the tests' own PostgreSQL, with a tenant: what is not about starting one need not wait for one. */
async function prepareTenant() {
  const { folder, file, data } = prepare()
  const database = await makeDatabase()
  later(database.drop)
  const where = [...data, '--database-url', database.url]
  expect((await run(['tenant', 'create', 'localhost:8080', '--owner', 'o@x.example', ...where])).code).toBe(0)
  return { folder, file, data: where }
}

describe('bailiwick import', () => {
  type Prepared = { file: ReturnType<typeof prepare>['file']; data: string[] }
  async function importFirst({ file, data }: Prepared): Promise<void> {
    const path = file('company.jsonl', jsonl(company))
    const first = await run(['import', path, ...data])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/^KIND +ADDED +CHANGED +UNCHANGED +REMOVED\nuser +3 +0 +0 +0\n/)
    expect(first.stdout).toMatch(/\nImported 16 lines in [\d.]+ s, as [0-9A-Za-z]{27}\.\n$/)
  }
  async function importMore({ file, data }: Prepared): Promise<void> {
    const changed = file('changed.jsonl', jsonl(companyWith('user', 'ada', { department: 'Sales' })))
    const dry = await run(['import', changed, '--dry-run', '--full', '--json', ...data])
    expect(dry.code).toBe(0)
    expect(JSON.parse(dry.stdout)).toMatchObject({
      isDryRun: true,
      isFull: true,
      counts: [{ kind: 'user', changed: 1 }, {}, {}, {}, {}, {}, {}],
    })
    const csv = file(
      'more.csv',
      '\ufeffexternalId,displayName,emails\r\nzoe,"Zoë, the last",a@x.example;b@x.example\r\n',
    )
    const more = await run(['import', csv, '--kind', 'user', '--json', ...data])
    expect(JSON.parse(more.stdout)).toMatchObject({ format: 'csv', counts: [{ kind: 'user', added: 1 }] })
  }
  test('tells what it did', async () => {
    const prepared = await prepareTenant()
    await importFirst(prepared)
    await importMore(prepared)
  })
  onlyLongTest('works without a running server and with one', async () => {
    const { file } = prepare()
    const data = ['--data-dir', dataFolder()]
    expect((await run(['tenant', 'create', 'localhost:8080', '--owner', 'o@x.example', ...data])).code).toBe(0)
    await importFirst({ file, data })
    const server = await serve(data)
    await importMore({ file, data })
    await server.stop()
  })
  onlyLongTest('takes the file of a connector: its app is named, or called like the file', async () => {
    const { data, folder } = await prepareTenant()
    const path = join(folder, 'directory.c1z')
    copyFileSync(new URL('samples/ldap-0.25.0-v1.c1z', import.meta.url), path)
    const first = await run(['import', path, ...data])
    // How far it is, where it takes long.
    expect(first.code).toBe(0)
    expect(first.stderr).toMatch(/^(\w+ [\w ]+: up to line \d+ of \d+\n)*$/)
    expect(first.stdout).toMatch(/\naccount +3 +0 +0 +0\n/)
    expect(first.stdout).toMatch(/\nApp: [0-9A-Za-z]{27}\n1 grant to groups .*\nImported 15 records in/)
    const again = await run(['import', path, '--app', 'directory', '--full', '--json', ...data])
    expect(JSON.parse(again.stdout)).toMatchObject({ format: 'c1z', counts: [{ added: 0 }, {}, {}, {}, {}] })
    const pebble = join(folder, 'other.c1z')
    copyFileSync(new URL('samples/ldap-0.25.0-v3.c1z', import.meta.url), pebble)
    const refused = await run(['import', pebble, ...data])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/--storage-engine sqlite/)
  })

  onlyLongTest('reads standard input, names refused lines, and exits 1', async () => {
    const { file, data } = await prepareTenant()
    const piped = start(['import', '-', ...data])
    piped.child.stdin?.end(`{"kind":"app","externalId":"a","displayName":"A"}\n{"kind":"app"}\n{"kind":"user"`)
    const refused = await piped.exit
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toBe(
      'line 2: app: externalId: is missing; displayName: is missing\n' +
        'line 3: is not JSON\n' +
        'bailiwick: 2 lines were rejected, and nothing was imported.\n',
    )
    const crowd = (count: number): string =>
      jsonl(Array.from({ length: count }, (_, i) => ({ kind: 'user', externalId: `${i}`, displayName: 'C' })))
    await run(['import', file('30.jsonl', crowd(30)), ...data])
    const cut = await run(['import', file('3.jsonl', crowd(3)), '--full', ...data])
    expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining('27 of 30 users')])
    expect((await run(['import', file('3.jsonl', crowd(3)), '--full', '--force', ...data])).code).toBe(0)
  })

  onlyLongTest('that is killed in the middle leaves nothing', async () => {
    const { folder, data } = await prepareTenant()
    const server = await serve(data)
    const importing = start(['import', '-', ...data])
    importing.child.stdin?.on('error', () => {})
    let isEnded = false
    void importing.exit.then(() => (isEnded = true))
    const line = (i: number): string =>
      jsonl([{ kind: 'user', externalId: `${i}`, displayName: 'K', department: 'x'.repeat(400) }])
    for (let i = 0; i < 20_000; i++)
      if (!importing.child.stdin?.write(line(i))) await new Promise((go) => importing.child.stdin?.once('drain', go))
    expect(isEnded).toBe(false)
    importing.child.kill('SIGKILL')
    await importing.exit
    // Its lock went with it.
    let told = ''
    await until(async () => {
      const once = start(['import', '-', '--json', ...data])
      once.child.stdin?.end(jsonl([{ kind: 'user', externalId: '1', displayName: 'K' }]))
      const { code, stdout } = await once.exit
      told = stdout
      return code === 0
    })
    expect(JSON.parse(told)).toMatchObject({ counts: [{ kind: 'user', added: 1, changed: 0 }] })
    await server.stop()
    expect(existsSync(join(folder, 'data'))).toBe(true)
  })

  test.for([
    [['import'], 'FILE is missing'],
    [['import', '/nowhere/at/all'], 'there is no file /nowhere/at/all'],
    [['import', '/tmp'], '/tmp is a folder'],
    [['import', '-', '--kind', 'robot'], '--kind must be one of user, app,'],
  ] as const)('%j is a wrong use of it', async ([args, message]) => {
    const { data } = prepare()
    const ran = await run([...args, ...data])
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

onlyLongTest('an import holds no more memory for many lines than for few', async () => {
  const { file, data } = await prepareTenant()
  // Lines that are refused pass through everything but the tables: it is reading and staging that must not pile up.
  const noise = createHash('sha512').update('noise').digest('hex').repeat(3)
  const line = `{"kind":"user","externalId":"x","displayName":"${noise}"}\n`
  const rssOf = async (lines: number): Promise<number> => {
    const path = file(`${lines}.jsonl`, line.repeat(lines))
    const preload = `data:text/javascript,process.on('exit',()=>console.error('RSS%20'+process.resourceUsage().maxRSS))`
    const ran = await runProcess(['import', path, ...data], { NODE_OPTIONS: `--import ${preload}` })
    expect(ran.stderr).toContain('the same as on line 1')
    return Number(/RSS (\d+)/.exec(ran.stderr)?.[1]) / 1024
  }
  const few = await rssOf(1000)
  const many = await rssOf(150_000)
  expect(many - few).toBeLessThan(220)
})
