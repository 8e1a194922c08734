import { describe, expect, test } from 'vitest'
import { ask, getToken, type Json, type Reply } from '../fixture/access.ts'
import { type Caller, idsOf, type Ref } from '../grants/scene.ts'
import { prepare } from '../owners/support.ts'

const scene = prepare()
const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000)

type Outcome = { outcome: string; error: string; note: string; id: string; appUserId: string }
const done = (reply: Reply): Json => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}
const plan = async (kind: string, body: object, by?: Caller): Promise<Json & { fingerprint: string }> =>
  done(await scene.post(`/api/v1/bulk/${kind}/plan`, body, by)) as never
const outcomes = (of: Json): string[] =>
  (of['items'] as Outcome[]).map(({ id, appUserId, outcome }) => `${id || appUserId} ${outcome.slice(13)}`).toSorted()

const refusal = ({ status, json }: Reply): string =>
  `${status} ${((json['details'] as Json[] | undefined)?.[0]?.['reason'] as string | undefined) ?? ''}`

const grantOf = (entitlement: Ref, account: Ref) => ({
  ...{ appId: entitlement.appId, appEntitlementId: entitlement.id, appUserId: account.id },
})
const revoke = { action: 'BULK_GRANT_ACTION_REVOKE' }
const holdsNow = async (entitlement: Ref): Promise<string[]> =>
  idsOf(
    await scene.all(`/api/v1/apps/${entitlement.appId}/entitlements/${entitlement.id}/users`),
    'appUserId',
  ).toSorted()

