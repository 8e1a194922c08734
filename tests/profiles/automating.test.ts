import { describe, expect, test } from 'vitest'
import { fieldsOf, type Json, outcomeOf } from '../fixture/access.ts'
import type { Ref } from '../grants/scene.ts'
import { automatic } from '../tasks/scene.ts'
import { bypass, leaving, prepareProfiles, profilesApp } from './scene.ts'

const scene = prepareProfiles()
const at = (id: string, action = '') => `/api/v1/catalogs/${id}/bundle_automation${action}`
const department = (name: string) => ({ cel: { expression: `subject.department == "${name}"` } })
const held = async (ref: Ref, userIds: readonly string[]) => {
  const found = await Promise.all(userIds.map((userId) => scene.holds(ref, userId)))
  return found.filter((each) => each.length > 0).length
}
const people = (count: number, of: string) =>
  Promise.all(Array.from({ length: count }, () => scene.user({ department: of })))
const state = async (id: string) => {
  const reply = await scene.get(at(id))
  expect(reply.status, reply.text).toBe(200)
  return reply.json as Json & { state: Json; circuitBreaker: Json }
}

describe('the automation of a profile', () => {
  test('is created, read back as a bare object, replaced, run and deleted', async () => {
    const [thing, key] = (await scene.things(2)) as [Ref, Ref]
    const id = await scene.profile({}, [thing])
    expect(outcomeOf(await scene.get(at(id)))).toBe('404/5 AUTOMATION_NOT_FOUND')
    expect((await scene.remove(at(id), {})).status).toBe(404)
    const sent = {
      entitlements: { entitlementRefs: [key] },
      enabled: true,
      createTasks: true,
      disableCircuitBreaker: false,
      removedMembersThresholdPercent: '35',
      enforceOnSmallProfiles: true,
    }
    const made = await scene.post(at(id, '/create'), sent)
    expect(made.json).toMatchObject({ ...sent, cel: null, requestCatalogId: id, deletedAt: null })
    expect(await state(id)).toMatchObject({ ...sent, cel: null })
    expect(outcomeOf(await scene.post(at(id, '/create'), sent))).toBe('409/6 AUTOMATION_EXISTS')
    const changed = { ...department('Nowhere'), enabled: true }
    expect((await scene.post(at(id), changed)).json).toMatchObject({
      ...changed,
      entitlements: null,
      createTasks: false,
      removedMembersThresholdPercent: '0',
      enforceOnSmallProfiles: false,
    })
    expect((await scene.post(at(id, '/run'), {})).status).toBe(200)
    await scene.settled()
    expect((await state(id)).state).toMatchObject({
      status: 'BUNDLE_AUTOMATION_RUN_STATUS_SUCCESS',
      celEvaluation: { matchedUsers: '0' },
    })
    expect(outcomeOf(await scene.post(at(id, '/resume'), {}))).toBe('400/9 AUTOMATION_NOT_PAUSED')
    expect((await scene.remove(at(id), {})).status).toBe(200)
    expect((await scene.get(at(id))).status).toBe(404)
    for (const action of ['/run', '/resume']) expect((await scene.post(at(id, action), {})).status).toBe(404)
    const gone = scene.access.world.newId()
    for (const reply of [scene.get(at(gone)), scene.post(at(gone), changed), scene.post(at(gone, '/run'), {})])
      expect(outcomeOf(await reply)).toBe('404/5 REQUEST_CATALOG_NOT_FOUND')
  })

  test('names exactly one rule, and what there is', async () => {
    const [key] = (await scene.things(1)) as [Ref]
    const id = await scene.profile()
    const both = { ...department('X'), entitlements: { entitlementRefs: [key] } }
    expect(fieldsOf(await scene.post(at(id), { enabled: true }))).toEqual(['entitlements'])
    expect(fieldsOf(await scene.post(at(id), both))).toEqual(['cel'])
    expect(fieldsOf(await scene.post(at(id), { entitlements: { entitlementRefs: [] } }))).toEqual([
      'entitlements.entitlementRefs',
    ])
    const nowhere = { entitlements: { entitlementRefs: [{ appId: key.appId, id: scene.access.world.newId() }] } }
    expect(fieldsOf(await scene.post(at(id), nowhere))).toEqual(['entitlements.entitlementRefs[0]'])
    expect(fieldsOf(await scene.post(at(id), { ...department('X'), removedMembersThresholdPercent: '101' }))).toEqual([
      'removedMembersThresholdPercent',
    ])
    expect(outcomeOf(await scene.post(at(id), { cel: { expression: 'subject.' } }))).toBe('400/3 EXPRESSION_INVALID')
    expect(fieldsOf(await scene.post(at(id, '/run'), { refs: [key] }))).toEqual(['refs'])
  })

  test('does not enroll by what enrolling gives', async () => {
    const [thing, key] = (await scene.things(2)) as [Ref, Ref]
    const id = await scene.profile({}, [thing])
    const of = (ref: Ref) => ({ entitlements: { entitlementRefs: [ref] }, enabled: true })
    expect(outcomeOf(await scene.post(at(id), of(thing)))).toBe('400/9 AUTOMATION_CIRCLE')
    expect((await scene.post(at(id), of(key))).status).toBe(200)
    const path = `/api/v1/catalogs/${id}/requestable_entries`
    expect(outcomeOf(await scene.post(path, { appEntitlements: [key] }))).toBe('400/9 AUTOMATION_CIRCLE')
  })

  test('enrolls whom it matches and unenrolls whom it does no longer', async () => {
    const [thing] = (await scene.things(1)) as [Ref]
    const terms = { enrollmentBehavior: bypass, ...leaving('REVOKE_ALL') }
    const id = await scene.profile(terms, [thing])
    const [ann, bob] = (await people(2, 'Kitchen')) as [string, string]
    await scene.post(at(id), { ...department('Kitchen'), enabled: true })
    await scene.settled()
    expect(await held(thing, [ann, bob])).toBe(2)
    await scene.post(at(id), { cel: { expression: `subject.id == "${ann}"` }, enabled: true })
    await scene.settled()
    expect([await held(thing, [ann]), await held(thing, [bob])]).toEqual([1, 0])
    // Disabled, it rests, and keeps who is enrolled; it is not run by hand either.
    await scene.post(at(id), { ...department('Nowhere'), enabled: false })
    await scene.settled()
    expect(await held(thing, [ann])).toBe(1)
    expect(outcomeOf(await scene.post(at(id, '/run'), {}))).toBe('400/9 AUTOMATION_DISABLED')
  })

  test('tells of its origin in tasks', async () => {
    const [thing] = (await scene.things(1, automatic)) as [Ref]
    const id = await scene.profile({}, [thing])
    const [ann] = (await people(1, 'Cellar')) as [string]
    await scene.post(at(id), { ...department('Cellar'), enabled: true })
    await scene.settled()
    expect(await scene.tasksOf(ann)).toMatchObject([
      { kind: 'grant', entitlementId: thing.id, origin: 'TASK_ORIGIN_PROFILE_MEMBERSHIP_AUTOMATION', outcome: 'done' },
    ])
    const [rows] = [await scene.holds(thing, ann)]
    expect(rows).toMatchObject([{ source: 'request' }])
  })

  test('that creates tasks asks for the enrollment, and gives nothing before it is approved', async () => {
    const [thing] = (await scene.things(1)) as [Ref]
    const terms = { requestBundle: true, enrollmentBehavior: bypass, ...leaving('REVOKE_ALL') }
    const id = await scene.profile(terms, [thing])
    const [ann, bob] = (await people(2, 'Attic')) as [string, string]
    const save = (name: string) => scene.post(at(id), { ...department(name), enabled: true, createTasks: true })
    await save('Attic')
    await scene.settled()
    const [task] = await scene.tasksOf(ann)
    expect(task).toMatchObject({
      kind: 'grant',
      entitlementId: id,
      isOpen: true,
      origin: 'TASK_ORIGIN_PROFILE_MEMBERSHIP_AUTOMATION',
    })
    expect(await held(thing, [ann, bob])).toBe(0)
    const seen = await scene.look(task?.id ?? '')
    const decision = { policyStepId: seen.policy.current?.id, comment: 'yes' }
    await scene.act(seen.id, 'approve', decision, scene.admin)
    await scene.settled()
    expect([await held(thing, [ann]), await held(thing, [bob])]).toEqual([1, 0])
    // No longer matched: Bob's request is withdrawn, and that Ann leaves is asked for, by default approved at once.
    await save('Nowhere')
    await scene.settled()
    expect((await scene.tasksOf(bob)).map(({ outcome }) => outcome)).toEqual(['cancelled'])
    expect(await held({ appId: profilesApp, id }, [ann, bob])).toBe(0)
    expect(await held(thing, [ann])).toBe(0)
    expect((await scene.tasksOf(ann)).map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
      'grant done',
      'revoke done',
    ])
  })

  test('that would unenroll too many is held by its own threshold, and goes on when resumed', async () => {
    const [thing] = (await scene.things(1)) as [Ref]
    const terms = { enrollmentBehavior: bypass, ...leaving('REVOKE_ALL') }
    const id = await scene.profile(terms, [thing])
    const all = await people(4, 'Stable')
    const save = (expression: string, more: Json = {}) =>
      scene.post(at(id), { cel: { expression }, enabled: true, ...more })
    await save('subject.department == "Stable"')
    await scene.settled()
    expect(await held(thing, all)).toBe(4)
    const three = all.slice(0, 3).map((userId) => `"${userId}"`)
    const fewer = `subject.id in [${three.join(', ')}]`
    const breaker = { removedMembersThresholdPercent: '10', enforceOnSmallProfiles: true }
    await save(fewer, breaker)
    await scene.settled()
    expect(await state(id)).toMatchObject({
      state: { status: 'BUNDLE_AUTOMATION_RUN_STATUS_WAITING_FOR_APPROVAL' },
      circuitBreaker: { state: 'CIRCUIT_BREAKER_STATE_TRIGGERED', removedMembersThresholdPercentage: '10' },
    })
    expect(await held(thing, all)).toBe(4)
    expect((await scene.post(at(id, '/resume'), {})).status).toBe(200)
    await scene.settled()
    expect(await held(thing, all)).toBe(3)
    const two = `subject.id in [${three.slice(0, 2).join(', ')}]`
    await save(two, { ...breaker, disableCircuitBreaker: true })
    await scene.settled()
    expect(await held(thing, all)).toBe(2)
    expect((await state(id)).circuitBreaker['state']).toBe('CIRCUIT_BREAKER_STATE_BYPASS')
  })

  test('is for those who administer requests, where the profile asks policies', async () => {
    const [thing] = (await scene.things(1)) as [Ref]
    const admin = await scene.caller(['system:user', 'system:request-admin'])
    const asks = await scene.profile({}, [thing])
    const gives = await scene.profile({ enrollmentBehavior: bypass }, [thing])
    const body = { ...department('Nowhere'), enabled: true }
    expect((await scene.post(at(asks), body, admin)).status).toBe(200)
    expect(outcomeOf(await scene.post(at(gives), body, admin))).toBe('403/7 GRANT_BEYOND_REACH')
    const open = { ...body, disableCircuitBreaker: true }
    expect(outcomeOf(await scene.post(at(asks), open, admin))).toBe('403/7 PERMISSION_DENIED')
    const basic = await scene.caller(['system:user'])
    for (const reply of [scene.get(at(asks), basic), scene.post(at(asks), body, basic)])
      expect(outcomeOf(await reply)).toBe('403/7 PERMISSION_DENIED')
  })
})

