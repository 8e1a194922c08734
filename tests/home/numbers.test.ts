import { beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { ask, getToken, reasonOf } from '../fixture/access.ts'
import { type Caller, prepare, type Ref } from '../grants/scene.ts'
import { diceOf } from '../owners/dice.ts'

/** The numbers with their trend, beside a count of every row by hand, over histories that are drawn at random. */

const scene = prepare()
const dayMs = 86_400_000
const db = () => scene.access.world.db
const tenantId = (): number => scene.access.tenant.id

type Numbers = { since: string; isOwned: boolean } & Record<
  'people' | 'accounts' | 'grants' | 'added' | 'removed',
  number[]
>
const numbers = async (days: number, { token } = scene.admin, host?: string): Promise<Numbers> => {
  const reply = await ask(scene.server, `/api/v1/home/numbers?days=${days}`, { token, ...(host && { host }) })
  expect(reply.status, reply.text).toBe(200)
  return reply.json as Numbers
}

let owner: Caller
let apps: string[]
let entitlements: Ref[]

beforeAll(async () => {
  const key = await scene.access.makeCaller(['system:application-admin'])
  owner = { userId: key.userId, token: await getToken(scene.server, key) }
  apps = [await scene.app('One'), await scene.app('Two')]
  const [first] = apps as [string]
  const object = { kind: 'app', appId: first, typeId: '', id: first } as const
  const named = { object, roleSlug: 'primary', id: scene.access.world.newId(), userId: owner.userId }
  await transact(db(), (tx) =>
    insertOwners(tx, operatorCause(scene.access.tenant, 'test'), [named], scene.access.world.now()),
  )
  entitlements = await Promise.all(apps.flatMap((app) => [scene.entitlement(app), scene.entitlement(app)]))
})

/** The same ones in every run. */
const drawn = diceOf(1)
/** A moment of the last 100 days; now and then the very beginning of a day. */
const moment = (after = Date.now() - 100 * dayMs): Date => {
  const at = after + (drawn(1_000_000) / 1_000_000) * (Date.now() - after)
  const midnight = Math.floor(at / dayMs) * dayMs
  return new Date(drawn(4) === 0 && midnight > after ? midnight : Math.floor(at))
}
const gone = (born: Date): Date | null => (drawn(2) === 0 ? moment(born.getTime()) : null)

/** Some people, accounts and grants that came and went; some grants were given other terms on the way. */
async function live(): Promise<void> {
  const { newId } = scene.access.world
  for (let i = 0; i < 12; i++) {
    const born = moment()
    const type = drawn(6) === 0 ? 'USER_TYPE_SERVICE' : 'USER_TYPE_HUMAN'
    await db()`
      insert into users (tenant_id, user_id, display_name, type, created_at, updated_at, deleted_at)
      values (${tenantId()}, ${newId()}, 'Someone', ${type}, ${born}, ${born}, ${gone(born)})`
    const { appId, id } = entitlements[drawn(entitlements.length)] as Ref
    const accountId = newId()
    await db()`
      insert into accounts (tenant_id, app_id, account_id, display_name, created_at, updated_at, deleted_at)
      values (${tenantId()}, ${appId}, ${accountId}, 'Some account', ${born}, ${born}, ${gone(born)})`
    const began = moment(born.getTime())
    const ended = gone(began)
    const why = ended === null ? null : ['revoked', 'expired', 'restated'][drawn(3)]
    const rows = [{ began, ended, why }]
    if (ended && why === 'restated') rows.push({ began: ended, ended: null, why: null })
    for (const row of rows)
      await db()`
        insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at, ended_at,
          ended_why)
        values (${tenantId()}, ${appId}, ${id}, ${accountId}, ${newId()}, 'import', ${row.began}, ${row.began}, ${row.ended},
          ${row.why ?? null})`
  }
}

type Row = { appId: string; accountId?: string; born: Date; gone: Date | null; why?: string }

async function byHand(days: number, of: (row: Row) => boolean): Promise<Omit<Numbers, 'since' | 'isOwned'>> {
  const today = Math.floor(Date.now() / dayMs) * dayMs
  const beginning = (place: number): number => today - (days - 1 - place) * dayMs
  const thereAt = (rows: Row[]): number[] =>
    Array.from({ length: days }, (_, place) => {
      const end = place === days - 1 ? Number.POSITIVE_INFINITY : beginning(place + 1)
      return rows.filter((row) => row.born.getTime() < end && (row.gone === null || row.gone.getTime() >= end)).length
    })
  const on = (moments: Date[]): number[] =>
    Array.from({ length: days }, (_, place) => {
      const [from, to] = [beginning(place), beginning(place + 1)]
      return moments.filter((each) => each.getTime() >= from && each.getTime() < to).length
    })
  const users = await db()<Row[]>`
    select '' as "appId", created_at as born, deleted_at as gone from users
    where tenant_id = ${tenantId()} and type = 'USER_TYPE_HUMAN'`
  const accounts = await db()<Row[]>`
    select app_id as "appId", created_at as born, deleted_at as gone from accounts where tenant_id = ${tenantId()}`
  const grants = await db()<Row[]>`
    select app_id as "appId", account_id as "accountId", began_at as born, ended_at as gone, ended_why as why from grants
    where tenant_id = ${tenantId()}`
  const seen = grants.filter(of)
  // What goes on under other terms began where the row before it ended.
  const keyOf = (row: Row, at: Date): string => `${row.accountId} ${at.getTime()}`
  const restated = new Set(seen.filter(({ why }) => why === 'restated').map((row) => keyOf(row, row.gone as Date)))
  return {
    people: thereAt(users),
    accounts: thereAt(accounts.filter(of)),
    grants: thereAt(seen),
    added: on(seen.filter((row) => !restated.has(keyOf(row, row.born))).map(({ born }) => born)),
    removed: on(seen.filter(({ why }) => why && why !== 'restated').map((row) => row.gone as Date)),
  }
}

/** Both as of the same day: again where it ended meanwhile. */
async function onOneDay<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    const today = Math.floor(Date.now() / dayMs)
    const result = await read()
    if (Math.floor(Date.now() / dayMs) === today) return result
  }
}

