import { expect, test } from 'vitest'
import { isAbsence } from '#database/presence.ts'
import { listWaiting } from '../fixture/cluster.ts'
import {
  company,
  everythingOf,
  importRecords,
  importText,
  jsonl,
  prepare,
  type Rec,
  refusalOf,
  refusedLines,
} from './support.ts'

const { server, access, tried, newTenant } = prepare()

const user = { kind: 'user', externalId: 'u', displayName: 'U' }
const app = { kind: 'app', externalId: 'a', displayName: 'A' }
const account = { kind: 'account', app: 'a', externalId: 'c', displayName: 'C' }
const entitlement = { kind: 'entitlement', app: 'a', externalId: 'e', displayName: 'E' }
const grant = { kind: 'grant', app: 'a', entitlement: 'e', account: 'c' }
const type = { kind: 'resource_type', app: 'a', externalId: 't', displayName: 'T' }
const resource = { kind: 'resource', app: 'a', resourceType: 't', externalId: 'r', displayName: 'R' }

/** What is refused, and for which lines. Lines are counted from 1. */
const cases: [why: string, lines: (Rec | string)[], refused: string[]][] = [
  ['a line that is not JSON', [user, '{"kind":'], ['line 2: is not JSON']],
  [
    'a line that is no object',
    ['{"kind":"app","externalId":"a","displayName":"A"}', '[1]'],
    ['line 2: is not a JSON object'],
  ],
  ['a line without a kind', ['{"externalId":"u"}'], [expect.stringContaining('line 1: kind: is missing') as string]],
  [
    'a kind that is none',
    ['{"kind":"robot"}'],
    [expect.stringContaining('line 1: kind: "robot" is not one of user,') as string],
  ],
  ['a kind that is no text', ['{"kind":{}}'], [expect.stringContaining('line 1: kind: {} is not one of') as string]],
  ['a field that is missing', [{ kind: 'app', displayName: 'A' }], ['line 1: app: externalId: is missing']],
  ['a name that is missing', [{ kind: 'app', externalId: 'a' }], ['line 1: app: displayName: is missing']],
  [
    'someone who cannot be called anything',
    [{ kind: 'user', externalId: 'u' }],
    ['line 1: user: displayName: is missing, and so are email and username'],
  ],
  ['a value of the wrong type', [{ ...app, displayName: 5 }], ['line 1: app: displayName: must be text']],
  ['a list that is none', [{ ...user, emails: 'a@x.example' }], ['line 1: user: emails: must be a list']],
  ['a null in a list', [{ ...user, emails: [null] }], ['line 1: user: emails: must not contain null']],
  ['a profile that is no object', [{ ...user, profile: [] }], ['line 1: user: profile: must be an object']],
  [
    'a value that is too long',
    [{ ...app, displayName: 'x'.repeat(501) }],
    ['line 1: app: displayName: must have at most 500 characters'],
  ],
  [
    'a value that cannot be stored',
    [{ ...app, displayName: 'a\0' }],
    ['line 1: app: displayName: must be text that can be stored'],
  ],
  [
    'an unpaired surrogate',
    [{ ...app, displayName: '\ud800' }],
    ['line 1: app: displayName: must be text that can be stored'],
  ],
  ['an address that is none', [{ ...user, email: 'N/A' }], ['line 1: user: email: is not an email address']],
  [
    'a word that is none of the few',
    [{ ...user, status: 'gone' }],
    ['line 1: user: status: must be one of enabled, disabled'],
  ],
  [
    'a time that is none',
    [app, entitlement, account, { ...grant, grantedAt: 'yesterday' }],
    ['line 4: grant: grantedAt: must be a time as in 2026-01-31T12:00:00Z'],
  ],
  [
    'a grant that begins in the future',
    [app, entitlement, account, { ...grant, grantedAt: '2999-01-01T00:00:00Z' }],
    ['line 4: grant: grantedAt: is in the future'],
  ],
  [
    'a grant that ends before it begins',
    [app, entitlement, account, { ...grant, grantedAt: '2020-01-02T00:00:00Z', expiresAt: '2020-01-01T00:00:00Z' }],
    ['line 4: grant: expiresAt: is not after grantedAt'],
  ],
  [
    'several things about one line',
    [{ ...user, status: 'x', email: 'y', type: 'z' }],
    [expect.stringMatching(/^line 1: .*status.*email.*type|^line 1: .*email.*type.*status/) as string],
  ],
  [
    'a key that is there twice',
    [user, app, { ...user, displayName: 'V' }],
    ['line 3: user: externalId: the same as on line 1'],
  ],
  [
    'a grant that is there twice',
    [app, entitlement, account, grant, grant],
    ['line 5: grant: app and entitlement and account: the same as on line 4'],
  ],
  [
    'two users with one address',
    [
      { ...user, email: 'a@x.example' },
      { ...user, externalId: 'v', email: 'A@X.example' },
    ],
    ['line 2: user: email: the same as on line 1'],
  ],
  ['an app that is nowhere', [account], ['line 1: account: app: there is no app "a"']],
  ['a user that is nowhere', [app, { ...account, user: 'w' }], ['line 2: account: user: there is no user "w"']],
  ['a manager who is nowhere', [{ ...user, manager: 'w' }], ['line 1: user: manager: there is no user "w"']],
  [
    'a resource type that is nowhere',
    [app, resource],
    ['line 2: resource: resourceType: there is no resource type "t" in this app'],
  ],
  [
    'a resource that is nowhere',
    [app, type, { ...entitlement, resourceType: 't', resource: 'r' }],
    ['line 3: entitlement: resource: there is no resource "r" in this app'],
  ],
  [
    'half of a resource',
    [app, { ...entitlement, resource: 'r' }],
    ['line 2: entitlement: resource: must be set together with resourceType, or not at all'],
  ],
  [
    'a resource in one that is nowhere',
    [app, type, { ...resource, parentResource: 'q' }],
    ['line 3: resource: parentResource: there is no resource "q"'],
  ],
  [
    'an entitlement that is nowhere',
    [app, account, grant],
    ['line 3: grant: entitlement: there is no entitlement "e" in this app'],
  ],
  [
    'a grant to an account of another app',
    [app, { ...app, externalId: 'b' }, entitlement, { ...account, app: 'b' }, grant],
    ['line 5: grant: account: there is no account "c" in this app'],
  ],
  ['all of them, each with its line', ['x', user, 'y'], ['line 1: is not JSON', 'line 3: is not JSON']],
]

