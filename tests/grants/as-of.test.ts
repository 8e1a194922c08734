import fc from 'fast-check'
import { expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { endRequested } from '#rooms/governance/tasks/index.ts'
import { expireGrants, insertGrants } from '#rooms/records/grants/index.ts'
import { endExpired, endForRestating, endGrants, lockExpired, openGrants } from '#rooms/records/grants/store/change.ts'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import { idsOf, prepare, type Ref } from './scene.ts'

const scene = prepare()

type Op = {
  kind: 'add' | 'remove' | 'restate' | 'tick'
  who: number
  source: 'manual' | 'rule'
  ttl: number
  wait: number
}
/** A time of holding, for one reason: from one moment on and up to another. */
type Interval = { who: number; source: string; from: number; to: number }

const people = 3
const op: fc.Arbitrary<Op> = fc.record({
  kind: fc.constantFrom('add', 'add', 'remove', 'restate', 'tick'),
  who: fc.nat(people - 1),
  source: fc.constantFrom('manual', 'rule'),
  // 0 is for good; in milliseconds, so that ends and beginnings often meet.
  ttl: fc.oneof(fc.constant(0), fc.nat(6)),
  wait: fc.nat(3),
})

const byNumber = (a: number, b: number): number => a - b

const isHeld = ({ from, to }: Interval, at: number): boolean => from <= at && at < to

/** The model: what the record must come to, told in the simplest way. */
function follow(ops: readonly Op[], begin: number): Interval[] {
  const intervals: Interval[] = []
  let now = begin
  for (const { kind, who, source, ttl, wait } of ops) {
    now += wait
    const held = intervals.filter((each) => each.who === who && isHeld(each, now))
    const to = ttl === 0 ? Number.POSITIVE_INFINITY : now + ttl
    if (kind === 'add' && !held.some((each) => each.source === source)) intervals.push({ who, source, from: now, to })
    if (kind === 'remove') for (const each of held) each.to = now
    if (kind === 'restate') for (const each of held) each.to = to
  }
  return intervals
}

/** The same in the record, in one transaction: the engine, whose clock is the real one, sees it when it is done. */
const perform = (ops: readonly Op[], begin: number, entitlement: Ref, accounts: readonly Ref[]): Promise<void> =>
  transact(scene.access.world.db, async (tx) => {
    const { world, tenant } = scene.access
    let now = begin
    for (const { kind, who, source, ttl, wait } of ops) {
      now += wait
      const at = new Date(now)
      const { appId, id: accountId } = accounts[who] as Ref
      const ref = { appId, entitlementId: entitlement.id, accountId }
      const expiresAt = ttl === 0 ? null : new Date(now + ttl)
      if (kind === 'add')
        await openGrants(tx, operatorCause(tenant, 'test'), [{ ...ref, id: world.newId(), expiresAt }], {
          source,
          by: 'model',
          at,
        })
      if (kind === 'remove') await endGrants(tx, operatorCause(tenant, 'test'), [ref], { by: 'model', at })
      if (kind === 'tick') await endExpired(tx, tenant.id, await lockExpired(tx, tenant.id, at, 500))
      if (kind === 'restate') {
        const ended = await endForRestating(tx, operatorCause(tenant, 'test'), ref, { expiresAt, by: 'model', at })
        const rows = ended.map(({ source: from, grantedBy, grantedAt, endedAt }) => ({
          ...ref,
          id: world.newId(),
          source: from,
          grantedBy,
          grantedAt,
          ...(expiresAt && { expiresAt }),
          beganAt: endedAt,
        }))
        await insertGrants(tx, operatorCause(tenant, 'test'), rows, at)
      }
    }
  })

test('as of any moment, lists, searches, reasons, the feed and the past say what the model says', async () => {
  const appId = await scene.app()
  const accounts: Ref[] = []
  for (let i = 0; i < people; i++) accounts.push(await scene.account(appId))
  const placeOf = new Map(accounts.map(({ id }, who) => [id, who]))
  const whoIn = (items: readonly Json[], ...path: string[]) => idsOf(items, ...path).map((id) => placeOf.get(id))
  const begin = Date.now() - 86_400_000

  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 1, maxLength: 25, size: 'max' }), async (ops) => {
      const entitlement = await scene.entitlement(appId)
      const intervals = follow(ops, begin)
      await perform(ops, begin, entitlement, accounts)
      // Beside the server, which may hold some of them in this moment.
      await until(async () => {
        await expireGrants(scene.access.world, endRequested)
        const open = await scene.server.db`
          select 1 from grants where entitlement_id = ${entitlement.id} and ended_at is null and expires_at <= now()`
        return open.length === 0
      })
      const of = `/api/v1/apps/${appId}/entitlements/${entitlement.id}`
      const feed = await scene.all('/api/v1/grants/feed', { appEntitlementRefs: [entitlement] })
      const events = feed.map(({ feed: event }) => event as Json).toReversed()

      const end = begin + ops.reduce((sum, { wait }) => sum + wait, 0) + 7
      const moments = Array.from({ length: 7 }, (_, i) => Math.round(begin - 1 + ((end - begin + 1) * i) / 6))
      for (const moment of moments) {
        const asOf = new Date(moment).toISOString()
        const holding = [...new Set(intervals.filter((each) => isHeld(each, moment)).map(({ who }) => who))].toSorted(
          byNumber,
        )
        const ever = [...new Set(intervals.filter(({ from }) => from <= moment).map(({ who }) => who))].toSorted(
          byNumber,
        )
        expect(whoIn(await scene.all(`${of}/users?as_of=${asOf}`), 'appUserId')).toEqual(holding)
        const searched = await scene.all('/api/v1/search/grants', { entitlementRefs: [entitlement], asOf })
        expect(whoIn(searched, 'appEntitlementUserBinding', 'appUserId')).toEqual(holding)
        const told = await scene.all(`${of}/grants?asOf=${asOf}`)
        expect(whoIn(told, 'appUserId')).toEqual(ever)
        expect(
          whoIn(
            told.filter(({ expired }) => expired === null),
            'appUserId',
          ),
        ).toEqual(holding)

        const folded = new Set<number>()
        for (const event of events.filter(({ date }) => Date.parse(date as string) <= moment)) {
          const who = placeOf.get(event['appUserId'] as string) as number
          const isAdded = event['eventType'] === 'GRANT_EVENT_TYPE_ADDED'
          expect(folded.has(who)).toBe(!isAdded)
          if (isAdded) folded.add(who)
          else folded.delete(who)
        }
        expect([...folded].toSorted(byNumber)).toEqual(holding)
      }
      const past = await scene.all('/api/v1/search/past-grants', { appEntitlementRefs: [entitlement] })
      const spans = past.map(({ history }) => {
        const { appUserId, grantedAt, revokedAt } = history as Record<string, string>
        return [placeOf.get(appUserId as string), Date.parse(grantedAt as string), Date.parse(revokedAt as string)]
      })
      const over = intervals.filter(({ to }) => Number.isFinite(to)).map(({ who, from, to }) => [who, from, to])
      expect(spans.map(String).toSorted()).toEqual(over.map(String).toSorted())
    }),
    { numRuns: fewOrMany(3, 100) },
  )
})

