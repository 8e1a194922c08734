import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkPage, inBrowser, openScene, type Scene, settled } from '../fixture/browser.ts'

inBrowser('adding people', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())

  test('a file of an HR system: its columns are mapped, a cell is corrected in place, and it is imported', async () => {
    const { page } = scene.owner
    await scene.go('/users/add')
    await page.getByRole('heading', { name: 'An app as a directory' }).waitFor()
    await checkPage(scene.owner, 'add-people')
    await page.getByRole('link', { name: 'Import a file' }).click()
    await page.waitForURL(/\/imports$/)
    const text =
      'Employee ID;First name;Last name;E-Mail;Job title;Manager email;Start date;Shoe size\r\n' +
      '1001;Ada;Lovelace;ada@corp.example;"Engineer\r\nof engines";bo@corp.example;15.03.2021;40\r\n' +
      '1002;Bo;Ek;bo@corp.example;Director;nobody@corp.example;01.02.2019;41\r\n'
    await page.getByLabel('File to import').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`\u{feff}${text}`),
    })
    const becomes = page.getByLabel('E-Mail becomes')
    await becomes.waitFor()
    expect(await becomes.inputValue()).toBe('email')
    expect(await page.getByLabel('Dates of Start date').inputValue()).toBe('dmy')
    expect(await page.getByLabel('Shoe size becomes').inputValue()).toBe('')
    await checkPage(scene.owner, 'import-mapping')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('1 row to correct. Nothing was imported').waitFor()
    await checkPage(scene.owner, 'import-corrections')
    await page
      .getByRole('group', { name: /^Row 2 \(line 4\)/ })
      .getByLabel('Manager email')
      .fill('')
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('Checked: nothing was saved yet').waitFor()
    await page.getByText('People: 2 new.').waitFor()
    await page.getByText('replaced by spaces in 1 cell').waitFor()
    await checkPage(scene.owner, 'import-checked')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('2 new.').waitFor()
    await settled(page)
    await page.getByRole('link', { name: 'Open the users' }).click()
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
  })

  test('one person is added in a dialog, and an address is never used twice', async () => {
    const { page } = scene.owner
    await scene.go('/users#add')
    const dialog = page.getByRole('dialog', { name: 'Add person' })
    await dialog.getByLabel('Name', { exact: false }).first().fill('Grace Hopper')
    await dialog.getByLabel('Email address').fill('ADA@corp.example')
    await dialog.getByRole('button', { name: 'Add person' }).click()
    await dialog.getByText('is that of Ada Lovelace').waitFor()
    await dialog.getByLabel('Email address').fill('grace@corp.example')
    await dialog.getByLabel('Job title').fill('Admiral')
    await checkPage(scene.owner, 'add-person')
    await dialog.getByRole('button', { name: 'Add person' }).click()
    await page.waitForURL(/\/users\/\w{27}$/)
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  })
})
