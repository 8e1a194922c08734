import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openKnown } from '#rooms/records/imports/c1z/known.ts'
import { ResourceType_Trait as Trait } from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'
import { onlyLongTest } from '../fixture/long.ts'
import { connectorFile, type Told } from './connector-file.ts'
import { importText, jsonl, prepare, stateOf, type Tried } from './support.ts'

const { server, newTenant } = prepare()

// Ids that COPY has to escape, and one that begins with a byte order mark.
const accounts = ['ada', 'b\\o', 'c\tc', '\u{feff}d', 'é:\b']
const entitlements = ['one', 'two\\', 'three\n']
const pairs = entitlements.flatMap((entitlement) => accounts.map((account) => ({ entitlement, account })))

const file: fc.Arbitrary<Told> = fc
  .record({
    accounts: fc.subarray(accounts, { minLength: 3 }),
    entitlements: fc.subarray(entitlements, { minLength: 2 }),
    // Some twice, some of what the file does not have.
    grants: fc.array(
      fc.record({
        pair: fc.constantFrom(...pairs),
        sources: fc.option(fc.subarray(entitlements, { minLength: 1 }), { nil: undefined }),
        // Of those with an id of their own, more is kept.
        id: fc.constantFrom('usual', 'usual', 'usual', 'own 1', 'own 2'),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  })
  .map(
    (told): Told => ({
      types: [
        { id: 'user', traits: [Trait.USER] },
        { id: 'group', traits: [Trait.GROUP] },
      ],
      resources: [
        ...told.accounts.map((id) => ({ type: 'user', id, user: {} })),
        ...entitlements.map((id) => ({ type: 'group', id, isGroup: true })),
      ],
      entitlements: told.entitlements.map((id) => ({ id, type: 'group', resource: id })),
      grants: told.grants.map(({ pair, sources, id }) => ({
        id,
        entitlement: pair.entitlement,
        principal: ['user', pair.account] as const,
        ...(sources && { sources }),
      })),
    }),
  )

/** A file of some accounts, and of a grant to each of the first two, whether it has them or not. */
const toldOf = (...ids: string[]): Told => ({
  types: [
    { id: 'user', traits: [Trait.USER] },
    { id: 'group', traits: [Trait.GROUP] },
  ],
  resources: [
    ...ids.map((id) => ({ type: 'user', id, user: {} })),
    ...entitlements.map((id) => ({ type: 'group', id, isGroup: true })),
  ],
  entitlements: [{ id: 'one', type: 'group', resource: 'one' }],
  grants: accounts.slice(0, 2).map((id) => ({ id: 'usual', entitlement: 'one', principal: ['user', id] as const })),
})

/** What happens between two syncs, to the same records of either tenant. */
const change = fc.record({
  is: fc.constantFrom('end', 'limit', 'delete account', 'delete entitlement', 'import', 'not in full', 'nothing'),
  pair: fc.constantFrom(...pairs),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

async function apply(tried: Tried, { is, pair: { entitlement, account } }: Change): Promise<void> {
  const { db } = server
  const id = tried.tenant.id
  const key = `user:${account}`
  const isOne = db`
    entitlement_id = (select entitlement_id from entitlements where tenant_id = ${id} and external_id = ${entitlement})
    and account_id = (select account_id from accounts where tenant_id = ${id} and external_id = ${key})`
  const ended = db`ended_at = greatest(now(), began_at), ended_by = 'test', ended_why = 'revoked'`
  if (is === 'end') await db`update grants set ${ended} where tenant_id = ${id} and ended_at is null and ${isOne}`
  // As the room of grants changes terms by hand: the row ends, and one with an end begins.
  if (is === 'limit') {
    const open = await db`
      update grants set ended_at = greatest(now(), began_at), ended_by = 'test', ended_why = 'restated'
      where tenant_id = ${id} and ended_at is null and source = 'import' and ${isOne}
      returning app_id, entitlement_id, account_id, granted_by, granted_at`
    for (const { app_id, entitlement_id, account_id, granted_by, granted_at } of open)
      await db`
        insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at,
          expires_at, began_at)
        values (${id}, ${app_id as string}, ${entitlement_id as string}, ${account_id as string}, ${tried.world.newId()},
          'import', ${granted_by as string}, ${granted_at as Date}, '2099-01-01', now())`
  }
  if (is === 'delete account')
    await db`
      update accounts set deleted_at = now(), status = 'STATUS_DELETED' where tenant_id = ${id} and external_id = ${key}`
  if (is === 'delete entitlement') {
    const of = db`(select entitlement_id from entitlements where tenant_id = ${id} and external_id = ${entitlement})`
    await db`update entitlements set deleted_at = now() where tenant_id = ${id} and external_id = ${entitlement}`
    await db`update grants set ${ended} where tenant_id = ${id} and ended_at is null and entitlement_id = ${of}`
  }
  if (is === 'import') {
    const records = [
      { kind: 'entitlement', app: 'dir', externalId: entitlement, displayName: 'By file' },
      { kind: 'account', app: 'dir', externalId: key, displayName: 'By file' },
      { kind: 'grant', app: 'dir', entitlement, account: key, expiresAt: '2098-01-01T00:00:00Z' },
    ]
    await importText(tried, jsonl(records))
  }
}

/** All that a sync leaves, and what it tells of itself. */
async function leftBy({ tenant }: Tried): Promise<object> {
  const { db } = server
  const id = tenant.id
  const sources = await db`
    select e.external_id as entitlement, a.external_id as account, s.external_id as source from grant_sources g
    join entitlements e using (tenant_id, app_id, entitlement_id) join accounts a using (tenant_id, app_id, account_id)
    join entitlements s on s.tenant_id = ${id} and s.app_id = g.app_id and s.entitlement_id = g.source_entitlement_id
    where g.tenant_id = ${id} order by 1, 2, 3`
  const history = await db`
    select e.external_id as entitlement, a.external_id as account, g.ended_why, count(*) from grants g
    join entitlements e using (tenant_id, app_id, entitlement_id) join accounts a using (tenant_id, app_id, account_id)
    where g.tenant_id = ${id} group by 1, 2, 3 order by 1, 2, 3`
  const kept = await db`
    select e.external_id as entitlement, a.external_id as account, encode(g.data, 'hex') as data from connector_grants g
    join entitlements e using (tenant_id, app_id, entitlement_id) join accounts a using (tenant_id, app_id, account_id)
    where g.tenant_id = ${id} order by 1, 2`
  const told = await db`
    select format, line_count, counts, notes from imports where tenant_id = ${id} order by import_id`
  return { ...(await stateOf(db, tenant)), sources, history, kept, told }
}

/** An account was deleted here, and the app no longer has it, but still reports a grant of it. */
const deletedHere: { file: Told; changes: Change[] }[] = [
  {
    file: toldOf('ada', 'b\\o'),
    changes: [{ is: 'delete account', pair: { entitlement: 'one', account: 'b\\o' } }],
  },
  { file: toldOf('ada'), changes: [] },
]

onlyLongTest(
  'a sync that stages only what differs from the record leaves and tells the same as one that stages everything',
  async () => {
    const step = fc.record({ file, changes: fc.array(change, { maxLength: 3 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
        const [quick, whole] = [await newTenant(), await newTenant()]
        for (const { file: told, changes } of steps) {
          const bytes = connectorFile(told)
          const full = !changes.some(({ is }) => is === 'not in full')
          const done = []
          for (const [tried, thorough] of [
            [quick, false],
            [whole, true],
          ] as const)
            done.push(await importText(tried, bytes, { app: 'dir', full, force: true, thorough }))
          expect(done[0]?.counts).toEqual(done[1]?.counts)
          for (const each of changes) {
            await apply(quick, each)
            await apply(whole, each)
          }
        }
        expect(await leftBy(quick)).toEqual(await leftBy(whole))
      }),
      { numRuns: 25, endOnFailure: true, examples: [[deletedHere]] },
    )
  },
)

describe('what is known of the grants of an app', () => {
  const copied = {
    entitlements: 'one\ntwo\\\\\n\u{feff}three\\n\n',
    accounts: 'user:a\nuser:\\tb\nuser:é\n',
    grants: '0\t{0,1}\t\\N\n\\N\t\\N\t{2Abc,2Def}\n1\t{2}\t\\N\n2\t{0}\t{2Ghi}\n',
    sources: '1\t0\t{2}\n1\t2\t{2}\n2\t0\t{1}\n',
  }
  const known = (pieceBytes: number, told: readonly string[] = ['user:a', 'user:\tb', 'user:é']) => {
    const opened = openKnown()
    for (const part of ['entitlements', 'accounts', 'grants', 'sources'] as const) {
      const bytes = Buffer.from(copied[part])
      for (let at = 0; at < bytes.length; at += pieceBytes) opened.add(part, bytes.subarray(at, at + pieceBytes))
    }
    opened.end()
    for (const id of ['one', 'two\\', '\u{feff}three\n']) opened.noteEntitlement(id)
    for (const key of told) opened.noteAccount(key)
    return opened
  }
  test.each([1, 2, 3, 5, 7, 11, 1000])('is read from pieces of %i bytes', (pieceBytes) => {
    const { take, untold, others } = known(pieceBytes)
    expect(take('one', 'user:a', [])).toBe('same')
    expect(take('one', 'user:a', [])).toBe('again')
    expect(take('one', 'user:é', [])).toBe('new')
    expect(take('two\\', 'user:é', ['\u{feff}three\n', 'one', 'one'])).toBe('same')
    expect([...untold()]).toEqual([
      [0, 1],
      [2, 0],
    ])
    expect(others).toEqual(['2Abc', '2Def', '2Ghi'])
  })
  test('passes on what has other sources, or hangs on what the file does not have', () => {
    const { take, untold } = known(1000, ['user:a', 'user:é'])
    expect(take('two\\', 'user:é', ['one'])).toBe('new')
    expect(take('one', 'user:a', ['one'])).toBe('new')
    expect(take('one', 'user:\tb', [])).toBe('new')
    expect(take('\u{feff}three\n', 'user:a', ['nothing like it'])).toBe('new')
    // Only what hangs on an account that the file does not have goes: the account may be gone already, and take nothing along.
    expect([...untold()]).toEqual([[0, 1]])
  })
})