// One tenant and one test for all of them: a file that is refused leaves nothing behind.
test('a line that is wrong is named with the reason, and its whole file is refused', async () => {
  const before = await everythingOf(server.db, tried.tenant)
  const good = { kind: 'app', externalId: 'good', displayName: 'Good' }
  for (const [what, lines, refused] of cases) {
    const text = lines.map((line) => (typeof line === 'string' ? `${line}\n` : jsonl([line]))).join('')
    expect(await refusedLines(importText(tried, text + jsonl([good]), { format: 'jsonl' })), what).toEqual(refused)
  }
  expect(await everythingOf(server.db, tried.tenant)).toBe(before)
})

test('a line whose parent is refused is not refused for that', async () => {
  expect(await refusedLines(importRecords(tried, [{ ...app, displayName: '' }, account]))).toEqual([
    'line 1: app: displayName: is missing',
  ])
})

test('an address that is that of someone who is not in the file is refused', async () => {
  await importRecords(tried, [{ ...user, email: 'u@x.example' }])
  const other = { kind: 'user', externalId: 'v', displayName: 'V', email: 'U@x.example' }
  expect(await refusedLines(importRecords(tried, [other]))).toEqual(['line 1: user: email: is that of the user "u"'])
  expect((await importRecords(tried, [{ ...user, email: 'w@x.example' }, other])).counts).toMatchObject([
    { added: 1, changed: 1 },
  ])
})

