import { describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'
import { kindsOfOperation } from '#rooms/governance/four-eyes/index.ts'
import { findAssignedEmail } from '#rooms/identity/roles/index.ts'
import { setAccountUsers } from '#rooms/records/accounts/index.ts'
import { routes } from '#server/registry/routes.ts'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { openBrowser } from '../sessions/support.ts'
import { automatic } from '../tasks/scene.ts'
import { type Company, company, type Person, prepare, roleOf, scene } from './company.ts'

prepare()

const delegating = 'user.v1.UserService.SetExpiringUserDelegationBindingByAdmin'
const byAdmin = (userId: string): string => `/api/v1/users/${userId}/set-delegation-by-admin`

/** A policy by which a step is decided. */
async function policyOf(at: Company, ...steps: Json[]): Promise<string> {
  const reply = await at.post(at.author, '/api/v1/policies', {
    displayName: 'Deciding',
    policyType: 'POLICY_TYPE_GRANT',
    policySteps: { grant: { steps: steps.map((approval) => ({ approval })) } },
  })
  expect(reply.status, reply.text).toBe(200)
  return (reply.json['policy'] as { id: string }).id
}
const usual = { allowReassignment: true, allowDelegation: true }
const byUsers = (...people: Person[]): Json => ({ users: { userIds: people.map(({ userId }) => userId) }, ...usual })
const assigned = async (at: Company, target: Person) =>
  at.held(await at.post(at.author, roleOf(target.userId, 'system:owner')))

describe('the author of a change does not choose who approves it', () => {
  test('a delegate whom they set for the only approver, before that needed approval, approves nothing', async () => {
    const at = await company()
    const [puppet, third] = [await at.person(['system:user']), await at.person(['system:user'])]
    const policy = await policyOf(at, byUsers(at.approver))
    const set = await at.post(at.author, byAdmin(at.approver.userId), { delegatedUserId: puppet.userId })
    expect(outcomeOf(set)).toBe('200')
    await at.require('roles', policy)
    const task = await assigned(at, third)
    expect(task.stepApproverIds).toEqual([at.approver.userId])
    expect(await at.approve(task.id, puppet)).not.toBe('done')
    expect(await at.roles(third.userId)).toEqual(['system:user'])
    expect(await at.approve(task.id)).toBe('done')
  })

  test('to set a delegate for somebody waits for approval, whichever kind of change needs it, and needs a recent sign-in', async () => {
    expect(routes.find(({ id }) => id === delegating)?.needsFresh).toBe(true)
    for (const kind of ['automations', 'policies', 'owners', 'roles']) {
      const at = await company()
      const puppet = await at.person(['system:user'])
      await at.require(kind)
      const path = byAdmin(at.approver.userId)
      const task = await at.held(await at.post(at.author, path, { delegatedUserId: puppet.userId }))
      expect(await at.approve(task.id)).toBe('done')
      const [row] = await scene.server.db`
        select delegated_user_id as delegate, named_by as by from user_delegations
        where tenant_id = ${at.tenant.id} and user_id = ${at.approver.userId}`
      expect(row).toEqual({ delegate: puppet.userId, by: at.author.userId })
    }
  })

  test('the delegate whom an approver names themselves approves in their place, until somebody else changes that', async () => {
    const at = await company()
    const [delegate, third] = [await at.person(['system:user']), await at.person(['system:user'])]
    const policy = await policyOf(at, byUsers(at.approver))
    const own = { delegatedUserId: delegate.userId }
    const set = await at.post(at.approver, '/api/v1/users/introspect/delegation', own)
    expect(outcomeOf(set), set.text).toBe('200')
    await at.require('roles', policy)
    const task = await assigned(at, third)
    expect(task.stepApproverIds).toEqual([delegate.userId])
    expect(await at.approve(task.id, delegate)).toBe('done')
  })

  test('nor a delegate whom they set for that delegate, or in the place of that delegate', async () => {
    for (const replaces of [false, true]) {
      const at = await company()
      const [delegate, puppet, third] = [
        await at.person(['system:user']),
        await at.person(['system:user']),
        await at.person(['system:user']),
      ]
      const policy = await policyOf(at, byUsers(at.approver))
      const own = { delegatedUserId: delegate.userId }
      expect(outcomeOf(await at.post(at.approver, '/api/v1/users/introspect/delegation', own))).toBe('200')
      const whose = replaces ? at.approver : delegate
      const set = await at.post(at.author, byAdmin(whose.userId), { delegatedUserId: puppet.userId })
      expect(outcomeOf(set), set.text).toBe('200')
      await at.require('roles', policy)
      const task = await assigned(at, third)
      expect(task.stepApproverIds).toEqual([(replaces ? at.approver : delegate).userId])
      expect(await at.approve(task.id, puppet)).not.toBe('done')
      expect(await at.roles(third.userId)).toEqual(['system:user'])
    }
  })

  test('nor are they approvers themselves, though the only approver has named them as the delegate', async () => {
    const at = await company()
    const third = await at.person(['system:user'])
    const policy = await policyOf(at, byUsers(at.approver))
    const own = { delegatedUserId: at.author.userId }
    expect(outcomeOf(await at.post(at.approver, '/api/v1/users/introspect/delegation', own))).toBe('200')
    await at.require('roles', policy)
    const task = await assigned(at, third)
    expect(task.stepApproverIds).not.toContain(at.author.userId)
    expect(await at.approve(task.id, at.author)).not.toBe('done')
    expect(await at.roles(third.userId)).toEqual(['system:user'])
  })

  test('administrators of requests neither reassign nor skip the step of another', async () => {
    const at = await company()
    const [requestAdmin, third] = [await at.person(['system:request-admin']), await at.person(['system:user'])]
    await at.require('roles', await policyOf(at, byUsers(at.approver)))
    const task = await assigned(at, third)
    const toSelf = { newStepUserIds: [requestAdmin.userId] }
    expect(await at.act(requestAdmin, task.id, 'reassign', toSelf)).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    expect(await at.act(requestAdmin, task.id, 'skip-step')).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    // The one whose step it is hands it on.
    expect(await at.act(at.approver, task.id, 'reassign', toSelf)).toBe('200')
    expect(await at.approve(task.id, requestAdmin)).toBe('done')
  })

  /** An entitlement of a new app, by whose holders changes are approved. */
  const group = async (at: Company): Promise<{ appId: string; appEntitlementId: string; path: string }> => {
    const app = (await at.post(at.author, '/api/v1/apps', { displayName: 'App' })).json['app'] as { id: string }
    const made = await at.post(at.author, `/api/v1/apps/${app.id}/entitlements`, {
      displayName: 'Approvers',
      grantPolicyId: automatic,
    })
    // Requests are about who approved them here, and not about who carries them out.
    const recorded = { withoutConnector: 'WITHOUT_CONNECTOR_RECORDS_ONLY' }
    expect(outcomeOf(await at.post(at.author, `/api/v1/apps/${app.id}/enforcement`, recorded))).toBe('200')
    const { appEntitlement } = made.json['appEntitlementView'] as Json as { appEntitlement: { id: string } }
    const path = `/api/v1/apps/${app.id}/entitlements/${appEntitlement.id}`
    return { appId: app.id, appEntitlementId: appEntitlement.id, path }
  }
  const byGroup = ({ appId, appEntitlementId }: { appId: string; appEntitlementId: string }): Json => ({
    group: { appId, appGroupId: appEntitlementId },
    ...usual,
  })
  const holders =
    (at: Company, { appEntitlementId: id }: { appEntitlementId: string }) =>
    async () =>
      (
        await scene.server.db`select 1 from grants
        where tenant_id = ${at.tenant.id} and entitlement_id = ${id} and ended_at is null`
      ).length

  test('of the group that approves, who came since it does approves nothing, unless another administrator put them there', async () => {
    const at = await company()
    const person = () => at.person(['system:user'])
    const [early, byHand, byRequest, bySelf, byOther, byOwner, third] = await Promise.all([
      ...[person(), person(), person(), person(), person(), person(), person()],
    ])
    const owner = await at.person(['system:application-admin', 'system:user'])
    if (!early || !byHand || !byRequest || !bySelf || !byOther || !byOwner || !third) throw new Error('nobody')
    const ref = await group(at)
    const add = async (by: Person, { userId }: Person): Promise<void> => {
      expect(outcomeOf(await at.post(by, `${ref.path}/add-manual-user`, { userIds: [userId] }))).toBe('200')
    }
    await add(at.author, early)
    const policyId = await policyOf(at, byGroup(ref))
    await at.require('roles', policyId)
    await add(at.author, byHand)
    await add(at.approver, byOther)
    const request = { appId: ref.appId, appEntitlementId: ref.appEntitlementId }
    const forOther = { ...request, identityUserId: byRequest.userId }
    expect(outcomeOf(await at.post(at.author, '/api/v1/task/grant', forOther))).toBe('200')
    // By a policy that the author has chosen, a request of their own.
    const offer = await at.post(at.author, '/api/v1/catalogs', {
      displayName: 'All',
      published: true,
      visibleToEveryone: true,
    })
    const { requestCatalog } = offer.json['requestCatalogView'] as Json as { requestCatalog: { id: string } }
    const entries = `/api/v1/catalogs/${requestCatalog.id}/requestable_entries`
    const entry = { appEntitlements: [{ appId: ref.appId, id: ref.appEntitlementId }] }
    expect(outcomeOf(await at.post(at.author, entries, entry))).toBe('200')
    expect(outcomeOf(await at.post(bySelf, '/api/v1/task/grant', request))).toBe('200')
    // By whom the author has made its owner.
    const owning = `/api/v1/apps/${ref.appId}/owners/${owner.userId}`
    expect(outcomeOf(await at.post(at.author, owning))).toBe('200')
    await add(owner, byOwner)
    await expect.poll(holders(at, ref)).toBe(6)
    const task = await assigned(at, third)
    expect(task.stepApproverIds.toSorted()).toEqual([early.userId, byOther.userId].toSorted())
    for (const each of [byHand, byRequest, bySelf, byOwner]) expect(await at.approve(task.id, each)).not.toBe('done')
    expect(await at.approve(task.id, byOther)).toBe('done')
    // Whoever is there when the setting is saved again, which itself is approved, counts from then on.
    const again = await at.post(at.author, '/api/v1/four_eyes/roles', { required: true, policyId })
    expect(await at.approve((await at.held(again)).id, early)).toBe('done')
    expect((await assigned(at, bySelf)).stepApproverIds).toContain(byHand.userId)
  })

  test('nor does whom they had an automation rule or an import put there, or who came to have the account of an approver', async () => {
    const at = await company()
    const [early, byImport, byRule, third] = [
      await at.person(['system:user']),
      await at.person(['system:user']),
      await at.person(['system:user']),
      await at.person(['system:user']),
    ]
    const ref = await group(at)
    expect(outcomeOf(await at.post(at.author, `${ref.path}/add-manual-user`, { userIds: [early.userId] }))).toBe('200')
    await at.require('roles', await policyOf(at, byGroup(ref)))
    const rule = { automation: { cel: { expression: `subject.email == "${byRule.userId}@example.com"` } } }
    expect(outcomeOf(await at.post(at.author, `${ref.path}/automation/create`, rule))).toBe('200')
    await expect.poll(holders(at, ref)).toBe(2)
    const { db } = scene.server
    const [account] = await db<{ id: string }[]>`
      select account_id as id from accounts where tenant_id = ${at.tenant.id} and user_id = ${early.userId}`
    // As an import that says whose it is does.
    await transact(db, (tx) =>
      setAccountUsers(tx, at.tenant.id, ref.appId, [{ accountId: account?.id ?? '', userId: byImport.userId }]),
    )
    const task = await assigned(at, third)
    expect(task.stepApproverIds).not.toContain(byImport.userId)
    expect(task.stepApproverIds).not.toContain(byRule.userId)
    expect(await at.approve(task.id, byImport)).not.toBe('done')
    expect(await at.approve(task.id)).toBe('done')
  })

  test('nor does who came to be their manager since', async () => {
    const at = await company()
    const [puppet, third] = [await at.person(['system:user']), await at.person(['system:user'])]
    const managedBy = (userId: string) =>
      transact(scene.server.db, (tx) =>
        updateRecords(tx, at.tenant.id, 'users', {
          set: { manager_ids: [userId], updated_at: new Date() },
          where: tx`x.user_id = ${at.author.userId}`,
        }),
      )
    await managedBy(at.approver.userId)
    await at.require('roles', await policyOf(at, { manager: {}, ...usual }))
    expect((await assigned(at, third)).stepApproverIds).toEqual([at.approver.userId])
    await managedBy(puppet.userId)
    const task = await assigned(at, puppet)
    expect(task.stepApproverIds).toContain(at.approver.userId)
    expect(await at.approve(task.id, puppet)).not.toBe('done')
  })

  test('nor whom an expression names, and a policy with conditions decides no changes', async () => {
    const at = await company()
    const puppet = await at.person(['system:user'])
    const expression = { expressions: [`c1.directory.users.v1.FindByEmail("${puppet.userId}@example.com")`] }
    await at.require('roles', await policyOf(at, { expression, ...usual }))
    const { stepApproverIds } = await assigned(at, puppet)
    expect(stepApproverIds).toContain(at.approver.userId)
    expect(stepApproverIds).not.toContain(puppet.userId)
    const made = await at.post(at.author, '/api/v1/policies', {
      displayName: 'By who asks',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: {
        grant: { steps: [{ approval: { manager: {} } }] },
        other: { steps: [{ approval: byUsers(puppet) }] },
      },
      rules: [{ condition: 'subject.department == "Mine"', policyKey: 'other' }],
    })
    const policyId = (made.json['policy'] as { id: string }).id
    const set = await at.post(at.author, '/api/v1/four_eyes/owners', { required: true, policyId })
    expect(set.text).toContain('Choose a policy without rules')
  })

  test('neither by merging users, nor by enabling one of several, whichever kind of change needs approval', async () => {
    for (const kind of ['automations', 'policies', 'owners', 'roles']) {
      const at = await company()
      const [puppet, former, other] = [
        await at.person(['system:user']),
        await at.person(['system:owner']),
        await at.person(['system:user']),
      ]
      const disable = { userIds: [former.userId, other.userId] }
      for (const userId of disable.userIds)
        expect(outcomeOf(await at.post(at.author, `/api/v1/users/${userId}/disable`))).toBe('200')
      await at.require(kind, await policyOf(at, byUsers(at.approver, other)))
      for (const { userId } of [former, other])
        await at.held(await at.post(at.author, `/api/v1/users/${userId}/enable`))
      expect(kindsOfOperation('bailiwick.v1.BulkUsers.Enable')).toContain(kind)
      expect(kindsOfOperation('bailiwick.v1.BulkUsers.Undo')).toContain(kind)
      expect(kindsOfOperation('user.v1.UserMerges.Split')).toContain(kind)
      const into = { intoUserId: puppet.userId }
      const plan = await at.post(at.author, `/api/v1/users/${at.approver.userId}/merge/plan`, into)
      expect(plan.status, plan.text).toBe(200)
      const { fingerprint } = plan.json
      await at.held(await at.post(at.author, `/api/v1/users/${at.approver.userId}/merge`, { ...into, fingerprint }))
    }
  })

  /** People as an import says that they are, by name; with a token of each. */
  const imported = async (at: Company, people: { [name: string]: { email?: string; status?: string } }) => {
    const body = Object.entries(people).map(
      ([externalId, { email = `${externalId}@${at.tenant.domain}`, status = 'ENABLED' }]) =>
        JSON.stringify({ kind: 'user', externalId, displayName: externalId, email, status }),
    )
    const headers = { 'content-type': 'application/jsonl' }
    const asking = { method: 'POST', body: body.join('\n'), headers }
    const reply = await at.ask(at.author, '/api/v1/imports', asking)
    expect(reply.status, reply.text).toBe(200)
  }
  const personCalled = async (at: Company, name: string): Promise<Person> => {
    const [row] = await scene.server.db<{ id: string }[]>`
      select user_id as id from users where tenant_id = ${at.tenant.id} and external_id = ${name}`
    const key = await scene.access.makeKey(row?.id ?? '', {}, at.tenant)
    return { ...key, token: await scene.access.makeToken(key, at.tenant) }
  }

  test('nor as whom they can sign in since, by an email address that they had an import write: neither as an approver nor as a delegate of one', async () => {
    for (const isSubmittedBefore of [false, true]) {
      const at = await company()
      await imported(at, { ann: {}, ben: {}, cleo: {} })
      const [ann, ben, third] = [
        await personCalled(at, 'ann'),
        await personCalled(at, 'ben'),
        await at.person(['system:user']),
      ]
      const own = { delegatedUserId: ben.userId }
      expect(outcomeOf(await at.post(at.approver, '/api/v1/users/introspect/delegation', own))).toBe('200')
      await at.require('roles', await policyOf(at, byUsers(ann, at.approver)))
      const puppets = { ann: { email: 'own@attacker.example' }, ben: { email: 'other@attacker.example' } }
      if (!isSubmittedBefore) await imported(at, puppets)
      const task = await assigned(at, third)
      const byName = [ann.userId, ben.userId].toSorted()
      expect(task.stepApproverIds.toSorted()).toEqual(isSubmittedBefore ? byName : [at.approver.userId])
      if (isSubmittedBefore) await imported(at, puppets)
      // Nor once it is what it was.
      await imported(at, { ann: {}, ben: {} })
      for (const each of [ann, ben]) expect(await at.approve(task.id, each)).not.toBe('done')
      expect(await at.roles(third.userId)).toEqual(['system:user'])
      expect(await at.approve(task.id)).toBe('done')
    }
  })

  test('a Super Administrator whose address changes approves as before: nobody is linked with them by it', async () => {
    const at = await company()
    await imported(at, { ann: {} })
    const [ann, third] = [await personCalled(at, 'ann'), await at.person(['system:user'])]
    expect(outcomeOf(await at.post(at.author, roleOf(ann.userId, 'system:owner')))).toBe('200')
    await at.require('policies', await policyOf(at, byUsers(ann)))
    await imported(at, { ann: { email: 'own@attacker.example' } })
    // Nor by another role, which is given with the address of now.
    expect(outcomeOf(await at.post(at.author, roleOf(ann.userId, 'system:helpdesk')))).toBe('200')
    const { world } = scene.access
    expect(await findAssignedEmail(world, at.tenant.id, ann.userId)).toBe(`ann@${at.tenant.domain}`)
    const task = await assigned(at, third)
    expect(task.stepApproverIds).toEqual([ann.userId])
    expect(await at.approve(task.id, ann)).toBe('done')
  })

  test('nor whom they had an import let in again; who is enabled with approval approves', async () => {
    const at = await company()
    await imported(at, { ann: {}, ben: {} })
    const [ann, ben, third] = [
      await personCalled(at, 'ann'),
      await personCalled(at, 'ben'),
      await at.person(['system:user']),
    ]
    const own = { delegatedUserId: ben.userId }
    expect(outcomeOf(await at.post(at.approver, '/api/v1/users/introspect/delegation', own))).toBe('200')
    for (const { userId } of [ann, ben])
      expect(outcomeOf(await at.post(at.author, `/api/v1/users/${userId}/disable`))).toBe('200')
    await at.require('roles', await policyOf(at, byUsers(ann, at.approver)))
    for (const status of ['DISABLED', 'ENABLED']) await imported(at, { ann: { status }, ben: { status } })
    expect((await assigned(at, third)).stepApproverIds).toEqual([at.approver.userId])
    for (const { userId } of [ann, ben]) {
      expect(outcomeOf(await at.post(at.author, `/api/v1/users/${userId}/disable`))).toBe('200')
      const task = await at.held(await at.post(at.author, `/api/v1/users/${userId}/enable`))
      expect(await at.approve(task.id)).toBe('done')
    }
    expect((await assigned(at, ann)).stepApproverIds.toSorted()).toEqual([ann.userId, ben.userId].toSorted())
  })

  test('nor as whom they have invited since: they know the link; who signed in before approves', async () => {
    const at = await company()
    const { makeUser, makeKey, makeToken } = scene.access
    const [early, late, puppet] = [
      await makeUser({ tenant: at.tenant, roles: ['system:user'] }),
      await makeUser({ tenant: at.tenant, roles: ['system:user'] }),
      await makeUser({ tenant: at.tenant, roles: ['system:owner'] }),
    ]
    const third = await at.person(['system:user'])
    /** The address of an invitation that the author has created. */
    const inviting = async (userId: string): Promise<string> => {
      const made = await at.post(at.author, '/api/v1/auth/invitations', { userIds: [userId] })
      const [{ url }] = made.json['list'] as [{ url: string }]
      return url
    }
    /** Signs in with it. */
    const invite = async (userId: string, created?: string): Promise<void> => {
      const url = created ?? (await inviting(userId))
      const use = { host: at.tenant.domain, body: { token: url.split('=')[1] } }
      expect(outcomeOf(await openBrowser(scene.server).ask('/auth/v1/sign_in/invitation', use))).toBe('200')
    }
    const asPerson = async (userId: string): Promise<Person> => {
      const key = await makeKey(userId, {}, at.tenant)
      return { ...key, token: await makeToken(key, at.tenant) }
    }
    const own = { delegatedUserId: puppet }
    expect(outcomeOf(await at.post(at.approver, '/api/v1/users/introspect/delegation', own))).toBe('200')
    await invite(early)
    const forLate = await inviting(late)
    await at.require('roles', await policyOf(at, { users: { userIds: [early, late, at.approver.userId] }, ...usual }))
    const submittedBefore = await assigned(at, third)
    expect(submittedBefore.stepApproverIds.toSorted()).toEqual([early, late, puppet].toSorted())
    // Also where the invitation was created before.
    await invite(late, forLate)
    await invite(puppet)
    for (const userId of [late, puppet])
      expect(await at.approve(submittedBefore.id, await asPerson(userId))).not.toBe('done')
    expect(await at.roles(third.userId)).toEqual(['system:user'])
    // Nor once the invitation is no longer listed.
    await scene.server.db`delete from invitations where tenant_id = ${at.tenant.id}`
    expect((await at.task(submittedBefore.id)).state).toBe('TASK_STATE_OPEN')
    const task = await assigned(at, await at.person(['system:user']))
    expect(task.stepApproverIds.toSorted()).toEqual([early, at.approver.userId].toSorted())
    expect(await at.approve(submittedBefore.id, await asPerson(early))).toBe('done')
  })

  test('nor by having another kind of change approved by somebody else', async () => {
    const at = await company()
    const puppet = await at.person(['system:user'])
    const strict = await policyOf(at, byUsers(at.approver))
    const lax = await policyOf(at, byUsers(puppet))
    await at.require('roles', strict)
    for (const kind of ['automations', 'owners', 'policies']) await at.require(kind, lax)
    const changes: [path: string, body?: Json][] = [
      [roleOf(puppet.userId, 'system:owner')],
      [roleOf(puppet.userId, 'system:viewer')],
      [byAdmin(at.approver.userId), { delegatedUserId: puppet.userId }],
      [
        `/api/v1/policies/${strict}`,
        { policy: { displayName: 'Mine', policySteps: { grant: { steps: [{ approval: byUsers(puppet) }] } } } },
      ],
    ]
    for (const [path, body] of changes) {
      const task = await at.held(await at.post(at.author, path, body))
      expect(task.stepApproverIds, path).toEqual([at.approver.userId])
      expect(await at.approve(task.id, puppet)).not.toBe('done')
    }
    // It stays the first when it is saved again.
    const again = await at.post(at.author, '/api/v1/four_eyes/roles', { required: true, policyId: strict })
    expect(await at.approve((await at.held(again)).id)).toBe('done')
    const task = await at.held(
      await at.post(at.author, byAdmin(at.approver.userId), { delegatedUserId: at.author.userId }),
    )
    expect(task.stepApproverIds).toEqual([at.approver.userId])
  })

  test('nor do they make another Super Administrator, who approves what nobody else can', async () => {
    const at = await company()
    const puppet = await at.person(['system:user'])
    await at.require('policies')
    expect(outcomeOf(await at.post(at.author, roleOf(puppet.userId, 'system:viewer')))).toBe('200')
    const task = await assigned(at, puppet)
    expect(await at.approve(task.id)).toBe('done')
    expect(await at.roles(puppet.userId)).toContain('system:owner')
  })
})
