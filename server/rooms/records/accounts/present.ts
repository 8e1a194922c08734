import { type Expanded, expansion } from '#kernel/expand.ts'
import type { Call } from '#kernel/routes.ts'
import { findUsers, putUser } from '#rooms/identity/users/index.ts'
import { appAsNeighbour, findAppsUncounted } from '#rooms/records/apps/index.ts'
import type { Account } from './account.ts'
import { AppUser, viewAccount } from './view.ts'

/** Adds an account to the related objects of something else. */
export const putAccount = (expanded: Expanded, account: Account): string =>
  expanded.put('app.v1.AppUser', `${account.appId} ${account.id}`, AppUser.write(viewAccount(account)))

/** Adds the apps of some objects to their related objects, and returns where each is. */
export async function putApps(call: Call, expanded: Expanded, ids: readonly string[]): Promise<Map<string, string>> {
  const apps = ids.length > 0 ? await findAppsUncounted(call.db, call.tenant.id, [...new Set(ids)]) : []
  return new Map(apps.map((app) => [app.id, expanded.put('app.v1.App', app.id, appAsNeighbour(app))]))
}

/** Accounts as views; the related objects that the caller requested are added to `expanded`. */
export async function viewAccounts(call: Call, accounts: readonly Account[], expanded: Expanded) {
  const owners = expanded.wants('identityUserId') ? accounts.map((account) => account.identityUserId) : []
  const [apps, users] = await Promise.all([
    putApps(call, expanded, expanded.wants('appId') ? accounts.map(({ appId }) => appId) : []),
    findUsers(
      call.db,
      call.tenant.id,
      owners.filter((id) => id !== ''),
      call.now(),
    ),
  ])
  const userOf = new Map(users.map((user) => [user.id, putUser(expanded, user)]))
  return accounts.map((account) => ({
    appUser: viewAccount(account),
    appPath: apps.get(account.appId) ?? '',
    identityUserPath: userOf.get(account.identityUserId) ?? '',
  }))
}

export async function presentAccounts(
  call: Call,
  accounts: readonly Account[],
  mask: { paths: readonly string[] } | null,
) {
  const expanded = expansion(mask)
  const views = await viewAccounts(call, accounts, expanded)
  return { views, expanded: expanded.list() }
}
