import { type AnyRoute, createMemoryHistory, createRouter } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { builtInRoles } from '#rooms/identity/roles/index.ts'
import { commandsFor, destinationsFor, lackingFor, pageAt } from '../../console/src/page-data.ts'

/** What is written with the routes of the console: which pages are for whom, where the navigation leads, what Ctrl-K offers. */

// Not as types: what they lead to is written for browsers, and is checked with the console.
const load = (file: string): Promise<Record<string, unknown>> => import(`../../console/src/${file}`)
const { pageRoutes } = (await load('page-routes.ts')) as { pageRoutes: AnyRoute[] }
const { rootRoute, shellRoute } = (await load('roots.ts')) as Record<'rootRoute' | 'shellRoute', AnyRoute>
const router = createRouter({
  routeTree: rootRoute.addChildren([shellRoute.addChildren(pageRoutes)]),
  history: createMemoryHistory(),
})
const lacking = (path: string, caller: Caller): string | null => lackingFor(router, path, caller)
const openTo = (caller: Caller) => destinationsFor(router, caller)

type Caller = Parameters<typeof lackingFor>[2]
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

test('keys after g lead to one page each', () => {
  const keys = openTo(callerOf('system:owner')).flatMap(({ key }) => key ?? [])
  expect(keys.length).toBeGreaterThan(10)
  expect(new Set(keys).size).toBe(keys.length)
})

test('each group of the navigation has one page in each of its positions, with a name and an icon', () => {
  for (const [group, own] of Map.groupBy(openTo(callerOf('system:owner')), (each) => each.group)) {
    expect(
      own.map(({ position }) => position),
      group,
    ).toEqual(own.map((_, at) => at + 1))
    for (const { label, icon } of own) expect([label === '', icon === undefined]).toEqual([false, false])
  }
})

test('Ctrl-K offers what begins something only to those who may do it', () => {
  const labels = (role: Role): string[] => commandsFor(router, callerOf(role)).map(({ label }) => label)
  expect(labels('system:owner')).toContain('Create app')
  expect(labels('system:user')).not.toContain('Create app')
  expect(labels('system:user')).toContain('Request access')
  for (const command of commandsFor(router, callerOf('system:owner')))
    expect(
      'to' in command && pageAt(router, command.to.split('#')[0] ?? '').commands?.length,
      command.label,
    ).toBeTruthy()
})

test('the pages that show a moment of the past say so, and all others show the current state', () => {
  const past = (path: string) => pageAt(router, path).past ?? 'none'
  expect(['/users/u', '/apps/a/entitlements/e', '/owned'].map(past)).toEqual(['whole', 'whole', 'whole'])
  expect(['/changes', '/users/u/changes'].map(past)).toEqual(['compared', 'compared'])
  expect(['/users', '/settings/passkeys', '/nowhere'].map(past)).toEqual(['none', 'none', 'none'])
})
