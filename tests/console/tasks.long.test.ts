import { beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, type Opened, settled } from '../fixture/browser.ts'
import type { Ref } from '../grants/scene.ts'
import { byOwners } from '../tasks/scene.ts'
import { prepareRequests } from './requests-scene.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('tasks', () => {
  const scene = prepareRequests()
  let boss: Opened & { userId: string }
  let wiki: Ref[]
  let people: string[]

  beforeAll(async () => {
    boss = await scene.asA('system:user')
    wiki = await scene.appOf(boss.userId, 'Wiki', byOwners, 'Editor', 'Reader')
    const payroll = await scene.appOf(boss.userId, 'Payroll', byOwners, 'Clerk')
    people = []
    for (const displayName of ['Ann Lee', 'Bo Lind', 'Cy Marsh', 'Di Nolan'])
      people.push(await scene.user({ displayName }))
    for (const target of [...wiki, ...payroll])
      for (const person of people) await scene.asks(target, person, { description: 'For the audit in May.' })
  })

  const go = (path: string): Promise<void> => boss.go(path)
  const rows = (): Promise<number> => boss.page.getByRole('rowheader').count()

  test('an inbox is filtered by app and person, and worked through by the keyboard alone', async () => {
    const { page } = boss
    await go('/decide')
    await page.getByText('12 tasks are waiting for you.').waitFor()
    expect(await rows()).toBe(12)
    await page.getByLabel('App', { exact: true }).selectOption({ label: 'Payroll (4)' })
    await expect.poll(rows).toBe(4)
    await page.getByLabel('For', { exact: true }).selectOption({ label: 'Bo Lind (3)' })
    await expect.poll(rows).toBe(1)
    await go('/decide')
    // The oldest first: Editor for Ann, then for Bo.
    await page.locator('h1').click()
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await page.getByText('2 selected').waitFor()
    await checkPage(boss, 'inbox')
    await page.keyboard.press('a')
    await page.getByRole('dialog').getByText('Approve 2 requests?').waitFor()
    await checkPage(boss, 'inbox-approve')
    await page.keyboard.press('Enter')
    await page.getByText('Approved 2 requests').waitFor()
    await expect.poll(rows).toBe(10)
    expect(await scene.holds(wiki[0] as Ref, people[0] as string)).toHaveLength(1)
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Next row').waitFor()
    await checkPage(boss, 'inbox-keys', [1440])
    await page.getByRole('dialog').getByRole('switch').click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    // Switched off, single keys do nothing.
    await page.keyboard.press('j')
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.evaluate(() => localStorage.clear())
  })

  test('of several decisions, each that could not be made is named with its reason, and the others are made', async () => {
    const { page } = boss
    await go('/decide')
    await page.getByRole('checkbox', { name: 'Select Editor for Cy Marsh' }).click()
    await page.getByRole('checkbox', { name: 'Select Editor for Di Nolan' }).click()
    const { json } = await scene.post('/api/v1/search/tasks', {
      subjectIds: [people[2]],
      appEntitlementIds: [wiki[0]?.id],
    })
    const [view] = json['list'] as { task: { id: string } }[]
    const closed = await scene.act(view?.task.id ?? '', 'close', {}, scene.admin)
    expect(closed.status, closed.text).toBe(200)
    await page.getByRole('button', { name: 'Deny', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Comment').fill('Not needed.')
    await dialog.getByRole('button', { name: 'Deny' }).click()
    await dialog.getByText('Denied 1 of 2').waitFor()
    await dialog.getByText(/Editor for Cy Marsh/).waitFor()
    await dialog.getByText(/already decided or closed/).waitFor()
    await checkPage(boss, 'inbox-refused')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect.poll(rows).toBe(8)
    // Who opens what was denied reads first by whom, and why.
    const denied = await scene.post('/api/v1/search/tasks', {
      subjectIds: [people[3]],
      appEntitlementIds: [wiki[0]?.id],
    })
    const [ofDi] = denied.json['list'] as { task: { numericId: string } }[]
    await go(`/tasks/${ofDi?.task.numericId}`)
    await page.getByRole('alert').filter({ hasText: 'Denied by' }).getByText('Not needed.').waitFor()
  })

  test("a task's page shows its route and history, requires a reason where the policy does, and offers only what is allowed", async () => {
    const { page } = boss
    const policyId = await scene.policy([
      { approval: { users: { userIds: [boss.userId] }, requireApprovalReason: true, requireDenialReason: true } },
      { approval: { manager: {} } },
      { provision: {} },
    ])
    const { db } = scene.access.world
    await db`update users set manager_ids = ${[people[3] as string]} where user_id = ${people[0] as string}`
    const [vault] = await scene.appOf(boss.userId, 'Vault', policyId, 'Admin')
    const number = await scene.asks(vault as Ref, people[0] as string, { description: 'The keys rotate on Friday.' })
    // As `cone` prints it.
    await go(`/task/${number}`)
    await page.waitForURL((url) => url.pathname === `/tasks/${number}`)
    await settled(page)
    const steps = page.getByRole('list', { name: 'Steps of this request' })
    expect(await steps.getByRole('listitem').count()).toBe(5)
    await steps.getByText('Approval by the manager', { exact: true }).waitFor()
    // Who would be asked next, and why who is asked now is asked.
    await steps.getByText('Decided by: Di Nolan').waitFor()
    await steps.getByText('You can decide this step.').waitFor()
    await steps.getByText('Why this step and these people').first().click()
    await steps.getByText('The policy names this person.').waitFor()
    await steps.getByText('Why these steps').click()
    await steps.getByText('The policy is A policy.').waitFor()
    await page
      .getByRole('list', { name: /^Events, newest first/ })
      .getByText('created the request')
      .waitFor()
    expect(await page.getByRole('button', { name: 'Skip step' }).count()).toBe(0)
    await checkPage(boss, 'task')
    await page.getByRole('button', { name: 'Change duration' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Duration', { exact: true }).selectOption({ label: '1 hour' })
    await dialog.getByRole('button', { name: 'Change duration' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('definition').filter({ hasText: '1 hour' }).waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    // What it leads to is said before it is done.
    await dialog.getByText('The next step is: Approval by the manager (Di Nolan).').waitFor()
    await dialog
      .getByText(
        /After all steps, it is recorded that Ann Lee has Admin in Vault, for 1 hour\. Nobody is asked to change Vault/,
      )
      .waitFor()
    expect(await dialog.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Reason').fill('On call that day.')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page
      .getByRole('list', { name: /^Events, newest first/ })
      .getByText('On call that day.')
      .waitFor()
    // The next step is not theirs, and why it is not is said; they can take back what they decided, once they have read what that does.
    await page
      .getByText(/You are not the manager of the person/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Undo decision' }).click()
    const undone = dialog.getByRole('list', { name: 'Changes' })
    await undone.getByText('No access changes.').waitFor()
    await undone.getByText('The step must be decided again.').waitFor()
    await checkPage(boss, 'task-undo')
    await dialog.getByLabel('Comment').fill('Too early.')
    await dialog.getByRole('button', { name: 'Undo decision' }).click()
    await dialog.waitFor({ state: 'hidden' })
    // The step that was open goes with the decision that led to it.
    await expect.poll(() => steps.getByText(/^Undone/).count()).toBe(2)
    const history = page.getByRole('list', { name: /^Events, newest first/ })
    await history.getByText(/undid a decision$/).waitFor()
    await history.getByText('Too early.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Undo decision' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Approve' }).click()
    await dialog.getByLabel('Reason').fill('Now it is time.')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.waitFor({ state: 'hidden' })
    // A comment is theirs still.
    await page.getByLabel('Comment').fill('Thank you.')
    await page.getByRole('button', { name: 'Add comment' }).click()
    await page
      .getByRole('list', { name: /^Events, newest first/ })
      .getByText('Thank you.')
      .waitFor()
    await expect.poll(() => page.getByLabel('Comment').evaluate((each) => each === document.activeElement)).toBe(true)
    await expect.poll(() => page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    await scene.go(`/tasks/${number}`)
    for (const name of ['Skip step', 'Reassign', 'Restart', 'Reset', 'Check again', 'Cancel request'])
      expect(await scene.owner.page.getByRole('button', { name }).count(), name).toBe(1)
    await scene.owner.page.getByRole('button', { name: 'Reassign' }).click()
    await checkPage(scene.owner, 'task-administrator')
    await scene.owner.page.keyboard.press('Escape')
    await scene.owner.page.getByRole('button', { name: 'Skip step' }).click()
    await scene.owner.page.getByRole('dialog').getByRole('button', { name: 'Skip step' }).click()
    await scene.owner.page.getByText('Granted', { exact: true }).first().waitFor()
    expect(await scene.holds(vault as Ref, people[0] as string)).toHaveLength(1)
    // An administrator undoes any decision, with the access that it gave.
    await scene.owner.page.getByRole('button', { name: 'Undo decision' }).click()
    await scene.owner.page.getByText('Ann Lee loses Admin in Vault.').waitFor()
    await scene.owner.page.getByLabel('Decision', { exact: true }).selectOption({ index: 1 })
    await scene.owner.page.getByText('1 later decision will be undone too.').waitFor()
    await scene.owner.page.getByRole('dialog').getByRole('button', { name: 'Undo decision' }).click()
    await scene.owner.page.getByRole('dialog').waitFor({ state: 'hidden' })
    await scene.owner.page.getByText('Waiting for approval').waitFor()
    expect(await scene.holds(vault as Ref, people[0] as string)).toHaveLength(0)
  })

  test('the person who provisions manually reads the instructions, and marks it as done', async () => {
    const { page } = boss
    const policyId = await scene.policy([
      { accept: { acceptMessage: '' } },
      {
        provision: {
          provisionPolicy: { manual: { instructions: 'Add them in the admin panel.', assignee: { appOwners: {} } } },
        },
      },
    ])
    const [crm] = await scene.appOf(boss.userId, 'CRM', policyId, 'Seller')
    const number = await scene.asks(crm as Ref, people[1] as string)
    await go(`/decide?kind=provisioning`)
    await page.getByRole('link', { name: 'Open Seller for Bo Lind' }).click()
    await page.getByText('Add them in the admin panel.').waitFor()
    await checkPage(boss, 'task-provision', [1440])
    await page.getByRole('button', { name: 'Mark as done' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as done' }).click()
    await page.getByText('Granted', { exact: true }).first().waitFor()
    await page
      .getByRole('region', { name: 'Steps' })
      .getByText(/said that it is done/)
      .waitFor()
    expect(await scene.holds(crm as Ref, people[1] as string)).toHaveLength(1)
    expect((await scene.look(number)).state).toBe('TASK_STATE_CLOSED')
  })

  test('all tasks are listed for who may read them, and what nobody can go on with is marked', async () => {
    const policyId = await scene.policy([
      { wait: { name: 'site', timeoutDuration: '7200s', condition: { condition: 'subject.profile.site == "x"' } } },
      { provision: {} },
    ])
    const [desk] = await scene.appOf(boss.userId, 'Desk', policyId, 'Agent')
    await scene.asks(desk as Ref, people[2] as string)
    await scene.go('/tasks?state=open')
    await scene.owner.page.getByRole('table').getByText('Stuck', { exact: true }).waitFor()
    await checkPage(scene.owner, 'all-tasks')
    const chooses = async (property: string, value: string): Promise<void> => {
      await scene.owner.page.getByRole('button', { name: 'Add filter' }).click()
      await scene.owner.page.getByRole('dialog').getByRole('button', { name: property, exact: true }).click()
      await scene.owner.page.getByLabel(value, { exact: true }).check()
      await scene.owner.page.keyboard.press('Escape')
    }
    await chooses('State', 'Stuck')
    await expect.poll(() => scene.owner.page.getByRole('rowheader').count()).toBe(1)
    await scene.owner.page.getByText(/condition of site fails/).waitFor()
    await go('/requests')
    await boss.page.getByText('No requests yet').waitFor()
    await checkPage(boss, 'my-requests-empty', [1440])
    await go('/tasks/999999')
    await boss.page.getByText('There is no task 999999.').waitFor()
  })

  test('a manager with many open decisions selects all that a filter finds, and sees how far they are decided', async () => {
    const { page } = boss
    const count = 300
    const many = await scene.appOf(
      boss.userId,
      'Depot',
      byOwners,
      ...Array.from({ length: count }, (_, i) => `Gate ${i}`),
    )
    for (const each of many) await scene.asks(each, people[0] as string, { description: 'For the stocktaking.' })
    await go('/')
    await page.getByRole('heading', { name: /^Inbox: \d+/ }).waitFor()
    await checkPage(boss, 'home-many')
    await go('/decide')
    await page.getByLabel('App', { exact: true }).selectOption({ label: `Depot (${count})` })
    await expect.poll(rows).toBe(25)
    await settled(page)
    await page.locator('h1').click()
    await page.keyboard.press('*')
    await page.getByText('25 selected').waitFor()
    await page.getByRole('button', { name: 'Select all results' }).click()
    await page.getByText(`${count} selected`).waitFor()
    await checkPage(boss, 'inbox-many')
    // One that is closed meanwhile is named at the end; the others are decided.
    const { json } = await scene.post('/api/v1/search/tasks', { appEntitlementIds: [many[28]?.id] })
    const [view] = json['list'] as { task: { id: string } }[]
    expect((await scene.act(view?.task.id ?? '', 'close', {}, scene.admin)).status).toBe(200)
    // All but the first are held back until it was looked at how far they are decided.
    let passed = 0
    let seen = (): void => {}
    const isSeen = new Promise<void>((done) => {
      seen = done
    })
    await page.route('**/action/approve', async (asked) => {
      if (passed++ > 0) await isSeen
      await asked.continue()
    })
    await page.locator('h1').click()
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`and ${count - 8} others`).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('progressbar').waitFor()
    await checkPage(boss, 'inbox-progress', [1440])
    seen()
    await dialog.getByText(`Approved ${count - 1} of ${count}`).waitFor()
    await dialog.getByText(/Gate 28 for Ann Lee/).waitFor()
    await page.unroute('**/action/approve')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('No results').waitFor()
  })
})