test('something that was deleted is nobody’s parent', async () => {
  await importRecords(tried, [app])
  await server.db`update apps set deleted_at = now() where tenant_id = ${tried.tenant.id}`
  expect(await refusedLines(importRecords(tried, [account]))).toEqual(['line 1: account: app: there is no app "a"'])
})

test('a thousand lines are named, and all are counted', async () => {
  const { message, detail } = await refusalOf(importText(tried, 'x\n'.repeat(1500), { format: 'jsonl' }))
  expect(detail.violations).toHaveLength(1000)
  expect(detail.metadata).toEqual({ refused: '1500' })
  expect(message).toMatch(
    /^1500 lines were rejected, and nothing was imported: line 1: .*; line 3: .*; and 1497 more\.$/,
  )
})

test('many lines with one key are refused before they are joined with anything', async () => {
  const apps = Array.from({ length: 3000 }, () => app)
  const accounts = Array.from({ length: 3000 }, (_, i) => ({ ...account, externalId: `c${i}` }))
  const { detail } = await refusalOf(importRecords(tried, [...apps, ...accounts]))
  expect(detail.metadata).toEqual({ refused: '2999', 'refused.app': '2999' })
})

test.for([
  [
    'a header without a kind',
    'externalId,displayName\na,A\n',
    'line 1: there is no column "kind": choose a record type (kind) for all lines, or add the column',
  ],
  [
    'two columns of one name',
    'kind,externalId,externalId\napp,a,b\n',
    'line 1: two columns have the name "externalId"',
  ],
  ['a row that is too short', 'kind,externalId,displayName\napp,a\n', 'line 2: has 2 cells where the header has 3'],
  ['a row that is too long', 'kind,externalId\napp,a,b\n', 'line 2: has 3 cells where the header has 2'],
  ['quotes without an end', 'kind,externalId,displayName\napp,a,"A\n', 'line 2: a cell in quotes is not closed'],
  ['a kind that is none', 'kind,externalId\nrobot,a\n', 'line 2: kind: "robot" is not one of'],
] as const)('CSV with %s is refused', async ([, text, refused]) => {
  expect((await refusedLines(importText(tried, text)))[0]).toContain(refused)
})

const rows = (header: string, row: string): string => `${header}\n${`${row}\n`.repeat(3)}`

test.for([
  [
    rows('Employee,displayName', '7,Ada'),
    'user',
    'line 1: user: there is no column externalId: your own key for each person, such as the employee number',
  ],
  [
    rows('kind,external_id,display_name', 'account,a,A'),
    null,
    'line 2: account: there is no column app: the externalId of its app',
  ],
  [
    rows('externalId,department', 'a,Sales'),
    'user',
    'line 1: user: there is no column displayName, email or username: one of them names each person',
  ],
  [
    rows('Name', 'A'),
    'app',
    'line 1: app: there is no column externalId: your own key for each app; ' +
      'there is no column displayName: the name of each app',
  ],
] as const)('a column that is missing is one error, not one in each line: %j', async ([text, kind, refused]) => {
  expect(await refusedLines(importText(tried, text, kind ? { kind } : {}))).toEqual([refused])
})

test('a file without a column for names imports people who are named by their lists of addresses', async () => {
  const done = await importText(tried, 'externalId,emails\na,a@x.example\n', { kind: 'user' })
  expect(done.counts).toMatchObject([{ kind: 'user', added: 1 }])
})

