import { expect, test } from 'vitest'
import type { Json, Reply } from '../fixture/access.ts'
import { idsOf, type Ref } from '../grants/scene.ts'
import { prepare } from '../owners/support.ts'

/** A bulk change is undone by a plan, as far as nobody changed its items since; what is left says why. */

const scene = prepare()
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
const done = (reply: Reply): Json => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}
const refusal = ({ status, json }: Reply): string =>
  `${status} ${((json['details'] as Json[] | undefined)?.[0]?.['reason'] as string | undefined) ?? ''}`

/** Plans, applies, and answers the id of what was done. */
async function carryOut(kind: string, verb: string, body: object): Promise<string> {
  const { fingerprint } = done(await scene.post(`/api/v1/bulk/${kind}/plan`, body))
  const reply = await scene.post(`/api/v1/bulk/${kind}/${verb}`, {
    ...body,
    fingerprint,
    reason: 'A test',
    isConfirmed: true,
  })
  return String(done(reply)['bulkActionId'])
}

type Item = { id: string; appUserId: string; outcome: string; error: string }
async function undo(kind: string, bulkActionId: string): Promise<Map<string, string>> {
  const planned = done(await scene.post(`/api/v1/bulk/${kind}/undo/plan`, { bulkActionId }))
  const body = { bulkActionId, fingerprint: planned['fingerprint'], reason: 'By mistake' }
  const result = done(await scene.post(`/api/v1/bulk/${kind}/undo`, body))
  expect(result['items']).toEqual(planned['items'])
  expect(refusal(await scene.post(`/api/v1/bulk/${kind}/undo`, body)), 'only once').toBe('400 RUN_NOT_UNDOABLE')
  return new Map(
    (result['items'] as Item[]).map(({ id, appUserId, outcome, error }) => [
      id || appUserId,
      error || outcome.slice(13),
    ]),
  )
}

const grantOf = (entitlement: Ref, account: Ref) => ({
  ...{ appId: entitlement.appId, appEntitlementId: entitlement.id, appUserId: account.id },
})

test('grants that were revoked are granted again as they were, but for what was granted since, deleted or expired', async () => {
  const entitlement = await scene.entitlement(await scene.app('Undone'))
  const accounts = await Promise.all(Array.from({ length: 4 }, () => scene.account(entitlement.appId)))
  const [manual, imported, again, deleted] = accounts as [Ref, Ref, Ref, Ref]
  const grantedAt = new Date('2026-01-02T03:04:05Z')
  await scene.grant(entitlement, manual, {
    ...{ source: 'manual', grantedBy: scene.viewer.userId, grantedAt, beganAt: grantedAt, reason: 'OPS-1' },
    expiresAt: new Date(inDays(9)),
  })
  for (const account of [imported, again, deleted]) await scene.grant(entitlement, account)
  const grants = accounts.map((account) => grantOf(entitlement, account))
  const id = await carryOut('grants', 'apply', { action: 'BULK_GRANT_ACTION_REVOKE', grants })
  const held = () => scene.all(`/api/v1/grants?app_id=${entitlement.appId}`)
  expect(await held()).toEqual([])
  await scene.grant(entitlement, again, { source: 'manual' })
  await scene.server
    .db`update accounts set deleted_at = now(), status = 'STATUS_DELETED' where account_id = ${deleted.id}`

  expect(refusal(await scene.post('/api/v1/bulk/users/undo/plan', { bulkActionId: id })), 'another kind').toBe(
    '404 BULK_ACTION_NOT_FOUND',
  )
  expect((await scene.post('/api/v1/bulk/grants/undo/plan', { bulkActionId: id }, scene.viewer)).status).toBe(403)
  const outcome = await undo('grants', id)
  expect(outcome).toEqual(
    new Map([
      [manual.id, 'CHANGED'],
      [imported.id, 'CHANGED'],
      [again.id, 'It has been granted again.'],
      [deleted.id, 'The account, the entitlement or its app was deleted.'],
    ]),
  )
  const rows = await held()
  const now = new Map(rows.map((row) => [row['appUserId'], row]))
  expect(idsOf(rows, 'appUserId').toSorted()).toEqual([manual.id, imported.id, again.id].toSorted())
  expect(now.get(manual.id)).toMatchObject({
    ...{ source: 'GRANT_SOURCE_MANUAL', grantedBy: scene.viewer.userId, grantedAt: grantedAt.toISOString() },
  })
  expect(now.get(manual.id)?.['expiresAt']).toBeTruthy()
  // So that a connector that removed it in the app adds it again.
  expect(now.get(imported.id)).toMatchObject({ source: 'GRANT_SOURCE_MANUAL', grantedBy: scene.admin.userId })
  const listed = (await scene.all('/api/v1/bulk/actions')).find((each) => each['id'] === id)
  expect(listed).toMatchObject({
    ...{ kind: 'BULK_KIND_REVOKE', title: 'Revoked 4 grants', reason: 'A test', changedCount: 4 },
    ...{ createdByUserId: scene.admin.userId, undoneByUserId: scene.admin.userId, restoredCount: 2, leftCount: 2 },
  })
  const log = await scene.logged('bailiwick.v1.BulkGrants.Undo')
  expect(log.at(-1)?.message).toBe('Undid a bulk change of 2 items (Revoked 4 grants): By mistake')
  expect(log).toHaveLength(3)
})

