import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { setStatus } from '#rooms/identity/users/index.ts'
import { fieldsOf, type Json, outcomeOf } from '../fixture/access.ts'
import { bodyOf, done, nobody, prepare, type Ref } from './support.ts'

const scene = prepare()

const idsOf = async (path: string): Promise<string[]> =>
  (done(await scene.get(`/api/v1/${path}/ownerids`))['userIds'] as string[]).toSorted()
const listed = async (path: string, pageSize = 10): Promise<string[]> =>
  (await scene.all(`/api/v1/${path}/owners`, null, scene.admin, pageSize)).map((user) => user['id'] as string)
const disable = (userId: string, status: 'DISABLED' | 'ENABLED' = 'DISABLED'): Promise<void> =>
  transact(scene.access.world.db, (tx) =>
    setStatus(tx, scene.access.world, operatorCause(scene.access.tenant, 'test'), userId, { status }),
  )
const fill = async (entitlement: Ref, count: number, prefix: string): Promise<void> => {
  const { db } = scene.server
  const tenantId = scene.access.tenant.id
  await db`
    insert into users (tenant_id, user_id, display_name, created_at, updated_at)
    select ${tenantId}, ${prefix} || lpad(n::text, ${27 - prefix.length}::int, '0'), 'Holder ' || n, now(), now()
    from generate_series(1, ${count}::int) n`
  // The accounts are in another order than their users.
  await db`
    insert into accounts (tenant_id, app_id, account_id, user_id, display_name, created_at, updated_at)
    select ${tenantId}, ${entitlement.appId}, ${`a${prefix}`} || lpad((${count}::int - n)::text, ${26 - prefix.length}::int, '0'),
      ${prefix} || lpad(n::text, ${27 - prefix.length}::int, '0'), 'Account ' || n, now(), now()
    from generate_series(1, ${count}::int) n`
  await db`
    insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at)
    select tenant_id, app_id, ${entitlement.id}, account_id, account_id, 'import', now(), now() from accounts
    where tenant_id = ${tenantId} and app_id = ${entitlement.appId}`
  // As PostgreSQL does by itself within a minute.
  await db`analyze users, accounts, grants`
}

describe('an entitlement that is named as an owner', () => {
  test('makes everyone who holds it now an owner now, and no one a moment longer', async () => {
    const path = `apps/${await scene.app()}`
    const group = await scene.entitlement(await scene.app())
    await scene.set(path, 'primary', { entitlements: [group] })
    expect(await idsOf(path)).toEqual([])
    const [a, b] = [await scene.holder(group), await scene.holder(group)]
    expect(await idsOf(path)).toEqual([a.userId, b.userId].toSorted())
    done(
      await scene.remove(`/api/v1/apps/${group.appId}/entitlements/${group.id}/remove-membership`, {
        appUserId: a.account.id,
      }),
    )
    expect(await idsOf(path)).toEqual([b.userId])
  })

  test('makes no owner of who holds it beyond its time, whether that was noticed or not', async () => {
    const path = `apps/${await scene.app()}`
    const group = await scene.entitlement(await scene.app())
    await scene.set(path, 'primary', { entitlements: [group] })
    const hold = async (expiresAt: Date): Promise<string> => {
      const userId = await scene.user()
      await scene.grant(group, await scene.account(group.appId, { userId }), { expiresAt })
      return userId
    }
    await hold(new Date(Date.now() - 1))
    expect(await idsOf(path)).toEqual([])
    const userId = await hold(new Date(Date.now() + 3_600_000))
    expect(await idsOf(path)).toEqual([userId])
  })

  test('makes no owner of who is disabled, until they are enabled again', async () => {
    const path = `apps/${await scene.app()}`
    const group = await scene.entitlement(await scene.app())
    await scene.set(path, 'primary', { entitlements: [group] })
    const { userId } = await scene.holder(group)
    await disable(userId)
    expect([await idsOf(path), await listed(path)]).toEqual([[], []])
    await disable(userId, 'ENABLED')
    expect([await idsOf(path), await listed(path)]).toEqual([[userId], [userId]])
  })

  test('names each owner once, by however many ways they are one', async () => {
    const path = `apps/${await scene.app()}`
    const [one, two] = [await scene.entitlement(await scene.app()), await scene.entitlement(await scene.app())]
    const { userId } = await scene.holder(one)
    await scene.grant(one, await scene.account(one.appId, { userId }))
    await scene.grant(two, await scene.account(two.appId, { userId }))
    await scene.set(path, 'primary', { users: [userId], entitlements: [one, two] })
    expect([await idsOf(path), await listed(path)]).toEqual([[userId], [userId]])
  })

  test('is not one of its own holders by an account of nobody', async () => {
    const path = `apps/${await scene.app()}`
    const group = await scene.entitlement(await scene.app())
    await scene.grant(group, await scene.account(group.appId))
    await scene.set(path, 'primary', { entitlements: [group] })
    expect(await idsOf(path)).toEqual([])
  })

  test.each([
    [25, 'few'],
    [1050, 'many'],
  ])('pages through %i holders, who are %s, in the order of their ids', async (count, prefix) => {
    const path = `apps/${await scene.app()}`
    const group = await scene.entitlement(await scene.app())
    await fill(group, count, prefix)
    const named = [await scene.user(), `${prefix}${'5'.padStart(27 - prefix.length, '0')}`]
    await scene.set(path, 'primary', { users: named, entitlements: [group] })
    const disabled = `${prefix}${'7'.padStart(27 - prefix.length, '0')}`
    await disable(disabled)
    const ids = await listed(path, count > 100 ? 100 : 10)
    expect(ids).toHaveLength(count + 1 - 1)
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).not.toContain(disabled)
    expect(await idsOf(path)).toEqual(ids)
  })
})

