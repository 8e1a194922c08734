import { beforeAll, describe, expect, test } from 'vitest'
import { fieldsOf, type Json, outcomeOf, type Reply } from '../fixture/access.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { automatic, prepareTasks, target } from '../tasks/scene.ts'

const scene = prepareTasks()
const users = 'c1.directory.users.v1'
const apps = 'c1.directory.apps.v1'
let requestAdmin: Caller
let person: string
let asked: Ref
beforeAll(async () => {
  requestAdmin = await scene.caller(['system:request-admin'])
  person = await scene.user({ profile: { costCentre: 'CC-5100' }, department: 'Sales' })
  asked = await scene.target(automatic)
})

const approval = { approval: { appOwners: {} } }
const byCondition = (condition: string): Json => ({
  displayName: 'By condition',
  policyType: 'POLICY_TYPE_GRANT',
  policySteps: { grant: { steps: [approval] }, other: { steps: [approval, approval] } },
  rules: [{ condition, policyKey: 'other' }],
})
const byExpression = (text: string): Json => ({
  displayName: 'By expression',
  policyType: 'POLICY_TYPE_GRANT',
  policySteps: { grant: { steps: [{ approval: { expression: { expressions: [text] } } }] } },
})
const create = (policy: Json, by: Caller): Promise<Reply> => scene.post('/api/v1/policies', policy, by)
const idOf = (reply: Reply): string => {
  expect(reply.status, reply.text).toBe(200)
  return (reply.json['policy'] as { id: string }).id
}
const profile = (value: string): string => `subject.profile["costCentre"] == "${value}"`

