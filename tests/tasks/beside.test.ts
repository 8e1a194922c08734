import { describe, expect, test } from 'vitest'
import { toldOf, whyUntold } from '#rooms/governance/tasks/beside/decide.ts'
import { type Json, outcomeOf } from '../fixture/access.ts'
import type { Caller } from '../grants/scene.ts'
import { byOwners, prepareTasks, target } from './scene.ts'

const scene = prepareTasks()
const work = (userId: string, department: string, jobTitle: string) =>
  scene.server.db`update users set department = ${department}, job_title = ${jobTitle} where user_id = ${userId}`
const contextOf = async (id: string, by: Caller): Promise<Json> => {
  const reply = await scene.get(`/api/v1/tasks/${id}/context`, by)
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}

describe('what stands beside a request', () => {
  test('is the work of the person and how many like them have the access, for those who decide it and nobody else', async () => {
    const asked = await scene.target(byOwners)
    const asker = await scene.caller(['system:user'])
    await work(asker.userId, 'Optics', 'Engineer')
    for (let place = 0; place < 5; place++) {
      const userId = await scene.user({ displayName: `Peer ${place}` })
      await work(userId, 'Optics', place < 2 ? 'Engineer' : 'Planner')
      if (place < 3) await scene.grant(asked, await scene.account(asked.appId, { userId }))
    }
    const made = scene.task(await scene.post('/api/v1/task/grant', target(asked, { description: 'x' }), asker))
    expect(await contextOf(made.id, asked.owner)).toMatchObject({
      department: { value: 'Optics', people: 5, holding: 3, why: '' },
      // Of two people, a count would tell who has it.
      jobTitle: { value: 'Engineer', people: 0, holding: 0, why: 'Not shown: fewer than 5 other people.' },
    })
    expect(await contextOf(made.id, scene.admin)).toMatchObject({ jobTitle: { people: 2, holding: 2, why: '' } })
    expect(await contextOf(made.id, asker)).toMatchObject({ department: null, jobTitle: null })
    expect(outcomeOf(await scene.get(`/api/v1/tasks/${made.id}/context`, await scene.caller(['system:user'])))).toMatch(
      /^404/,
    )
    // Whoever has decided no longer needs to know it.
    const { policy } = await scene.look(made.id, asked.owner)
    await scene.act(made.id, 'deny', { policyStepId: policy.current?.id }, asked.owner)
    expect(await contextOf(made.id, asked.owner)).toMatchObject({ department: null, jobTitle: null })
  })

  test('is what the entitlement leads to, by name only where the caller sees it, and what its holders own', async () => {
    const asked = await scene.target(byOwners)
    const beyond = await scene.entitlement(await scene.app('Beyond'), 'Vault')
    const own = await scene.entitlement(asked.appId, 'Also here')
    // What someone may request they see, too.
    await scene.offer(own)
    for (const to of [beyond, own])
      await scene.server.db`
        insert into entitlement_proxies (tenant_id, src_app_id, src_entitlement_id, dst_app_id, dst_entitlement_id, created_at, updated_at)
        values (${scene.access.tenant.id}, ${asked.appId}, ${asked.id}, ${to.appId}, ${to.id}, now(), now())`
    const asker = await scene.caller(['system:user'])
    const made = scene.task(await scene.post('/api/v1/task/grant', target(asked, { description: 'x' }), asker))
    const [forAdmin, forOwner] = [await contextOf(made.id, scene.admin), await contextOf(made.id, asked.owner)]
    expect(forAdmin).toMatchObject({ hiddenCount: 0, hasMore: false, owns: [] })
    expect((forAdmin['leadsTo'] as Json[]).map(({ displayName }) => displayName)).toEqual(['Also here', 'Vault'])
    expect((forOwner['leadsTo'] as Json[]).map(({ displayName }) => displayName)).toEqual(['Also here'])
    expect(forOwner['hiddenCount']).toBe(1)
    expect(JSON.stringify(forOwner)).not.toContain(beyond.id)
  })

  test('tells no counts of groups that are too small or too large', () => {
    const four = { people: 4, holding: 4 }
    expect(toldOf(four, false)).toBeNull()
    expect(toldOf(four, true)).toEqual(four)
    expect(toldOf({ people: 5_001, holding: 7 }, true)).toBeNull()
    expect(whyUntold('Sales', { people: 5_001, holding: 7 }, true)).toBe('Not counted: more than 5,000 people.')
    expect(whyUntold('Sales', { people: 0, holding: 0 }, false)).toBe('Nobody else.')
    expect(whyUntold('', null, false)).toBe('')
  })
})
