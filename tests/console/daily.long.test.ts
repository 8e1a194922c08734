import { beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, type Opened, settled } from '../fixture/browser.ts'
import type { Ref } from '../grants/scene.ts'
import { automatic, byOwners } from '../tasks/scene.ts'
import { prepareRequests } from './requests-scene.ts'

inBrowser('every day', () => {
  const scene = prepareRequests()
  let ann: Opened & { userId: string }
  let wiki: Ref[]
  const work = (userId: string, department: string, jobTitle: string) =>
    scene.access.world
      .db`update users set department = ${department}, job_title = ${jobTitle} where user_id = ${userId}`

  beforeAll(async () => {
    ann = await scene.asA('system:user')
    const { db } = scene.access.world
    await db`update users set display_name = 'Ann Lee' where user_id = ${ann.userId}`
    wiki = await scene.appOf(scene.owner.userId, 'Wiki', byOwners, 'Editor', 'Reader')
    await scene.appOf(scene.owner.userId, 'Canteen', automatic, 'Lunch')
  })

  test('an employee chooses an app, requests several entitlements at once, and sees what came of each', async () => {
    const { page } = ann
    await ann.go('/request')
    await page.getByLabel('App', { exact: true }).selectOption({ label: 'Wiki (2)' })
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(2)
    await page.getByRole('checkbox', { name: 'Choose Editor' }).check()
    // Another app keeps what was chosen.
    await page.getByLabel('App', { exact: true }).selectOption({ label: 'Canteen (1)' })
    await page.getByRole('checkbox', { name: 'Choose Lunch' }).check()
    await page.getByText('2 chosen').waitFor()
    await checkPage(ann, 'request-chosen')
    await page.getByRole('button', { name: 'Request them' }).click()
    const dialog = page.getByRole('dialog')
    const lunch = dialog.getByLabel('For how long: Lunch', { exact: true })
    await expect.poll(() => lunch.inputValue()).toBe('14400s')
    await dialog.getByLabel('Reason').fill('My new job.')
    await lunch.selectOption('1 hour')
    await checkPage(ann, 'request-several')
    await dialog.getByRole('button', { name: 'Send 2 requests' }).click()
    await page.getByRole('dialog', { name: '2 requests created' }).waitFor()
    await dialog.getByText(/^Editor: waiting for approval/).waitFor()
    await dialog.getByText(/^Lunch: granted/).waitFor()
    await checkPage(ann, 'request-several-results')
    await dialog.getByRole('button', { name: 'Close' }).click()
    expect(await page.getByText('2 chosen').count()).toBe(0)
  })

  test('an employee returns access that they have, and is told what follows', async () => {
    const { page } = ann
    await ann.go('/me')
    await page.getByRole('button', { name: 'Return Lunch' }).click()
    const dialog = page.getByRole('dialog', { name: 'Return Lunch?' })
    await dialog.getByText('Nobody is asked to change Canteen.').waitFor()
    await dialog.getByLabel('Reason').fill('I bring my own.')
    await checkPage(ann, 'return')
    await dialog.getByRole('button', { name: 'Return access' }).click()
    await page.getByText('Lunch was returned').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Return Lunch' }).count()).toBe(0)
  })

  test('an approver sees who asks, who like them has it, and what it leads to; unlike requests stand apart', async () => {
    const editor = wiki[0] as Ref
    await work(ann.userId, 'Optics', 'Engineer')
    for (const [place, name] of ['Bo', 'Cy', 'Di', 'Ed', 'Fi'].entries()) {
      const userId = await scene.user({ displayName: name })
      await work(userId, 'Optics', 'Planner')
      if (place < 2) await scene.grant(editor, await scene.account(editor.appId, { userId }))
      if (place > 2) await scene.asks(editor, userId, { description: `For ${name}.`, grantDuration: '3600s' })
    }
    const { page } = scene.owner
    await scene.go('/decide')
    await page.getByRole('link', { name: 'Editor' }).first().click()
    await page.getByRole('heading', { name: 'Editor for Ann Lee' }).waitFor()
    await page.getByText('Optics. 2 of the 5 others have it.').waitFor()
    await settled(page)
    await checkPage(scene.owner, 'task-beside')
    await scene.go('/decide')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('region', { name: 'Selected requests' }).getByRole('button', { name: 'Approve' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('They are not alike: 2 kinds of request.').waitFor()
    await dialog.getByText('Ed: “For Ed.”').waitFor()
    await checkPage(scene.owner, 'decide-unlike')
  })
})
