import { beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import {
  evaluateApprovers,
  evaluateCondition,
  evaluateRoutingCondition,
  type PolicyFacts,
} from '#rooms/governance/policies/index.ts'
import { findApprovers } from '#rooms/governance/tasks/facts/approvers.ts'
import { Facts } from '#rooms/governance/tasks/facts/facts.ts'
import { emptyState } from '#rooms/governance/tasks/machine/fold.ts'
import type { Task } from '#rooms/governance/tasks/machine/record.ts'
import { assignRole } from '#rooms/identity/roles/index.ts'
import { prepare } from '../expressions/world.ts'
import { ask, eventually, fieldsOf, getToken, type Json, reasonOf } from '../fixture/access.ts'

const world = prepare()
const users = 'c1.directory.users.v1'
const apps = 'c1.directory.apps.v1'
let token: string
let facts: PolicyFacts
let [boss, chief, ann, gone, twin, twinToo, elsewhere] = ['', '', '', '', '', '', '']
let [appId, entitlementId, heldId, otherApp] = ['', '', '', '']

beforeAll(async () => {
  const { access, server } = world
  token = await getToken(server, await access.makeCaller(['system:owner']))
  ;[chief = ''] = await world.people([{ email: 'chief@example.com', displayName: 'The chief' }])
  ;[boss = ''] = await world.people([
    { email: 'Boss@example.com', displayName: 'The boss', managerId: chief, department: 'IT' },
  ])
  ;[ann = '', gone = '', twin = '', twinToo = ''] = await world.people([
    {
      email: 'ann@example.com',
      emails: ['ann@example.com'],
      managerId: boss,
      department: 'Sales',
      profile: { site: 'Oslo' },
    },
    { email: 'gone@example.com', managerId: boss, isDeleted: true },
    { displayName: 'A twin', managerId: boss, status: 'DISABLED' },
    { displayName: 'A twin' },
  ])
  const other = await access.makeTenant('other.example.com')
  elsewhere = await access.makeUser({ tenant: other, email: 'elsewhere@example.com' })
  appId = await world.app()
  otherApp = await world.app()
  entitlementId = (await world.entitlement(appId)).id
  const held = await world.entitlement(appId)
  heldId = held.id
  const { id: accountId } = await world.account(appId, ann)
  await world.grant(held, accountId)
  await world.grant({ appId, id: entitlementId }, accountId, { expiresAt: new Date(Date.now() - 1000) })
  await transact(access.world.db, (tx) =>
    insertOwners(
      tx,
      operatorCause(access.tenant, 'test'),
      [
        {
          object: { kind: 'app', appId, typeId: '', id: appId },
          roleSlug: 'primary',
          id: access.world.newId(),
          userId: boss,
        },
      ] as never,
      world.now,
    ),
  )
  facts = {
    subjectUserId: ann,
    appId,
    entitlementId,
    accountId,
    ip: '10.0.0.1',
    task: {
      id: access.world.newId(),
      number: 12,
      displayName: 'A request',
      origin: 'TASK_ORIGIN_API',
      durationSeconds: null,
      requestorUserId: ann,
      createdAt: world.now,
    },
  }
})

const condition = (text: string, more: Partial<PolicyFacts> = {}) =>
  transact(world.access.world.db, (tx) =>
    evaluateCondition(tx, world.access.world, world.tenantId, text, { ...facts, ...more }),
  )
const approvers = (text: string, more: Partial<PolicyFacts> = {}) =>
  transact(world.access.world.db, (tx) =>
    evaluateApprovers(tx, world.access.world, world.tenantId, text, { ...facts, ...more }),
  )

describe('a condition sees the records', () => {
  test.each<[string, () => string, boolean]>([
    [
      'the subject',
      () => 'subject.department == "Sales" && subject.profile.site == "Oslo" && subject.manager == "Boss@example.com"',
      true,
    ],
    ['the task', () => 'task.isGrantPermanent && task.numericId == 12 && task.requestorUserId == subject.id', true],
    ['the account', () => 'account.identityUserId == subject.id && account.app_user_type == AppUserType.USER', true],
    [
      'the entitlement',
      () => `entitlement.id == "${entitlementId}" && entitlement.displayName == "An entitlement"`,
      true,
    ],
    ['apps', () => `c1.user.v1.HasApp(subject, "${appId}") && !c1.user.v1.HasApp(subject, "${otherApp}")`, true],
    ['what is held', () => `c1.user.v1.HasEntitlement(subject, "${appId}", "${heldId}")`, true],
    ['what has expired', () => `c1.user.v1.HasEntitlement(subject, entitlement.appId, entitlement.id)`, false],
    [
      'the status of an account',
      () => `c1.user.v1.GetAppUserStatus(subject, "${appId}") == AppUserStatus.ENABLED`,
      true,
    ],
    ['no account', () => `c1.user.v1.GetAppUserStatus(subject, "${otherApp}") == AppUserStatus.UNSPECIFIED`, true],
    [
      'ids that are none',
      () => `c1.user.v1.HasApp(subject, subject.department) || c1.user.v1.HasEntitlement(subject, ip, ip)`,
      false,
    ],
    ['managers', () => `${users}.GetManagers(subject).exists(m, m.department == "IT")`, true],
  ])('%s', async (_, text, value) => {
    expect(await condition(text())).toEqual({ value })
  })

  test('and of someone without an account, an empty one', async () => {
    expect(await condition('account.id == "" && !has(account.email)', { accountId: '' })).toEqual({ value: true })
  })

  test('a routing condition sees the entitlement', async () => {
    const { world: own } = world.access
    const route = (text: string) =>
      evaluateRoutingCondition(own.db, own, world.tenantId, text, { appId, entitlementId })
    expect(await route('entitlement.displayName == "An entitlement"')).toEqual({ value: true })
    expect(await route('subject.id == ""')).toHaveProperty('error')
  })
})

describe('an approver expression names users', () => {
  test.each<[string, () => string, () => string[]]>([
    ['by address, in any case', () => `${users}.FindByEmail("BOSS@example.com")`, () => [boss]],
    ['by name', () => `[${users}.FindByName("The chief")]`, () => [chief]],
    ['by id', () => `${users}.GetByID(subject.managerId)`, () => [boss]],
    ['the manager of a manager', () => `${users}.GetManagers(${users}.GetManagers(subject))`, () => [chief]],
    [
      'who reports, but for the deleted',
      () => `${users}.DirectReports(${users}.GetByID("${boss}")).filter(u, u.id != "")`,
      () => [ann, twin].toSorted(),
    ],
    ['members', () => `${apps}.GetEntitlementMembers("${appId}", "${heldId}")`, () => [ann]],
    ['no members', () => `${apps}.GetEntitlementMembers("${appId}", "${entitlementId}")`, () => []],
    ['no owners', () => `${apps}.GetEntitlementOwners("${appId}", "${entitlementId}")`, () => []],
    ['owners of the app', () => 'appOwners', () => [boss]],
    ['owners, else managers', () => `size(appOwners) > 3 ? appOwners : ${users}.GetManagers(subject)`, () => [boss]],
  ])('%s', async (_, text, userIds) => {
    expect(await approvers(text())).toEqual({ userIds: userIds() })
  })

  test.each<[string, () => string, RegExp]>([
    [
      'an address of nobody',
      () => `${users}.FindByEmail("nobody@example.com")`,
      /^line 1, column \d+: no user has the address/,
    ],
    ['an address of someone deleted', () => `${users}.FindByEmail("gone@example.com")`, /no user has the address/],
    ['an empty address', () => `${users}.FindByEmail("")`, /no user has the address/],
    ['a name that two have', () => `${users}.FindByName("A twin")`, /more than one user has the name/],
    ['an id of nobody', () => `${users}.GetByID("${'0'.repeat(27)}")`, /no user has the id/],
    ['an id that is none', () => `${users}.GetByID(subject.department)`, /no user has the id/],
    ['someone of another tenant', () => `${users}.GetByID("${elsewhere}")`, /no user has the id/],
    ['an address in another tenant', () => `${users}.FindByEmail("elsewhere@example.com")`, /no user has the address/],
    [
      'an entitlement that is not there',
      () => `${apps}.GetEntitlementMembers("${otherApp}", "${heldId}")`,
      /there is no entitlement/,
    ],
    ['texts', () => 'subject.emails', /must be a user or a list of users|something other than users/],
    ['what was never saved', () => 'nothing', /line 1, column 1/],
  ])('and fails on %s', async (_, text, told) => {
    const asked = await approvers(text())
    expect('error' in asked && asked.error).toMatch(told)
  })

  test('and fails where the subject was deleted', async () => {
    expect(await approvers('subject', { subjectUserId: gone })).toEqual({ error: 'the subject does not exist' })
    expect(twinToo).not.toBe('')
  })
})

describe('assigning', () => {
  const step = (texts: string[]) =>
    ({
      kind: 'approval',
      approvers: { by: 'expression', expressions: texts },
      allowSelfApproval: false,
      requireDistinctApprovers: false,
      fallback: { userIds: [chief], groups: [] },
      allowDelegation: false,
      reassignment: { isAllowed: true, to: [], needsReason: false },
      needsReason: { toApprove: false, toDeny: false },
      escalation: null,
    }) as const
  const assigned = (...texts: string[]) => {
    const about = { kind: 'grant', createdBy: ann, createdAt: world.now, source: {} }
    const task = { ...facts, ...facts.task, ...about } as unknown as Task
    return transact(world.access.world.db, (tx) =>
      findApprovers(
        new Facts(tx, { ...world.access.world, tenant: world.access.tenant }),
        { task, state: emptyState },
        step(texts),
      ),
    )
  }

  test('assigns whom the expression names', async () => {
    expect(await assigned('appOwners')).toMatchObject({ assignees: [{ userId: boss, why: 'expression' }], tried: [] })
  })

  test('assigns whom the first of several expressions names that names anyone, and nobody of those after one that fails', async () => {
    const byBoss = { assignees: [{ userId: boss, why: 'expression' }], tried: [] }
    expect(await assigned('[]', 'appOwners', 'fails.here')).toMatchObject(byBoss)
    expect((await assigned('appOwners', 'subject')).assignees).toEqual((await assigned('appOwners')).assignees)
    expect(await assigned(`${users}.FindByEmail("nobody@example.com")`, 'appOwners')).toMatchObject({
      assignees: [{ userId: chief, why: 'fallback' }],
      tried: [{ by: 'expression', because: 'error' }],
    })
  })

  test('assigns the fallback where it fails, where it names nobody, and where it names only the subject', async () => {
    const fallback = { assignees: [{ userId: chief, why: 'fallback' }] }
    const failed = await assigned(`${users}.FindByEmail("nobody@example.com")`)
    expect(failed).toMatchObject({ ...fallback, tried: [{ by: 'expression', because: 'error' }] })
    expect(failed.tried[0]?.error).toContain('no user has the address')
    expect(await assigned('[]')).toMatchObject({ ...fallback, tried: [{ by: 'expression', because: 'nobody' }] })
    expect(await assigned('subject')).toMatchObject({
      ...fallback,
      tried: [{ by: 'expression', because: 'nobody able' }],
    })
  })
})

describe('over the API', () => {
  const post = (path: string, body: Json) => ask(world.server, path, { token, body })
  const validate = async (text: string) => (await post('/api/v1/policies/validate/cel', { text })).json['markers']

  test('a text is validated, with markers', async () => {
    const reply = await post('/api/v1/policies/validate/cel', { text: 'test' })
    expect(reply.status).toBe(200)
    expect(reply.json['markers']).toEqual([
      {
        startLineNumber: 1,
        startColumn: 1,
        endLineNumber: 1,
        endColumn: 5,
        message: expect.stringContaining('there is no "test"') as unknown,
        severity: 'ERROR',
      },
    ])
    expect(await validate('true &&\n  subject.team == ""')).toMatchObject([
      { startLineNumber: 2, startColumn: 10, endLineNumber: 2, endColumn: 15 },
    ])
    for (const text of ['subject.department == "IT"', 'appOwners', 'subject']) expect(await validate(text)).toEqual([])
    for (const text of ['', ' ', '"', 'a'.repeat(20_000), '('.repeat(5_000), '\u{1F600}', 'appOwners.size() > 0'])
      expect(await validate(text)).toHaveLength(1)
  })

  test('an expression for a field of an account is tested about the caller', async () => {
    const [id = ''] = await world.people([{ email: 'Me@Example.com', profile: { site: 'Oslo', floors: [1, 2] } }])
    const own = await getToken(world.server, await world.access.makeKey(id))
    const { server, access } = world
    await transact(access.world.db, (tx) =>
      assignRole(tx, access.world, access.tenant.id, [{ id, email: 'Me@Example.com' }], 'system:request-admin'),
    )
    const asked = (cel: string) =>
      ask(server, '/api/v1/policies/test-account-provision-policy', { token: own, body: { cel } })
    const tested = async (cel: string) => {
      const { type, value } = (await asked(cel)).json
      return [type, value]
    }
    expect(await eventually(async () => (await asked('true')).status === 200)).toBe(true)
    expect(await tested('subject.email')).toEqual(['string', 'Me@Example.com'])
    expect(await tested('user.profile.site + "-" + string(1 + 2)')).toEqual(['string', 'Oslo-3'])
    expect(await tested('subject.profile.floors')).toEqual(['list', '[1,2]'])
    expect(await tested('{"a": [true, null]}')).toEqual(['map', '{"a":[true,null]}'])
    expect(await tested('subject.email.size() > 3')).toEqual(['bool', 'true'])
    for (const cel of [
      '',
      'nobody.email',
      'subject.profile.none',
      `${users}.FindByEmail("ann@example.com").department`,
    ])
      expect(reasonOf(await asked(cel))).toBe('EXPRESSION_INVALID')
  })

  test('a policy is saved with expressions, and refused where one is wrong, by field, line and column', async () => {
    const policy = (rule: string, ...expressions: string[]): Json => ({
      displayName: 'By expression',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: {
        grant: { steps: [{ approval: { expression: { expressions } } }] },
        quick: { steps: [{ accept: {} }] },
      },
      rules: [{ condition: rule, policyKey: 'quick' }],
    })
    const saved = await post('/api/v1/policies', policy('subject.department == "IT"', 'appOwners'))
    expect([saved.status, saved.text]).toEqual([200, expect.any(String)])
    const wrongRule = await post('/api/v1/policies', policy('appOwners', 'appOwners'))
    expect([wrongRule.status, reasonOf(wrongRule), fieldsOf(wrongRule)]).toEqual([
      400,
      'EXPRESSION_INVALID',
      ['rules[0].condition'],
    ])
    const wrongStep = await post('/api/v1/policies', policy('true', 'subject.email'))
    expect(fieldsOf(wrongStep)).toEqual(['policySteps.grant.steps[0].approval.expression.expressions[0]'])
    expect(wrongStep.text).toContain('line 1, column 8')
    const several = await post('/api/v1/policies', policy('true', 'appOwners', 'subject'))
    expect(several.text).toContain('"expressions":["appOwners","subject"]')
    const fieldsOfWrong = async (...texts: string[]) =>
      fieldsOf(await post('/api/v1/policies', policy('true', ...texts)))
    const at = 'policySteps.grant.steps[0].approval.expression.expressions'
    expect(await fieldsOfWrong('appOwners', 'subject.email')).toEqual([`${at}[1]`])
    expect(await fieldsOfWrong('appOwners', ' ')).toEqual([`${at}[1]`])
    expect(await fieldsOfWrong()).toEqual([at])
    expect(await fieldsOfWrong(...Array<string>(9).fill('appOwners'))).toEqual([at])
  })
})

describe('bounds', () => {
  test('more members than anyone can be are an error, and not a part of them', async () => {
    const { id } = await world.entitlement(appId)
    const many = await world.people(Array.from({ length: 1001 }, (_, at) => ({ displayName: `Member ${at}` })))
    const { db } = world.server
    const at = world.now
    await db`insert into accounts (tenant_id, app_id, account_id, user_id, display_name, created_at, updated_at)
      select ${world.tenantId}, ${appId}, u, u, 'An account', ${at}, ${at} from unnest(${many}::text[]) u`
    await db`insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_at, began_at)
      select ${world.tenantId}, ${appId}, ${id}, u, u, 'manual', ${at}, ${at} from unnest(${many}::text[]) u`
    // As autovacuum does; a plan that was made when nobody held anything takes minutes.
    await db`analyze users, accounts, grants`
    const asked = await approvers(`${apps}.GetEntitlementMembers("${appId}", "${id}")`)
    expect('error' in asked && asked.error).toContain('finds more than 1000 users')
    await db`update grants set ended_at = ${new Date()}, ended_why = 'revoked' where grant_id = ${many[0] as string}`
    expect(await approvers(`${apps}.GetEntitlementMembers("${appId}", "${id}")`)).toMatchObject({
      userIds: many.slice(1).toSorted(),
    })
    const profiles = await approvers(
      `${apps}.GetEntitlementMembers("${appId}", "${id}").filter(u, has(u.profile.site))`,
    )
    expect('error' in profiles && profiles.error).toContain('more than 200 users with their profiles')
    const each = await condition(
      `${apps}.GetEntitlementMembers("${appId}", "${id}").all(u, c1.user.v1.HasEntitlement(u, "${appId}", "${id}"))`,
    )
    expect(each).toEqual({ value: true })
  })

  test('look-ups one after the other end somewhere', async () => {
    const chain = Array.from({ length: 38 }).reduce<string>((inner) => `${users}.GetManagers(${inner})`, 'subject')
    expect(await approvers(chain)).toEqual({ userIds: [] })
    const asked = await approvers(
      `[${Array.from({ length: 400 }, (_, at) => `"${String(at).padStart(27, '0')}"`).join(',')}].map(i, ${users}.GetByID(i))`,
    )
    expect(asked).toHaveProperty('error')
  })
})
