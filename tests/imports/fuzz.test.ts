import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { Refusal } from '#kernel/refusals.ts'
import { kindNames } from '#rooms/records/imports/index.ts'
import { type Access, openAccess } from '../fixture/access.ts'
import { fewOrMany } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { importText } from './support.ts'

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer({ flags: { empty: true } })
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const fields =
  'externalId app resourceType resource entitlement account user manager managers displayName description email emails ' +
  'username usernames employeeId employeeIds department jobTitle type status profile purpose slug alias grantedAt ' +
  'expiresAt parentResource parentResourceType __proto__ constructor kind'

const wide = String.fromCodePoint(0x10fffd)
const nasty = fc.constantFrom<unknown>(
  'a',
  'b',
  '',
  ' ',
  '\\N',
  '\\.',
  '\\',
  '{"',
  '{}',
  'NULL',
  "'; drop table users; --",
  '\t\r\n\\t',
  '\u0000',
  '\ud800',
  '\u202e\u0301ﬃİ',
  wide.repeat(500),
  wide.repeat(250),
  'x'.repeat(70_000),
  `${'y'.repeat(64)}@${'z'.repeat(255)}`,
  'a@b',
  'disabled',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2026-02-30T00:00:00Z',
  0,
  -1.5,
  1e308,
  true,
  null,
  [],
  ['a', 'b', '"', '\\', '{', ',', wide.repeat(320)],
  [null],
  [['a']],
  {},
  { a: { b: [1, 'x', null, wide] }, '': '', __proto__: 1 },
  { a: '\u0000' },
  { a: 'z'.repeat(60_000) },
  JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as unknown,
)
const record = fc
  .tuple(fc.constantFrom(...kindNames), fc.dictionary(fc.constantFrom(...fields.split(' ')), nasty, { maxKeys: 12 }))
  // Keys that are right more often than not: what is refused for its key is not looked at further.
  .map(([kind, given]) => ({
    externalId: 'a',
    app: 'a',
    displayName: 'a',
    entitlement: 'a',
    account: 'a',
    kind,
    ...given,
  }))

async function expectNoBug(
  text: string,
  format: 'jsonl' | 'csv',
  tried: Parameters<typeof importText>[0],
): Promise<void> {
  try {
    await importText(tried, text, { format, full: true, force: true })
  } catch (error) {
    // Anything else is a bug.
    if (!(error instanceof Refusal) || error.status >= 500) throw error
  }
}

test('whatever stands in a file, it is taken in or refused', async () => {
  const tried = { world: access.world, tenant: await access.makeTenant('fuzz.example.com') }
  const app = '{"kind":"app","externalId":"a","displayName":"a"}\n'
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(record, { selector: ({ kind }) => kind, maxLength: 4 }), async (records) => {
      const isApp = records.some(({ kind }) => kind === 'app')
      await expectNoBug(
        (isApp ? '' : app) + records.map((each) => `${JSON.stringify(each)}\n`).join(''),
        'jsonl',
        tried,
      )
    }),
    { numRuns: fewOrMany(8, 300), endOnFailure: true },
  )
})

test('whatever is sent as CSV, it is taken in or refused', async () => {
  const tried = { world: access.world, tenant: await access.makeTenant('fuzz-csv.example.com') }
  const piece = fc.constantFrom(
    'kind',
    'user',
    'app',
    ',',
    ',',
    '\n',
    '"',
    'externalId',
    'a',
    ';',
    '\r',
    'profile.x',
    '\ufeff',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), (pieces) => expectNoBug(pieces.join(''), 'csv', tried)),
    { numRuns: fewOrMany(6, 200), endOnFailure: true },
  )
})
