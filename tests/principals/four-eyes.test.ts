import { expect, test } from 'vitest'
import { getToken, type Json, outcomeOf, tokenClaims } from '../fixture/access.ts'
import { company, type Person, prepare, scene } from '../four-eyes/company.ts'

prepare()

/** Whoever controls a service principal must not be two people by it. */
test.each(['credential', 'trust'])(
  'a service principal by a %s neither approves a change, nor requests one that needs approval',
  async (by) => {
    const at = await company()
    const base = '/api/v1/service_principals'
    const { json } = await at.post(at.author, base, { displayName: 'Robot' })
    const { id } = json['servicePrincipal'] as { id: string }
    expect((await at.post(at.author, `/api/v1/users/${id}/roles/system:owner`)).status).toBe(200)
    const robot = by === 'trust' ? await byTrust(at, id) : await byCredential(at, id)

    await at.require('roles')
    const path = `/api/v1/users/${at.approver.userId}/roles/system:viewer`
    const refused = await at.post(robot, path)
    expect(outcomeOf(refused), refused.text).toBe('400/9 NOT_A_PERSON')

    const task = await at.held(await at.post(at.author, path))
    const assigned = JSON.stringify((task as Json)['policy'])
    expect(assigned).not.toContain(id)
    const stepId = task.policy.current?.id
    for (const action of ['approve', 'deny', 'skip-step']) {
      const reply = await at.post(robot, `/api/v1/tasks/${task.id}/action/${action}`, { policyStepId: stepId })
      expect(outcomeOf(reply), reply.text).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    }
    const moved = await at.post(robot, `/api/v1/tasks/${task.id}/action/reassign`, {
      policyStepId: stepId,
      newStepUserIds: [id],
    })
    expect(moved.status, moved.text).toBe(403)
    expect(await at.approve(task.id)).toBe('done')
  },
)

type Company = Awaited<ReturnType<typeof company>>

async function byCredential(at: Company, userId: string): Promise<Person> {
  const made = await at.post(at.author, `/api/v1/service_principals/${userId}/credentials`, { displayName: 'key' })
  const { clientId, id } = made.json['credential'] as { clientId: string; id: string }
  const key = { id, userId, clientId, clientSecret: made.json['clientSecret'] as string }
  return { ...key, token: await getToken(scene.server, key) }
}

/** With the access token that an exchange would give. */
async function byTrust(at: Company, userId: string): Promise<Person> {
  const github = { displayName: 'GitHub', wellKnownProvider: 'WELL_KNOWN_WORKLOAD_PROVIDER_GITHUB_ACTIONS' }
  const provider = (await at.post(at.author, '/api/v1/workload_federation/providers', github)).json['provider'] as Json
  const terms = { displayName: 'CI', providerId: provider['id'], conditionExpression: 'claims.repository_id == "1"' }
  const made = await at.post(at.author, `/api/v1/service_principals/${userId}/trusts`, terms)
  const { clientId } = made.json['trust'] as { clientId: string }
  const key = { id: '', userId, clientId, clientSecret: '' }
  return { ...key, token: await scene.access.signToken(tokenClaims(at.tenant, key), at.tenant) }
}