test('each number of each day is what a count of all rows gives, for administrators and for owners', async () => {
  for (let round = 0; round < 4; round++) {
    await live()
    for (const days of [2, 30, 90]) {
      const [all, allByHand] = await onOneDay(async () => [await numbers(days), await byHand(days, () => true)])
      expect(all.isOwned).toBe(false)
      expect({ ...all, since: undefined, isOwned: undefined }).toEqual({
        ...allByHand,
        since: undefined,
        isOwned: undefined,
      })
      const [owned, { people: _, ...counted }] = await onOneDay(async () => [
        await numbers(days, owner),
        await byHand(days, ({ appId }) => appId === apps[0]),
      ])
      expect(owned).toMatchObject({ ...counted, people: [], isOwned: true })
    }
  }
})

test('who may see nothing gets no number, another tenant its own, and a period without sense is refused', async () => {
  expect(await numbers(30, scene.basic)).toMatchObject({ people: [], accounts: [], grants: [], added: [], removed: [] })
  const other = await scene.access.makeTenant('elsewhere.example.com')
  const key = await scene.access.makeCaller(['system:owner'], {}, other)
  const foreign = { userId: key.userId, token: await getToken(scene.server, key) }
  const reply = await numbers(30, foreign, 'elsewhere.example.com')
  expect(reply.grants.every((count) => count === 0)).toBe(true)
  expect(reply.people.at(-1)).toBe(2)
  for (const days of ['1', '367', '-3', 'x']) {
    const refused = await scene.get(`/api/v1/home/numbers?days=${days}`)
    expect(refused.status, days).toBe(400)
    expect(reasonOf(refused)).toBeDefined()
  }
  expect((await numbers(0)).people.length).toBe(30)
})
