import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataOf } from '../evidence/scene.ts'
import { checkPage, inBrowser, settled } from '../fixture/browser.ts'
import { prepareConsole } from './records-scene.ts'

/** Evidence packs in the console: of a list, of a person and of an app, now and in the past. */
inBrowser('evidence packs', () => {
  const scene = prepareConsole()
  const ago = (days: number): Date => new Date(Date.now() - days * 86_400_000)

  async function taken(click: () => Promise<void>): Promise<{ name: string; words: string; people: string[] }> {
    const [download] = await Promise.all([scene.owner.page.waitForEvent('download'), click()])
    const folder = await mkdtemp(join(tmpdir(), 'evidence-'))
    try {
      const file = join(folder, 'pack.zip')
      await download.saveAs(file)
      const { subject, grants } = dataOf({ bytes: await readFile(file) })
      return {
        name: download.suggestedFilename(),
        words: subject.words,
        people: grants.map(({ user }) => user?.name ?? ''),
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  test('are made of members, of a person and of an app, as of the moment that is shown', async () => {
    const { page } = scene.owner
    const appId = await scene.app('Vault')
    const entitlement = await scene.entitlement(appId, 'Open')
    const member = async (name: string, more: object): Promise<string> => {
      const userId = await scene.user({ displayName: name })
      await scene.grant(entitlement, await scene.account(appId, { userId, displayName: name }), {
        source: 'manual',
        ...more,
      })
      return userId
    }
    await member('Ann Now', {})
    const before = await member('Bo Before', { beganAt: ago(20), expiresAt: ago(5) })
    const button = () => page.getByRole('button', { name: 'Evidence pack', exact: true })

    await scene.go(`/apps/${appId}/entitlements/${entitlement.id}`)
    await page.getByRole('button', { name: 'Export' }).click()
    const now = await taken(() => page.getByRole('menuitem', { name: /^Evidence pack/ }).click())
    expect(now).toMatchObject({ words: 'the members of Open (Vault)', people: ['Ann Now'] })
    await page.getByText('Evidence pack created').waitFor()

    const asOf = ago(10)
    await scene.go(`/apps/${appId}?as_of=${asOf.toISOString()}`)
    await button().waitFor()
    await checkPage(scene.owner, 'app-past-evidence')
    const past = await taken(() => button().click())
    expect(past).toEqual({
      name: `evidence-access-in-vault-${asOf.toISOString().slice(0, 10)}.zip`,
      words: "everyone's access in Vault",
      people: ['Bo Before'],
    })

    await scene.go(`/users/${before}`)
    await settled(page)
    expect(await taken(() => button().click())).toMatchObject({ words: 'the access of Bo Before', people: [] })
    await scene.go('/log')
    await page.getByText(/^SHA256:/).waitFor()
    await checkPage(scene.owner, 'log-evidence-key')
  })
})
