import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Json } from '../fixture/access.ts'
import type { Ref } from '../grants/scene.ts'
import { prepareTasks, type TaskScene } from '../tasks/scene.ts'
import { type ConsoleScene, prepareConsole } from './records-scene.ts'

export type RequestsScene = ConsoleScene &
  TaskScene & {
    /** An app whose owner is someone, with entitlements that are decided by a policy. */
    appOf(ownerId: string, name: string, policyId: string, ...entitlements: string[]): Promise<Ref[]>
    /** A request for someone, made by the administrator; its number. */
    asks(target: Ref, userId: string, more?: Json): Promise<string>
  }

/** The scene of the console, with what the tests of requests do all the time. */
export function prepareRequests(): RequestsScene {
  const scene = prepareTasks(prepareConsole()) as RequestsScene
  return Object.assign(scene, {
    async appOf(ownerId, name, policyId, ...entitlements) {
      const { world, tenant } = scene.access
      const appId = await scene.app(name)
      const object = { kind: 'app', appId, typeId: '', id: appId } as const
      await transact(world.db, (tx) =>
        insertOwners(
          tx,
          operatorCause(tenant, 'test'),
          [{ object, roleSlug: 'primary', id: world.newId(), userId: ownerId }],
          world.now(),
        ),
      )
      const made: Ref[] = []
      for (const each of entitlements) made.push(await scene.entitlement(appId, each))
      for (const each of made) await scene.offer(each)
      await world.db`
        update entitlements set grant_policy_id = ${policyId}, duration_grant_seconds = 28800
        where tenant_id = ${tenant.id} and app_id = ${appId}`
      return made
    },
    async asks({ appId, id }, userId, more = {}) {
      const reply = await scene.post('/api/v1/task/grant', {
        appId,
        appEntitlementId: id,
        identityUserId: userId,
        description: 'For the job.',
        ...more,
      })
      return scene.task(reply).numericId
    },
  } satisfies Partial<RequestsScene>)
}
