import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { insertGrants } from '#rooms/records/grants/index.ts'
import { endExpired, endForRestating, endGrants, lockExpired, openGrants } from '#rooms/records/grants/store/change.ts'
import type { Json } from '../fixture/access.ts'
import { fewOrMany } from '../fixture/long.ts'
import { prepare, type Ref } from '../grants/scene.ts'

/** The difference between two moments, applied to the one, is the other: whatever happened between them. */

const scene = prepare()

type Op = {
  kind: 'add' | 'remove' | 'restate' | 'tick' | 'end late'
  who: number
  source: 'manual' | 'rule' | 'import'
  ttl: number
  wait: number
}
const op: fc.Arbitrary<Op> = fc.record({
  kind: fc.constantFrom('add', 'add', 'add', 'remove', 'restate', 'tick', 'end late'),
  who: fc.nat(2),
  source: fc.constantFrom('manual', 'rule', 'import'),
  // 0 does not expire; in milliseconds, so that ends and beginnings often meet.
  ttl: fc.oneof(fc.constant(0), fc.nat(6)),
  wait: fc.nat(3),
})

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
          by: `by ${now}`,
          at,
        })
      if (kind === 'remove') await endGrants(tx, operatorCause(tenant, 'test'), [ref], { by: 'model', at })
      if (kind === 'tick') await endExpired(tx, tenant.id, await lockExpired(tx, tenant.id, at, 500))
      // As imports end what is gone, also what was over before.
      if (kind === 'end late')
        await tx`
          update grants set ended_at = greatest(${at}, began_at), ended_by = '', ended_why = 'revoked'
          where tenant_id = ${tenant.id} and app_id = ${appId} and entitlement_id = ${entitlement.id}
            and account_id = ${accountId} and ended_at is null`
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

/** Who holds the entitlement and why, by account. */
type State = Map<string, string[]>
const reasonText = (source: unknown, by: unknown, grantedAt: unknown, expiresAt: unknown): string =>
  [source, by, grantedAt, expiresAt].map(String).join(' ')

async function stateAt(entitlement: Ref, at: number): Promise<State> {
  const asOf = new Date(at).toISOString()
  const items = await scene.all('/api/v1/search/grants', { entitlementRefs: [entitlement], asOf })
  return new Map(
    items.map(({ appEntitlementUserBinding: binding }) => {
      const { appUserId, grantReasons } = binding as { appUserId: string; grantReasons: Json[] }
      const reasons = grantReasons.map((reason) =>
        reasonText(reason['derivedIdType'], reason['derivedIdData'], reason['createdAt'], reason['reasonExpiresAt']),
      )
      return [appUserId, reasons.toSorted()]
    }),
  )
}

const textsOf = (reasons: unknown): string[] =>
  (reasons as Json[])
    .map((each) => reasonText(each['source'], each['grantedBy'], each['grantedAt'], each['expiresAt']))
    .toSorted()

function applied(before: State, changes: readonly Json[]): State {
  const state = new Map(before)
  for (const { kind, appUserId, before: was, after: is } of changes) {
    const id = appUserId as string
    expect(state.get(id)).toEqual(kind === 'CHANGE_KIND_ADDED' ? undefined : textsOf(was))
    expect(textsOf(is).length === 0).toBe(kind === 'CHANGE_KIND_REMOVED')
    expect(textsOf(is)).not.toEqual(textsOf(was))
    if (kind === 'CHANGE_KIND_REMOVED') state.delete(id)
    else state.set(id, textsOf(is))
  }
  return state
}

let appId: string
let accounts: Ref[]
let userId: string
beforeAll(async () => {
  appId = await scene.app()
  userId = await scene.user()
  accounts = [await scene.account(appId, { userId }), await scene.account(appId), await scene.account(appId)]
})

test('the differences between two moments, applied to the first, make the second; in every scope, and the counts agree', async () => {
  const begin = Date.now() - 86_400_000
  let round = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(op, { minLength: 1, maxLength: 25, size: 'max' }),
      fc.nat(40),
      fc.nat(40),
      async (ops, a, b) => {
        round++
        const entitlement = await scene.entitlement(appId)
        // Rounds lie apart, so that the whole tenant can be compared too.
        const start = begin + round * 1000
        await perform(ops, start, entitlement, accounts)
        const [from, to] = [start - 1 + Math.min(a, b), start + Math.max(a, b)]
        const span = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`
        const [before, after] = [await stateAt(entitlement, from), await stateAt(entitlement, to)]
        const path = `/api/v1/apps/${appId}/entitlements/${entitlement.id}/changes`
        const changes = await scene.all(`${path}?${span}`)
        expect(new Set(changes.map(({ appUserId }) => appUserId)).size).toBe(changes.length)
        expect(applied(before, changes)).toEqual(after)

        const ofEntitlement = (items: readonly Json[]) =>
          items.filter(({ appEntitlementId: id }) => id === entitlement.id)
        expect(ofEntitlement(await scene.all(`/api/v1/apps/${appId}/changes?${span}`))).toEqual(changes)
        expect(ofEntitlement(await scene.all(`/api/v1/changes?${span}`))).toEqual(changes)
        const own = changes.filter(({ appUserId }) => appUserId === accounts[0]?.id)
        expect(ofEntitlement(await scene.all(`/api/v1/users/${userId}/changes?${span}`))).toEqual(own)

        const { json } = await scene.get(`${path}/summary?${span}`)
        const periods = json['periods'] as Json[]
        for (const kind of ['added', 'removed', 'changed']) {
          const count = changes.filter((each) => each['kind'] === `CHANGE_KIND_${kind.toUpperCase()}`).length
          const told = (json['counts'] as Json[]).find(
            (each) =>
              each['subject'] === 'CHANGE_SUBJECT_GRANT' && each['kind'] === `CHANGE_KIND_${kind.toUpperCase()}`,
          )
          expect(told?.['count']).toBe(count)
          expect(periods.reduce((sum, period) => sum + (period[kind] as number), 0)).toBe(count)
        }
      },
    ),
    { numRuns: fewOrMany(3, 300) },
  )
})
