import { expect } from 'vitest'
import type { Json, Reply } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { prepareTasks, type TaskScene } from '../tasks/scene.ts'

export const profilesApp = '0builtinAccessProfilesApp01'
export const enforce = 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_ENFORCE_ENTITLEMENT_REQUEST_POLICY'
export const bypass = 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY'
export const leaving = (name: 'LEAVE_ACCESS_AS_IS' | 'REVOKE_ALL' | 'REVOKE_UNJUSTIFIED', isBypass = true) => ({
  unenrollmentBehavior: `REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_${name}`,
  unenrollmentEntitlementBehavior: `REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_${isBypass ? 'BYPASS' : 'ENFORCE'}`,
})

export type TaskRow = {
  id: string
  kind: string
  origin: string
  entitlementId: string
  isOpen: boolean
  outcome: string
}

export type ProfileScene = TaskScene & {
  /** Published and for everyone, unless said. */
  profile(terms?: Json, entries?: readonly Ref[]): Promise<string>
  catalog(reply: Reply): Json & { id: string }
  things(count: number, policyId?: string): Promise<Ref[]>
  enroll(profileId: string, ...userIds: string[]): Promise<void>
  unenroll(profileId: string, userId: string): Promise<void>
  tasksOf(userId: string): Promise<TaskRow[]>
  /** Waits until nothing is left to be done for profiles. */
  settled(): Promise<void>
  search(body?: object, by?: Caller): Promise<{ names: string[]; json: Json }>
}

export function prepareProfiles(): ProfileScene {
  const scene = prepareTasks() as ProfileScene
  const db = () => scene.access.world.db
  const tenantId = () => scene.access.tenant.id
  scene.catalog = (reply) => {
    expect(reply.status, reply.text).toBe(200)
    return (reply.json['requestCatalogView'] as { requestCatalog: Json & { id: string } }).requestCatalog
  }
  scene.profile = async (terms = {}, entries = []) => {
    const body = { displayName: 'A profile', published: true, visibleToEveryone: true, ...terms }
    const { id } = scene.catalog(await scene.post('/api/v1/catalogs', body))
    if (entries.length > 0) {
      const reply = await scene.post(`/api/v1/catalogs/${id}/requestable_entries`, { appEntitlements: entries })
      expect(reply.status, reply.text).toBe(200)
    }
    return id
  }
  scene.things = async (count, policyId = '') => {
    const appId = await scene.app('Profiled app')
    const refs: Ref[] = []
    for (let i = 0; i < count; i++) refs.push(await scene.entitlement(appId, `Thing ${i}`))
    await db()`update entitlements set grant_policy_id = ${policyId} where tenant_id = ${tenantId()} and app_id = ${appId}`
    return refs
  }
  scene.enroll = async (profileId, ...userIds) => {
    const path = `/api/v1/apps/${profilesApp}/entitlements/${profileId}/add-manual-user`
    const reply = await scene.post(path, { userIds })
    expect(reply.status, reply.text).toBe(200)
    await scene.settled()
  }
  scene.unenroll = async (profileId, userId) => {
    const [row] = await db()<{ id: string }[]>`
      select account_id as id from accounts
      where tenant_id = ${tenantId()} and app_id = ${profilesApp} and user_id = ${userId}`
    const path = `/api/v1/apps/${profilesApp}/entitlements/${profileId}/remove-membership`
    const reply = await scene.remove(path, { appUserId: row?.id })
    expect(reply.status, reply.text).toBe(200)
    await scene.settled()
  }
  scene.tasksOf = (userId) => db()<TaskRow[]>`
    select t.task_id as id, t.kind, t.origin, t.entitlement_id as "entitlementId", t.is_open as "isOpen", t.outcome
    from tasks t where t.tenant_id = ${tenantId()} and t.subject_user_id = ${userId} order by t.task_id`
  scene.settled = async () => {
    let quiet = 0
    await until(async () => {
      const [row] = await db()<{ count: number }[]>`
        select (select count(*) from profile_changes) + (select count(*) from jobs where kind like 'profiles.%')
          + (select count(*) from automations where due_at <= now() and paused_why is null and deleted_at is null)
          + (select count(*) from automation_runs where status = 'running')
          + (select count(*) from automation_changes) as count`
      quiet = row?.count === 0 ? quiet + 1 : 0
      return quiet === 2
    })
  }
  scene.search = async (body = {}, by = scene.basic) => {
    const reply = await scene.post('/api/v1/search/request_catalog/entitlements', { pageSize: 100, ...body }, by)
    expect(reply.status, reply.text).toBe(200)
    const list = reply.json['list'] as { entitlement: { appEntitlement: { displayName: string } } }[]
    return { names: list.map(({ entitlement }) => entitlement.appEntitlement.displayName), json: reply.json }
  }
  return scene
}
