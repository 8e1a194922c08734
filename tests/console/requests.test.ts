import { beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { checkPage, inBrowser, type Opened, settled } from '../fixture/browser.ts'
import { isLong, longTest } from '../fixture/long.ts'
import type { Ref } from '../grants/scene.ts'
import { automatic, byOwners } from '../tasks/scene.ts'
import { prepareRequests } from './requests-scene.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('requests', () => {
  const scene = prepareRequests()
  let ann: Opened & { userId: string }
  let wiki: Ref[]

  beforeAll(async () => {
    ann = await scene.asA('system:user')
    const { db } = scene.access.world
    await db`update users set display_name = 'Ann Lee' where user_id = ${ann.userId}`
  })

  const nameOf = async (id: string): Promise<string> => {
    const [row] = await scene.access.world.db<{ name: string }[]>`
      select display_name as name from users where user_id = ${id}`
    return row?.name ?? ''
  }
  const own = ({ appId }: Ref, userId: string): Promise<unknown> => {
    const { world, tenant } = scene.access
    const object = { kind: 'app', appId, typeId: '', id: appId } as const
    const owner = { object, roleSlug: 'primary', id: world.newId(), userId }
    return transact(world.db, (tx) => insertOwners(tx, operatorCause(tenant, 'test'), [owner], world.now()))
  }
  const go = (path: string): Promise<void> => ann.go(path)

  longTest('a new employee finds a whole page at home, though nothing can be done yet', async () => {
    await go('/')
    for (const words of [
      'Nothing can be requested yet. A request administrator must first publish an access profile.',
      'Nothing is waiting for you.',
      'You have not requested anything yet.',
      'None of your access expires within the next two weeks.',
    ])
      await ann.page.getByText(words).waitFor()
    await checkPage(ann, 'home-empty')
  })

  test('access is requested in three clicks from home, for as long as allowed and no longer', async () => {
    const { page } = ann
    const { page: other, userId: ownerId } = scene.owner
    wiki = await scene.appOf(ownerId, 'Wiki', byOwners, 'Editor', 'Reader')
    await scene.appOf(ownerId, 'Canteen', automatic, 'Lunch')
    await go('/')
    await page.getByRole('searchbox', { name: 'What do you need access to?' }).fill('edit')
    await expect.poll(() => page.getByRole('button', { name: /^Request / }).count()).toBe(1)
    await page.getByRole('button', { name: 'Request Editor' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('I write the handbook.')
    const lengths = dialog.getByLabel('For how long', { exact: true }).locator('option')
    await expect.poll(() => lengths.allTextContents()).toEqual(['1 hour', '4 hours', '8 hours (maximum)', 'Custom'])
    await dialog.getByLabel('For how long', { exact: true }).selectOption('Custom')
    await dialog.getByLabel('For how long: amount').fill('9')
    await dialog.getByText('At most 8 hours.').last().waitFor()
    expect(await dialog.getByRole('button', { name: 'Send request' }).isDisabled()).toBe(true)
    // Nobody asks for others without the right to.
    expect(await dialog.getByLabel(/For someone else|For whom/).count()).toBe(0)
    await dialog.getByLabel('For how long', { exact: true }).selectOption('4 hours')
    // The plan: who decides, why they, for how long at most, and what comes of it.
    const plan = dialog.getByRole('region', { name: 'What happens next' })
    await plan.getByText('For 4 hours', { exact: true }).waitFor()
    await plan.getByText('1 step needs a decision. The maximum duration is 8 hours.').waitFor()
    await plan.getByText(`Decided by: ${await nameOf(ownerId)}`).waitFor()
    await plan.getByText('Recorded immediately; nobody is asked to change Wiki').waitFor()
    await plan.getByText('Why this step and these people').click()
    await plan.getByText('Owner of the app.').waitFor()
    await checkPage(ann, 'request')
    // Another is asked by now: nothing is sent, and the new plan is shown.
    const second = await scene.user({ displayName: 'Zoe Quist' })
    await own(wiki[0] as Ref, second)
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await dialog.getByText('The steps have changed').waitFor()
    await plan.getByText(/Decided by: .*Zoe Quist/).waitFor()
    await plan.getByText('Changed', { exact: true }).waitFor()
    await checkPage(ann, 'request-changed')
    expect((await scene.all('/api/v1/search/tasks', {})).length).toBe(0)
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await dialog.getByText('Request sent').waitFor()
    await checkPage(ann, 'request-sent', [1440])
    await dialog.getByRole('link', { name: /^Open task/ }).click()
    await page.getByRole('heading', { name: 'Editor for Ann Lee' }).waitFor()
    await settled(page)
    await page.getByText('I write the handbook.').first().waitFor()
    if (!isLong) return
    // Asking again leads to the one that is open.
    await go('/request?q=editor')
    await page.getByRole('main').getByRole('link', { name: 'Requested' }).waitFor()
    await page.getByRole('button', { name: 'Request Editor' }).click()
    await dialog.getByText('There is already an open request for this').waitFor()
    expect(await dialog.getByRole('button', { name: 'Send request' }).isDisabled()).toBe(true)
    await dialog.getByRole('link', { name: 'open it' }).waitFor()
    await page.keyboard.press('Escape')
    // Whom it waits for finds it at home, and decides it there.
    await scene.go('/')
    await other.getByRole('heading', { name: 'Inbox: 1' }).waitFor()
    await checkPage(scene.owner, 'home-owner')
  })

  longTest(
    'what is approved automatically is there at once; what ends soon is shown at home and extended from there',
    async () => {
      const { page } = ann
      await go('/request')
      await checkPage(ann, 'request-list')
      await page.getByRole('button', { name: 'Request Lunch' }).click()
      await page.getByRole('dialog').getByLabel('Reason').fill('I am hungry.')
      await page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click()
      await page.getByRole('dialog').getByText('Access recorded').waitFor()
      await go('/')
      const ending = page.getByRole('region', { name: 'Your access that expires soon' })
      await ending.getByText('Lunch').waitFor()
      await page.getByRole('region', { name: 'My requests' }).getByText('Granted').waitFor()
      await checkPage(ann, 'home')
      await ending.getByRole('button', { name: 'Extend Lunch' }).click()
      await page
        .getByRole('dialog')
        .getByText(/It is extended when the request is approved/)
        .waitFor()
      await page
        .getByRole('dialog')
        .getByText(/You already have this access: granted by a request, until/)
        .waitFor()
      await page.getByRole('dialog').getByText('No decision is needed: access is recorded immediately.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click()
      await page.getByRole('dialog').getByText('Access recorded').waitFor()
      await go('/me')
      await page.getByRole('row').filter({ hasText: 'Lunch' }).waitFor()
      if (!isLong) return
      // On the page of their own access, too; what they may not request is not theirs to extend.
      const loan = await scene.entitlement(await scene.app('Library'), 'Loan')
      const account = await scene.account(loan.appId, { userId: ann.userId, displayName: 'ann' })
      await scene.grant(loan, account, { source: 'manual', expiresAt: new Date(Date.now() + 3.2 * 86_400_000) })
      await go('/me')
      await page.getByRole('row').filter({ hasText: 'Loan' }).getByText('in 3 days').waitFor()
      await page.getByRole('button', { name: 'Extend Lunch' }).click()
      await page.getByRole('dialog', { name: 'Extend Lunch' }).waitFor()
      await page.keyboard.press('Escape')
      expect(await page.getByRole('button', { name: 'Extend Loan' }).count()).toBe(0)
      await go('/')
      await ending.getByText('Loan').waitFor()
      expect(await ending.getByRole('button', { name: /^Extend/ }).count()).toBe(1)
    },
  )

  longTest('who may requests for anyone, and a form asks its questions', async () => {
    const reader = wiki[1] as Ref
    const made = await scene.post('/api/v1/request_schemas', {
      name: 'Why',
      fields: [
        { name: 'ticket', displayName: 'Ticket', required: true, stringField: { textField: {} } },
        { name: 'urgent', displayName: 'Is it urgent?', boolField: { checkboxField: {} } },
      ],
    })
    expect(made.status, made.text).toBe(200)
    const bound = await scene.post('/api/v1/request_schema_entitlement_binding', {
      entitlementRef: { appId: reader.appId, id: reader.id },
      requestSchemaId: (made.json['requestSchema'] as { id: string }).id,
    })
    expect(bound.status, bound.text).toBe(200)
    await scene.user({ displayName: 'Bo Lind' })
    await scene.go('/request?q=reader')
    const { page } = scene.owner
    await page.getByRole('button', { name: 'Request Reader' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('For someone else').fill('Bo L')
    await page.getByRole('option', { name: /Bo Lind/ }).click()
    expect(await dialog.getByRole('button', { name: 'Send request' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Ticket').fill('T-1')
    await dialog.getByLabel('Reason').fill('They start on Monday.')
    await checkPage(scene.owner, 'request-form', [1440])
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await dialog.getByRole('link', { name: /^Open task/ }).click()
    await page.getByRole('heading', { name: 'Reader for Bo Lind' }).waitFor()
    await page.getByText('T-1').first().waitFor()
  })

  longTest('managers request for their reports', async () => {
    const fay = await scene.user({ displayName: 'Fay Lind' })
    await scene.access.world.db`update users set manager_ids = ${[ann.userId]} where user_id = ${fay}`
    await go('/request?q=lunch')
    await ann.page.getByRole('button', { name: /Lunch$/ }).click()
    const whom = ann.page.getByLabel('For whom').locator('option')
    await expect.poll(() => whom.allTextContents()).toEqual(['Myself', 'Fay Lind'])
    await ann.page.getByLabel('For whom').selectOption('Fay Lind')
    await ann.page.getByRole('dialog').getByLabel('Reason').fill('They eat, too.')
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click()
    await ann.page.getByRole('dialog').getByText('Access recorded').waitFor()
  })
})