describe('what expressions ask of enrollments', () => {
  test('tells who holds something because a profile gave or requested it, and who was enrolled automatically', async () => {
    const [thing] = (await scene.things(1)) as [Ref]
    const [target] = (await scene.things(1)) as [Ref]
    const id = await scene.profile({ requestBundle: true, enrollmentBehavior: bypass }, [thing])
    const [auto] = (await people(1, 'Tower')) as [string]
    const hand = await scene.user()
    const none = await scene.user()
    await scene.grant(thing, await scene.account(thing.appId, { userId: none }))
    await scene.post(at(id), { ...department('Tower'), enabled: true })
    await scene.enroll(id, hand)
    const decide = async (name: string, identityUserId: string) => {
      const reply = await scene.post('/api/v1/policies', {
        displayName: 'By enrollment',
        policyType: 'POLICY_TYPE_GRANT',
        policySteps: { grant: { steps: [{ reject: {} }] }, yes: { steps: [{ accept: {} }] } },
        rules: [{ condition: `c1.user.v1.${name}(subject, "${thing.appId}", "${thing.id}")`, stepKey: 'yes' }],
      })
      expect(reply.status, reply.text).toBe(200)
      const policyId = (reply.json['policy'] as { id: string }).id
      await scene.server.db`update entitlements set grant_policy_id = ${policyId} where entitlement_id = ${target.id}`
      const body = { appId: target.appId, appEntitlementId: target.id, identityUserId }
      return scene.task(await scene.post('/api/v1/task/grant', body)).type.grant?.outcome
    }
    const [yes, no] = ['GRANT_OUTCOME_GRANTED', 'GRANT_OUTCOME_DENIED']
    const decided = async (name: string) => [
      await decide(name, auto),
      await decide(name, hand),
      await decide(name, none),
    ]
    expect(await decided('AutomaticallyGrantedFromEnrollment')).toEqual([yes, no, no])
    expect(await decided('GrantedFromEnrollment')).toEqual([yes, yes, no])
  })
})