describe('the older operations', () => {
  const kinds: [string, () => Promise<{ v1: string; v2: string }>][] = [
    [
      'app',
      async () => {
        const path = `apps/${await scene.app()}`
        return { v1: path, v2: path }
      },
    ],
    [
      'entitlement',
      async () => {
        const { appId, id } = await scene.entitlement(await scene.app())
        return { v1: `apps/${appId}/entitlements/${id}`, v2: `apps/${appId}/entitlements/${id}` }
      },
    ],
    [
      'resource',
      async () => {
        const appId = await scene.app()
        const { typeId, id } = await scene.resource(appId)
        const of = `apps/${appId}/resource_types/${typeId}`
        return { v1: `${of}/resource/${id}`, v2: `${of}/resources/${id}` }
      },
    ],
  ]

  describe.each(kinds)('on an %s', (kind, make) => {
    const add = (at: string, userId: string) =>
      kind === 'app'
        ? scene.send('POST', `/api/v1/${at}/owners/${userId}`, {})
        : scene.send('POST', `/api/v1/${at}/owners`, { userId })
    const remove = (at: string, userId: string) =>
      kind === 'resource'
        ? scene.send('DELETE', `/api/v1/${at}/owners`, { userId })
        : scene.send('DELETE', `/api/v1/${at}/owners/${userId}`, {})
    const removeAll = (at: string) =>
      scene.send('DELETE', `/api/v1/${at}/owner${kind === 'resource' ? 'ids' : 's'}`, {})

    test('read and write the role primary, and no other', async () => {
      const { v1, v2 } = await make()
      const [a, b, c] = [await scene.user(), await scene.user(), await scene.user()]
      await scene.set(v2, 'backup', { users: [c] })
      expect(done(await scene.send('PUT', `/api/v1/${v1}/owners`, { userIds: [a, b, a] }))).toEqual({})
      expect(await scene.named(v2)).toEqual([`primary ${a}`, `primary ${b}`, `backup ${c}`].toSorted())
      expect([await idsOf(v1), (await listed(v1)).toSorted()]).toEqual([[a, b].toSorted(), [a, b].toSorted()])
      expect(done(await add(v1, c))).toEqual({})
      expect(done(await add(v1, c))).toEqual({})
      expect(done(await remove(v1, a))).toEqual({})
      expect(await idsOf(v1)).toEqual([b, c].toSorted())
      expect(done(await removeAll(v1))).toEqual({})
      expect([await idsOf(v1), await scene.named(v2)]).toEqual([[], [`backup ${c}`]])
    })

    test('list users, with all that is known of them', async () => {
      const { v1, v2 } = await make()
      const user = await scene.user({ displayName: 'Ottilie', department: 'Optics' })
      await scene.set(v2, 'primary', { users: [user] })
      const [item] = await scene.all(`/api/v1/${v1}/owners`)
      expect(item).toMatchObject({ id: user, displayName: 'Ottilie', department: 'Optics' })
    })

    test('Set replaces also the entitlements that are named in the role', async () => {
      const { v1, v2 } = await make()
      const group = await scene.entitlement(await scene.app())
      const { userId } = await scene.holder(group)
      await scene.set(v2, 'primary', { entitlements: [group] })
      expect(await idsOf(v1)).toEqual([userId])
      // Who holds an entitlement is an owner through it: there is nothing of theirs to remove.
      expect(outcomeOf(await remove(v1, userId))).toBe('404/5 OWNER_NOT_FOUND')
      const other = await scene.user()
      done(await scene.send('PUT', `/api/v1/${v1}/owners`, { userIds: [other] }))
      expect([await idsOf(v1), await scene.named(v2)]).toEqual([[other], [`primary ${other}`]])
    })

    test('refuse what there is not', async () => {
      const { v1 } = await make()
      expect(outcomeOf(await add(v1, nobody))).toBe('404/5 USER_NOT_FOUND')
      expect(outcomeOf(await scene.send('PUT', `/api/v1/${v1}/owners`, { userIds: [nobody] }))).toBe(
        '404/5 USER_NOT_FOUND',
      )
      expect(outcomeOf(await remove(v1, await scene.user()))).toBe('404/5 OWNER_NOT_FOUND')
      const elsewhere = `${v1.slice(0, -27)}${nobody}`
      for (const where of ['owners', 'ownerids'])
        expect(outcomeOf(await scene.get(`/api/v1/${elsewhere}/${where}`))).toBe(
          `404/5 ${kind.toUpperCase()}_NOT_FOUND`,
        )
      if (kind === 'app') return
      const nameless = await add(v1, '')
      expect([outcomeOf(nameless), fieldsOf(nameless)]).toEqual(['400/3 INPUT_INVALID', ['userId']])
    })
  })

  test('on an app, Delete removes whom it names, or all', async () => {
    const path = `apps/${await scene.app()}`
    const [a, b, group] = [await scene.user(), await scene.user(), await scene.entitlement(await scene.app())]
    await scene.set(path, 'primary', { users: [a, b], entitlements: [group] })
    done(await scene.send('DELETE', `/api/v1/${path}/owners`, { userIds: [a, nobody] }))
    expect(await scene.named(path)).toHaveLength(2)
    done(await scene.send('DELETE', `/api/v1/${path}/owners`, {}))
    expect(await scene.named(path)).toEqual([])
  })
})