describe('an expression tells its author no more than they may read', () => {
  test('a condition about a profile is refused in a policy, and in the plan of one', async () => {
    for (const value of ['CC-5100', 'CC-5200']) {
      const reply = await create(byCondition(profile(value)), requestAdmin)
      expect(outcomeOf(reply)).toBe('400/3 INPUT_INVALID')
      expect(fieldsOf(reply)).toEqual(['rules[0].condition'])
      expect(reply.text).toContain('users.read')
    }
    const plan = await scene.post('/api/v1/policies/plan', { policy: byCondition(profile('CC-5100')) }, requestAdmin)
    expect(outcomeOf(plan)).toBe('400/3 INPUT_INVALID')
    const policyId = idOf(await create(byCondition('subject.department == "Sales"'), requestAdmin))
    const policy = byCondition(profile('CC-5100'))
    const change = { policy, updateMask: 'rules' }
    expect(outcomeOf(await scene.post(`/api/v1/policies/${policyId}`, change, requestAdmin))).toBe(
      '400/3 INPUT_INVALID',
    )
    const draft = await scene.post('/api/v1/policies/plan', { policyId, policy }, requestAdmin)
    expect(outcomeOf(draft)).toBe('400/3 INPUT_INVALID')
  })

  test('what somebody who may read it wrote is sent back, planned and kept, but not written elsewhere', async () => {
    const policy = byCondition(profile('CC-5100'))
    const policyId = idOf(await create(policy, scene.admin))
    const renamed = { policy: { ...policy, displayName: 'Another' }, updateMask: 'displayName,rules,policySteps' }
    expect(outcomeOf(await scene.post(`/api/v1/policies/${policyId}`, renamed, requestAdmin))).toBe('200')
    const plan = await scene.post('/api/v1/policies/plan', { policyId, policy }, requestAdmin)
    expect(outcomeOf(plan)).toBe('200')
    expect(outcomeOf(await create(policy, requestAdmin))).toBe('400/3 INPUT_INVALID')
    const body = { ...target(asked), identityUserId: person }
    expect(outcomeOf(await scene.post('/api/v1/task/plan', body, requestAdmin))).toBe('200')
  })

  // By each way to a value: by name, by key, of somebody else, and where it is not known whose field it is.
  test.each([
    'subject.email.startsWith("a")',
    'subject["email"] == "a"',
    'has(subject.profile.costCentre)',
    'subject.attributes.costCentre == "CC-5100"',
    'subject.manager != ""',
    'subject.employeeIds.exists(e, e == "1")',
    '[subject].exists(u, u.email == "a")',
    '[[subject]][0][0].email == "a"',
    '[[subject]].exists(l, l[0]["em" + "ail"] == "a")',
    '[[subject]].exists(l, l.exists(u, u["email"] == "a"))',
    '[subject, 1][0] == {"email": "a"}',
    '[subject, 1].exists(u, u.exists(k, k == "a"))',
    `${users}.FindByEmail("a@example.com").department == "IT"`,
    `${users}.FindByName("A").status == UserStatus.ENABLED`,
    `size(${users}.GetManagers(subject)) > 0`,
    `size(${users}.DirectReports(subject)) > 0`,
    'account.email == "a"',
    'account.profile.site == "a"',
    'account.id == ""',
    'ip.startsWith("10.")',
  ])('%s', async (text) => {
    const refused = await create(byCondition(text), requestAdmin)
    expect(outcomeOf(refused), refused.text).toBe('400/3 INPUT_INVALID')
    expect([...new Set(fieldsOf(refused))]).toEqual(['rules[0].condition'])
    const waiting = { wait: { condition: { condition: text, timeoutDuration: '60s' } } }
    const steps = { ...byCondition('true'), policySteps: { grant: { steps: [waiting, approval] } }, rules: [] }
    expect(outcomeOf(await create(steps, requestAdmin)), text).toBe('400/3 INPUT_INVALID')
    const chosen = await create(byExpression(`(${text}) ? appOwners : [subject]`), requestAdmin)
    expect(outcomeOf(chosen), chosen.text).toBe('400/3 INPUT_INVALID')
    expect(outcomeOf(await create(byCondition(text), scene.admin)), text).toBe('200')
  })

  test('who holds what is asked only of what one owns, with ids that are written out', async () => {
    const { appId, id } = asked
    for (const text of [
      `c1.user.v1.HasApp(subject, "${appId}")`,
      `c1.user.v1.HasEntitlement(subject, "${appId}", "${id}")`,
      `c1.user.v1.HasEntitlement(subject, entitlement.appId, entitlement.id)`,
      `c1.user.v1.GrantedFromEnrollment(subject, "${appId}", "${id}")`,
      `c1.user.v1.AutomaticallyGrantedFromEnrollment(subject, "${appId}", "${id}")`,
      `c1.user.v1.GetAppUserStatus(subject, "${appId}") == "STATUS_ENABLED"`,
      `size(${apps}.GetEntitlementMembers("${appId}", "${id}")) > 0`,
      `size(${apps}.GetEntitlementOwners("${appId}", "${id}")) > 0`,
    ]) {
      expect(outcomeOf(await create(byCondition(text), requestAdmin)), text).toBe('400/3 INPUT_INVALID')
      expect(outcomeOf(await create(byCondition(text), scene.admin)), text).toBe('200')
    }
  })

  test.each([
    'subject.department == "Sales" && subject.jobTitle != "" && subject.status == UserStatus.ENABLED',
    '[subject].exists(u, u.employmentType == "FTE")',
    'entitlement.riskLevelValueId == "" && entitlement.displayName != "x"',
    'task.isGrantPermanent || task.subjectUserId == task.requestorUserId',
    'now() > timestamp("2020-01-01T00:00:00Z")',
  ])('what is about work, the request and what is requested can be asked: %s', async (text) => {
    const reply = await create(byCondition(text), requestAdmin)
    expect(outcomeOf(reply), reply.text).toBe('200')
  })

  test('approvers can be the owners of the app, by what they work', async () => {
    const reply = await create(byExpression('appOwners.filter(o, o.department == "IT")'), requestAdmin)
    expect(outcomeOf(reply), reply.text).toBe('200')
    const finding = await create(byExpression(`${users}.GetByID("${person}")`), requestAdmin)
    expect(outcomeOf(finding)).toBe('400/3 INPUT_INVALID')
  })

  test('the provisioner of an entitlement is asked no more by its owner', async () => {
    const { appId, id } = await scene.target()
    const administrator = await scene.caller(['system:application-admin'])
    const owners = `/api/v1/apps/${appId}/entitlements/${id}/owners`
    const set = await scene.post(owners, { userId: administrator.userId })
    expect(set.status, set.text).toBe(200)
    const provisioned = (text: string): Json => ({
      manual: { instructions: 'By hand', assignee: { expression: { expressions: [text] } } },
    })
    const update = (text: string, by: Caller) =>
      scene.post(
        `/api/v1/apps/${appId}/entitlements/${id}`,
        { entitlement: { provisionerPolicy: provisioned(text) }, updateMask: 'provisionerPolicy' },
        by,
      )
    const secret = `${profile('CC-5100')} ? [subject] : appOwners`
    expect(outcomeOf(await update(secret, administrator))).toBe('400/3 INPUT_INVALID')
    expect(outcomeOf(await update('subject.department == "IT" ? [subject] : appOwners', administrator))).toBe('200')
    expect(outcomeOf(await update(secret, scene.admin))).toBe('200')
    // Clients send back what they read.
    expect(outcomeOf(await update(secret, administrator))).toBe('200')
  })

  test('neither do the automation of an access profile, a directory and its plan', async () => {
    const made = await scene.post(
      '/api/v1/catalogs',
      {
        displayName: 'A profile',
        requestBundle: true,
      },
      requestAdmin,
    )
    expect(made.status, made.text).toBe(200)
    const { id } = (made.json['requestCatalogView'] as { requestCatalog: { id: string } }).requestCatalog
    const automation = { cel: { expression: profile('CC-5100') }, enabled: false }
    const path = `/api/v1/catalogs/${id}/bundle_automation/create`
    expect(outcomeOf(await scene.post(path, automation, requestAdmin))).toBe('400/3 INPUT_INVALID')

    await scene.access.makeRole('directories', ['directories.read', 'directories.write', 'apps.read'])
    const keeper = await scene.caller(['directories' as never])
    const appId = await scene.app('A directory')
    const all = (more: object) => ({ appId, ...more })
    const byFilter = all({ celExpression: { expression: 'account.email.startsWith("a")' } })
    const byKey = all({
      all: {},
      mergeConfig: { matchCases: [{ appUserKeyCel: '"CC-5100"', userKeyCel: 'subject.profile.costCentre' }] },
    })
    for (const body of [byFilter, byKey])
      for (const at of ['/api/v1/directories', '/api/v1/directory-plans']) {
        const reply = await scene.post(at, body, keeper)
        expect(outcomeOf(reply), `${at} ${reply.text}`).toBe('400/3 INPUT_INVALID')
        expect(reply.text).toContain('users.read')
      }
  })

  test('a condition that fails shows no values to whoever requests', async () => {
    const policy = await create(byCondition('bool(subject.profile.costCentre)'), scene.admin)
    const failing = await scene.target(idOf(policy))
    const body = { ...target(failing), identityUserId: person }
    const reply = await scene.post('/api/v1/task/plan', body, requestAdmin)
    expect(reply.text).toContain('bool()')
    expect(reply.text).not.toContain('CC-5100')
  })
})