test('a moment in the future is refused, and so is one that is none', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const account = await scene.account(entitlement.appId)
  const of = `/api/v1/apps/${entitlement.appId}/entitlements`
  const future = new Date(Date.now() + 60_000).toISOString()
  for (const asOf of [future, 'yesterday', '']) {
    for (const path of [`${of}/${entitlement.id}/users`, `${of}/${entitlement.id}/grants`, `${of}/users/${account.id}`])
      expect(outcomeOf(await scene.get(`${path}?as_of=${asOf}`)), `${path} ${asOf}`).toBe('400/3 INPUT_INVALID')
    expect(outcomeOf(await scene.post('/api/v1/search/grants', { as_of: asOf }))).toBe('400/3 INPUT_INVALID')
  }
})

test('the past access of an account and of a user can be listed', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const account = await scene.account(entitlement.appId, { userId: scene.basic.userId })
  const began = new Date(Date.UTC(2026, 0, 10))
  await scene.grant(entitlement, account, { beganAt: began, grantedAt: began })
  const path = `/api/v1/apps/${entitlement.appId}/entitlements/users/${account.id}`
  const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()
  expect(await scene.all(`${path}?as_of=${at(9)}`, null, scene.basic)).toEqual([])
  expect(await scene.all(`${path}?as_of=${at(10)}`, null, scene.basic)).toHaveLength(1)
  const userId = scene.basic.userId
  expect(await scene.all('/api/v1/search/grants', { userId, asOf: at(9) }, scene.basic)).toEqual([])
  expect(await scene.all('/api/v1/search/grants', { userId, asOf: at(10) }, scene.basic)).toHaveLength(1)
  const stranger = await scene.account(entitlement.appId)
  const theirs = `/api/v1/apps/${entitlement.appId}/entitlements/users/${stranger.id}?as_of=${at(9)}`
  expect(outcomeOf(await scene.get(theirs, scene.basic))).toBe('404/5 ACCOUNT_NOT_FOUND')
})
