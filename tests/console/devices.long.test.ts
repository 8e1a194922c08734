import { afterAll, beforeAll, expect, test } from 'vitest'
import { askToken } from '../fixture/access.ts'
import { checkPage, inBrowser, openScene, type Scene, signIn } from '../fixture/browser.ts'

inBrowser('authorized devices', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  type Begun = { device_code: string; user_code: string }
  const client_id = '2RGdOS94VDferT9e80mdgntl36K'
  const begin = async (): Promise<Begun> => {
    const form = { client_id }
    const headers = { 'user-agent': 'conductorone-sdk-go' }
    const reply = await askToken(scene.server, form, { path: '/auth/v1/device_authorization', host: host(), headers })
    expect(reply.status, reply.text).toBe(200)
    return reply.json as unknown as Begun
  }
  const host = (): string => new URL(scene.server.url).host
  const poll = ({ device_code }: Begun) => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    return askToken(scene.server, { grant_type, client_id, device_code }, { host: host() })
  }

  test('a person enters the code, sees who asks and is warned, approves, and revokes it later; an administrator sees it', async () => {
    const opened = await signIn(scene.browser, scene.server, scene.access, ['system:user'])
    const { page } = opened
    await opened.go('/device')
    await page.getByRole('textbox', { name: 'Code' }).fill('BBBB-BBBB')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('No request is waiting for this code').waitFor()
    await checkPage(opened, 'device-unknown')

    const begun = await begin()
    await page.getByRole('textbox', { name: 'Code' }).fill(begun.user_code.toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Only approve requests that you started').waitFor()
    await page.getByText(begun.user_code).waitFor()
    await page.getByText('conductorone-sdk-go').waitFor()
    await checkPage(opened, 'device')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('The program continues within a few seconds').waitFor()
    await checkPage(opened, 'device-approved')
    expect((await poll(begun)).status).toBe(200)

    await page.getByRole('link', { name: 'Authorized devices' }).click()
    await page.getByRole('rowheader', { name: 'cone' }).waitFor()
    await checkPage(opened, 'devices')
    // An administrator sees it, too.
    await scene.go(`/users/${opened.userId}/devices`)
    await scene.owner.page.getByRole('rowheader', { name: 'cone' }).waitFor()
    await checkPage(scene.owner, 'user-devices')
    await page.getByRole('button', { name: /^Revoke cone/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No authorized devices').waitFor()
    await opened.close()
  })

  test('a link with the code opens it, also after signing in; if it is denied, the program gets an error', async () => {
    const begun = await begin()
    const opened = await signIn(scene.browser, scene.server, scene.access, ['system:user'])
    const { page, context } = opened
    await context.clearCookies()
    await page.goto(`/device?user_code=${begun.user_code}`)
    await page.getByRole('heading', { name: 'Sign in to Bailiwick' }).waitFor()
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe(`/device?user_code=${begun.user_code}`)
    await opened.close()

    await scene.go(`/device?user_code=${begun.user_code}`)
    const { page: own } = scene.owner
    await own.getByText(begun.user_code).waitFor()
    await own.getByRole('button', { name: 'Deny' }).click()
    await own.getByText('The program was refused').waitFor()
    expect((await poll(begun)).json['error']).toBe('access_denied')
  })

  test('an administrator sees and revokes the devices of a user, and a viewer sees that they cannot authorize one', async () => {
    const opened = await signIn(scene.browser, scene.server, scene.access, ['system:user'])
    const begun = await begin()
    await opened.go(`/device?user_code=${begun.user_code}`)
    await opened.page.getByRole('button', { name: 'Approve' }).click()
    await opened.page.getByText('The program continues').waitFor()
    expect((await poll(begun)).status).toBe(200)
    await opened.close()
    const { page } = scene.owner
    await scene.go(`/users/${opened.userId}/devices`)
    await page.getByRole('button', { name: /^Revoke cone/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No authorized devices').waitFor()

    const viewer = await signIn(scene.browser, scene.server, scene.access, ['system:viewer'])
    await viewer.go('/device')
    await viewer.page.getByText('You cannot authorize devices').waitFor()
    expect(await viewer.page.getByRole('textbox', { name: 'Code' }).count()).toBe(0)
    await viewer.close()
  })
})
