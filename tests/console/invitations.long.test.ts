import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, openScene, openWindow, type Scene } from '../fixture/browser.ts'
import { letPass } from '../sessions/support.ts'

// Most of it is axe, and a browser shares the machine with the other tests.
inBrowser('invitations', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  /** Someone with a name and an email address of their own. */
  async function person(name: string): Promise<string> {
    const email = `${name.toLowerCase()}@example.com`
    const userId = await scene.access.makeUser({ roles: ['system:user'], email })
    await scene.access.world.db`update users set display_name = ${name} where user_id = ${userId}`
    return userId
  }
  /** What a button copies: no page may read the clipboard. */
  async function copiedBy(press: () => Promise<void>): Promise<string> {
    const { page } = scene.owner
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => {
        document.body.dataset['copied'] = text
      }
    })
    await press()
    await page.locator('body[data-copied]').waitFor()
    return page.evaluate(() => document.body.dataset['copied'] ?? '')
  }
  const select = (name: string) => scene.owner.page.getByRole('checkbox', { name: `Select ${name}` }).check()

  test('an administrator invites several people, who sign in with their links', async () => {
    const { page } = scene.owner
    const [kim, lou, max] = [await person('Kim'), await person('Lou'), await person('Max')]
    await scene.server.db`
      insert into first_sign_ins (tenant_id, user_id, signed_in_at) values (${scene.access.tenant.id}, ${max}, now())`
    await scene.go('/users?sort=name')
    for (const name of ['Kim', 'Lou', 'Max']) await select(name)
    await page.getByRole('button', { name: 'Invite 3 people…' }).click()
    const question = page.getByRole('dialog', { name: 'Invite 3 users?' })
    await question.getByText('Whoever has the link signs in as that person').waitFor()
    await checkPage(scene.owner, 'invite-question')
    await question.getByRole('button', { name: 'Create links' }).click()
    const links = page.getByRole('dialog', { name: 'Invited 2 users' })
    await links.getByText('has signed in before').waitFor()
    await checkPage(scene.owner, 'invite-links')
    const copyAll = links.getByRole('button', { name: 'Copy all, with email addresses' })
    const lines = (await copiedBy(() => copyAll.click())).split('\n').map((line) => line.split('\t'))
    expect(new Set(lines.map(([email]) => email))).toEqual(new Set(['kim@example.com', 'lou@example.com']))
    await links.getByRole('button', { name: 'I have copied the links' }).click()
    await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' })

    const link = lines.find(([email]) => email === 'kim@example.com')?.[1] ?? ''
    const other = await openWindow(scene.browser, scene.server.url)
    await other.page.goto(link)
    await other.page.getByText('Add a passkey to sign in next time').waitFor()
    expect(other.page.url()).not.toContain('#')
    await checkPage(other, 'invited-home')
    const again = await openWindow(scene.browser, scene.server.url)
    await again.page.goto(link)
    await again.page.getByText('This invitation is not valid').waitFor()
    await checkPage(again, 'invitation-refused')

    await scene.go('/settings/sign-in')
    const table = page.getByRole('table', { name: 'Invitations' })
    await table.getByRole('row', { name: /Kim/ }).getByText('Used').waitFor()
    await checkPage(scene.owner, 'invitations')
    await table.getByRole('row', { name: /Lou/ }).getByRole('button', { name: 'Revoke' }).click()
    const asked = page.getByRole('dialog', { name: 'Revoke this invitation?' })
    await checkPage(scene.owner, 'invitation-revoke')
    await asked.getByRole('button', { name: 'Revoke' }).click()
    await table.getByRole('row', { name: /Lou/ }).getByText('Revoked').waitFor()

    await scene.go(`/users/${kim}/sessions`)
    await page.getByText('Kim has signed in before, or can.').waitFor()
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
    await scene.go(`/users/${lou}/sessions`)
    await page.getByText('Has not signed in yet, and can be invited.').waitFor()
    await checkPage(scene.owner, 'user-invitation')
  })

  test('or one person on their page, and is asked to confirm their identity if the sign-in is long past', async () => {
    const { page, userId } = scene.owner
    const noa = await person('Noa')
    await letPass(scene.access, userId, 20)
    await scene.go(`/users/${noa}`)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Invite Noa?' })
    await question.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor()
    await page.getByRole('dialog', { name: 'Confirm your identity' }).getByRole('button', { name: 'Close' }).click()
    await question.getByText('This needs a recent sign-in').waitFor()
    await letPass(scene.access, userId, -20)
    await question.getByRole('button', { name: 'Create link' }).click()
    const links = page.getByRole('dialog', { name: 'Invited Noa' })
    const link = await copiedBy(() => links.getByRole('button', { name: 'Copy link of Noa' }).click())
    expect(link).toContain(`${scene.server.url}/sign-in#invitation=`)
    await links.getByRole('button', { name: 'I have copied the link' }).click()
    await links.waitFor({ state: 'detached' })
  })
})
