import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepCertificate } from '#http/certificate.ts'
import { checkPage, inBrowser, openScene, openWindow, type Scene } from '../fixture/browser.ts'
import { makeFolder } from '../fixture/folder.ts'

inBrowser('the address', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
    atBoth(scene.owner)
  })
  afterAll(() => scene.close())

  /** A window of which requests to the other address of the tenant are no problem: they are meant. */
  function atBoth<Opened extends { problems: string[] }>(window: Opened): Opened {
    const push = window.problems.push.bind(window.problems)
    window.problems.push = (...each) =>
      push(...each.filter((text) => !text.startsWith('asked http://access.localhost:')))
    return window
  }

  test('is changed in the console alone: planned, added, checked, opened and used; the old one sends people there', async () => {
    const { page } = scene.owner
    const { port } = new URL(scene.server.url)
    // Browsers take every name below localhost for this machine.
    const wanted = `http://access.localhost:${port}`
    await scene.go('/settings/address')
    await page.getByText('Only this machine reaches localhost').waitFor()
    await checkPage(scene.owner, 'address')
    await page.getByRole('button', { name: 'Add address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add address' })
    await dialog.getByLabel('Address').fill(`${wanted}/path`)
    await dialog.getByRole('button', { name: 'Show what changes' }).click()
    await dialog.getByText('must be a host name, with a port if needed').waitFor()
    await dialog.getByLabel('Address').fill(wanted)
    await dialog.getByRole('button', { name: 'Show what changes' }).click()
    await dialog.getByText(`What changes when ${wanted} is used`).waitFor()
    await checkPage(scene.owner, 'address-plan')
    await dialog.getByRole('button', { name: 'Add address' }).click()
    const panel = page.getByRole('region', { name: wanted })
    await panel.getByRole('button', { name: 'Check address' }).click()
    const opening = page.waitForEvent('popup')
    await panel.getByRole('link', { name: 'Open the one-time page' }).click()
    const opened = await opening
    await opened.getByText('This address leads to Bailiwick').waitFor()
    await opened.close()
    await panel.getByText('A browser has reached this server by this address').waitFor()
    await checkPage(scene.owner, 'address-reached')
    await panel.getByRole('button', { name: 'Sign in at the new address' }).click()
    await page.waitForURL((url) => url.origin === wanted && url.pathname !== '/sign-in')
    await page.goto(`${wanted}/settings/address`)
    await page.getByRole('button', { name: 'Use this address' }).click()
    const old = page.getByRole('region', { name: `http://localhost:${port}` })
    await old.getByText('Old, still works').waitFor()
    await checkPage(scene.owner, 'address-used')
    await old.getByRole('link', { name: /depends on it/ }).click()
    await page.getByRole('heading', { name: 'What uses an address' }).waitFor()
    await checkPage(scene.owner, 'address-uses')
    // It cannot end: nobody could sign in without links.
    await page.goto(`${wanted}/settings/address`)
    await old.getByRole('button', { name: 'End address' }).click()
    const end = page.getByRole('dialog', { name: 'End localhost' })
    await end.getByRole('button', { name: 'End address' }).click()
    await end.getByText('No Super Administrator has signed in').waitFor()
    await checkPage(scene.owner, 'address-end')
    await end.getByRole('button', { name: 'Cancel' }).click()

    const other = atBoth(await openWindow(scene.browser, scene.server.url))
    await other.page.goto(`http://localhost:${port}/apps`)
    await other.page.getByText('The address has changed').waitFor()
    expect(new URL(other.page.url()).origin).toBe(wanted)
    expect(await other.page.getByRole('link', { name: 'Sign in with one of them' }).getAttribute('href')).toBe(
      `http://localhost:${port}/move`,
    )
    await checkPage(other, 'address-moved')
    await other.close()
  })

  test('has a certificate, which is uploaded and replaced, and refused if it does not fit', async () => {
    const { page } = scene.owner
    const folder = await makeFolder()
    const { cert, key } = await keepCertificate(folder, ['access.localhost'], new Date())
    const files = [join(folder, 'chain.pem'), join(folder, 'key.pem')] as const
    await writeFile(files[0], cert)
    await writeFile(files[1], key)
    const panel = page.getByRole('region', { name: 'Certificates' })
    await panel.getByText('This server does not serve HTTPS itself').waitFor()
    const upload = async (place: number, host: string) => {
      await panel.getByRole('button', { name: 'Upload certificate' }).nth(place).click()
      const dialog = page.getByRole('dialog', { name: `Certificate of ${host}` })
      for (const [i, label] of ['Certificate chain', 'Private key'].entries()) {
        const choosing = page.waitForEvent('filechooser')
        await dialog.getByLabel(label).click()
        await (await choosing).setFiles(files[i] as string)
      }
      await dialog.getByRole('button', { name: 'Upload certificate' }).click()
      return dialog
    }
    const refused = await upload(0, 'localhost')
    await refused.getByText('is not for localhost').waitFor()
    await checkPage(scene.owner, 'address-certificate-refused')
    await refused.getByRole('button', { name: 'Cancel' }).click()
    const done = await upload(1, 'access.localhost')
    await done.waitFor({ state: 'detached' })
    await panel.getByText('Issued by').waitFor()
    await checkPage(scene.owner, 'address-certificate')
  })
})
