import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { setStatus } from '#rooms/identity/users/index.ts'
import { insertAccounts } from '#rooms/records/accounts/index.ts'
import { insertApps, insertEntitlements } from '#rooms/records/apps/index.ts'
import { carryToConnectors } from '#rooms/records/connectors/index.ts'
import { openGrants } from '#rooms/records/grants/index.ts'
import { type Access, type Asking, eventually, type Json, openAccess, type Reply, reasonOf } from '../fixture/access.ts'
import { listWaiting } from '../fixture/cluster.ts'
import { until } from '../fixture/later.ts'
import { longDescribe, onlyLongTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { openApp, type TestApp } from './app.ts'
import { askTls, tokenOf } from './connector.ts'

let server: TestServer
let access: Access
let token: string

beforeAll(async () => {
  server = await startServer({ flags: { empty: true, 'tls-self-signed': true } })
  access = await openAccess(server)
  token = (await tokenOf(server, await access.makeCaller(['system:owner']))).token
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const ask = (path: string, asking: Asking = {}): Promise<Reply> =>
  askTls(server, `/api/v1/drift${path}`, { token, ...asking })
const post = (path: string, body: object, by = token): Promise<Reply> => ask(path, { method: 'POST', body, token: by })
const ok = async (reply: Promise<Reply>): Promise<Json> => {
  const { status, text, json } = await reply
  expect(status, text).toBe(200)
  return json
}
type Found = Json & { appUserDisplayName: string; kind: string; remedies: string[] }
const listed = async (appId: string, query = ''): Promise<Found[]> =>
  (await ok(ask(`?app_id=${appId}&page_size=100${query}`)))['list'] as Found[]
const namesOf = (found: readonly Found[]): string[] => found.map((each) => each.appUserDisplayName).toSorted()
type Run = Json & { id: string; state: string }
const runOf = async (id: string): Promise<Run> => (await ok(ask(`/runs/${id}`)))['run'] as Run
const over = async (id: string): Promise<Run> => {
  const isOver = async () => !['running', 'undoing'].includes((await runOf(id)).state)
  expect(await eventually(isOver), JSON.stringify(await runOf(id))).toBe(true)
  return runOf(id)
}
type Wanted = { remedy: string; appId?: string; kind?: string; items?: object[] }
const planned = (wanted: Wanted): Promise<Json> => ok(post('/plan', wanted))
const start = async (wanted: Wanted, more: object = {}): Promise<Reply> => {
  const { fingerprint } = await planned(wanted)
  return post('/runs', { ...wanted, fingerprint, ...more })
}
const applied = async (wanted: Wanted, more: object = {}): Promise<Run> =>
  over(((await ok(start(wanted, more)))['run'] as Run).id)
const undone = async (id: string): Promise<Run> => {
  await ok(post(`/runs/${id}/undo`, {}))
  return over(id)
}

const [KEEP, REVOKE, REMOVE, PROVISION] = ['KEEP', 'REVOKE', 'REMOVE', 'PROVISION'].map(
  (name) => `DRIFT_REMEDY_${name}`,
) as [string, string, string, string]

/** An app that was compared, of which so many accounts differ, and so many others do not. */
async function differ(kind: 'unexplained' | 'missing', count: number, others = 0): Promise<string> {
  const { world, tenant } = access
  const [appId, entitlementId] = [world.newId(), world.newId()]
  const at = world.now()
  const accounts = Array.from({ length: count + others }, (_, n) => ({
    id: world.newId(),
    appId,
    displayName: `a${String(n).padStart(3, '0')}`,
  }))
  const wanted = (some: typeof accounts) =>
    some.map(({ id: accountId }) => ({ id: world.newId(), appId, entitlementId, accountId }))
  const [differing, same] = [accounts.slice(0, count), accounts.slice(count)]
  await transact(world.db, async (tx) => {
    await insertApps(tx, tenant.id, [{ id: appId, displayName: 'Payroll' }], at)
    await insertEntitlements(tx, tenant.id, [{ id: entitlementId, appId, displayName: 'Admin' }], at)
    await insertAccounts(tx, tenant.id, accounts, at)
    const source = kind === 'unexplained' ? 'import' : 'manual'
    await openGrants(tx, operatorCause(tenant, 'test'), wanted(differing), { source, by: '', at })
    for (const reason of ['import', 'manual'] as const)
      await openGrants(tx, operatorCause(tenant, 'test'), wanted(same), { source: reason, by: '', at })
    await tx`
      insert into drift_checks (tenant_id, app_id, baseline_at, checked_at) values (${tenant.id}, ${appId}, ${at}, ${at})`
    await tx`
      insert into drift (tenant_id, app_id, entitlement_id, account_id, kind, found_at)
      select ${tenant.id}, ${appId}, ${entitlementId}, a, ${kind}, ${at}
      from unnest(${differing.map(({ id }) => id)}::text[]) as a`
  })
  return appId
}

longDescribe('access that the app lacks is provisioned again', () => {
  /** Given to ada by hand; the connector could not, and the next sync shows that the app lacks it. */
  async function lacking(): Promise<{ app: TestApp; item: Found }> {
    const app = await openApp(server, access, token)
    const path = `/api/v1/apps/${app.appId}/entitlements/${await app.entitlement('staff')}/add-manual-user`
    expect((await app.post(path, { userIds: [app.userIds['ada']] })).status).toBe(200)
    await carryToConnectors(access.world)
    await app.finish((await app.next()) as never, 'busy')
    await compared(app)
    const [item] = await listed(app.appId)
    expect(item).toMatchObject({ kind: 'DRIFT_KIND_MISSING', remedies: [REMOVE, PROVISION] })
    return { app, item: item as Found }
  }
  const checkedAt = async ({ appId }: TestApp): Promise<unknown> =>
    ((await ok(ask('/counts')))['apps'] as Json[]).find((each) => each['appId'] === appId)?.['checkedAt'] ?? ''
  async function compared(app: TestApp): Promise<void> {
    // The first sync may not have been compared yet.
    expect(await eventually(async () => (await checkedAt(app)) !== '')).toBe(true)
    const before = await checkedAt(app)
    await app.sync()
    expect(await eventually(async () => (await checkedAt(app)) !== before)).toBe(true)
  }
  const provision = async (item: Found): Promise<{ error: string; taskId: string }> =>
    ((await ok(post('/resolve', { remedy: PROVISION, items: [item] })))['list'] as never[])[0] as never

  onlyLongTest(
    'by the connector, without another reason for it; until the next sync it is not called missing',
    async () => {
      const { app, item } = await lacking()
      const { taskId, error } = await provision(item)
      expect(error).toBe('')
      expect(await listed(app.appId)).toEqual([])
      const underWay = await listed(app.appId, '&is_under_way=true')
      expect(underWay).toMatchObject([{ isUnderWay: true, remedies: [] }])
      expect((await provision(item)).error).toBe('A task or a connector is already processing it.')
      expect((await app.task(taskId)).state).toBe('TASK_STATE_OPEN')
      expect(await app.workAll()).toEqual(['grant'])
      const isClosed = async () => (await app.task(taskId)).state === 'TASK_STATE_CLOSED'
      expect(await eventually(isClosed)).toBe(true)
      expect(await app.holds('ada', 'staff')).toEqual(['manual'])
      expect(await listed(app.appId)).toEqual([])
      await compared(app)
      expect(await app.holds('ada', 'staff')).toEqual(['import', 'manual'])
      expect(await listed(app.appId)).toEqual([])
      expect(app.calls).toEqual(['grant ada/staff'])
    },
  )
  onlyLongTest('by people where the connector cannot; what they say is believed until the next sync', async () => {
    const { app, item } = await lacking()
    await app.hello({ group: [2], user: [2], connector: [2] })
    expect((await planned({ remedy: PROVISION, items: [item] }))['outcomes']).toEqual([
      { happens: 'task to provision it manually', count: 1 },
    ])
    const { taskId } = await provision(item)
    const { policy } = await app.task(taskId)
    expect(JSON.stringify(policy)).toContain('only reads')
    expect(JSON.stringify(policy.current)).toContain('"assigned":true')
    expect(await listed(app.appId)).toEqual([])
    const done = await app.post(`/api/v1/tasks/${taskId}/action/provision-complete`, {
      policyStepId: policy.current?.['id'],
    })
    expect(done.status, done.text).toBe(200)
    expect(await listed(app.appId)).toEqual([])
    expect(await app.holds('ada', 'staff')).toEqual(['manual'])
    await compared(app)
    expect(namesOf(await listed(app.appId))).toEqual(['ada'])
  })
  onlyLongTest(
    'by the connector, and by people when that fails; undone, the task is closed and nothing is sent',
    async () => {
      const { app, item } = await lacking()
      expect((await planned({ remedy: PROVISION, items: [item] }))['outcomes']).toEqual([
        { happens: 'provisioned by the connector', count: 1 },
      ])
      const run = await applied({ remedy: PROVISION, items: [item] })
      expect(run).toMatchObject({ state: 'done', doneCount: 1 })
      expect(await undone(run.id)).toMatchObject({ state: 'undone', undoneCount: 1 })
      expect(await app.next()).toBe(null)
      expect(namesOf(await listed(app.appId))).toEqual(['ada'])
      const { taskId } = await provision(item)
      await app.finish((await app.next()) as never, 'still busy')
      const isTold = async () => JSON.stringify(await app.task(taskId)).includes('still busy')
      expect(await eventually(isTold)).toBe(true)
      expect(JSON.stringify((await app.task(taskId)).policy.current)).toContain('"assigned":true')
      // A person who left gets nothing again.
      await app.post(`/api/v1/tasks/${taskId}/action/close`)
      const { world, tenant } = access
      await transact(world.db, (tx) =>
        setStatus(tx, world, operatorCause(tenant, 'a test'), app.userIds['ada'] as string, { status: 'DISABLED' }),
      )
      expect((await listed(app.appId))[0]?.remedies).toEqual([REMOVE])
      expect((await provision(item)).error).toContain('disabled')
    },
  )
})

describe('a remedy for several differences', () => {
  test('is planned, applied as planned, and undone: kept access loses the reason again, and nothing else', async () => {
    const appId = await differ('unexplained', 60, 5)
    const wanted = { remedy: KEEP, appId }
    const plan = await planned(wanted)
    expect(plan).toMatchObject({
      ...{ count: 60, refused: [], isMore: false, needsConfirmation: false },
      outcomes: [{ happens: 'recorded as a manual grant', count: 60 }],
      apps: [{ appDisplayName: 'Payroll', count: 60 }],
    })
    expect((plan['sample'] as Json[]).length).toBe(20)
    expect(namesOf(await listed(appId)).length).toBe(60)
    const run = await applied(wanted)
    expect(run).toMatchObject({ state: 'done', itemCount: 60, doneCount: 60, refusedCount: 0, error: '' })
    expect(await listed(appId)).toEqual([])
    // One was ended since: that stays.
    const [first] = await server.db<{ id: string }[]>`
      update grants set ended_at = now(), ended_by = 'x', ended_why = 'revoked'
      where app_id = ${appId} and source = 'manual' and granted_by <> '' and grant_id = (
        select min(grant_id::text) from grants where app_id = ${appId} and source = 'manual' and granted_by <> '')
      returning grant_id as id`
    expect(first).toBeDefined()
    expect(await undone(run.id)).toMatchObject({ state: 'undone', undoneCount: 59, leftCount: 1 })
    expect(namesOf(await listed(appId)).length).toBe(60)
    const left = (await ok(ask(`/runs/${run.id}/items?state=DRIFT_ITEM_LEFT`)))['list'] as Json[]
    expect(left).toMatchObject([
      { error: 'It was removed or changed in the meantime.', entitlementDisplayName: 'Admin' },
    ])
    const again = await post(`/runs/${run.id}/undo`, {})
    expect([again.status, reasonOf(again)]).toEqual([400, 'RUN_NOT_UNDOABLE'])
    const [others] = await server.db<{ count: number }[]>`
      select count(*)::int as count from grants where app_id = ${appId} and source = 'manual' and ended_at is null`
    expect(others).toEqual({ count: 5 })
  })
  test('is refused without a plan, with an older one, with another remedy than planned, and for what it is not for', async () => {
    const appId = await differ('unexplained', 3)
    const { fingerprint } = await planned({ remedy: KEEP, appId })
    const [one] = await listed(appId)
    for (const body of [
      { remedy: KEEP, appId },
      { appId, fingerprint },
      { remedy: KEEP, appId, fingerprint, items: [one] },
    ])
      expect((await post('/runs', body)).status).toBe(400)
    const other = await post('/runs', { remedy: REVOKE, appId, fingerprint })
    expect([other.status, reasonOf(other)]).toEqual([409, 'PLAN_OUTDATED'])
    await ok(post('/resolve', { remedy: KEEP, items: [one] }))
    const late = await post('/runs', { remedy: KEEP, appId, fingerprint })
    expect([late.status, reasonOf(late)]).toEqual([409, 'PLAN_OUTDATED'])
    expect(await planned({ remedy: REMOVE, appId })).toMatchObject({
      count: 0,
      refused: [{ reason: '"remove" does not apply to access that is unexplained.', count: 2 }],
    })
    expect((await listed(appId)).length).toBe(2)
  })
  test('that revokes or removes more than a fifth of an app needs a word more, however few at once', async () => {
    const appId = await differ('unexplained', 6, 9)
    const approver = await access.makeUser({ roles: ['system:user'] })
    const policy = await askTls(server, '/api/v1/policies', {
      ...{ method: 'POST', token },
      body: {
        ...{ displayName: `Someone approves in ${appId}`, policyType: 'POLICY_TYPE_REVOKE' },
        policySteps: { revoke: { steps: [{ approval: { users: { userIds: [approver] } } }] } },
      },
    })
    expect(policy.status, policy.text).toBe(200)
    await server.db`
      update entitlements set revoke_policy_id = ${(policy.json['policy'] as { id: string }).id} where app_id = ${appId}`
    // 24 grants: 6 of them, and two of each of the other accounts.
    const wanted = { remedy: REVOKE, appId }
    expect(await planned(wanted)).toMatchObject({ needsConfirmation: true, apps: [{ count: 6, grantCount: 24 }] })
    const held = await start(wanted)
    expect([held.status, reasonOf(held)]).toEqual([400, 'REMEDY_UNCONFIRMED'])
    expect(held.text).toContain('6 of the 24 grants of Payroll')
    const items = await listed(appId)
    const few = await post('/resolve', { remedy: REVOKE, items })
    expect([few.status, reasonOf(few)]).toEqual([400, 'REMEDY_UNCONFIRMED'])
    expect((await planned({ remedy: REVOKE, items: items.slice(0, 4) }))['needsConfirmation']).toBe(false)
    expect((await listed(appId)).length).toBe(6)
    const run = await applied(wanted, { isConfirmed: true })
    expect(run).toMatchObject({ state: 'done', doneCount: 6 })
    // Their tasks wait for an approval: they are under way, until the remedy is undone.
    expect(await listed(appId)).toEqual([])
    expect((await listed(appId, '&is_under_way=true')).length).toBe(6)
    expect(await undone(run.id)).toMatchObject({ state: 'undone', undoneCount: 6 })
    expect((await listed(appId)).length).toBe(6)
    const [open] = await server.db<{ count: number }[]>`
      select count(*)::int as count from tasks where app_id = ${appId} and is_open`
    expect(open).toEqual({ count: 0 })
  })
  onlyLongTest('that removed records gives them back as they were, and sends nothing to the connector', async () => {
    const appId = await differ('missing', 4, 30)
    const { world, tenant } = access
    const [one] = await server.db<{ appId: string; entitlementId: string; accountId: string }[]>`
      select app_id as "appId", entitlement_id as "entitlementId", account_id as "accountId" from drift
      where app_id = ${appId} order by account_id limit 1`
    const byRule = [{ id: world.newId(), ...(one as NonNullable<typeof one>) }]
    await transact(world.db, (tx) =>
      openGrants(tx, operatorCause(tenant, 'test'), byRule, { source: 'rule', by: '', at: world.now(), isTold: true }),
    )
    const plan = await planned({ remedy: REMOVE, appId, kind: 'DRIFT_KIND_MISSING' })
    expect(plan).toMatchObject({ count: 3, outcomes: [{ happens: 'grant removed', count: 3 }] })
    expect(plan['refused']).toEqual([
      { count: 1, reason: 'A rule grants this access. Change that, or exclude the person there.' },
    ])
    const run = await applied({ remedy: REMOVE, appId, kind: 'DRIFT_KIND_MISSING' })
    expect(run).toMatchObject({ doneCount: 3, itemCount: 3 })
    expect((await listed(appId)).length).toBe(1)
    expect(await undone(run.id)).toMatchObject({ undoneCount: 3, leftCount: 0 })
    expect((await listed(appId)).map(({ sources }) => (sources as string[]).join()).toSorted()).toEqual([
      ...['manual', 'manual', 'manual', 'manual,rule'],
    ])
    const [noted] = await server.db<{ count: number }[]>`
      select count(*)::int as count from provisioning_changes where app_id = ${appId}`
    expect(noted).toEqual({ count: 0 })
  })
  onlyLongTest('stops if its author may no longer grant access; what was done is shown', async () => {
    const appId = await differ('unexplained', 60)
    const caller = await access.makeCaller(['system:owner'])
    const { token: theirs } = await tokenOf(server, caller)
    const { fingerprint } = await planned({ remedy: KEEP, appId })
    let id = ''
    const { world, tenant } = access
    await transact(world.db, async (tx) => {
      // The job waits for the app of its first item meanwhile.
      await tx`select 1 from apps where tenant_id = ${tenant.id} and app_id = ${appId} for update`
      const begun = await ok(post('/runs', { remedy: KEEP, appId, fingerprint }, theirs))
      id = (begun['run'] as Run).id
      await until(async () => (await listWaiting(server.db)).length > 0)
      await transact(world.db, (other) =>
        setStatus(other, world, operatorCause(tenant, 'a test'), caller.userId, { status: 'DISABLED' }),
      )
    })
    const run = await over(id)
    expect(run.state).toBe('stopped')
    expect(String(run['error'])).not.toBe('')
    expect(Number(run['doneCount']) + Number(run['waitingCount'])).toBe(60)
    expect(Number(run['waitingCount'])).toBeGreaterThan(0)
    expect(await undone(id)).toMatchObject({ state: 'undone', doneCount: 0 })
  })
  test('is for those who may give access, and is seen in its tenant only', async () => {
    const appId = await differ('unexplained', 2)
    const run = await applied({ remedy: KEEP, appId })
    const { token: viewer } = await tokenOf(server, await access.makeCaller(['system:viewer']))
    const { token: user } = await tokenOf(server, await access.makeCaller(['system:user']))
    for (const path of ['/runs', `/runs/${run.id}`, `/runs/${run.id}/items`]) {
      expect((await ask(path, { token: viewer })).status).toBe(200)
      expect((await ask(path, { token: user })).status).toBe(403)
    }
    for (const path of ['/plan', '/runs', `/runs/${run.id}/undo`])
      for (const by of [viewer, user]) expect((await post(path, {}, by)).status).toBe(403)
    const tenant = await access.makeTenant(`drift${Date.now()}.example`)
    const far = await access.makeCaller(['system:owner'], undefined, tenant)
    const { token: theirs } = await tokenOf(server, far, tenant.domain)
    for (const path of [`/runs/${run.id}`, `/runs/${run.id}/items`])
      expect((await ask(path, { token: theirs, host: tenant.domain })).status).toBe(404)
    expect(
      (await ask(`/runs/${run.id}/undo`, { method: 'POST', body: {}, token: theirs, host: tenant.domain })).status,
    ).toBe(404)
    expect((await ask('/runs/nothing')).status).toBe(404)
  })
})