describe('as of an earlier moment', () => {
  const moment = async (): Promise<string> => {
    await sleep(5)
    const at = new Date().toISOString()
    await sleep(5)
    return at
  }

  test('the record says who owned what, in which role', async () => {
    const appId = await scene.app()
    const path = `apps/${appId}`
    const [a, b, group] = [await scene.user(), await scene.user(), await scene.entitlement(await scene.app())]
    const before = await moment()
    await scene.set(path, 'primary', { users: [a], entitlements: [group] })
    const first = await moment()
    await scene.set(path, 'primary', { users: [b] })
    await scene.set(path, 'backup', { users: [a] })
    const second = await moment()
    await scene.set(path, 'primary', {})
    const at = (asOf: string) => scene.named(path, `&as_of=${asOf}`)
    expect(await at(before)).toEqual([])
    expect(await at(first)).toEqual([`primary ${a}`, `primary ${group.appId} ${group.id}`].toSorted())
    expect(await at(second)).toEqual([`backup ${a}`, `primary ${b}`])
    expect(await scene.named(path)).toEqual([`backup ${a}`])
    const owned = async (userId: string, asOf: string) =>
      (await scene.all('/api/v1/search/user-ownership', { userId, asOf })).map((item) => item['appId'])
    expect([await owned(a, before), await owned(a, first), await owned(b, second)]).toEqual([[], [appId], [appId]])
  })

  test('the holders of then count, not those of now', async () => {
    const path = `apps/${await scene.app()}`
    const group = await scene.entitlement(await scene.app())
    await scene.set(path, 'primary', { entitlements: [group] })
    const a = await scene.holder(group)
    const first = await moment()
    const b = await scene.holder(group)
    done(
      await scene.remove(`/api/v1/apps/${group.appId}/entitlements/${group.id}/remove-membership`, {
        appUserId: a.account.id,
      }),
    )
    const second = await moment()
    await scene.set(path, 'primary', {})
    const at = async (asOf: string) => (await scene.get(`/api/v1/${path}/owners?as_of=${asOf}`)).json['list'] as Json[]
    expect((await at(first)).map(({ id }) => id)).toEqual([a.userId])
    expect((await at(second)).map(({ id }) => id)).toEqual([b.userId])
    const ids = await scene.get(`/api/v1/${path}/ownerids?asOf=${first}`)
    expect(ids.json['userIds']).toEqual([a.userId])
  })

  test('what was deleted since is found again', async () => {
    const appId = await scene.app()
    const user = await scene.user()
    await scene.set(`apps/${appId}`, 'primary', { users: [user] })
    const then = await moment()
    done(await scene.remove(`/api/v1/apps/${appId}`, {}))
    expect(await scene.named(`apps/${appId}`, `&as_of=${then}`)).toEqual([`primary ${user}`])
    expect(outcomeOf(await scene.get(`/api/v2/apps/${appId}/owners/users`))).toBe('404/5 APP_NOT_FOUND')
  })

  test('the future is refused', async () => {
    const reply = await scene.get(`/api/v2/apps/${await scene.app()}/owners/users?as_of=2999-01-01T00:00:00Z`)
    expect([outcomeOf(reply), fieldsOf(reply)]).toEqual(['400/3 INPUT_INVALID', ['asOf']])
  })
})

test('the record is written once and ended once', async () => {
  const appId = await scene.app()
  await scene.set(`apps/${appId}`, 'primary', { users: [await scene.user()] })
  const { db } = scene.server
  const said = 'an owner is written once and ended once'
  await expect(db`update owners set role_slug = 'x' where object_id = ${appId}`).rejects.toThrow(said)
  await expect(db`delete from owners where object_id = ${appId}`).rejects.toThrow(said)
  await expect(db`truncate owners`).rejects.toThrow(said)
  await scene.send('PUT', `/api/v2/apps/${appId}/owners`, bodyOf('primary', {}))
  await expect(db`update owners set ended_by = 'x' where object_id = ${appId}`).rejects.toThrow(said)
})
