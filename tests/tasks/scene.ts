import { expect } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Json, Reply, RoleName } from '../fixture/access.ts'
import { type Caller, prepare, type Ref, type Scene } from '../grants/scene.ts'

/** Of a task's view, what tests look at. */
export type TaskSeen = {
  id: string
  numericId: string
  state: string
  processing: string
  actions: string[]
  stepApproverIds: string[]
  approverIds: string[]
  annotations: Json[]
  emergencyAccess: boolean
  policy: { current: (Json & { id: string }) | null; history: Json[]; next: Json[] }
  type: { grant: (Json & { outcome: string; grantDuration: string | null; source: Json }) | null; revoke: Json | null }
}

export type TaskScene = Scene & {
  /** An app with an owner who can sign in, and an entitlement that is decided by a policy. */
  target(policyId?: string, more?: { maxSeconds?: number; isOffered?: boolean }): Promise<Ref & { owner: Caller }>
  caller(roles: RoleName[], managerId?: string): Promise<Caller>
  /** Puts an entitlement into an access profile that everyone sees. */
  offer(entitlement: Ref): Promise<void>
  task(reply: Reply): TaskSeen
  look(id: string, by?: Caller): Promise<TaskSeen>
  act(id: string, action: string, body: object, by: Caller): Promise<Reply>
  policy(steps: Json[], type?: 'grant' | 'revoke'): Promise<string>
  holds(entitlement: Ref, userId: string): Promise<{ source: string; expiresAt: Date | null }[]>
}

export const byOwners = '0builtinGrantByAppOwners001'
export const byManager = '0builtinGrantByManager00001'
export const automatic = '0builtinGrantAutomatic00001'

/** The scene of records, or one that is made of it, with what the tests of tasks do all the time. */
export function prepareTasks<S extends Scene = Scene>(of: S = prepare() as S): S & TaskScene {
  const scene = of as S & TaskScene
  let offered: Promise<string> | null = null
  const { db, tenantId } = {
    db: () => scene.access.world.db,
    tenantId: () => scene.access.tenant.id,
  }
  scene.caller = async (roles, managerId) => {
    const key = await scene.access.makeCaller(roles)
    if (managerId) await db()`update users set manager_ids = ${[managerId]} where user_id = ${key.userId}`
    return { userId: key.userId, token: await scene.access.makeToken(key) }
  }
  scene.offer = async (entitlement) => {
    offered ??= scene
      .post('/api/v1/catalogs', { displayName: 'Offered', published: true, visibleToEveryone: true })
      .then(({ json }) => (json['requestCatalogView'] as { requestCatalog: { id: string } }).requestCatalog.id)
    const path = `/api/v1/catalogs/${await offered}/requestable_entries`
    const reply = await scene.post(path, { appEntitlements: [entitlement] })
    expect(reply.status, reply.text).toBe(200)
  }
  scene.target = async (policyId = byOwners, { maxSeconds, isOffered = true } = {}) => {
    const appId = await scene.app('Asked app')
    const entitlement = await scene.entitlement(appId, 'Asked')
    const owner = await scene.caller(['system:user'])
    const object = { kind: 'app', appId, typeId: '', id: appId } as const
    const { world } = scene.access
    await transact(db(), (tx) =>
      insertOwners(
        tx,
        operatorCause(scene.access.tenant, 'test'),
        [{ object, roleSlug: 'primary', id: world.newId(), userId: owner.userId }],
        world.now(),
      ),
    )
    if (isOffered) await scene.offer(entitlement)
    await db()`
      update entitlements set grant_policy_id = ${policyId}, duration_grant_seconds = ${maxSeconds ?? null}
      where tenant_id = ${tenantId()} and entitlement_id = ${entitlement.id}`
    return { ...entitlement, owner }
  }
  scene.task = (reply) => {
    expect(reply.status, reply.text).toBe(200)
    return (reply.json['taskView'] as { task: TaskSeen }).task
  }
  scene.look = async (id, by) => scene.task(await scene.get(`/api/v1/tasks/${id}`, by))
  scene.act = (id, action, body, by) => scene.post(`/api/v1/tasks/${id}/action/${action}`, body, by)
  scene.policy = async (steps, type = 'grant') => {
    const reply = await scene.post('/api/v1/policies', {
      displayName: 'A policy',
      policyType: `POLICY_TYPE_${type.toUpperCase()}`,
      policySteps: { [type]: { steps } },
    })
    expect(reply.status, reply.text).toBe(200)
    return (reply.json['policy'] as { id: string }).id
  }
  scene.holds = ({ appId, id }, userId) => db()<{ source: string; expiresAt: Date | null }[]>`
    select g.source, g.expires_at as "expiresAt" from grants g
    join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
    where g.tenant_id = ${tenantId()} and g.app_id = ${appId} and g.entitlement_id = ${id} and a.user_id = ${userId}
      and g.ended_at is null`
  return scene
}

export const target = ({ appId, id }: Ref, more: object = {}) => ({ appId, appEntitlementId: id, ...more })