describe('grants', () => {
  test('are revoked as planned: those that cannot be revoked are listed with the reason', async () => {
    const entitlement = await scene.entitlement(await scene.app('Bulk'))
    const [manual, imported, ruled, nothing] = await Promise.all(
      Array.from({ length: 4 }, async () => scene.account(entitlement.appId, { userId: await scene.user() })),
    )
    await scene.grant(entitlement, manual as Ref, { source: 'manual' })
    await scene.grant(entitlement, imported as Ref)
    await scene.grant(entitlement, ruled as Ref, { source: 'rule' })
    const body = {
      ...revoke,
      grants: [manual, imported, ruled, nothing].map((each) => grantOf(entitlement, each as Ref)),
    }
    const before = await holdsNow(entitlement)
    const planned = await plan('grants', body)
    expect(await holdsNow(entitlement), 'a plan changes nothing').toEqual(before)
    expect(outcomes(planned)).toEqual(
      [`${manual?.id} CHANGED`, `${imported?.id} CHANGED`, `${ruled?.id} REFUSED`, `${nothing?.id} REFUSED`].toSorted(),
    )
    expect(planned).toMatchObject({ changedCount: 2, refusedCount: 2, unchangedCount: 0, needsConfirmation: false })
    expect(planned['apps']).toMatchObject([{ appDisplayName: 'Bulk', changedCount: 2, refusedCount: 2 }])
    const items = planned['items'] as Outcome[]
    expect(items.find(({ appUserId }) => appUserId === ruled?.id)?.error).toContain('A rule grants this access')
    expect(items.find(({ appUserId }) => appUserId === imported?.id)?.note).toContain('comes back with the next import')
    const apply = { ...body, fingerprint: planned.fingerprint, reason: 'Ticket 4711' }
    const result = done(await scene.post('/api/v1/bulk/grants/apply', apply))
    expect(outcomes(result)).toEqual(outcomes(planned))
    expect(await holdsNow(entitlement)).toEqual([ruled?.id])
    const log = await scene.logged('bailiwick.v1.BulkGrants.Apply')
    expect(log).toHaveLength(3)
    expect(log.at(-1)).toMatchObject({
      message: 'Revoked 2 grants: Ticket 4711',
      resources: [
        { type: 'bulk_action', uid: result['bulkActionId'], data: { reason: 'Ticket 4711', changed: 2, refused: 2 } },
      ],
    })
    const requests = log.map((event) => (event as unknown as { api: { request: { uid: string } } }).api.request.uid)
    expect(new Set(requests).size, 'one group').toBe(1)
    // The same again would turn out otherwise.
    expect(refusal(await scene.post('/api/v1/bulk/grants/apply', apply))).toBe('409 PLAN_OUTDATED')
  })

  test('are revoked once by two at once, and both do not half do it', async () => {
    const entitlement = await scene.entitlement(await scene.app())
    const accounts = await Promise.all(Array.from({ length: 6 }, () => scene.account(entitlement.appId)))
    for (const account of accounts) await scene.grant(entitlement, account)
    const grants = accounts.map((account) => grantOf(entitlement, account))
    const { fingerprint } = await plan('grants', { ...revoke, grants })
    const backwards = { ...revoke, grants: grants.toReversed(), fingerprint, reason: 'Twice', isConfirmed: true }
    const replies = await Promise.all(
      [{ ...backwards, grants }, backwards].map((body) => scene.post('/api/v1/bulk/grants/apply', body)),
    )
    expect(replies.map(refusal).toSorted()).toEqual(['200 ', '409 PLAN_OUTDATED'])
    expect(await holdsNow(entitlement)).toEqual([])
  })

  test('that are much of an app need a word more', async () => {
    const entitlement = await scene.entitlement(await scene.app('Much'))
    const accounts = await Promise.all(Array.from({ length: 24 }, () => scene.account(entitlement.appId)))
    for (const account of accounts) await scene.grant(entitlement, account)
    const body = { ...revoke, grants: accounts.slice(0, 5).map((account) => grantOf(entitlement, account)) }
    const planned = await plan('grants', body)
    expect(planned).toMatchObject({
      needsConfirmation: true,
      removals: [{ displayName: 'Much', count: 5, heldCount: 24, needsConfirmation: true }],
    })
    const apply = { ...body, fingerprint: planned.fingerprint, reason: 'Clean up' }
    expect(refusal(await scene.post('/api/v1/bulk/grants/apply', apply))).toBe('400 BULK_UNCONFIRMED')
    expect(await holdsNow(entitlement)).toHaveLength(24)
    done(await scene.post('/api/v1/bulk/grants/apply', { ...apply, isConfirmed: true }))
    expect(await holdsNow(entitlement)).toHaveLength(19)
  })

  test('expire at another time, or never', async () => {
    const entitlement = await scene.entitlement(await scene.app())
    const [a, b] = [await scene.account(entitlement.appId), await scene.account(entitlement.appId)]
    await scene.grant(entitlement, a)
    await scene.grant(entitlement, b, { expiresAt: inDays(3) })
    const grants = [a, b].map((account) => grantOf(entitlement, account))
    const change = async (expiresAt: string | null) => {
      const body = { action: 'BULK_GRANT_ACTION_SET_EXPIRY', grants, expiresAt }
      const { fingerprint } = await plan('grants', body)
      return done(await scene.post('/api/v1/bulk/grants/apply', { ...body, fingerprint, reason: 'Project end' }))
    }
    const expiries = async () => {
      const list = await scene.all(`/api/v1/grants?app_id=${entitlement.appId}`)
      return idsOf(list, 'expiresAt')
    }
    expect(outcomes(await change(null))).toEqual([`${a.id} UNCHANGED`, `${b.id} CHANGED`].toSorted())
    expect(await expiries()).toEqual([null, null])
    const until = inDays(40).toISOString()
    expect(await change(until)).toMatchObject({ changedCount: 2 })
    expect(await expiries()).toEqual([until, until])
    const past = { action: 'BULK_GRANT_ACTION_SET_EXPIRY', grants, expiresAt: inDays(-1).toISOString() }
    expect(refusal(await scene.post('/api/v1/bulk/grants/plan', past))).toBe('400 INPUT_INVALID')
  })

  test('are left alone by whoever may not, of another tenant, and without a reason or a plan', async () => {
    const entitlement = await scene.entitlement(await scene.app())
    const account = await scene.account(entitlement.appId)
    await scene.grant(entitlement, account)
    const body = { ...revoke, grants: [grantOf(entitlement, account)] }
    const { fingerprint } = await plan('grants', body)
    const apply = { ...body, fingerprint, reason: 'Because' }
    for (const by of [scene.viewer, scene.basic])
      for (const [path, sent] of [
        ['plan', body],
        ['apply', apply],
      ] as const)
        expect((await scene.post(`/api/v1/bulk/grants/${path}`, sent, by)).status).toBe(403)
    for (const wrong of [
      { ...apply, reason: ' ' },
      { ...apply, fingerprint: '' },
      { ...apply, grants: [] },
      { ...apply, action: 'BULK_GRANT_ACTION_UNSPECIFIED' },
      { ...apply, grants: Array.from({ length: 1001 }, () => grantOf(entitlement, account)) },
    ])
      expect(refusal(await scene.post('/api/v1/bulk/grants/apply', wrong))).toBe('400 INPUT_INVALID')
    expect(refusal(await scene.post('/api/v1/bulk/grants/apply', { ...apply, fingerprint: 'x' }))).toBe(
      '409 PLAN_OUTDATED',
    )
    const other = await scene.access.makeTenant('bulk.other.example')
    const key = await scene.access.makeCaller(['system:owner'], {}, other)
    const asked = { token: await getToken(scene.server, key), host: 'bulk.other.example' }
    const reply = await ask(scene.server, '/api/v1/bulk/grants/plan', { ...asked, body })
    expect(outcomes(done(reply))).toEqual([`${account.id} REFUSED`])
    expect(refusal(await ask(scene.server, '/api/v1/bulk/grants/apply', { ...asked, body: apply }))).toBe(
      '409 PLAN_OUTDATED',
    )
    expect(await holdsNow(entitlement)).toEqual([account.id])
  })
})

