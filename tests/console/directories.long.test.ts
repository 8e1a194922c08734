import { afterAll, beforeAll, expect, test } from 'vitest'
import { scimOf } from '../directories/support.ts'
import { checkPage, inBrowser, openScene, ownHeaders, type Scene, settled, signIn } from '../fixture/browser.ts'
import { patiently, until } from '../fixture/later.ts'
import { importRecords } from '../imports/support.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('directories', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  test('one is added, shows its address and token once, is connected, held, decided, rotated and deleted', async () => {
    const { page } = scene.owner
    await scene.go('/directories')
    await page.getByText('No directories').waitFor()
    await checkPage(scene.owner, 'directories-empty')
    await page.getByRole('button', { name: 'Add directory' }).first().click()
    await page.getByRole('menuitem', { name: 'Identity provider (SCIM)' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Okta')
    await checkPage(scene.owner, 'directory-add')
    await dialog.getByRole('button', { name: 'Add directory' }).click()
    await dialog.getByText('Copy the token now').waitFor()
    const texts = await dialog.locator('code').allTextContents()
    const baseUrl = texts.find((each) => each.includes('/scim/v2/')) as string
    const token = texts.find((each) => each.startsWith('scim_')) as string
    await checkPage(scene.owner, 'directory-added')
    await dialog.getByText('Entra', { exact: true }).click()
    await dialog.getByText('Secret token: the token.').waitFor()
    await dialog.getByRole('button', { name: 'I have copied the token' }).click()
    await page.getByRole('rowheader').getByRole('link', { name: 'Okta' }).waitFor()
    expect(await page.content()).not.toContain(token)

    const scim = scimOf(scene.server, baseUrl.split('/').at(-1) as string, token)
    const people = await Promise.all(Array.from({ length: 20 }, (_, i) => scim.makeUser(`console-${i}`)))
    for (const { id } of people.slice(0, 8)) await scim.remove(`/Users/${id}`)
    await page.getByRole('link', { name: 'Okta' }).click()
    await page.getByText('deactivations are held').waitFor()
    await page.getByText('12, 12 of them active').waitFor()
    await checkPage(scene.owner, 'directory')
    await page.getByRole('button', { name: 'Disable users' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByText('deactivations are held').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Rotate token' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'I have copied the token' }).click()
    await patiently(async () => expect(await page.getByRole('button', { name: /^Revoke / }).count()).toBe(2))
    await page
      .getByRole('button', { name: /^Revoke / })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await patiently(async () => expect(await page.getByRole('button', { name: /^Revoke / }).count()).toBe(1))
    expect((await scim.get('/Users')).status).toBe(401)

    const offeredToReader = async (): Promise<number> => {
      const reader = await signIn(scene.browser, scene.server, scene.access, ['system:viewer'])
      await reader.go(`/directories/${scim.appId}`)
      return reader.page.getByRole('button', { name: /Rotate|Delete|Revoke/ }).count()
    }
    expect(await offeredToReader()).toBe(0)

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('No user changes.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No directories').waitFor()
  })

  const statusOf = async (email: string): Promise<string> => {
    const [row] = await scene.server.db<{ status: string }[]>`select status from users where email = ${email}`
    return row?.status ?? ''
  }

  test('an app is made a directory by a plan, changed, held back by the breaker, and its conflicts say what to do', async () => {
    const { page } = scene.owner
    const people = Array.from({ length: 21 }, (_, i) => `hr-${String(i).padStart(2, '0')}`)
    await scene.access.makeUser({ email: 'hr-00@example.com' })
    await importRecords(scene.access, [
      { kind: 'app', externalId: 'hr', displayName: 'Larkfield HR' },
      { kind: 'app', externalId: 'other', displayName: 'Other app' },
      ...people.map((name, i) => ({
        kind: 'account',
        app: 'hr',
        externalId: name,
        displayName: name,
        email: `${name}@example.com`,
        profile: { department: 'Physics', site: i < 5 ? 'Zurich' : 'Berlin' },
      })),
      { kind: 'account', app: 'hr', externalId: 'nobody', displayName: 'No Address' },
    ])
    await scene.go('/directories')
    await page.getByRole('button', { name: 'Add directory' }).first().click()
    await page.getByRole('menuitem', { name: 'App whose accounts become users' }).click()
    await page.getByRole('combobox', { name: 'App' }).fill('Larkfield')
    await page.getByRole('option', { name: 'Larkfield HR' }).click()
    const key = page.getByRole('textbox', { name: 'Of the account' })
    // A plan is of one app: it goes when another one is chosen.
    await page.getByRole('button', { name: 'Create plan' }).click()
    await page.getByRole('button', { name: 'Use as directory' }).waitFor()
    await page.getByRole('combobox', { name: 'App' }).fill('Other')
    await page.getByRole('option', { name: 'Other app' }).click()
    await page.getByRole('button', { name: 'Create plan' }).waitFor()
    await page.getByRole('combobox', { name: 'App' }).fill('Larkfield')
    await page.getByRole('option', { name: 'Larkfield HR' }).click()
    // What is wrong is said at the expression; names are offered while they are typed.
    await key.fill('')
    await key.pressSequentially('account.use')
    await page.getByRole('option', { name: 'account.username', exact: true }).waitFor()
    await checkPage(scene.owner, 'directory-completion')
    await key.press('Tab')
    await until(async () => (await key.inputValue()) === 'account.username')
    await key.fill('account.emial')
    await page.getByRole('button', { name: 'Create plan' }).click()
    await page.getByText(/line 1, column \d+:/).waitFor()
    await checkPage(scene.owner, 'directory-expression-wrong')
    await key.fill('account.email')
    await page.getByRole('button', { name: 'Create plan' }).click()
    const plan = page.getByRole('region', { name: 'Plan' })
    await plan.getByText('A user is created: no existing user has a key of the account.').first().waitFor()
    await checkPage(scene.owner, 'directory-new')
    await plan.getByText('linked', { exact: true }).click()
    await plan.getByText(/^Linked to the user by key 1\./).waitFor()
    await plan.getByText('conflicts', { exact: true }).click()
    await plan.getByText('All keys of the account are empty.').waitFor()
    expect(await statusOf('hr-07@example.com')).toBe('')
    await plan.getByRole('button', { name: 'Use as directory' }).click()
    await page.getByRole('heading', { level: 1, name: 'Larkfield HR' }).waitFor()
    expect(await statusOf('hr-07@example.com')).toBe('ENABLED')
    const conflicts = page.getByRole('region', { name: 'Conflicts' })
    await conflicts.getByText('Correct the account in its app, or add another key.').waitFor()
    await checkPage(scene.owner, 'directory-app')

    // A condition that would disable 16 of 21 needs a word.
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByText('Accounts that meet a condition').click()
    await page.getByRole('textbox', { name: 'Condition' }).fill('account.profile.site == "Zurich"')
    await page.getByRole('button', { name: 'Create plan' }).click()
    await plan.getByText('This disables 16 users').waitFor()
    await checkPage(scene.owner, 'directory-breaker')
    expect(await plan.getByRole('button', { name: 'Save and apply' }).isDisabled()).toBe(true)
    // Who leaves without saving is asked.
    await page.getByRole('link', { name: 'Larkfield HR' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    // Another change makes the plan outdated: it is said, and nothing is applied.
    await plan.getByRole('checkbox', { name: 'Disable 16 users' }).check()
    await importRecords(scene.access, [
      {
        kind: 'account',
        app: 'hr',
        externalId: 'hr-20',
        displayName: 'Ann Lee',
        email: 'hr-20@example.com',
        profile: { site: 'Zurich' },
      },
    ])
    // Until the accounts were looked at: the next plan is not outdated by that.
    await patiently(async () => {
      const [jobs] = await scene.server.db<
        { count: number }[]
      >`select count(*) from jobs where kind = 'accounts.changed'`
      expect(jobs?.count).toBe(0)
    })
    await plan.getByRole('button', { name: 'Save and apply' }).click()
    await plan.getByText('The plan has changed').waitFor()
    expect(await statusOf('hr-07@example.com')).toBe('ENABLED')
    await plan.getByRole('button', { name: 'Create a new plan' }).click()
    await plan.getByRole('checkbox', { name: 'Disable 15 users' }).check()
    await plan.getByRole('button', { name: 'Save and apply' }).click()
    await page.getByRole('heading', { level: 1, name: 'Larkfield HR', exact: true }).waitFor()
    await page.getByRole('code').getByText('account.profile.site == "Zurich"').waitFor()
    expect([await statusOf('hr-07@example.com'), await statusOf('hr-03@example.com')]).toEqual(['DISABLED', 'ENABLED'])
  })

  test('the order of directories is changed by the keyboard, in general and for one attribute, after its plan', async () => {
    const { page } = scene.owner
    const reply = await scene.owner.context.request.post('/api/v1/scim-directories', {
      headers: { ...ownHeaders, origin: scene.server.url },
      data: { displayName: 'Entra' },
    })
    const { directory, token } = (await reply.json()) as { directory: { appId: string }; token: string }
    await scimOf(scene.server, directory.appId, token).makeUser('hr-03', {
      emails: [{ value: 'hr-03@example.com', primary: true }],
      displayName: 'Third Person',
      title: 'Director',
    })
    await scene.go('/directories/precedence')
    const general = page.getByRole('list', { name: 'General order' })
    const order = (): Promise<string[]> => general.locator('li').allTextContents()
    expect((await order()).map((each) => each.slice(1))).toEqual(['Larkfield HR', 'Entra'])
    const up = general.getByRole('button', { name: 'Move Entra (General order) up' })
    await up.focus()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await order()).map((each) => each.slice(1))).toEqual(['Entra', 'Larkfield HR'])
    // The focus goes with what was moved, and on to the way back at the end of the list.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Move Entra (General order) down')
    await page.getByText('Entra is now 1 of 2.').waitFor({ state: 'attached' })
    await page.getByRole('combobox', { name: 'Attribute' }).selectOption('Job title')
    await page.getByRole('button', { name: 'Add order' }).click()
    const own = page.getByRole('list', { name: 'Job title' })
    await own.getByRole('button', { name: 'Move Larkfield HR (Job title) up' }).click()
    await page.getByRole('button', { name: 'Create plan' }).click()
    const plan = page.getByRole('region', { name: 'Plan' })
    await plan.getByText('Changes: Name.').waitFor()
    await checkPage(scene.owner, 'directory-precedence')
    await plan.getByRole('button', { name: 'Save and apply' }).click()
    await plan.getByText('Change the order to see the plan.').waitFor()
    const [row] = await scene.server.db<{ id: string; name: string }[]>`
      select user_id as id, display_name as name from users where email = 'hr-03@example.com'`
    expect(row?.name).toBe('Third Person')

    // The user's page says from where each attribute is.
    await scene.go(`/users/${row?.id}/profile`)
    const sources = page.getByRole('region', { name: 'Sources of attributes' })
    await sources.getByText('Not used: hr-03 from Larkfield HR').waitFor()
    await checkPage(scene.owner, 'user-sources')

    // The list has both kinds, and who only reads is offered nothing that they may not do.
    const reader = await signIn(scene.browser, scene.server, scene.access, ['system:viewer'])
    await reader.go('/directories')
    await reader.page.getByRole('row', { name: /Larkfield HR App/ }).waitFor()
    await reader.page.getByRole('row', { name: /Entra SCIM/ }).waitFor()
    await checkPage(reader, 'directories')
    const offered = (): Promise<number> =>
      reader.page
        .getByRole('main')
        .getByRole('button', { name: /Add|Edit|Delete|Move|Create|Remove|Give/ })
        .count()
    expect(await offered()).toBe(0)
    await reader.page.getByRole('link', { name: 'Precedence' }).click()
    await reader.page.getByRole('list', { name: 'General order' }).waitFor()
    expect(await offered()).toBe(0)
    await reader.go('/directories/new')
    await reader.page.getByText('You cannot edit directories').waitFor()
    expect(await offered()).toBe(0)
    await reader.close()
  })

  /** Two users who are the same person, and a way to the plan for merging them. */
  const twoOfKim = async () => {
    const { page } = scene.owner
    await importRecords(scene.access, [
      { kind: 'user', externalId: 'kim-1', displayName: 'Kim Jones', email: 'kim.jones@example.com' },
      { kind: 'user', externalId: 'kim-2', displayName: 'Kim J', email: 'kj@example.com' },
      { kind: 'app', externalId: 'wiki', displayName: 'Wiki' },
      { kind: 'account', app: 'wiki', externalId: 'kj', displayName: 'kj', email: 'kj@example.com' },
    ])
    const idOf = async (email: string): Promise<string> => {
      const [row] = await scene.server.db<{ id: string }[]>`select user_id as id from users where email = ${email}`
      return row?.id ?? ''
    }
    const [into, gone] = [await idOf('kim.jones@example.com'), await idOf('kj@example.com')]
    const plan = async (): Promise<void> => {
      await scene.go(`/users/${gone}/profile`)
      await page.getByRole('button', { name: 'Merge with another user' }).click()
      await page.getByRole('combobox', { name: 'Other user' }).fill('Kim Jones')
      await page.getByRole('option', { name: /Kim Jones/ }).click()
      await page.getByText('Moves from Kim J to Kim Jones').waitFor()
    }
    return { page, into, plan, dialog: page.getByRole('dialog') }
  }

  test('two users are merged after a plan and split again', async () => {
    const { page, plan, dialog } = await twoOfKim()
    await plan()
    await dialog.getByText('1 account', { exact: true }).waitFor()
    await checkPage(scene.owner, 'user-merge')
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Kim Jones' }).waitFor()
    await page.getByText('Another user is merged into this one').waitFor()
    await page.getByRole('link', { name: 'Kim J', exact: true }).click()
    await page.getByText('This user was merged into another').waitFor()
    await page.getByRole('link', { name: 'Details', exact: true }).click()
    await settled(page)
    expect(await page.getByRole('button', { name: /^(Enable|Merge with another user)$/ }).count()).toBe(0)
    await checkPage(scene.owner, 'user-merged')
    await page.getByRole('button', { name: 'Split' }).click()
    await dialog.getByRole('button', { name: 'Split' }).click()
    await page.getByText('This user was merged into another').waitFor({ state: 'detached' })
    expect(await statusOf('kj@example.com')).toBe('ENABLED')
  })

  test('under four eyes a merge is sent for approval', async () => {
    const { page, into, plan, dialog } = await twoOfKim()
    const [policy] = await scene.server.db<{ id: string }[]>`
      select policy_id as id from policies where display_name = 'App owners approve'`
    const required = await scene.owner.context.request.post('/api/v1/four_eyes/owners', {
      headers: { ...ownHeaders, origin: scene.server.url },
      data: { required: true, policyId: policy?.id },
    })
    expect(required.status()).toBe(200)
    await plan()
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
    await dialog.getByText('Sent for approval').waitFor()
    expect(await dialog.getByRole('button', { name: 'Merge', exact: true }).count()).toBe(0)
    await checkPage(scene.owner, 'user-merge-sent')
    await dialog.getByRole('link', { name: /^Open task #/ }).click()
    await page.getByText('Merged Kim J into Kim Jones').first().waitFor()
    expect([await statusOf('kj@example.com'), into !== '']).toEqual(['ENABLED', true])
  })
})
