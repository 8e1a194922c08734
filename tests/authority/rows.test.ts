import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Permission, permissions } from '#authority/permissions.ts'
import { type Action, rules } from '#authority/rules.ts'
import type { Route } from '#kernel/routes.ts'
import { routes } from '#server/registry/routes.ts'
import { ask, type Json, newAddress, type Reply, type RoleName, reasonOf } from '../fixture/access.ts'
import { longDescribe } from '../fixture/long.ts'
import { prepare, type Ref } from '../grants/scene.ts'

/**
 * Each row of the table of rules, from outside: a caller with all permissions but one is refused what that one is for, and a caller with
 * that one alone is not. Which one it is is read from docs/permissions.md, or written here, and never taken from the table.
 */

const scene = prepare({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
const all = Object.keys(permissions) as Permission[]
const callers = new Map<string, Promise<string>>()

/** A token of someone who has a role with these permissions. */
function tokenWith(name: string, held: readonly Permission[]): Promise<string> {
  const made = callers.get(name) ?? makeToken(name, held)
  callers.set(name, made)
  return made
}
async function makeToken(name: string, held: readonly Permission[]): Promise<string> {
  await scene.access.makeRole(name, [...held])
  return scene.access.makeToken(await scene.access.makeCaller([name as RoleName]))
}
const withAllBut = (permission: Permission): Promise<string> =>
  tokenWith(
    `all but ${permission}`,
    all.filter((each) => each !== permission),
  )
const withOnly = (permission: Permission): Promise<string> => tokenWith(`only ${permission}`, [permission])

const missingIn = (reply: Reply): string => {
  if (reply.status !== 403 || reasonOf(reply) !== 'PERMISSION_DENIED') return ''
  const [detail] = reply.json['details'] as { metadata?: { permission?: string } }[]
  return detail?.metadata?.permission ?? ''
}

longDescribe('an operation', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/permissions.md'), 'utf8')
  const permissionOf = new Map(
    [...page.matchAll(/^\| (\S+)<br>\S+ \S+ \| `(\S+?)`(?:, recent sign-in)? \|/gm)].map(([, id, needed]) => [
      id,
      needed,
    ]),
  )
  const asked = routes.filter(({ id }) => permissionOf.has(id))

  const call = ({ method, path, form }: Route, token: string): Promise<Reply> =>
    ask(scene.server, path.replace(/\{\w+\}/g, '2zzzzzzzzzzzzzzzzzzzzzzzzzz'), {
      method,
      token,
      from: newAddress(),
      ...(method !== 'GET' && { body: '{}', headers: { 'content-type': 'application/json' } }),
      ...(form && { body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    })

  test('is refused without the permission that docs/permissions.md names, and by that one alone it is not', async () => {
    expect(asked.length).toBeGreaterThan(480)
    const wrong: string[] = []
    for (const each of asked) {
      const permission = permissionOf.get(each.id) as Permission
      const [without, alone] = await Promise.all([
        withAllBut(permission).then((token) => call(each, token)),
        withOnly(permission).then((token) => call(each, token)),
      ])
      if (missingIn(without) !== permission) wrong.push(`${each.id}: ${without.status} without ${permission}`)
      if (missingIn(alone) === permission || alone.status >= 500)
        wrong.push(`${each.id}: ${alone.status} with ${permission}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('a rule that code asks for', () => {
  type Things = { ann: string; resource: { typeId: string; id: string }; entitlement: Ref }
  let things: Things
  beforeAll(async () => {
    const ann = await scene.user()
    const appId = await scene.app()
    const entitlement = await scene.entitlement(appId)
    await scene.grant(entitlement, await scene.account(appId, { userId: ann }))
    things = { ann, resource: await scene.resource(appId), entitlement }
    await scene.post('/api/v1/service_principals', { displayName: 'A program' })
  })

  type Asked = { path: string; body?: object; tells?: (reply: Reply) => unknown }
  type Row = { needs: Permission; ask: (of: Things) => Asked; without: unknown; with: unknown }
  /** Of a reply, which permission it lacks; of one that is not refused for that, nothing. */
  const lacks = { tells: missingIn }
  const status = { tells: (reply: Reply) => reply.status }
  const count = { tells: (reply: Reply) => (reply.json['list'] as Json[] | undefined)?.length ?? reasonOf(reply) }
  const mayEdit = (item: unknown): unknown => (item as { objectPermissions: Json }).objectPermissions['edit']
  const inApp = ({ entitlement: { appId } }: Things, path: string): string => `/api/v1/apps/${appId}/${path}`
  const refused = (needs: Permission, asked: Row['ask']): Row => ({ needs, ask: asked, without: needs, with: '' })

  /** What each changes for a caller who may do all else. */
  const rows: Partial<Record<Action, Row>> = {
    'users.edit': refused('users.write', ({ ann }) => ({
      path: `/api/v1/users/${ann}/access_removals/plan`,
      body: { disableUser: true },
      ...lacks,
    })),
    'rules.edit': refused('automations.write', ({ ann }) => ({
      path: `/api/v1/users/${ann}/access_removals/plan`,
      body: { excludeFromRules: true },
      ...lacks,
    })),
    'principals.edit': {
      needs: 'principals.write',
      ask: () => ({
        path: '/api/v1/service_principals',
        tells: ({ json }) => (json['list'] as Json[]).map(mayEdit).includes(true),
      }),
      without: false,
      with: true,
    },
    'apps.edit': {
      needs: 'apps.write',
      ask: ({ resource, entitlement: { appId } }) => ({
        path: `/api/v1/apps/${appId}/resource_types/${resource.typeId}/resources/${resource.id}`,
        tells: ({ text }) => /"objectPermissions":\{[^}]*"edit":true/.test(text),
      }),
      without: false,
      with: true,
    },
    'entitlements.edit': {
      needs: 'entitlements.write',
      ask: (of) => ({
        path: inApp(of, `entitlements/${of.entitlement.id}`),
        tells: ({ text }) => /"objectPermissions":\{[^}]*"edit":true/.test(text),
      }),
      without: false,
      with: true,
    },
    'entitlements.read': {
      needs: 'entitlements.read',
      ask: (of) => ({ path: inApp(of, 'entitlements'), ...count }),
      without: 'APP_NOT_FOUND',
      with: 1,
    },
    'accounts.read': {
      needs: 'accounts.read',
      ask: (of) => ({ path: inApp(of, 'app_users'), ...count }),
      without: 0,
      with: 1,
    },
    'grants.read': {
      needs: 'grants.read',
      ask: () => ({ path: '/api/v1/search/grants', body: {}, ...count }),
      without: 0,
      with: 1,
    },
    'grants.give': refused('grants.write', () => ({
      path: '/api/v1/catalogs',
      body: {
        displayName: 'Without asking',
        enrollmentBehavior: 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY',
      },
      ...lacks,
    })),
    'owners.read': {
      needs: 'owners.read',
      ask: ({ ann }) => ({ path: '/api/v1/search/user-ownership', body: { userId: ann }, ...status }),
      without: 404,
      with: 200,
    },
    'owners.change': refused('owners.write', ({ ann }) => ({
      path: '/api/v1/apps',
      body: { displayName: 'Owned', owners: [ann] },
      ...lacks,
    })),
    'rules.read': refused('automations.read', () => ({
      path: '/api/v1/changes?subject=CHANGE_SUBJECT_RULE',
      ...lacks,
    })),
    'tasks.read': refused('tasks.read', () => ({
      path: '/api/v1/policies/plan',
      body: { policy: { displayName: 'A draft' } },
      ...lacks,
    })),
    'tasks.request-for-others': refused('tasks.others', ({ ann, entitlement: { appId, id } }) => ({
      path: '/api/v1/task/grant',
      body: { appId, appEntitlementId: id, identityUserId: ann },
      ...lacks,
    })),
    'tasks.manage': {
      needs: 'tasks.manage',
      ask: ({ entitlement: { appId, id } }) => ({
        path: '/api/v1/task/grant',
        body: { appId, appEntitlementId: id },
        tells: (reply) => (reply.status === 200 ? 'requested' : reasonOf(reply)),
      }),
      without: 'NOT_REQUESTABLE',
      with: 'requested',
    },
    'views.share': {
      needs: 'views.share',
      ask: () => ({
        path: '/api/v1/lists/views',
        body: { page: '/users', name: scene.access.world.newId(), query: '', isShared: true },
        ...status,
      }),
      without: 403,
      with: 200,
    },
    'user.read': {
      needs: 'users.read',
      ask: ({ ann }) => ({ path: `/api/v1/users/${ann}/profile-types`, ...status }),
      without: 404,
      with: 200,
    },
    'user.read-grants': {
      needs: 'grants.read',
      ask: ({ ann }) => ({ path: `/api/v1/users/${ann}/changes/summary`, ...status }),
      without: 404,
      with: 200,
    },
    'user.read-accounts': {
      needs: 'accounts.read',
      ask: (of) => ({ path: inApp(of, `users/${of.ann}/app_users`), ...count }),
      without: 0,
      with: 1,
    },
  }

  test('is among these', () => {
    const ofRoutes = new Set(routes.map(({ rule }) => rule))
    const asked = Object.keys(rules).filter((action) => !ofRoutes.has(action))
    expect(Object.keys(rows).toSorted()).toEqual(asked.toSorted())
  })

  test.each(Object.entries(rows))(
    '%s tells those who have its permission from those who have all others',
    async (_, row) => {
      const { path, body, tells = lacks.tells } = row.ask(things)
      const answers = await Promise.all(
        [withAllBut(row.needs), tokenWith('all', all)].map(async (token) =>
          tells(await ask(scene.server, path, { token: await token, ...(body && { body }) })),
        ),
      )
      expect(answers).toEqual([row.without, row.with])
    },
  )
})
