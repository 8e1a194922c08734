import { beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { ask, getToken, type Json, outcomeOf } from '../fixture/access.ts'
import { longTest } from '../fixture/long.ts'
import { type Caller, prepare, type Ref } from '../grants/scene.ts'

const scene = prepare()
const db = () => scene.server.db
const tenantId = () => scene.access.tenant.id
const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()
const day = (hours = 24): string => `from=${ago(hours)}`

async function own(appId: string, userId: string): Promise<void> {
  const { world, tenant } = scene.access
  const object = { kind: 'app' as const, appId, typeId: '', id: appId }
  const owner = { object, roleSlug: 'primary', id: world.newId(), userId }
  await transact(world.db, (tx) => insertOwners(tx, operatorCause(tenant, 'test'), [owner], world.now()))
}

const caller = async (...roles: ('system:application-admin' | 'system:user')[]): Promise<Caller> => {
  const key = await scene.access.makeCaller(roles)
  return { userId: key.userId, token: await getToken(scene.server, key) }
}

const expandedIds = (reply: Json, kind: string): unknown[] =>
  (reply['expanded'] as Json[]).filter((each) => String(each['@type']).endsWith(`.${kind}`)).map(({ id }) => id)

describe('the cause of a change', () => {
  let entitlement: Ref
  const causeOf = async (account: Ref): Promise<Json> => {
    const list = await scene.all(`/api/v1/apps/${entitlement.appId}/entitlements/${entitlement.id}/changes?${day()}`)
    return list.find(({ appUserId }) => appUserId === account.id)?.['cause'] as Json
  }
  beforeAll(async () => {
    entitlement = await scene.entitlement(await scene.app('Caused'), 'Caused')
  })

  test('is the import that brought it, a person, or the end of its time', async () => {
    const giver = await scene.user({ displayName: 'Gil Giver' })
    const importId = scene.access.world.newId()
    await db()`
      insert into imports (tenant_id, import_id, format, is_full, is_forced, line_count, byte_count, counts, started_at,
        finished_at)
      values (${tenantId()}, ${importId}, 'jsonl', false, false, 1, 1, '[]', now(), now())`
    const accounts = [0, 1, 2].map(() => scene.account(entitlement.appId))
    const [imported, manual, over] = (await Promise.all(accounts)) as [Ref, Ref, Ref]
    await scene.grant(entitlement, imported, { source: 'import', grantedBy: importId })
    await scene.grant(entitlement, manual, { source: 'manual', grantedBy: giver })
    const [long, past] = [new Date(ago(100)), new Date(ago(2))]
    await scene.grant(entitlement, over, {
      source: 'manual',
      grantedBy: giver,
      beganAt: long,
      grantedAt: long,
      expiresAt: past,
    })
    expect(await causeOf(imported)).toMatchObject({ kind: 'CHANGE_CAUSE_IMPORT', id: importId })
    expect(await causeOf(manual)).toMatchObject({ kind: 'CHANGE_CAUSE_USER', id: giver })
    expect(await causeOf(over)).toMatchObject({ kind: 'CHANGE_CAUSE_EXPIRY' })
    await db()`
      update grants set ended_at = now(), ended_why = 'revoked', ended_by = ${giver}
      where tenant_id = ${tenantId()} and account_id = ${imported.id}`
    // Granted and revoked within the window: nothing is other at its end.
    expect(await causeOf(imported)).toBeUndefined()
  })

  test('is a rule by its name, its version and its expression; of a deleted one too', async () => {
    const { world } = scene.access
    const ruled = await scene.entitlement(entitlement.appId, 'Ruled')
    const account = await scene.account(ruled.appId)
    const runId = world.newId()
    await db()`
      insert into automations (tenant_id, app_id, entitlement_id, version, kind, expression, display_name, created_at,
        updated_at, deleted_at)
      values (${tenantId()}, ${ruled.appId}, ${ruled.id}, 3, 'cel', 'true', 'Everyone', now(), now(), now())`
    await db()`
      insert into automation_runs (tenant_id, run_id, app_id, entitlement_id, version, cause, phase, status, started_at,
        stepped_at)
      values (${tenantId()}, ${runId}, ${ruled.appId}, ${ruled.id}, 3, 'saved', 'over', 'done', now(), now())`
    await scene.grant(ruled, account, { source: 'rule', grantedBy: runId })
    const told = {
      kind: 'CHANGE_CAUSE_RULE',
      id: runId,
      displayName: 'Everyone',
      ruleVersion: 3,
      ruleExpression: 'true',
      isDeleted: true,
    }
    const [change] = await scene.all(`/api/v1/apps/${ruled.appId}/entitlements/${ruled.id}/changes?${day()}`)
    expect(change?.['cause']).toMatchObject(told)
    const described = await scene.post('/api/v1/changes/sources/search', { refs: [{ id: runId }, { id: 'nothing' }] })
    expect(described.json['list']).toMatchObject([told, { kind: 'CHANGE_CAUSE_UNSPECIFIED', displayName: '' }])
    // Who may not read rules learns that it was one, and no more.
    const { json } = await scene.get(`/api/v1/changes?${day()}`, scene.viewer)
    expect((json['list'] as Json[]).length).toBeGreaterThan(0)
  })
})

describe('what came and went', () => {
  test('users, accounts, entitlements, owners and rules are listed with their names, and counted', async () => {
    const appId = await scene.app('Coming')
    const leaver = await scene.user({ displayName: 'Lea Leaver' })
    const [stays, goes] = [await scene.account(appId), await scene.account(appId)]
    const entitlement = await scene.entitlement(appId, 'Gone')
    await own(appId, leaver)
    const old = new Date(ago(100))
    await db()`update users set created_at = ${old}, deleted_at = now() where tenant_id = ${tenantId()} and user_id = ${leaver}`
    await db()`
      update accounts set created_at = ${old}, deleted_at = now()
      where tenant_id = ${tenantId()} and app_id = ${appId} and account_id = ${goes.id}`
    await db()`
      update entitlements set created_at = ${old}, deleted_at = now()
      where tenant_id = ${tenantId()} and app_id = ${appId} and entitlement_id = ${entitlement.id}`
    await db()`
      insert into automations (tenant_id, app_id, entitlement_id, version, kind, display_name, created_at, updated_at)
      values (${tenantId()}, ${appId}, ${entitlement.id}, 2, 'none', 'Edited', ${old}, now())`
    const of = async (subject: string): Promise<Json[]> =>
      (await scene.all(`/api/v1/apps/${appId}/changes?${day()}&subject=CHANGE_SUBJECT_${subject}`)).map(
        ({ kind, appUserId, appEntitlementId, userId, displayName, objectId }) =>
          Object.fromEntries(
            Object.entries({ kind, appUserId, appEntitlementId, userId, displayName, objectId }).filter(
              ([, value]) => value,
            ),
          ),
      )
    expect(await of('ACCOUNT')).toEqual([
      { kind: 'CHANGE_KIND_REMOVED', appUserId: goes.id },
      { kind: 'CHANGE_KIND_ADDED', appUserId: stays.id },
    ])
    expect(await of('ENTITLEMENT')).toEqual([{ kind: 'CHANGE_KIND_REMOVED', appEntitlementId: entitlement.id }])
    expect(await of('OWNER')).toEqual([{ kind: 'CHANGE_KIND_ADDED', userId: leaver, objectId: appId }])
    expect(await of('RULE')).toEqual([
      { kind: 'CHANGE_KIND_CHANGED', appEntitlementId: entitlement.id, displayName: 'Edited' },
    ])
    const users = await scene.get(`/api/v1/changes?${day()}&subject=CHANGE_SUBJECT_USER&kind=CHANGE_KIND_REMOVED`)
    expect((users.json['list'] as Json[]).map(({ userId }) => userId)).toEqual([leaver])
    expect(expandedIds(users.json, 'User')).toEqual([leaver])
    const { json } = await scene.get(`/api/v1/apps/${appId}/changes/summary?${day()}`)
    const counted = (json['counts'] as Json[]).filter(({ count }) => count !== 0)
    expect(
      counted.map(({ subject, kind, count }) => [String(subject).slice(15), String(kind).slice(12), count]),
    ).toEqual([
      ['ACCOUNT', 'ADDED', 1],
      ['ACCOUNT', 'REMOVED', 1],
      ['ENTITLEMENT', 'REMOVED', 1],
      ['OWNER', 'ADDED', 1],
      ['RULE', 'CHANGED', 1],
    ])
    expect((json['withoutHistory'] as string[]).length).toBeGreaterThan(0)
  })

  /** More than are counted, and before them one of another kind. */
  const makeMany = async (): Promise<{ path: string; holder: string }> => {
    const many = await scene.entitlement(await scene.app('Many'), 'Many')
    const { id: holder } = await scene.account(many.appId)
    await db()`
      insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at, ended_at, ended_why)
      values
        (${tenantId()}, ${many.appId}, ${many.id}, ${holder}, ${scene.access.world.newId()}, 'manual',
          now() - interval '9 days', now() - interval '9 days', now() - interval '20 hours', 'restated'),
        (${tenantId()}, ${many.appId}, ${many.id}, ${holder}, ${scene.access.world.newId()}, 'manual',
          now() - interval '20 hours', now() - interval '20 hours', null, null)`
    await db()`
      insert into accounts (tenant_id, app_id, account_id, display_name, created_at, updated_at)
      select ${tenantId()}, ${many.appId}, lpad(i::text, 27, '0'), 'Many', now(), now()
      from generate_series(1, 10001) i`
    await db()`
      insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at)
      select ${tenantId()}, ${many.appId}, ${many.id}, lpad(i::text, 27, '0'), lpad(i::text, 27, '2'), 'import',
        now() - interval '1 hour', now() - interval '1 hour'
      from generate_series(1, 10001) i`
    return { path: `/api/v1/apps/${many.appId}/entitlements/${many.id}/changes`, holder }
  }

  longTest(
    'more than 10,000 are counted as 10,000 and more, and listed page by page; what is rare among them is found, and no page looks through all of them',
    async () => {
      const { path, holder } = await makeMany()
      const first = await scene.get(`${path}?${day()}&page_size=100`)
      const span = day()
      const { json } = await scene.get(`${path}/summary?${span}`)
      const counted = (kind: string) =>
        (json['counts'] as Json[]).find((each) => each['subject'] === 'CHANGE_SUBJECT_GRANT' && each['kind'] === kind)
      expect(counted('CHANGE_KIND_ADDED')).toMatchObject({ count: 10_000, isMore: true })
      expect(counted('CHANGE_KIND_CHANGED')).toMatchObject({ isMore: true })
      const pageOf = (token: string) => scene.get(`${path}?${span}&page_size=100&page_token=${token}`)
      const one = await pageOf('')
      const two = await pageOf(one.json['nextPageToken'] as string)
      const ids = [one, two].flatMap((reply) => (reply.json['list'] as Json[]).map(({ appUserId }) => appUserId))
      expect(new Set(ids).size).toBe(200)
      // A token of another comparison is none of this one.
      expect(outcomeOf(await pageOf(first.json['nextPageToken'] as string))).toBe('400/3 PAGE_TOKEN_INVALID')

      const rareOf = (token: string) => scene.get(`${path}?${span}&kind=CHANGE_KIND_CHANGED&page_token=${token}`)
      const before = await rareOf('')
      const next = before.json['nextPageToken'] as string
      expect([before.json['list'], next === '']).toEqual([[], false])
      expect((await rareOf(next)).json).toMatchObject({
        list: [{ appUserId: holder, kind: 'CHANGE_KIND_CHANGED' }],
        nextPageToken: '',
      })
    },
  )
})

describe('who may compare', () => {
  test('owners compare what they own, everyone their own access, and nobody learns of more', async () => {
    const [mine, other] = [await scene.app('Mine'), await scene.app('Other')]
    const owner = await caller('system:application-admin', 'system:user')
    await own(mine, owner.userId)
    const stranger = await scene.user({ displayName: 'Stan Stranger' })
    const holder = await scene.user({ displayName: 'Hal Holder', email: 'secret-mail@example.com' })
    const entitlement = await scene.entitlement(mine, 'Own')
    await scene.grant(entitlement, await scene.account(mine, { userId: holder }), {
      source: 'manual',
      grantedBy: stranger,
    })
    const seen = await scene.get(`/api/v1/apps/${mine}/changes?${day()}`, owner)
    expect(outcomeOf(seen)).toBe('200')
    expect((seen.json['list'] as Json[])[0]).toMatchObject({
      userId: holder,
      cause: { kind: 'CHANGE_CAUSE_USER', id: '' },
    })
    expect(seen.text).not.toContain('Stan Stranger')
    expect(seen.text).not.toContain('secret-mail')
    const outcome = async (path: string, by: Caller) => (await scene.get(path, by)).status
    expect(await outcome(`/api/v1/apps/${other}/changes?${day()}`, owner)).toBe(404)
    expect(await outcome(`/api/v1/apps/${other}/heat-map`, owner)).toBe(404)
    expect(await outcome(`/api/v1/changes?${day()}`, owner)).toBe(403)
    expect(await outcome(`/api/v1/users/${holder}/changes?${day()}`, owner)).toBe(404)
    expect(await outcome(`/api/v1/users/${holder}/changes/summary?${day()}`, scene.basic)).toBe(404)
    expect(await outcome(`/api/v1/users/${scene.basic.userId}/changes?${day()}`, scene.basic)).toBe(200)
    expect(
      await outcome(`/api/v1/users/${scene.basic.userId}/changes?${day()}&subject=CHANGE_SUBJECT_OWNER`, scene.basic),
    ).toBe(403)
  })

  test('everyone counts what changed in their own access, and readers in that of anyone', async () => {
    const appId = await scene.app('Counted')
    const holder = await caller('system:user')
    await scene.grant(await scene.entitlement(appId), await scene.account(appId, { userId: holder.userId }))
    for (const by of [holder, scene.admin]) {
      const { json } = await scene.get(`/api/v1/users/${holder.userId}/changes/summary?${day()}`, by)
      expect((json['counts'] as Json[]).filter(({ count }) => count !== 0)).toMatchObject([
        { subject: 'CHANGE_SUBJECT_GRANT', kind: 'CHANGE_KIND_ADDED', count: 1 },
        { subject: 'CHANGE_SUBJECT_ACCOUNT', kind: 'CHANGE_KIND_ADDED', count: 1 },
      ])
    }
  })

  test("another tenant's ids are unknown, and its changes are not counted", async () => {
    const other = await scene.access.makeTenant('other.example.com')
    const token = await getToken(scene.server, await scene.access.makeCaller(['system:owner'], {}, other))
    const appId = await scene.app('Hidden')
    await scene.grant(await scene.entitlement(appId), await scene.account(appId))
    const askThem = (path: string) => ask(scene.server, path, { token, host: 'other.example.com' })
    expect((await askThem(`/api/v1/apps/${appId}/changes?${day()}`)).status).toBe(404)
    expect((await askThem(`/api/v1/apps/${appId}/heat-map`)).status).toBe(404)
    const { json } = await askThem(`/api/v1/changes/summary?${day()}`)
    const told = (json['counts'] as Json[]).filter(({ subject }) => subject === 'CHANGE_SUBJECT_GRANT')
    expect(told.map(({ count }) => count)).toEqual([0, 0, 0])
  })

  test.each([
    ['the first comes before the second', `from=${ago(1)}&to=${ago(2)}`],
    ['the second is not in the future', `from=${ago(1)}&to=${ago(-1)}`],
    ['a moment is a time', 'from=yesterday'],
    ['a subject is one that there is', `from=${ago(1)}&subject=CHANGE_SUBJECT_MOON`],
  ])('%s', async (_, query) => {
    expect((await scene.get(`/api/v1/changes?${query}`)).status).toBe(400)
  })

  test('what is not compared in a scope is refused by name', async () => {
    const path = `/api/v1/users/${scene.basic.userId}/changes?${day()}&subject=CHANGE_SUBJECT_APP`
    const reply = await scene.get(path)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('subject')
  })

  test('without moments, the last seven days are compared', async () => {
    const { json } = await scene.get('/api/v1/changes/summary')
    const [from, to] = [json['from'], json['to']].map((at) => new Date(String(at)).getTime()) as [number, number]
    expect(to - from).toBe(7 * 24 * 3_600_000)
    expect((await scene.get('/api/v1/changes')).status).toBe(200)
  })

  test('a window of 2,000 years is answered, in few periods', async () => {
    const { json } = await scene.get('/api/v1/changes/summary?from=0001-01-01T00:00:00Z')
    expect((json['periods'] as Json[]).length).toBeLessThanOrEqual(120)
  })
})
