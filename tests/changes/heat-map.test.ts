import fc from 'fast-check'
import { expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { insertUsers } from '#rooms/identity/users/index.ts'
import { insertAccounts } from '#rooms/records/accounts/index.ts'
import { insertGrants, type NewGrant } from '#rooms/records/grants/index.ts'
import { getToken, type Json, outcomeOf } from '../fixture/access.ts'
import { fewOrMany } from '../fixture/long.ts'
import { prepare, type Ref } from '../grants/scene.ts'

const scene = prepare()

type Person = { id: string; department: string; costCentre: string; accounts: string[] }
type Given = { person: Person; entitlement: number; from: number; to: number | null }
type Table = {
  groups: Record<string, { holders: number; size: number }>
  cells: Record<string, Record<string, number>>
}

const hourMs = 3_600_000

/** An app with people in departments, and what they hold of it, in hours before now. */
async function company(
  people: readonly { department: number; accounts: number }[],
  given: readonly [who: number, what: number, from: number, hours: number][],
) {
  const { world, tenant } = scene.access
  const appId = await scene.app()
  const entitlements: Ref[] = []
  for (let i = 0; i < 4; i++) entitlements.push(await scene.entitlement(appId, `Right ${i}`))
  const word = appId.slice(-6)
  const made: Person[] = people.map(({ department, accounts }) => ({
    id: world.newId(),
    department: department === 0 ? '' : `${word} ${department}`,
    costCentre: `${word} ${department % 2}`,
    accounts: Array.from({ length: accounts }, () => world.newId()),
  }))
  const now = Date.now()
  const longAgo = new Date(now - 1000 * hourMs)
  const all: Given[] = given.flatMap(([who, entitlement, from, hours]) => {
    const person = made[who % Math.max(1, made.length)]
    return person
      ? [{ person, entitlement, from: now - from * hourMs, to: hours === 0 ? null : now - (from - hours) * hourMs }]
      : []
  })
  const grants: NewGrant[] = all.flatMap(({ person, entitlement, from, to }, place) => {
    const accountId = person.accounts[place % Math.max(1, person.accounts.length)]
    const at = new Date(from)
    const more = to === null ? {} : { expiresAt: new Date(to) }
    const id = world.newId()
    // One open row of a source for each holding.
    return accountId
      ? [
          {
            id,
            appId,
            entitlementId: entitlements[entitlement]?.id as string,
            accountId,
            source: 'import',
            grantedAt: at,
            beganAt: at,
            ...more,
          },
        ]
      : []
  })
  const kept = [...new Map(grants.map((grant) => [`${grant.entitlementId} ${grant.accountId}`, grant])).values()]
  await transact(world.db, async (tx) => {
    await insertUsers(
      tx,
      tenant.id,
      made.map(({ id, department, costCentre }) => ({
        id,
        displayName: id,
        email: `${id}@example.com`,
        department,
        profile: { costCentre },
      })),
      longAgo,
    )
    await insertAccounts(
      tx,
      tenant.id,
      made.flatMap(({ id, accounts }) =>
        accounts.map((accountId) => ({ id: accountId, appId, userId: id, displayName: id })),
      ),
      longAgo,
    )
    await insertGrants(tx, operatorCause(tenant, 'test'), kept, longAgo)
  })
  const ownerOf = new Map(made.flatMap((person) => person.accounts.map((id) => [id, person] as const)))
  /** The same by looking at each person and each grant. */
  const bruteAt = (at: number, groupOf: (person: Person) => string): Table => {
    const held = kept.filter(
      ({ beganAt, expiresAt }) => (beganAt as Date).getTime() <= at && (!expiresAt || expiresAt.getTime() > at),
    )
    const holders = new Map<string, Set<string>>()
    const cells = new Map<string, Map<string, Set<string>>>()
    for (const { accountId, entitlementId } of held) {
      const person = ownerOf.get(accountId) as Person
      const group = groupOf(person)
      holders.set(group, (holders.get(group) ?? new Set()).add(person.id))
      const row = cells.get(entitlementId) ?? new Map<string, Set<string>>()
      cells.set(entitlementId, row.set(group, (row.get(group) ?? new Set()).add(person.id)))
    }
    return {
      groups: Object.fromEntries(
        [...holders].map(([group, ids]) => [
          group,
          { holders: ids.size, size: made.filter((each) => groupOf(each) === group).length },
        ]),
      ),
      cells: Object.fromEntries(
        [...cells].map(([id, row]) => [id, Object.fromEntries([...row].map(([group, ids]) => [group, ids.size]))]),
      ),
    }
  }
  return { appId, entitlements, bruteAt, now }
}

async function tableOf(appId: string, query: string): Promise<Table> {
  const { json } = await scene.get(`/api/v1/apps/${appId}/heat-map?${query}`)
  const { rows, groups } = json as { rows: Json[]; groups: Json[] }
  return {
    groups: Object.fromEntries(
      groups.map(({ value, holders, size }) => [String(value), { holders: Number(holders), size: Number(size) }]),
    ),
    cells: Object.fromEntries(
      rows
        .filter(({ cells }) => (cells as Json[]).length > 0)
        .map(({ appEntitlementId, cells }) => [
          String(appEntitlementId),
          Object.fromEntries((cells as Json[]).map(({ group, count }) => [String(group), Number(count)])),
        ]),
    ),
  }
}

test('the heat map says what counting each grant by hand says, now and then, by department and by attribute', async () => {
  const person = fc.record({ department: fc.integer({ min: 1, max: 4 }), accounts: fc.nat(2) })
  const given = fc.tuple(fc.nat(20), fc.nat(3), fc.integer({ min: 1, max: 40 }), fc.nat(60))
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { maxLength: 12 }),
      fc.array(given, { maxLength: 40 }),
      fc.nat(40),
      async (people, all, hours) => {
        const { appId, bruteAt, now } = await company(people, all)
        const byDepartment = ({ department }: Person) => department
        // Half an hour off, so that nothing begins or ends at that very moment.
        const then = now - (hours + 0.5) * hourMs
        expect(await tableOf(appId, '')).toEqual(bruteAt(Date.now(), byDepartment))
        expect(await tableOf(appId, `as_of=${new Date(then).toISOString()}`)).toEqual(bruteAt(then, byDepartment))
        expect(await tableOf(appId, 'group_by=HEAT_MAP_GROUPING_ATTRIBUTE&attribute=costCentre')).toEqual(
          bruteAt(Date.now(), ({ costCentre }) => costCentre),
        )
      },
    ),
    { numRuns: fewOrMany(2, 150) },
  )
})

