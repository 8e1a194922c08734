import { expect } from 'vitest'
import { ask, type Json, outcomeOf, type Reply } from '../fixture/access.ts'
import { type Caller, prepare as prepareScene, type Ref, type Scene } from '../grants/scene.ts'

export type { Caller, Ref, Scene } from '../grants/scene.ts'

export type Owners = { users?: readonly string[]; entitlements?: readonly Ref[] }

export type OwnersScene = Scene & {
  send(method: string, path: string, body?: object | null, by?: Caller): Promise<Reply>
  /** PUT …/owners of version 2, which must succeed. */
  set(path: string, roleSlug: string, owners: Owners): Promise<void>
  /** Who is named, by role: `role user` and `role app entitlement`. */
  named(path: string, query?: string): Promise<string[]>
  /** A user, with an account in the entitlement's app that holds it. */
  holder(entitlement: Ref): Promise<{ userId: string; account: Ref }>
}

export const bodyOf = (roleSlug: string, { users = [], entitlements = [] }: Owners): object => ({
  roleSlug,
  userRefs: users.map((id) => ({ id })),
  appEntitlementRefs: entitlements,
})

/** The scene of the tests of grants, with what the tests of owners do all the time. */
export function prepare(): OwnersScene {
  const scene = prepareScene() as OwnersScene
  const send: OwnersScene['send'] = (method, path, body = null, by = scene.admin) =>
    ask(scene.server, path, { method, token: by.token, ...(body && { body }) })
  return Object.assign(scene, {
    send,
    async set(path, roleSlug, owners) {
      const reply = await send('PUT', `/api/v2/${path}/owners`, bodyOf(roleSlug, owners))
      expect([reply.status, reply.json], reply.text).toEqual([200, {}])
    },
    async named(path, query = '') {
      const users = await scene.all(`/api/v2/${path}/owners/users?x=${query}`)
      const entitlements = await scene.all(`/api/v2/${path}/owners/entitlements?x=${query}`)
      return [
        ...users.map((item) => `${item['roleSlug'] as string} ${(item['user'] as Json)['id'] as string}`),
        ...entitlements.map((item) => {
          const { appId, id } = item['appEntitlement'] as Json
          return `${item['roleSlug'] as string} ${appId as string} ${id as string}`
        }),
      ].toSorted()
    },
    async holder(entitlement) {
      const userId = await scene.user()
      const account = await scene.account(entitlement.appId, { userId })
      await scene.grant(entitlement, account)
      return { userId, account }
    },
  } satisfies Partial<OwnersScene>)
}

export const done = (reply: Reply): Json => {
  expect(outcomeOf(reply), reply.text).toBe('200')
  return reply.json
}

export const nobody = '0'.repeat(27)
