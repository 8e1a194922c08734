import { expect, test } from 'vitest'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import { prepareRequests } from './requests-scene.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('policies', () => {
  const scene = prepareRequests()
  type Policy = {
    policySteps: Record<string, { steps: { approval: unknown; provision: unknown }[] }>
    rules: unknown[]
  }
  const saved = async (id: string): Promise<Policy> =>
    (await scene.get(`/api/v1/policies/${id}`)).json['policy'] as Policy

  test('a built-in policy is shown and duplicated; the copy is edited step by step, and saved', async () => {
    const { page } = scene.owner
    await scene.go('/policies')
    await checkPage(scene.owner, 'policies')
    await page.getByRole('link', { name: 'Manager approves', exact: true }).click()
    await page.getByText('Built-in policies cannot be edited.').waitFor()
    expect(await page.getByRole('button', { name: /^(Save|Delete)$/ }).count()).toBe(0)
    await checkPage(scene.owner, 'policy-built-in', [1440])
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'Create policy' }).waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Twice approved')
    await page.getByRole('button', { name: 'Add step' }).last().click()
    await page.getByRole('menuitem', { name: 'Approval', exact: true }).click()
    // It must not come after the provisioning: the API says so at the step.
    await page.getByRole('button', { name: 'Create policy' }).click()
    await page
      .getByText('must not come before a step of the kind approval: access would be granted first')
      .first()
      .waitFor()
    await checkPage(scene.owner, 'policy-refused')
    await page.getByRole('button', { name: 'Move step 3, Approval up' }).click()
    const second = page.getByRole('list', { name: 'Steps', exact: true }).getByRole('listitem').nth(1)
    await second.getByLabel('Who approves').selectOption('An owner of the app')
    await second.getByLabel('Denying requires a reason').check()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByLabel('Condition').fill('subject.departmen == 1')
    await page.getByText(/^Line 1, column/).waitFor()
    await checkPage(scene.owner, 'policy-rule')
    await page.getByLabel('Condition').fill('subject.department == "Sales"')
    await page.getByText('Valid', { exact: true }).waitFor()
    await page.getByText('Steps of another policy').first().click()
    await page.getByRole('list', { name: 'Rules' }).getByRole('combobox', { name: 'Policy' }).fill('Approve auto')
    await page.getByRole('option', { name: 'Approve automatically' }).click()
    await page.getByRole('button', { name: 'Create policy' }).click()
    await page.waitForURL(/\/policies\/(?!new)\w+$/)
    const id = page.url().split('/').at(-1) as string
    const { policySteps, rules } = await saved(id)
    expect(policySteps['grant']?.steps.map(({ approval }) => approval !== null)).toEqual([true, true, false])
    expect(policySteps['grant']?.steps[1]?.approval).toMatchObject({ appOwners: {}, requireDenialReason: true })
    expect(rules).toEqual([expect.objectContaining({ condition: 'subject.department == "Sales"' })])
    await settled(page)
    await page.getByRole('button', { name: 'Remove step 1, Approval' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await saved(id)).policySteps['grant']?.steps).toHaveLength(2)
  })

  /** A policy by which someone was asked, opened in the editor beside its plan. */
  const openReplayed = async () => {
    const { page } = scene.owner
    const decider = await scene.access.makeUser({ roles: ['system:user'] })
    const policyId = await scene.policy([{ approval: { users: { userIds: [decider] } } }, { provision: {} }])
    const [wanted] = await scene.appOf(scene.owner.userId, 'Ledger', policyId, 'Clerk')
    const asker = await scene.access.makeUser({ roles: ['system:user'] })
    const number = await scene.asks(wanted as never, asker)
    await scene.go(`/policies/${policyId}`)
    return { page, policyId, number, plan: page.getByRole('region', { name: 'Plan' }) }
  }

  test('beside the editor the draft is replayed over past requests', async () => {
    const { page, policyId, number, plan } = await openReplayed()
    await plan.getByText('None: every request would have taken the same steps').waitFor()
    await page.getByRole('button', { name: 'Add step' }).click()
    await page.getByRole('menuitem', { name: 'Approval', exact: true }).click()
    await plan.getByText('must not come before a step of the kind approval').waitFor()
    await page.getByRole('button', { name: 'Move step 3, Approval up' }).click()
    await page.getByLabel('Who approves').nth(1).selectOption('An owner of the app')
    await plan.getByText('People would have been asked 2 times instead of 1.').waitFor()
    expect(await plan.getByRole('link', { name: /Clerk/ }).getAttribute('href')).toBe(`/tasks/${number}`)
    expect(await plan.getByRole('listitem').textContent()).toMatch(/Added.*Step 2: Approval by the owners of the app/)
    await settled(page)
    // At the end of the page the bar with the buttons covers nothing: axe finds half a checkbox under it too small.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await checkPage(scene.owner, 'policy-plan')
    await plan.getByLabel('Which requests').selectOption('All of this kind')
    await plan.getByText(/requests? replayed/).waitFor()
    // Nothing of it was saved.
    expect((await saved(policyId)).policySteps['grant']?.steps).toHaveLength(2)
  })

  test('leaving the page cancels the replay', async () => {
    const { page, plan } = await openReplayed()
    await plan.getByText('None: every request would have taken the same steps').waitFor()
    // A replay that is held back until the page was left: the browser gives it up, and the server hears of it.
    let begun = (): void => {}
    const isBegun = new Promise<void>((done) => {
      begun = done
    })
    await page.route('**/policies/plan', () => begun())
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/policies/plan'))
    await plan.getByLabel('Requests from the last').selectOption('7 days')
    await isBegun
    await page.getByRole('link', { name: 'Policies', exact: true }).first().click()
    expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED')
    await page.unroute('**/policies/plan')
  })

  test('a policy that uses every field is saved again as it was, but for what was edited', async () => {
    const { page } = scene.owner
    const [one] = await scene.appOf(scene.owner.userId, 'Everything', '', 'Group')
    const { appId, id: entitlementId } = one as { appId: string; id: string }
    const userIds = [scene.owner.userId]
    const who = { allowSelfApproval: true, requireDistinctApprovers: true }
    const fallback = {
      fallback: true,
      fallbackUserIds: userIds,
      isGroupFallbackEnabled: true,
      fallbackGroupIds: [{ appId, appEntitlementId: entitlementId }],
    }
    const group = { appId, appGroupId: entitlementId }
    const rights = {
      allowReassignment: true,
      allowedReassignees: userIds,
      allowDelegation: true,
      requireApprovalReason: true,
      requireDenialReason: true,
      requireReassignmentReason: true,
    }
    const escalation = { expiration: '7200', escalationComment: 'Too late.' }
    const by = { allowReassignment: true, fallbackUserIds: userIds }
    const manual = (assignee: object) => ({ manual: { instructions: 'Do it.', assignee, userIds: [] } })
    const expression = { expressions: ['c1.directory.users.v1.GetManagers(subject)', 'appOwners'] }
    const provision = (provisionPolicy: object) => ({ provision: { provisionPolicy } })
    const approval = (of: object, then: object) => ({
      approval: { ...of, ...rights, escalationEnabled: true, escalation: { ...escalation, ...then } },
    })
    const form = {
      displayName: 'More',
      description: 'To be known.',
      fields: [
        {
          name: 'why',
          displayName: 'Why',
          required: true,
          stringField: { rules: { minLen: '3', pattern: '^[a-z]+$' } },
        },
        { name: 'how_many', displayName: 'How many', int64Field: { rules: { gt: '1' }, numberField: { step: '2' } } },
      ],
      fieldGroups: [{ name: 'g', displayName: 'Group', fields: ['why'], helpText: 'Help' }],
      fieldRelationships: [{ fieldNames: ['why', 'how_many'], atLeastOne: {} }],
    }
    const wait = { name: 'Rest', commentOnFirstWait: 'It begins.', commentOnTimeout: 'Over.', timeoutDuration: '7200s' }
    const lists = {
      grant: [
        approval({ users: { userIds, ...who } }, { skipStep: {} }),
        approval({ manager: { ...who, ...fallback } }, { cancelTicket: {} }),
        approval({ group: { ...group, ...who, ...fallback } }, { reassignToApprovers: { approverIds: userIds } }),
        approval({ self: fallback }, { replacePolicy: { policyId: '0builtinGrantByManager00001' } }),
        { form: { form } },
        { wait: { ...wait, duration: { duration: '3600s' } } },
        { wait: { ...wait, condition: { condition: 'subject.department == "Sales"' } } },
        { wait: { ...wait, untilTime: { hours: 7, minutes: 30, timezone: 'Europe/Zurich' } } },
        provision(manual({ group: { ...group, ...by } })),
      ],
      first: [
        approval({ entitlementOwners: { ...who, ...fallback } }, { skipStep: {} }),
        approval({ expression: { ...expression, ...who, ...fallback } }, { skipStep: {} }),
        { accept: { acceptMessage: 'Fine.' } },
        provision({ delegated: { appId, entitlementId, implicit: true } }),
      ],
      second: [
        approval({ resourceOwners: { ...who, ...fallback } }, { skipStep: {} }),
        approval({ appOwners: who }, { skipStep: {} }),
        provision({
          multiStep: {
            provisionSteps: [
              manual({ expression: { ...expression, ...by } }),
              { manual: { instructions: 'As before.', userIds } },
              { unconfigured: {} },
            ],
          },
        }),
      ],
      untaken: [{ reject: { rejectMessage: 'No.' } }],
    }
    const created = await scene.post('/api/v1/policies', {
      policyType: 'POLICY_TYPE_GRANT',
      displayName: 'Everything',
      description: 'All that there is.',
      policySteps: Object.fromEntries(Object.entries(lists).map(([key, steps]) => [key, { steps }])),
      rules: [
        { condition: 'subject.department == "A"', stepKey: 'first' },
        { condition: 'subject.department == "B"', stepKey: 'second' },
        { condition: 'subject.department == "C"', stepKey: 'first' },
        { condition: 'subject.department == "D"', stepKey: 'grant' },
        { condition: 'subject.department == "E"', policyId: '0builtinGrantByManager00001' },
      ],
      annotations: { team: 'security' },
      scope: { appId, appEntitlementId: '', slot: 'POLICY_SCOPE_SLOT_EMERGENCY' },
    })
    expect(created.status, created.text).toBe(200)
    const { updatedAt: _, ...before } = created.json['policy'] as { id: string; updatedAt: string }
    await scene.go(`/policies/${before.id}`)
    await page.getByText('team: security').waitFor()
    await page.getByText('Only for emergency access to').waitFor()
    // Every field of every step is shown, too: none of these is in the title of a step.
    const shown = page.getByRole('list', { name: 'Steps', exact: true })
    expect(await shown.getByLabel('Also ask people with an entitlement').count()).toBe(3)
    expect(await shown.getByLabel('Comment on the task when the wait times out').count()).toBe(3)
    await checkPage(scene.owner, 'policy-everything')
    const save = async (): Promise<object> => {
      await page.getByRole('button', { name: 'Save' }).click()
      await expect
        .poll(async () => ((await saved(before.id)) as unknown as { updatedAt: string }).updatedAt)
        .not.toBe(last)
      const { updatedAt, ...after } = (await saved(before.id)) as unknown as { updatedAt: string }
      last = updatedAt
      await settled(page)
      return after
    }
    let last = _
    expect(await save()).toEqual(before)
    // Two rules take the same list: one that is edited gets its own, and the other keeps what it had.
    const third = page.getByRole('list', { name: 'Steps of rule 3' })
    await third.getByLabel('Message').fill('Fine, too.')
    const edited = (await save()) as Policy
    const plain = before as unknown as Policy
    expect(edited.rules.map((rule) => (rule as { stepKey: string }).stepKey)).toEqual([
      'first',
      'second',
      'rule-1',
      'grant',
      '',
    ])
    const { 'rule-1': own, ...others } = edited.policySteps
    expect(others).toEqual(plain.policySteps)
    expect(own).toEqual({
      steps: plain.policySteps['first']?.steps.map((step) =>
        'accept' in step && step.accept ? { ...step, accept: { acceptMessage: 'Fine, too.' } } : step,
      ),
    })
  })

  test('what can be requested and nobody can decide is counted and listed, with what to do about it', async () => {
    const { page } = scene.owner
    const gone = await scene.access.makeUser({ roles: ['system:user'], email: 'gone@example.com' })
    const policyId = await scene.policy([{ approval: { users: { userIds: [gone] } } }, { provision: {} }])
    await scene.appOf(scene.owner.userId, 'Archive', policyId, 'Reader')
    expect((await scene.post(`/api/v1/users/${gone}/disable`, {})).status).toBe(200)
    const listed = async (): Promise<string> => (await scene.get('/api/v1/requests/unanswerable')).text
    await expect.poll(listed).toContain('Archive')
    await scene.go('/policies')
    await page.getByRole('link', { name: /^No approver \(\d+\)$/ }).click()
    const row = page.getByRole('row', { name: /Reader/ })
    await row.getByText('Select other people in the step.').waitFor()
    expect(await row.getByRole('link', { name: 'A policy' }).getAttribute('href')).toBe(`/policies/${policyId}`)
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByText(/without an approver/)
      .waitFor({ state: 'attached' })
    await checkPage(scene.owner, 'policies-no-approver')
  })

  test('a policy that an app uses is not deleted, and what uses it is named; entitlements do not keep it', async () => {
    const { page } = scene.owner
    const policyId = await scene.policy([{ accept: { acceptMessage: '' } }, { provision: {} }])
    await scene.appOf(scene.owner.userId, 'Wiki', policyId, 'Editor')
    const { db } = scene.access.world
    await db`update apps set grant_policy_id = ${policyId} where display_name = 'Wiki'`
    await scene.go(`/policies/${policyId}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete policy' }).click()
    await dialog.getByText(/is used by the app Wiki/).waitFor()
    await checkPage(scene.owner, 'policy-used', [1440])
    await db`update apps set grant_policy_id = '' where grant_policy_id = ${policyId}`
    await dialog.getByRole('button', { name: 'Delete policy' }).click()
    await page.waitForURL(/\/policies$/)
  })

  test('who may only read policies is offered no change', async () => {
    const viewer = await scene.asA('system:viewer')
    await viewer.go('/policies')
    expect(await viewer.page.getByRole('link', { name: 'Create policy' }).count()).toBe(0)
    await viewer.page.getByRole('link', { name: 'App owners approve', exact: true }).click()
    await viewer.page.getByText('Approval by an app owner').first().waitFor()
    expect(await viewer.page.getByRole('button', { name: /^(Save|Delete|Duplicate|Add step)$/ }).count()).toBe(0)
  })
})