test('a cell leads to the people whom it counts, page by page', async () => {
  const people = Array.from({ length: 12 }, (_, i) => ({ department: 1 + (i % 2), accounts: 1 }))
  const { appId, entitlements } = await company(
    people,
    people.map((_, who) => [who, 0, 10, 0]),
  )
  const [right] = entitlements as [Ref]
  const { json } = await scene.get(`/api/v1/apps/${appId}/heat-map`)
  const group = (json['groups'] as Json[])[0] as Json
  const members = await scene.all(
    `/api/v1/apps/${appId}/entitlements/${right.id}/heat-map/members?value=${encodeURIComponent(String(group['value']))}`,
  )
  expect(members).toHaveLength(6)
  expect(new Set(members.map(({ appUserId }) => appUserId)).size).toBe(6)
  const before = await scene.all(
    `/api/v1/apps/${appId}/entitlements/${right.id}/heat-map/members?value=${encodeURIComponent(String(group['value']))}&as_of=${new Date(Date.now() - 20 * hourMs).toISOString()}`,
  )
  expect(before).toEqual([])
})

test('it is bounded: 30 groups and the others, by the number of people who hold something', async () => {
  const people = Array.from({ length: 36 }, (_, i) => ({ department: 1 + (i % 35), accounts: 1 }))
  const { appId } = await company(
    people,
    people.map((_, who) => [who, 0, 10, 0]),
  )
  const { json } = await scene.get(`/api/v1/apps/${appId}/heat-map`)
  expect(json['groups']).toHaveLength(30)
  expect(json['groupTotal']).toBe(35)
  expect((json['groups'] as Json[])[0]).toMatchObject({ holders: 2 })
  expect((json['rows'] as Json[])[0]).toMatchObject({ holders: 36, others: 5 })
})

test('owners see how many people hold what is theirs by where they work, and neither how large departments are nor more', async () => {
  const { appId } = await company(
    [
      { department: 1, accounts: 1 },
      { department: 1, accounts: 0 },
    ],
    [[0, 0, 10, 0]],
  )
  const key = await scene.access.makeCaller(['system:application-admin', 'system:user'])
  const owner = { userId: key.userId, token: await getToken(scene.server, key) }
  const { world, tenant } = scene.access
  const object = { kind: 'app' as const, appId, typeId: '', id: appId }
  await transact(world.db, (tx) =>
    insertOwners(
      tx,
      operatorCause(tenant, 'test'),
      [{ object, roleSlug: 'primary', id: world.newId(), userId: owner.userId }],
      world.now(),
    ),
  )
  const path = `/api/v1/apps/${appId}/heat-map`
  const { json } = await scene.get(path, owner)
  expect(json).toMatchObject({ hasSizes: false, groups: [{ holders: 1, size: 0 }] })
  for (const query of [
    'group_by=HEAT_MAP_GROUPING_MANAGER',
    'group_by=HEAT_MAP_GROUPING_ATTRIBUTE&attribute=site',
    'as_of=2020-01-01T00:00:00Z',
  ])
    expect(outcomeOf(await scene.get(`${path}?${query}`, owner))).toBe('403/7 PERMISSION_DENIED')
  expect((await scene.get(path, scene.basic)).status).toBe(403)
})

test.each([
  ['an attribute is named', 'group_by=HEAT_MAP_GROUPING_ATTRIBUTE'],
  ['the moment is not in the future', 'as_of=2999-01-01T00:00:00Z'],
  ['a grouping is one that there is', 'group_by=HEAT_MAP_GROUPING_MOON'],
])('%s', async (_, query) => {
  expect((await scene.get(`/api/v1/apps/${await scene.app()}/heat-map?${query}`)).status).toBe(400)
})
