import { expect, test } from 'vitest'
import { builtInRoles } from '#rooms/identity/roles/index.ts'
import { lacking } from '../../console/src/client/needed.ts'
import { openTo } from '../../console/src/shell/navigation.ts'

/** Which pages of the console are for whom, by their addresses. */

type Role = keyof typeof builtInRoles
const callerOf = (role: Role) => {
  const {
    permissions,
    permissionsOnOwned = [],
  }: { permissions: readonly string[]; permissionsOnOwned?: readonly string[] } = builtInRoles[role]
  const may = (permission: string): boolean => permissions.includes(permission)
  return { user: { id: 'me' }, may, mayOnOwned: (permission: string) => permissionsOnOwned.includes(permission) }
}

const pages = [
  ...[
    '/users',
    '/users/someone',
    '/apps',
    '/tasks',
    '/policies',
    '/policies/new',
    '/webhooks',
    '/forms/x',
    '/profiles',
  ],
  ...[
    '/drift',
    '/directories',
    '/directories/new',
    '/connectors',
    '/connectors/new',
    '/imports',
    '/log',
    '/log/exports',
  ],
  ...[
    '/subscriptions',
    '/jobs',
    '/settings/everyone',
    '/settings/sign-in',
    '/settings/requests',
    '/settings/four-eyes',
  ],
  ...['/settings/organisation-notifications', '/entitlements', '/grants', '/rules', '/accounts', '/apps/a/accounts'],
  ...['/apps/a/resources', '/apps/a/connectors', '/apps/a/requests', '/apps/a/entitlements/e/requests', '/log/'],
  ...['/apps/a/entitlements/e/runs', '/apps/a/entitlements/e/automation', '/apps/a/entitlements/e/history'],
  ...['/apps/a/entitlements/e/versions', '/apps/a/entitlements/e/changes', '/apps/a/entitlements/e/paths'],
  ...['/apps/a/changes', '/apps/a/heat-map', '/changes', '/log/events/x'],
]

test('whatever the navigation offers to a role is open to it', () => {
  for (const role of Object.keys(builtInRoles) as Role[]) {
    const caller = callerOf(role)
    for (const { to } of openTo(caller)) expect(`${role} ${to} ${lacking(to, caller)}`).toBe(`${role} ${to} null`)
  }
})

test('a basic user opens none of the pages of administrators and owners; a Super Administrator opens all', () => {
  expect(pages.filter((path) => lacking(path, callerOf('system:user')) === null)).toEqual([])
  expect(pages.filter((path) => lacking(path, callerOf('system:owner')) !== null)).toEqual([])
})

test('a basic user opens what is theirs, and the pages that the API decides about', () => {
  const theirs = [
    '/',
    '/me',
    '/users/me',
    '/users/me/accounts',
    '/owned',
    '/request',
    '/decide',
    '/requests',
    '/tasks/12',
  ]
  const others = [
    '/apps/a',
    '/apps/a/owners',
    '/apps/a/entitlements/e',
    '/apps/a/accounts/c',
    '/settings/passkeys',
    '/device',
  ]
  for (const path of [...theirs, ...others]) expect(lacking(path, callerOf('system:user')), path).toBe(null)
})

test('the lists of what one owns are in the navigation of those who own, and of no others', () => {
  const lists = ['/entitlements', '/accounts', '/grants', '/rules']
  const offered = (role: Role): string[] => openTo(callerOf(role)).flatMap(({ to }) => (lists.includes(to) ? [to] : []))
  expect(offered('system:application-admin')).toEqual(lists)
  expect(offered('system:user')).toEqual([])
})

test('an application administrator opens the pages inside apps, and lists of what they own, and no others', () => {
  const caller = callerOf('system:application-admin')
  for (const path of ['/apps/a/accounts', '/apps/a/heat-map', '/apps/a/entitlements/e/runs', '/grants', '/rules'])
    expect(lacking(path, caller), path).toBe(null)
  for (const path of ['/users', '/log', '/directories', '/me', '/decide'])
    expect(lacking(path, caller), path).not.toBe(null)
})
