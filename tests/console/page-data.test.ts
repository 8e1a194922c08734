import { type AnyRoute, createMemoryHistory, createRouter } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { builtInRoles } from '#rooms/identity/roles/index.ts'
import {
  allPages,
  commandsFor,
  destinationsFor,
  findableFor,
  lackingFor,
  pageAt,
  type SectionName,
} from '../../console/src/page-data.ts'
import { ranked } from '../../console/src/shell/rank.ts'
import { itemsOf, nearest, tabsOf, viewsOf } from '../../console/src/views.ts'

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

type Caller = Parameters<typeof viewsOf>[0]
type Role = keyof typeof builtInRoles
const callerOf = (role: Role) => {
  const {
    permissions,
    permissionsOnOwned = [],
  }: { permissions: readonly string[]; permissionsOnOwned?: readonly string[] } = builtInRoles[role]
  const may = (permission: string): boolean => permissions.includes(permission)
  return {
    user: { id: 'me' },
    permissions,
    may,
    mayOnOwned: (permission: string) => permissionsOnOwned.includes(permission),
  }
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
  for (const role of roles) {
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
  expect(offered('system:application-admin').toSorted()).toEqual(lists.toSorted())
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

const roles = Object.keys(builtInRoles) as Role[]
/** As administrators are: what their role permits, and what everyone may do. */
const employeeAnd = (role: Role): Caller => {
  const permissions = [...new Set([...callerOf(role).permissions, ...callerOf('system:user').permissions])]
  const { mayOnOwned } = callerOf(role)
  return { ...callerOf(role), permissions, may: (each) => permissions.includes(each), mayOnOwned }
}

test('each role has the views of its work, and who has nothing but their own access has one', () => {
  const views = Object.fromEntries(roles.map((role) => [role, viewsOf(employeeAnd(role))]))
  expect(views).toEqual({
    'system:owner': ['administrator', 'auditor', 'employee'],
    'system:viewer': ['auditor', 'employee'],
    'system:user': ['employee'],
    'system:helpdesk': ['employee'],
    'system:request-admin': ['administrator', 'employee'],
    'system:application-admin': ['owner', 'employee'],
    'system:system-logs-reader': ['auditor', 'employee'],
  })
})

test('no view has more than nine items, none of them twice, and no section more than seven tabs', () => {
  for (const role of roles)
    for (const view of viewsOf(employeeAnd(role))) {
      const items = itemsOf(view, router, employeeAnd(role))
      expect(items.length, `${role} ${view}`).toBeLessThanOrEqual(9)
      expect(new Set(items.map(({ label }) => label)).size, `${role} ${view}`).toBe(items.length)
    }
  const all = openTo(callerOf('system:owner'))
  for (const section of new Set(all.flatMap((each) => each.section ?? []))) {
    const tabs = tabsOf(section, all)
    expect(tabs.length, section).toBeLessThanOrEqual(7)
    for (const { parts, label } of tabs) expect(parts.length, label).toBeLessThan(7)
    const places = tabs.map(({ position }) => position)
    expect(new Set(places).size, section).toBe(places.length)
    for (const { label, icon } of tabs) expect([label === '', icon === undefined]).toEqual([false, false])
  }
})

test('a Super Administrator comes from the views to each page of the navigation, and other roles to each of theirs', () => {
  for (const role of roles) {
    const caller = employeeAnd(role)
    const led = viewsOf(caller).flatMap((view) => itemsOf(view, router, caller).flatMap(({ pages: own }) => own))
    const reached = new Set(led.flatMap(({ to, section }) => [to, ...withTabs(section, caller)]))
    // The settings begin at one of their tabs.
    const left = openTo(caller).filter(({ to }) => to !== '/settings' && !reached.has(to))
    expect(
      left.map(({ to }) => to),
      role,
    ).toEqual([])
  }
})
const withTabs = (section: SectionName | undefined, caller: Caller): string[] =>
  section ? tabsOf(section, openTo(caller)).flatMap(({ to, parts }) => [to, ...parts.map((each) => each.to)]) : []

test('the item of a page is also the one of the pages below it', () => {
  const items = itemsOf('administrator', router, callerOf('system:owner'))
  const at = (path: string): string | undefined =>
    items.find(({ pages: own }) =>
      own.some(
        (each) =>
          each ===
          nearest(
            items.flatMap((item) => item.pages),
            path,
          ),
      ),
    )?.label
  expect(
    ['/', '/apps/a/entitlements/e/runs', '/users/u/paths', '/log/exports/x', '/settings/four-eyes', '/tasks/7'].map(at),
  ).toEqual(['Home', 'Apps', 'Users', 'Activity', 'Organization', 'All tasks'])
  expect(['/settings/passkeys', '/appslike', '/nowhere'].map(at)).toEqual([undefined, undefined, undefined])
})

/** Words that people use, and the page or the command to which Ctrl-K leads them first. */
const everyday: Readonly<Record<string, string>> = {
  approve: '/decide',
  'audit trail': '/log',
  holiday: '/settings/delegate',
  vacation: '/settings/delegate',
  'out of office': '/settings/delegate',
  'four eyes': '/settings/four-eyes',
  'second person': '/settings/four-eyes',
  fingerprint: '/settings/passkeys',
  invite: '/settings/sign-in',
  'return access': '/me',
  siem: '/log/exports',
  certificate: '/settings/address',
  evidence: '/log',
  smtp: '/settings/organisation-notifications',
  okta: '/directories',
  csv: '/imports',
  orphaned: '/accounts',
  'who has what': '/grants',
  'who approves': '/policies',
  'api token': '/settings/credentials',
  'github actions': '/federation-providers',
  'out of sync': '/drift',
}

const found = (caller: Caller, typed: string): string[] => {
  const hit = (each: { label: string; to: string; words?: string }) => ({ ...each, id: each.to, description: '' })
  const commands = commandsFor(router, caller).flatMap((each) => ('to' in each ? [hit(each)] : []))
  const groups = [
    { group: 'Actions', hits: commands },
    { group: 'Pages', hits: findableFor(router, caller).map(hit) },
  ]
  return ranked(groups, typed).flatMap(({ hits }) => hits.map(({ to }) => to.split('#')[0] ?? ''))
}

test('Ctrl-K finds each page by everyday words', () => {
  const owner = callerOf('system:owner')
  for (const [typed, to] of Object.entries(everyday)) expect(found(owner, typed).slice(0, 3), typed).toContain(to)
})

test('every page with an address of its own has words or a command, and is found by each of them and by its title', () => {
  const owner = callerOf('system:owner')
  // A page that only a link of an old address leads to.
  const fixed = allPages(router).filter(
    ({ to, data }) => !to.includes('$') && data.title !== undefined && to !== '/move',
  )
  expect(fixed.filter(({ data }) => !data.words && !data.commands).map(({ to }) => to)).toEqual([])
  for (const { to, label, words } of findableFor(router, owner))
    for (const typed of [label, ...words.split(' ')]) expect(found(owner, typed), typed).toContain(to)
})

test('whatever is typed, Ctrl-K leads nobody to a page that they may not open', () => {
  for (const role of roles) {
    const caller = callerOf(role)
    for (const typed of ['', ...Object.keys(everyday), 'create', 'settings'])
      for (const to of found(caller, typed)) expect(`${role} ${to} ${lacking(to, caller)}`).toBe(`${role} ${to} null`)
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