describe('users', () => {
  const statusOf = async (id: string): Promise<unknown> =>
    ((done(await scene.get(`/api/v1/users/${id}`))['userView'] as Json)['user'] as Json)['status']

  test('are disabled and enabled together, but for oneself', async () => {
    const [a, b] = [await scene.user(), await scene.user()]
    await scene.post(`/api/v1/users/${b}/disable`, {})
    const userIds = [a, b, scene.admin.userId, 'nobody']
    const planned = await plan('users', { action: 'BULK_USER_ACTION_DISABLE', userIds })
    expect(outcomes(planned)).toEqual(
      [`${a} CHANGED`, `${b} UNCHANGED`, `${scene.admin.userId} REFUSED`, 'nobody REFUSED'].toSorted(),
    )
    expect(await statusOf(a)).toBe('ENABLED')
    const apply = { userIds, fingerprint: planned.fingerprint, reason: 'Left', isConfirmed: true }
    expect(refusal(await scene.post('/api/v1/bulk/users/enable', apply)), 'another action').toBe('409 PLAN_OUTDATED')
    done(await scene.post('/api/v1/bulk/users/disable', apply))
    expect([await statusOf(a), await statusOf(b)]).toEqual(['DISABLED', 'DISABLED'])
    const back = await plan('users', { action: 'BULK_USER_ACTION_ENABLE', userIds: [a, b] })
    const again = { userIds: [a, b], fingerprint: back.fingerprint, reason: 'Back' }
    expect(done(await scene.post('/api/v1/bulk/users/enable', again))).toMatchObject({ changedCount: 2 })
    expect([await statusOf(a), await statusOf(b)]).toEqual(['ENABLED', 'ENABLED'])
    for (const by of [scene.viewer, scene.basic])
      expect((await scene.post('/api/v1/bulk/users/disable', apply, by)).status).toBe(403)
  })
})

describe('owners and risk levels', () => {
  test('are given to several entitlements, accounts and apps', async () => {
    const appId = await scene.app('Orphanage')
    const [entitlement, account, person] = [
      await scene.entitlement(appId),
      await scene.account(appId),
      await scene.user(),
    ]
    const body = {
      ...{ entitlements: [entitlement, { appId, id: 'nothing' }], appUsers: [account], appIds: [appId] },
      userId: person,
    }
    const orphans = async () =>
      idsOf(await scene.all('/api/v1/search/app_users', { appId, withoutResponsibleParty: true }), 'appUser', 'id')
    expect(await orphans()).toEqual([account.id])
    const planned = await plan('owners', body)
    expect(planned).toMatchObject({ changedCount: 3, refusedCount: 1 })
    done(await scene.post('/api/v1/bulk/owners/add', { ...body, fingerprint: planned.fingerprint, reason: 'Audit' }))
    expect(await orphans()).toEqual([])
    expect(await scene.named(`apps/${appId}`)).toEqual([`primary ${person}`])
    expect(await scene.named(`apps/${appId}/entitlements/${entitlement.id}`)).toEqual([`primary ${person}`])
    expect(await plan('owners', body)).toMatchObject({ changedCount: 0, unchangedCount: 3 })
    for (const wrong of [{ ...body, userId: '' }, { userId: person }, { ...body, roleSlug: 'Not a slug' }])
      expect(refusal(await scene.post('/api/v1/bulk/owners/plan', wrong))).toBe('400 INPUT_INVALID')
    expect(await plan('owners', { ...body, userId: 'nobody' })).toMatchObject({ changedCount: 0, refusedCount: 4 })
    expect((await scene.post('/api/v1/bulk/owners/plan', body, scene.viewer)).status).toBe(403)
  })

  test('of entitlements are set, unset and refused', async () => {
    const appId = await scene.app()
    const [a, b] = [await scene.entitlement(appId), await scene.entitlement(appId)]
    const made = done(await scene.post('/api/v1/attributes/risk_levels', { value: 'Grave' }))
    const { id: riskLevelValueId } = made['value'] as { id: string }
    const set = async (riskLevel: string) => {
      const body = { entitlements: [a, b], riskLevelValueId: riskLevel }
      const { fingerprint } = await plan('entitlements', body)
      return done(await scene.post('/api/v1/bulk/entitlements/apply', { ...body, fingerprint, reason: 'Review' }))
    }
    const levels = async () => {
      const list = await scene.all('/api/v1/search/entitlements', { appIds: [appId] })
      return idsOf(list, 'appEntitlement', 'riskLevelValueId')
    }
    expect(await set(riskLevelValueId)).toMatchObject({ changedCount: 2 })
    expect(await levels()).toEqual([riskLevelValueId, riskLevelValueId])
    expect(await set(riskLevelValueId)).toMatchObject({ changedCount: 0, unchangedCount: 2 })
    expect(await set('')).toMatchObject({ changedCount: 2 })
    expect(await set('no-such-level')).toMatchObject({ changedCount: 0, refusedCount: 2 })
    expect(await levels()).toEqual(['', ''])
  })
})
