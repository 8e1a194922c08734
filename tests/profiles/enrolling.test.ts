import { describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { fewOrMany, longTest } from '../fixture/long.ts'
import type { Ref } from '../grants/scene.ts'
import { automatic, byOwners, target } from '../tasks/scene.ts'
import { bypass, enforce, leaving, prepareProfiles, profilesApp } from './scene.ts'

const scene = prepareProfiles()
const sources = async (ref: Ref, userId: string) =>
  (await scene.holds(ref, userId)).map(({ source }) => source).toSorted()
const manual = 'TASK_ORIGIN_PROFILE_MEMBERSHIP_MANUAL'

describe('being enrolled', () => {
  test('requests each missing entitlement under its own policy', async () => {
    const [free] = (await scene.things(1, automatic)) as [Ref]
    const [asked, had] = (await scene.things(2, byOwners)) as [Ref, Ref]
    const person = await scene.user()
    await scene.grant(had, await scene.account(had.appId, { userId: person }))
    const id = await scene.profile({ requestBundle: true, enrollmentBehavior: enforce }, [free, asked, had])
    await scene.enroll(id, person)
    const tasks = await scene.tasksOf(person)
    expect(tasks.map(({ entitlementId }) => entitlementId).toSorted()).toEqual([free.id, asked.id].toSorted())
    for (const task of tasks) expect(task).toMatchObject({ kind: 'grant', origin: manual })
    expect(await sources(free, person)).toEqual(['request'])
    expect(await sources(asked, person)).toEqual([])
    const seen = await scene.look(tasks.find(({ isOpen }) => isOpen)?.id ?? '')
    expect(seen).toMatchObject({ state: 'TASK_STATE_OPEN', origin: manual })
    // Looking again does nothing again.
    await scene.server.db`insert into profile_changes (tenant_id, profile_id) values (${scene.access.tenant.id}, ${id})`
    await scene.settled()
    expect(await scene.tasksOf(person)).toEqual(tasks)
  })

  test('by a request that is approved: from asking to holding', async () => {
    const things = await scene.things(2, automatic)
    const id = await scene.profile({ requestBundle: true }, things)
    const person = await scene.caller(['system:user'])
    const made = scene.task(await scene.post('/api/v1/task/grant', target({ appId: profilesApp, id }), person))
    await scene.settled()
    for (const thing of things) expect(await sources(thing, person.userId)).toEqual([])
    await scene.act(made.id, 'approve', { policyStepId: made.policy.current?.id, comment: 'ok' }, scene.admin)
    await scene.settled()
    for (const thing of things) expect(await sources(thing, person.userId)).toEqual(['request'])
    const origins = (await scene.tasksOf(person.userId)).map(({ origin }) => origin)
    expect(origins.filter((origin) => origin === 'TASK_ORIGIN_PROFILE_MEMBERSHIP')).toHaveLength(2)
  })

  test('gives at once where the profile bypasses policies, with the profile as the reason, beside other reasons', async () => {
    const [a, b] = (await scene.things(2, byOwners)) as [Ref, Ref]
    const person = await scene.user()
    await scene.grant(b, await scene.account(b.appId, { userId: person }))
    const id = await scene.profile({ requestBundle: true, enrollmentBehavior: bypass }, [a, b])
    await scene.enroll(id, person)
    expect(await sources(a, person)).toEqual(['profile'])
    expect(await sources(b, person)).toHaveLength(2)
    expect(await scene.tasksOf(person)).toEqual([])
    const members = await scene.get(`/api/v1/apps/${a.appId}/entitlements/${a.id}/users`)
    expect(JSON.stringify(members.json)).toContain(`"derivedIdType":"profile","derivedIdData":"${id}"`)
    expect((await scene.logged('profiles.members')).at(-1)?.message).toContain('granted access to its members')
  })

  test('past the policies, but not past who has to carry it out', async () => {
    const [thing] = (await scene.things(1, byOwners)) as [Ref]
    const doer = await scene.caller(['system:user'])
    const policy = { manual: { instructions: 'By hand', assignee: { users: { userIds: [doer.userId] } } } }
    const reply = await scene.post(`/api/v1/apps/${thing.appId}/entitlements/${thing.id}`, {
      entitlement: { provisionerPolicy: policy },
      updateMask: 'provisionerPolicy',
    })
    expect(reply.status, reply.text).toBe(200)
    const person = await scene.user()
    const id = await scene.profile({ requestBundle: true, enrollmentBehavior: bypass }, [thing])
    await scene.enroll(id, person)
    expect(await sources(thing, person)).toEqual([])
    const [task] = await scene.tasksOf(person)
    const seen = await scene.look(task?.id ?? '', doer)
    expect(seen.actions).toContain('TASK_ACTION_TYPE_PROVISION_COMPLETE')
  })

  test('an entry that is added later goes to members where requests are to be created, and to nobody else', async () => {
    const [first, second, third] = (await scene.things(3)) as [Ref, Ref, Ref]
    const id = await scene.profile({ requestBundle: true, enrollmentBehavior: bypass }, [first])
    const [member, other] = [await scene.user(), await scene.user()]
    await scene.enroll(id, member)
    const add = async (ref: Ref, createRequests: boolean) => {
      await scene.post(`/api/v1/catalogs/${id}/requestable_entries`, { appEntitlements: [ref], createRequests })
      await scene.settled()
    }
    await add(second, false)
    await add(third, true)
    expect(await sources(second, member)).toEqual([])
    expect(await sources(third, member)).toEqual(['profile'])
    expect(await sources(third, other)).toEqual([])
    await scene.remove(`/api/v1/catalogs/${id}/requestable_entries`, { appEntitlements: [third] })
    await scene.settled()
    expect(await sources(third, member)).toEqual(['profile'])
  })

  test('an owner of the enrollment does not give by it what they could not give', async () => {
    const [thing] = (await scene.things(1)) as [Ref]
    const id = await scene.profile({ requestBundle: true, enrollmentBehavior: bypass }, [thing])
    const owner = await scene.caller(['system:user', 'system:application-admin'])
    const path = `/api/v1/apps/${profilesApp}/entitlements/${id}`
    const object = { kind: 'entitlement', appId: profilesApp, typeId: '', id } as const
    const { world, tenant } = scene.access
    const owning = { object, roleSlug: 'primary', id: world.newId(), userId: owner.userId } as const
    await transact(world.db, (tx) => insertOwners(tx, operatorCause(tenant, 'test'), [owning], world.now()))
    const give = () => scene.post(`${path}/add-manual-user`, { userIds: [owner.userId] }, owner)
    expect(outcomeOf(await give())).toBe('403/7 GRANT_BEYOND_REACH')
    const change = { catalog: { enrollmentBehavior: enforce }, updateMask: 'enrollmentBehavior' }
    await scene.post(`/api/v1/catalogs/${id}`, change)
    expect((await give()).status).toBe(200)
    await scene.settled()
    expect(await sources(thing, owner.userId)).toEqual([])
  })
})

describe('leaving', () => {
  const scenario = async (terms: Json, more: { policyId?: string } = {}) => {
    const [both, only] = (await scene.things(2, more.policyId ?? '')) as [Ref, Ref]
    const person = await scene.user()
    const common = { requestBundle: true, enrollmentBehavior: bypass }
    const id = await scene.profile({ ...common, ...terms }, [both, only])
    const other = await scene.profile(common, [both])
    await scene.enroll(id, person)
    await scene.enroll(other, person)
    return { id, other, both, only, person }
  }

  test('leaves access as it is, unless said', async () => {
    for (const terms of [{}, leaving('LEAVE_ACCESS_AS_IS')]) {
      const { id, both, only, person } = await scenario(terms)
      await scene.unenroll(id, person)
      expect([await sources(both, person), await sources(only, person)]).toEqual([['profile'], ['profile']])
    }
  })

  test('revokes all', async () => {
    const { id, both, only, person } = await scenario(leaving('REVOKE_ALL'))
    await scene.unenroll(id, person)
    expect([await sources(both, person), await sources(only, person)]).toEqual([[], []])
  })

  test('revokes what no other profile of theirs contains; what was given otherwise does not count', async () => {
    const { id, both, only, person } = await scenario(leaving('REVOKE_UNJUSTIFIED'))
    const [account] = await scene.server.db<{ id: string }[]>`
      select account_id as id from accounts where app_id = ${only.appId} and user_id = ${person}`
    await scene.grant(only, { appId: only.appId, id: account?.id ?? '' }, { source: 'manual' })
    await scene.unenroll(id, person)
    expect([await sources(both, person), await sources(only, person)]).toEqual([['profile'], []])
  })

  longTest('two profiles at once: neither keeps access for the other', async () => {
    const { id, other, both, person } = await scenario(leaving('REVOKE_UNJUSTIFIED'))
    const catalog = { ...leaving('REVOKE_UNJUSTIFIED') }
    await scene.post(`/api/v1/catalogs/${other}`, { catalog, updateMask: Object.keys(catalog).join(',') })
    await Promise.all([scene.unenroll(id, person), scene.unenroll(other, person)])
    await scene.settled()
    expect(await sources(both, person)).toEqual([])
  })

  test('with policies, by tasks that may keep access', async () => {
    const { id, both, only, person } = await scenario(leaving('REVOKE_UNJUSTIFIED', false))
    await scene.server.db`
      update entitlements set revoke_policy_id = '0builtinRevokeByOwners00001' where entitlement_id = ${only.id}`
    await scene.unenroll(id, person)
    expect(await scene.tasksOf(person)).toMatchObject([
      { kind: 'revoke', entitlementId: only.id, origin: 'TASK_ORIGIN_PROFILE_MEMBERSHIP', isOpen: true },
    ])
    expect([await sources(both, person), await sources(only, person)]).toEqual([['profile'], ['profile']])
  })

  test('cancels what the profile requested and nobody has decided yet', async () => {
    const [thing] = (await scene.things(1, byOwners)) as [Ref]
    const person = await scene.user()
    const id = await scene.profile({ requestBundle: true }, [thing])
    await scene.enroll(id, person)
    await scene.unenroll(id, person)
    expect(await scene.tasksOf(person)).toMatchObject([{ kind: 'grant', isOpen: false, outcome: 'cancelled' }])
    await scene.enroll(id, person)
    expect(await scene.tasksOf(person)).toMatchObject([{ isOpen: false }, { kind: 'grant', isOpen: true }])
  })

  test('by deletion of the profile', async () => {
    const { id, only, both, person } = await scenario(leaving('REVOKE_UNJUSTIFIED'))
    expect((await scene.remove(`/api/v1/catalogs/${id}`, {})).status).toBe(200)
    await scene.settled()
    expect([await sources(both, person), await sources(only, person)]).toEqual([['profile'], []])
    const rows = await scene.server.db`select 1 from profile_members where profile_id = ${id}`
    expect(rows).toHaveLength(0)
  })

  test('by expiry of the enrollment', async () => {
    const [thing] = (await scene.things(1)) as [Ref]
    const id = await scene.profile({ requestBundle: true, enrollmentBehavior: bypass, ...leaving('REVOKE_ALL') }, [
      thing,
    ])
    const person = await scene.user()
    const account = await scene.account(profilesApp, { userId: person })
    await scene.grant({ appId: profilesApp, id }, account, { expiresAt: new Date(Date.now() + 3000) })
    const isHeld = async () => (await sources(thing, person)).length > 0
    await until(isHeld)
    await until(async () => !(await isHeld()))
  })
})

const members = fewOrMany(12, 500)
test(`${members} members are given ten things, once each, and lose them`, async () => {
  const things = await scene.things(10)
  const terms = { requestBundle: true, enrollmentBehavior: bypass, ...leaving('REVOKE_ALL') }
  const id = await scene.profile(terms, things)
  const userIds = await Promise.all(Array.from({ length: members }, () => scene.user()))
  await scene.enroll(id, ...userIds)
  const count = async () => {
    const [row] = await scene.server.db<{ count: number }[]>`
      select count(*) as count from grants where source = 'profile' and granted_by = ${id} and ended_at is null`
    return row?.count
  }
  expect(await count()).toBe(members * 10)
  // As PostgreSQL does by itself within a minute.
  await scene.server.db`analyze grants`
  expect((await scene.remove(`/api/v1/catalogs/${id}`, {})).status).toBe(200)
  await scene.settled()
  expect(await count()).toBe(0)
})
