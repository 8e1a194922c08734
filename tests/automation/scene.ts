import { expect } from 'vitest'
import type { Db } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { stepRuns, sweepChanges } from '#rooms/rules/automation/index.ts'
import type { Json, Reply } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import type { TestServerOptions } from '../fixture/server.ts'
import { update } from '../fixture/write.ts'
import { type Scene as GrantsScene, prepare as prepareGrants, type Ref } from '../grants/scene.ts'

export type { Ref } from '../grants/scene.ts'

/** Whether the engine has nothing more to do. */
export async function isSettled(db: Db): Promise<boolean> {
  const [row] = await db<{ isBusy: boolean }[]>`
    select exists (select 1 from automation_changes) or exists (select 1 from automation_runs where status = 'running')
      or exists (select 1 from automations where deleted_at is null and paused_why is null and due_at <= now())
      as "isBusy"`
  return !row?.isBusy
}

/** Does all that the engine has to do, beside the servers that do it too. */
export async function settle(world: World): Promise<void> {
  await until(async () => {
    await sweepChanges(world)
    await stepRuns(world)
    return isSettled(world.db)
  })
}

export const pathOf = ({ appId, id }: Ref): string => `/api/v1/apps/${appId}/entitlements/${id}`
export const cel = (expression: string): Json => ({ cel: { expression } })

export type Scene = GrantsScene & {
  settle(): Promise<void>
  /** An entitlement of an app of its own. */
  target(name?: string): Promise<Ref>
  create(ref: Ref, automation: Json): Promise<Reply>
  update(ref: Ref, body: Json): Promise<Reply>
  exclude(ref: Ref, userIds: string[] | null): Promise<Reply>
  include(ref: Ref, userIds: string[] | null): Promise<Reply>
  /** Who holds it now: user ids. */
  holders(ref: Ref): Promise<string[]>
  /** All rows of the record of an entitlement, in order. */
  record(ref: Ref): Promise<GrantRow[]>
  runs(ref: Ref): Promise<Json[]>
  plan(ref: Ref, body?: Json): Promise<Json & { counts: Json; fingerprint: string }>
  move(userId: string, department: string): Promise<void>
}
export type GrantRow = { userId: string; source: string; grantedBy: string; isOpen: boolean; endedBy: string | null }

/** The scene of the record of access, with ways to make rules and to wait for them. */
export function prepare(options: TestServerOptions = {}): Scene {
  const base = prepareGrants(options)
  const ok = (reply: Reply): Reply => {
    expect(reply.status, reply.text).toBe(200)
    return reply
  }
  const more = {
    settle: () => settle(base.access.world),
    target: async (name = 'A target') => base.entitlement(await base.app(), name),
    create: (ref: Ref, automation: Json) => base.post(`${pathOf(ref)}/automation/create`, { automation }),
    update: (ref: Ref, body: Json) => base.post(`${pathOf(ref)}/automation/update`, body),
    exclude: (ref: Ref, userIds: string[] | null) => base.post(`${pathOf(ref)}/automation/exclusions`, { userIds }),
    include: (ref: Ref, userIds: string[] | null) => base.remove(`${pathOf(ref)}/automation/exclusions`, { userIds }),
    async holders(ref: Ref): Promise<string[]> {
      const rows = await base.server.db<{ id: string }[]>`
        select distinct a.user_id as id from grants g
        join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
        where g.entitlement_id = ${ref.id} and g.ended_at is null order by 1`
      return rows.map(({ id }) => id)
    },
    record: (ref: Ref) => base.server.db<GrantRow[]>`
      select a.user_id as "userId", g.source, g.granted_by as "grantedBy", g.ended_at is null as "isOpen",
        g.ended_by as "endedBy"
      from grants g join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
      where g.entitlement_id = ${ref.id} order by g.grant_id`,
    runs: (ref: Ref) => base.all(`${pathOf(ref)}/automation/runs`),
    plan: async (ref: Ref, body: Json = {}) =>
      ok(await base.post(`${pathOf(ref)}/automation/plan`, body)).json as Json & { counts: Json; fingerprint: string },
    async move(userId: string, department: string): Promise<void> {
      await update(base.server.db, 'users', { department }, base.server.db`x.user_id = ${userId}`)
    },
  }
  return new Proxy(more as unknown as Scene, {
    get: (target, name) => Reflect.get(name in target ? target : base, name) as unknown,
  })
}
