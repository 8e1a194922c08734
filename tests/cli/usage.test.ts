import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readServeConfig, type SettingName, UsageError, variableOf } from '#server/settings/config.ts'
import { settings } from '#server/settings/settings.ts'
import { type Command, readArguments } from '../../cli/command.ts'
import { commands } from '../../cli/commands.ts'
import { helpFor } from '../../cli/help.ts'
import { temporaryFolder } from '../fixture/later.ts'
import { run, runProcess } from './command.ts'

const named = (name: string): Command => commands.find((command) => command.name === name) as Command
const [serve, tenantCreate, tenantList] = [named('serve'), named('tenant create'), named('tenant list')]
const root = join(import.meta.dirname, '../..')
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { imports: Record<string, string> }

/** The project's own files that are loaded with this one, by what they import when they are loaded. */
function filesLoadedBy(file: string, found = new Set<string>()): string[] {
  if (found.has(file)) return []
  found.add(file)
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, clause = '', from = ''] of text.matchAll(
    /^(?:import|export) (?!type )(?:([^;'"]*?) from )?'([^']+)'/gm,
  )) {
    const isTypes = /^\{(?:\s*type [^,}]+,?)*\s*\}$/.test(clause)
    const place = Object.entries(imports).find(([name]) => from.startsWith(name.slice(0, -1)))
    if (isTypes || !(place || from.startsWith('.'))) continue
    const path = place ? join(place[1].slice(0, -1), from.slice(place[0].length - 1)) : join(dirname(file), from)
    filesLoadedBy(path, found)
  }
  return [...found].toSorted()
}

const names = Object.keys(settings) as SettingName[]

describe('help', () => {
  test.concurrent('names every command', async () => {
    const { code, stdout, stderr } = await runProcess(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const command of ['serve', 'tenant create DOMAIN', 'tenant list', 'help', 'version'])
      expect(stdout).toContain(command)
  })

  test.concurrent('on serve names every setting with its variable', async () => {
    const { code, stdout, stderr } = await run(['serve', '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const name of names) {
      expect(stdout).toContain(`--${name}`)
      expect(stdout).toContain(variableOf(name))
    }
    expect(stdout).toContain('DATABASE_URL')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  })

  test.concurrent.each([
    [['jobs', '--help'], 'jobs'],
    [['help', 'jobs'], 'jobs'],
    [['tenant', 'oidc', '-h'], 'tenant oidc'],
  ])('%j tells of the commands that begin so, and of no others', async (args, group) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const rows = stdout.split('\n').filter((line) => /^ {2}\S/.test(line))
    expect(rows.length).toBeGreaterThan(2)
    for (const row of rows) expect(row.startsWith(`  ${group} `)).toBe(true)
  })

  test.concurrent('of one command is the same by any of its names', async () => {
    const said = await Promise.all(
      [
        ['jobs', 'list', '--help'],
        ['jobs', 'list', '-h'],
        ['help', 'jobs', 'list'],
      ].map((args) => run(args)),
    )
    for (const { code, stdout } of said) expect({ code, stdout }).toEqual({ code: 0, stdout: said[0]?.stdout })
    expect(said[0]?.stdout).toContain('--state')
  })

  test('and refusals of arguments load nothing of the server', () => {
    const files = filesLoadedBy('cli/main.ts')
    expect(files).toContain('cli/commands.ts')
    expect(files.filter((file) => !/^(?:cli|server\/kernel|server\/settings)\//.test(file))).toEqual([])
    // What a person waits for, and what each of the tests of the command costs.
    expect(files.length).toBeLessThan(21)
  })

  test.each(commands)('$name has what it runs', async (command) => {
    expect(typeof (await command.load())).toBe('function')
  })

  test('on an operator command names what it takes', () => {
    expect(helpFor(tenantCreate)).toContain('DOMAIN --owner EMAIL')
    expect(helpFor(tenantList)).toContain('--json')
    for (const command of [tenantCreate, tenantList])
      for (const flag of ['--data-dir', '--database-url']) expect(helpFor(command)).toContain(flag)
  })
})

describe('a wrong command line is one line and exit 2', () => {
  const cases: [args: string[], words: RegExp, env?: Record<string, string>][] = [
    [['nonsense'], /there is no command "nonsense"; see \S.* --help/],
    [['jobs'], /jobs needs a subcommand; see \S.* jobs --help/],
    [['jobs', 'lst'], /there is no command "jobs lst"; see \S.* jobs --help/],
    [['tenant', 'oidc', '--json'], /tenant oidc needs a subcommand/],
    [['serve', '--prot', '1'], /unknown flag --prot; did you mean --port\?/],
    [['serve', '--databse-url=x'], /unknown flag --databse-url; did you mean --database-url\?/],
    [['serve', '--nonsense'], /unknown flag --nonsense; see \S.* serve --help/],
    [['serve', '--port', 'abc'], /--port "abc" is not a port/],
    [['serve', '--database-url', 'mysql://root:hunter2@db/x'], /--database-url is not a URL/],
    [['serve'], /DATABASE_URL is not a URL/, { DATABASE_URL: 'http://root:hunter2@db/x' }],
    [['tenant', 'create', '--owner', 'a@b.example'], /DOMAIN is missing/],
  ]

  test.concurrent.each(cases)('%j', async (args, words, env) => {
    const ran = await (env ? runProcess(args, env) : run(args))
    expect(ran.stderr).toMatch(/^bailiwick: [^\n]+\n$/)
    expect(ran.stderr).toMatch(words)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).not.toMatch(/\bat .*:\d+:\d+|node:internal|hunter2/)
  })

  test('for want of a flag that a command insists on', () => {
    expect(() => readArguments(tenantCreate, ['acme.example'])).toThrow('--owner is missing')
  })

  test('and it makes nothing', async () => {
    const folder = temporaryFolder()
    await run(['serve', '--data-dir', join(folder, 'data'), '--port', 'x'])
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

describe('refused in one line', () => {
  const cases: [args: string[], words: RegExp, env?: Record<string, string>][] = [
    [['-p', '1'], /unknown flag -p; see/],
    [['now'], /unexpected argument "now"/],
    [['--port'], /--port needs a value/],
    [['--port', '-1'], /--port needs a value/],
    [['--port', '65536'], /--port "65536" is not a port/],
    [['--port=-1'], /--port "-1" is not a port/],
    [['--port', '0x50'], /--port "0x50" is not a port/],
    [['--metrics-port', '1.5'], /--metrics-port "1.5" is not a port/],
    [['--trusted-proxy', '10.0.0.0/33'], /--trusted-proxy "10.0.0.0\/33" is not/],
    [['--trusted-proxy', '::1/129'], /--trusted-proxy "::1\/129" is not/],
    [['--trusted-proxy', '10.0.0.0/8/8'], /is not an IP address or CIDR block/],
    [['--trusted-proxy', '10.0.0.0/'], /is not an IP address or CIDR block/],
    [['--trusted-proxy', '10.0.0.0/8', '--trusted-proxy', 'proxy.example'], /"proxy.example" is not/],
    [['--log-level', 'loud'], /--log-level "loud" is not one of debug, info/],
    [['--owner', 'nobody'], /--owner "nobody" is not an email address/],
    [['--service-domain', 'a b'], /--service-domain "a b" is not a domain/],
    [['--empty=perhaps'], /--empty takes no value/],
    [['--host', ''], /--host/],
    [['--data-dir', ''], /--data-dir/],
    [['--tls-cert', 'x'], /--tls-cert and --tls-key must be used together/],
    [['--tls-key', 'x'], /--tls-cert and --tls-key must be used together/],
    [['--tls-self-signed', '--tls-cert', 'x', '--tls-key', 'y'], /cannot be used together/],
    [['--database-url', 'hunter2'], /--database-url is not a URL/],
    [['--database-url', 'postgres://u:hunter2@['], /--database-url is not a URL/],
    [['--token-lifetime', '59'], /--token-lifetime "59" is not a number of seconds from 60 to 3600/],
    [['--token-lifetime', '3601'], /is not a number of seconds/],
    [['--token-lifetime', '1h'], /is not a number of seconds/],
    [[], /BAILIWICK_PORT "eighty" is not a port/, { BAILIWICK_PORT: 'eighty' }],
    [[], /BAILIWICK_TRUSTED_PROXY "nowhere" is not/, { BAILIWICK_TRUSTED_PROXY: '10.0.0.1, nowhere' }],
    [[], /BAILIWICK_EMPTY "perhaps" is not true or false/, { BAILIWICK_EMPTY: 'perhaps' }],
    [['--systemlog-retention', '0'], /--systemlog-retention "0" is not a number of days from 1 to 36500/],
    [['--workers', '0'], /--workers "0" is not a number from 1 to 64/],
    [['--workers', '65'], /is not a number from 1 to 64/],
    [['--workers', 'all'], /--workers "all" is not a number/],
    [['--tokens-per-minute', '0'], /--tokens-per-minute "0" is not a number of at least 1/],
    [['--systemlog-witness', 'https://u:hunter2@witness.example'], /--systemlog-witness is not a URL without user/],
    [['--systemlog-witness', 'https://['], /--systemlog-witness is not a URL/],
    [[], /BAILIWICK_DATABASE_URL is not/, { BAILIWICK_DATABASE_URL: 'postgres://u:hunter2@[' }],
  ]

  test.each(cases)('serve %j', (args, words, env = {}) => {
    const read = () => readServeConfig(readArguments(serve, args).flags, env)
    expect(read).toThrow(UsageError)
    expect(read).toThrow(words)
    expect(read).not.toThrow(/\n|hunter2/)
  })
})

describe('every setting', () => {
  const examples: Record<string, [text: string, other: string]> = {
    host: ['0.0.0.0', '::'],
    port: ['81', '82'],
    workers: ['2', '3'],
    'data-dir': ['/one', '/two'],
    'database-url': ['postgres://one/x', 'postgres://two/x'],
    'secret-key-file': ['/one', '/two'],
    'heads-file': ['/one', '/two'],
    'systemlog-witness': ['/one', 'https://two.example/heads'],
    'datasources-file': ['/one', '/two'],
    'systemlog-retention': ['1', '36500'],
    'tokens-per-minute': ['60', '1200'],
    empty: ['true', 'false'],
    owner: ['one@example.com', 'two@example.com'],
    'tls-cert': ['/one', '/two'],
    'tls-key': ['/one', '/two'],
    'tls-self-signed': ['1', '0'],
    'trusted-proxy': ['10.0.0.0/8', '::1'],
    'service-domain': ['one.example', 'two.example'],
    'token-lifetime': ['60', '3600'],
    'metrics-port': ['81', '82'],
    'smtp-host': ['one.example', 'two.example'],
    'smtp-port': ['26', '2525'],
    'smtp-tls': ['tls', 'none'],
    'smtp-user': ['one', 'two'],
    'smtp-password-file': ['/one', '/two'],
    'mail-from': ['one@example.com', 'Two <two@example.com>'],
    'max-connections': ['81', '82'],
    'max-connections-per-network': ['81', '82'],
    'log-level': ['debug', 'warn'],
    'log-format': ['json', 'text'],
    'log-requests': ['all', 'none'],
  }
  const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  // What goes together.
  const mail = { 'smtp-host': 'one.example', 'mail-from': 'one@example.com' }
  const together: Record<string, Record<string, string>> = {
    'smtp-host': { 'mail-from': 'one@example.com' },
    'mail-from': { 'smtp-host': 'one.example' },
    'smtp-user': { ...mail, 'smtp-password-file': '/one' },
    'smtp-password-file': { ...mail, 'smtp-user': 'one' },
  }
  const pair = (name: string, value: string): Record<string, string> =>
    name.startsWith('tls-c')
      ? { 'tls-key': value }
      : name === 'tls-key'
        ? { 'tls-cert': value }
        : (together[name] ?? {})
  const exampleOf = (name: SettingName): [string, string] => examples[name] ?? ['true', 'false']

  test.each(names)('%s comes from its flag, else from its variable, else from its default', (name) => {
    const [one, other] = exampleOf(name)
    const read = (flags: Record<string, string>, env: Record<string, string>): unknown =>
      (readServeConfig(flags, env) as Record<string, unknown>)[camel(name)]
    const byFlag = read({ [name]: one, ...pair(name, one) }, {})
    const byVariable = read(pair(name, one), { [variableOf(name)]: one })
    const byBoth = read({ [name]: one, ...pair(name, one) }, { [variableOf(name)]: other })
    expect(byVariable).toEqual(byFlag)
    expect(byBoth).toEqual(byFlag)
    expect(byFlag).not.toEqual(read({}, {}))
    expect(read({}, { [variableOf(name)]: '' })).toEqual(read({}, {}))
  })

  test('of a database comes from DATABASE_URL too, after its own variable', () => {
    const DATABASE_URL = 'postgres://theirs/x'
    expect(readServeConfig({}, { DATABASE_URL })).toMatchObject({ databaseUrl: DATABASE_URL })
    const both = { DATABASE_URL, BAILIWICK_DATABASE_URL: 'postgres://ours/x' }
    expect(readServeConfig({}, both)).toMatchObject({ databaseUrl: 'postgres://ours/x' })
  })

  test('that may be given several times is a list, by flag or by variable', () => {
    const trustedProxy = ['10.0.0.0/8', '192.168.0.1', 'fd00::/8']
    expect(readServeConfig({ 'trusted-proxy': trustedProxy }, {})).toMatchObject({ trustedProxy })
    const variable = { BAILIWICK_TRUSTED_PROXY: '10.0.0.0/8, 192.168.0.1,fd00::/8' }
    expect(readServeConfig({}, variable)).toMatchObject({ trustedProxy })
  })
})