test('a line that is not UTF-8, one with a NUL and one that is too long are refused by name', async () => {
  const text = Buffer.concat([
    Buffer.from(jsonl([user])),
    Buffer.from([0x7b, 0xff, 0x0a]),
    Buffer.from(`{"kind":"app","externalId":"${'x'.repeat(1024 * 1024)}"}\n`),
    Buffer.from('{"kind":"a\0pp"}\n'),
    Buffer.from(jsonl([app])),
  ])
  expect(await refusedLines(importText(tried, text))).toEqual([
    'line 2: is not UTF-8',
    'line 3: is longer than 1 MiB',
    'line 4: contains a NUL character',
  ])
})

test('another import of the tenant that is in progress is reported, and nobody waits for it', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
  async function* slowly() {
    yield Buffer.from(jsonl(company))
    begin()
    await mayEnd
    yield Buffer.from(jsonl([{ kind: 'app', externalId: 'last', displayName: 'Last' }]))
  }
  const first = importText(tried, slowly())
  await hasBegun
  const { reason, status } = await refusalOf(importRecords(tried, [app]))
  expect([reason, status]).toEqual(['IMPORT_UNDER_WAY', 409])
  const other = await newTenant()
  await importRecords(other, [app])
  end()
  expect((await first).counts).toMatchObject([{ kind: 'user' }, { kind: 'app', added: 3 }, {}, {}, {}, {}, {}])
  await importRecords(tried, [app])
})

test('something that is deleted while a line is about to hang on it is a race that was lost', async () => {
  await importRecords(tried, [user, app, entitlement])
  const { promise: mayGo, resolve: go } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  // Someone else has the user, so that the import waits after it has found the app.
  const holding = server.db.begin(async (tx) => {
    await tx`select 1 from users where tenant_id = ${tried.tenant.id} and external_id = 'u' for update`
    held()
    await mayGo
  })
  await isHeld
  const importing = refusalOf(importRecords(tried, [{ ...user, department: 'New' }, account, grant]))
  const waiting = () => listWaiting(server.db)
  await expect.poll(async () => (await waiting()).length).toBe(1)
  await server.db`update apps set deleted_at = now() where tenant_id = ${tried.tenant.id}`
  const before = await everythingOf(server.db, tried.tenant)
  go()
  await holding
  expect(await importing).toMatchObject({ reason: 'LOST_RACE', status: 409 })
  expect(await everythingOf(server.db, tried.tenant)).toBe(before)
})

test('a source that fails in the middle leaves nothing', async () => {
  const before = await everythingOf(server.db, tried.tenant)
  async function* breaking() {
    yield Buffer.from(jsonl(company))
    throw new Error('the tape is torn')
  }
  await expect(importText(tried, breaking())).rejects.toThrow('the tape is torn')
  expect(await everythingOf(server.db, tried.tenant)).toBe(before)
  await importRecords(tried, company)
})

test('a database that cuts the connection in the middle leaves nothing', async () => {
  const before = await everythingOf(server.db, tried.tenant)
  async function* cut() {
    for (let i = 0; i < 200; i++) {
      yield Buffer.from(
        jsonl(
          Array.from({ length: 100 }, (_, j) => ({ ...user, externalId: `${i}-${j}`, department: 'x'.repeat(400) })),
        ),
      )
      if (i === 150)
        await server.db`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`
    }
  }
  const failure = await importText(tried, cut()).catch((error: unknown) => error)
  // Whatever words it is told in: clients are told that the database is away, not that the server failed.
  expect(isAbsence(failure), String(failure)).toBe(true)
  expect(await everythingOf(server.db, tried.tenant)).toBe(before)
  await importRecords(tried, company)
})

test('a COPY that fails after all of it was sent ends with its error', async () => {
  const failing = access.world.db.begin(async (tx) => {
    await tx`create temporary table numbers (n int) on commit drop`
    const into = await tx`copy numbers from stdin`.writable()
    const ended = new Promise((resolve, reject) => into.on('finish', resolve).on('error', reject))
    into.end('1\nno number\n')
    await ended
  })
  await expect(failing).rejects.toThrow(/invalid input syntax/)
})
