import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fewOrMany } from '../fixture/long.ts'
import { importText, jsonl, prepare, type Rec, stateOf, type Tried } from './support.ts'

const { server, newTenant } = prepare()

// Few keys, so that worlds overlap; odd characters, so that both formats have to quote.
const keys = ['a', 'b', 'ç d', 'e,"f"', 'g\\h']
const name = fc.string({
  unit: fc.constantFrom('x', 'Y', ' ', ',', '"', '\\', 'ß', '\u00a0', '🙈'),
  minLength: 1,
  maxLength: 8,
})
const word = fc.option(name, { nil: undefined })
const some = <T>(items: readonly T[]) => fc.subarray([...items], { minLength: 1 })
const emails = ['one@x.example', 'two@x.example', 'three@x.example', 'four@x.example', 'five@x.example']
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined })
const someProfile = maybe(fc.dictionary(fc.constantFrom('site', 'a.b', 'cost centre'), name, { maxKeys: 2 }))
const anyOf = (items: readonly string[]) => maybe(fc.constantFrom(...items))

type Shape = { kind: string; [field: string]: fc.Arbitrary<unknown> | string }
const recordOf = (shape: Shape): fc.Arbitrary<Rec> =>
  fc.record(
    Object.fromEntries(
      Object.entries(shape).map(([field, of]) => [field, typeof of === 'string' ? fc.constant(of) : of]),
    ),
  ) as fc.Arbitrary<Rec>
const oneEach = (ids: readonly string[], shapeOf: (id: string) => Shape) =>
  fc.tuple(...ids.map((id) => recordOf(shapeOf(id))))

/** A world with at least one of every kind: a full file says nothing of kinds that it does not have. */
const world: fc.Arbitrary<Rec[]> = fc
  .record({
    users: some(keys),
    emails: fc.shuffledSubarray(emails, { minLength: emails.length }),
    apps: fc.subarray(['a', 'b'], { minLength: 1 }),
    types: some(keys.slice(0, 2)),
    resources: some(keys.slice(0, 3)),
    entitlements: some(keys),
    accounts: some(keys),
  })
  .chain(({ users, emails: addresses, apps, types, resources, entitlements, accounts }) => {
    const type = types[0] as string
    const inApp = apps.map((app) =>
      fc
        .tuple(
          oneEach(types, (externalId) => ({ kind: 'resource_type', app, externalId, displayName: name })),
          oneEach(resources, (externalId) => ({
            kind: 'resource',
            app,
            resourceType: type,
            externalId,
            displayName: name,
            description: word,
            profile: someProfile,
            parentResource: externalId === resources[0] ? fc.constant(undefined) : anyOf(resources.slice(0, 1)),
          })),
          oneEach(entitlements, (externalId) => ({
            kind: 'entitlement',
            app,
            externalId,
            displayName: name,
            slug: word,
            alias: word,
            purpose: anyOf(['assignment', 'permission', 'ownership']),
            of: maybe(fc.constantFrom(...resources)),
          })).map((all) =>
            all.map(
              ({ of, ...each }): Rec => ({ ...each, ...(of !== undefined && { resourceType: type, resource: of }) }),
            ),
          ),
          oneEach(accounts, (externalId) => ({
            kind: 'account',
            app,
            externalId,
            displayName: name,
            user: anyOf(users),
            email: anyOf(emails),
            usernames: fc.subarray(keys),
            employeeIds: fc.subarray(['1', '2']),
            status: anyOf(['enabled', 'disabled']),
            type: anyOf(['user', 'service_account']),
            profile: someProfile,
          })),
          fc
            .subarray(
              entitlements.flatMap((entitlement) =>
                accounts.map((account) => ({ kind: 'grant', app, entitlement, account })),
              ),
              { minLength: 1 },
            )
            .chain((grants) =>
              fc.tuple(
                ...grants.map((each) =>
                  anyOf(['2098-01-01T00:00:00Z', '2099-01-01T00:00:00Z']).map((expiresAt) => ({ ...each, expiresAt })),
                ),
              ),
            ),
        )
        .map((parts) => parts.flat() as Rec[]),
    )
    return fc
      .tuple(
        oneEach(users, (externalId) => ({
          kind: 'user',
          externalId,
          displayName: name,
          email: fc.constantFrom(addresses[keys.indexOf(externalId)] as string, undefined),
          usernames: fc.subarray(keys),
          employeeId: anyOf(['1', '2']),
          department: word,
          jobTitle: word,
          status: anyOf(['enabled', 'disabled']),
          type: anyOf(['human', 'service']),
          managers: fc.subarray(users),
          profile: someProfile,
        })),
        oneEach(apps, (externalId) => ({ kind: 'app', externalId, displayName: name, description: word })),
        ...inApp,
      )
      .map((parts) => parts.flat())
  })
  .chain((records) => fc.shuffledSubarray(records, { minLength: records.length }))

/** Which roles somebody has is theirs: who was a person and is a machine now keeps them. */
async function stateWithoutRoles({ tenant }: Tried): Promise<object> {
  const state = await stateOf(server.db, tenant)
  return { ...state, users: state['users']?.map((each) => ({ ...(each as object), roles: null })) }
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The same records as CSV: a column for each field, lists with semicolons, the profile spread out. */
function csv(records: readonly Rec[]): string {
  const flat = records.map(({ profile, ...fields }) => ({
    ...fields,
    ...Object.fromEntries(Object.entries(profile ?? {}).map(([key, value]) => [`profile.${key}`, value as unknown])),
  }))
  const columns = [...new Set(flat.flatMap((each) => Object.keys(each)))]
  const textOf = (value: unknown): string =>
    Array.isArray(value) ? value.join(';') : ((value as string | undefined) ?? '')
  const rows = flat.map((each) =>
    columns.map((column) => cell(textOf((each as Record<string, unknown>)[column]))).join(','),
  )
  return [columns.map(cell).join(','), ...rows, ''].join('\r\n')
}

test('a world comes in the same by JSON Lines and by CSV', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (records) => {
      const [one, two] = [await newTenant(), await newTenant()]
      const done = [await importText(one, jsonl(records)), await importText(two, csv(records))]
      expect(done.map(({ format }) => format)).toEqual(['jsonl', 'csv'])
      expect(await stateOf(server.db, two.tenant)).toEqual(await stateOf(server.db, one.tenant))
    }),
    { numRuns: fewOrMany(1, 12), endOnFailure: true },
  )
})

test('a full world after another leaves what it leaves in an empty tenant, and is then nothing new', async () => {
  await fc.assert(
    fc.asyncProperty(world, world, async (before, after) => {
      const [one, two] = [await newTenant(), await newTenant()]
      await importText(one, jsonl(before))
      await importText(one, jsonl(after), { full: true, force: true })
      await importText(two, jsonl(after))
      expect(await stateWithoutRoles(one)).toEqual(await stateWithoutRoles(two))
      const again = await importText(one, jsonl(after), { full: true })
      expect(again.counts.every(({ added, changed, removed }) => added + changed + removed === 0)).toBe(true)
    }),
    { numRuns: fewOrMany(1, 12), endOnFailure: true },
  )
})
