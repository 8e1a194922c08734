import { test } from 'vitest'
import { checkPage, inBrowser } from '../fixture/browser.ts'
import { isLong } from '../fixture/long.ts'
import type { Ref } from '../grants/scene.ts'
import { prepareConsole } from './records-scene.ts'

inBrowser('the pages of governed records, with nothing in them', () => {
  const scene = prepareConsole()
  const addressOf = ({ appId, id }: Ref): string => `/apps/${appId}/entitlements/${id}`

  test('with nothing in it, each page says what there is none of and what to do', async () => {
    const { go, owner } = scene
    await go('/apps')
    await owner.page.getByText('No apps yet').waitFor()
    await checkPage(owner, 'apps-none')
    const [appId, otherId] = [await scene.app('Empty app'), await scene.app('Other app')]
    const shelf = await scene.resource(otherId, 'A shelf')
    const entitlement = await scene.entitlement(otherId, 'Read')
    const user = await scene.user({ displayName: 'Nora None' })
    const pages = [
      [`/apps/${appId}`, 'This app has no entitlements', 'app-none'],
      [`/apps/${appId}/resources`, 'This app has no resources', 'resources-none'],
      [`/apps/${appId}/accounts`, 'This app has no accounts', 'accounts-none'],
      [`/apps/${otherId}/resources/${shelf.typeId}/${shelf.id}`, 'This resource has no entitlements', 'resource-none'],
      [addressOf(entitlement), 'No members', 'members-none'],
      [`${addressOf(entitlement)}/history`, 'No history', 'history-none'],
      [`/users/${user}`, 'Nora None has no access', 'access-none'],
      [`/users/${user}/accounts`, 'Nora None has no accounts', 'user-accounts-none'],
      ['/users?q=nobody+is+called+that', 'No results', 'users-none'],
    ] as const
    // All of them are the same part of the console: `npm test` looks at every other one.
    for (const [path, words, name] of pages.filter((_, n) => isLong || n % 2 === 0)) {
      await go(path)
      await owner.page.getByText(words).waitFor()
      await checkPage(owner, name)
    }
  })

  test('what is not there is said in the words of the API', async () => {
    const nothing = '0'.repeat(27)
    const pages = [
      [`/apps/${nothing}`, 'There is no such app.'],
      [`/users/${nothing}`, 'There is no such user.'],
      [`/apps/${nothing}/entitlements/${nothing}`, 'There is no such app.'],
      [`/apps/${nothing}/accounts/${nothing}`, 'Account not found'],
    ] as const
    for (const [path, words] of pages) {
      await scene.go(path)
      await scene.owner.page.getByText(words).first().waitFor()
    }
  })
})