test('expiries are set back where nobody set them since', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const [kept, changed] = [await scene.account(entitlement.appId), await scene.account(entitlement.appId)]
  const before = inDays(5)
  for (const account of [kept, changed]) await scene.grant(entitlement, account, { expiresAt: new Date(before) })
  const grants = [kept, changed].map((account) => grantOf(entitlement, account))
  const set = { action: 'BULK_GRANT_ACTION_SET_EXPIRY' }
  const id = await carryOut('grants', 'apply', { ...set, grants, expiresAt: null })
  await carryOut('grants', 'apply', { ...set, grants: [grantOf(entitlement, changed)], expiresAt: inDays(50) })
  expect(await undo('grants', id)).toEqual(
    new Map([
      [kept.id, 'CHANGED'],
      [changed.id, 'It has been changed since.'],
    ]),
  )
  const rows = await scene.all(`/api/v1/grants?app_id=${entitlement.appId}`)
  expect(rows.find(({ appUserId }) => appUserId === kept.id)?.['expiresAt']).toBe(before)
})

test('users are enabled again, owners removed and risk levels set back, but for what was changed since', async () => {
  const [a, b] = [await scene.user(), await scene.user()]
  const disabled = await carryOut('users', 'disable', { action: 'BULK_USER_ACTION_DISABLE', userIds: [a, b] })
  done(await scene.post(`/api/v1/users/${b}/enable`, {}))
  expect(await undo('users', disabled)).toEqual(
    new Map([
      [a, 'CHANGED'],
      [b, 'It has been changed since.'],
    ]),
  )
  const user = done(await scene.get(`/api/v1/users/${a}`))
  expect(((user['userView'] as Json)['user'] as Json)['status']).toBe('ENABLED')

  const appId = await scene.app()
  const [one, two] = [await scene.entitlement(appId), await scene.entitlement(appId)]
  const owned = await carryOut('owners', 'add', { entitlements: [one, two], userId: a })
  await scene.set(`apps/${appId}/entitlements/${two.id}`, 'primary', { users: [b] })
  expect(await undo('owners', owned)).toEqual(
    new Map([
      [one.id, 'CHANGED'],
      [two.id, 'UNCHANGED'],
    ]),
  )
  expect(await scene.named(`apps/${appId}/entitlements/${one.id}`)).toEqual([])
  expect(await scene.named(`apps/${appId}/entitlements/${two.id}`)).toEqual([`primary ${b}`])

  const made = done(await scene.post('/api/v1/attributes/risk_levels', { value: 'Undoable' }))
  const { id: riskLevelValueId } = made['value'] as { id: string }
  const rated = await carryOut('entitlements', 'apply', { entitlements: [one, two], riskLevelValueId })
  await carryOut('entitlements', 'apply', { entitlements: [two], riskLevelValueId: '' })
  expect(await undo('entitlements', rated)).toEqual(
    new Map([
      [one.id, 'CHANGED'],
      [two.id, 'It has been changed since.'],
    ]),
  )
  const list = await scene.all('/api/v1/search/entitlements', { appIds: [appId] })
  expect(idsOf(list, 'appEntitlement', 'riskLevelValueId')).toEqual(['', ''])
})
