import { isSeenEntitlement, type Place } from '#authority/sight/index.ts'
import { inOrder, type Order, type Sortable } from '#kernel/order.ts'
import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'

type PageAsked = Pick<Page, 'after' | 'limit'>

export type RuleRow = {
  appId: string
  appDisplayName: string
  entitlementId: string
  entitlementDisplayName: string
  displayName: string
  kind: string
  expression: string
  pausedWhy: string
  hasBreaker: boolean
  runId: string
  runStatus: string
  runStartedAt: Date | null
  runFinishedAt: Date | null
  gained: number
  lost: number
  dueAt: Date | null
  updatedAt: Date
}

export const ruleStates = ['active', 'paused', 'failing'] as const
export type RuleState = (typeof ruleStates)[number]

export type RuleFilter = { appId: string | null; state: RuleState | null; places: readonly Place[] | null }

const states: Record<RuleState, (db: Reads) => Fragment> = {
  active: (db) => db`and m.paused_why is null and coalesce(r.status, '') <> 'failed'`,
  paused: (db) => db`and m.paused_why is not null`,
  failing: (db) => db`and m.paused_why is null and r.status = 'failed'`,
}

export const ruleOrders = ['name', 'entitlement', 'app', 'state', 'run', 'added', 'removed', 'updated'] as const
export type RuleOrder = Order<(typeof ruleOrders)[number]>

const sortables = (db: Reads): Record<(typeof ruleOrders)[number], Sortable> => ({
  // As it is shown: a rule without a name has that of its entitlement.
  name: { by: db`lower(coalesce(nullif(m.display_name, ''), e.display_name))`, type: 'text' },
  entitlement: { by: db`lower(e.display_name)`, type: 'text' },
  app: { by: db`lower(p.display_name)`, type: 'text' },
  state: {
    by: db`case when m.paused_why is not null then 'paused' when r.status = 'failed' then 'failing' else 'active' end`,
    type: 'text',
  },
  run: { by: db`coalesce(r.finished_at, r.started_at, '-infinity'::timestamptz)`, type: 'timestamptz' },
  added: { by: db`coalesce(r.gained, 0)::bigint`, type: 'bigint' },
  removed: { by: db`coalesce(r.lost, 0)::bigint`, type: 'bigint' },
  updated: { by: db`m.updated_at`, type: 'timestamptz' },
})

/**
 * The rules of all apps, by app and entitlement: the order of automations_alive. There are at most as many as entitlements; a
 * filter by state that leaves none looks at all of them, and so does any other order.
 */
export async function listRules(
  db: Reads,
  tenantId: number,
  filter: RuleFilter,
  page: PageAsked,
  order: RuleOrder = null,
): Promise<(RuleRow & { key: string })[]> {
  if (filter.places?.length === 0) return []
  const sortable = order ? sortables(db)[order.key] : { by: db`''::text`, type: 'text' as const }
  const ids = [db`m.app_id`, db`m.entitlement_id`]
  const sorted = inOrder(db, sortable, order?.isDescending ?? false, ids, page)
  const [afterApp = '', afterEntitlement = ''] = (page.after ?? []) as string[]
  return db<(RuleRow & { key: string })[]>`
    select m.app_id as "appId", p.display_name as "appDisplayName", m.entitlement_id as "entitlementId",
      e.display_name as "entitlementDisplayName", m.display_name as "displayName", m.kind, m.expression,
      coalesce(m.paused_why, '') as "pausedWhy", m.has_breaker as "hasBreaker", coalesce(m.last_run_id, '') as "runId",
      coalesce(r.status, '') as "runStatus", r.started_at as "runStartedAt", r.finished_at as "runFinishedAt",
      coalesce(r.gained, 0) as gained, coalesce(r.lost, 0) as lost, m.due_at as "dueAt", m.updated_at as "updatedAt",
      ${sorted.value} as key
    from ${rulesOf(db, tenantId, filter)} ${
      order
        ? db`${sorted.after} ${sorted.by}`
        : db`and (m.app_id, m.entitlement_id) > (${afterApp}, ${afterEntitlement})
            order by m.app_id, m.entitlement_id limit ${page.limit}`
    }`
}

/** How many a filter leaves, at most `limit`. */
export async function countRules(db: Reads, tenantId: number, filter: RuleFilter, limit: number): Promise<number> {
  if (filter.places?.length === 0) return 0
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (select 1 from ${rulesOf(db, tenantId, filter)} limit ${limit}) x`
  return row?.count ?? 0
}

const rulesOf = (db: Reads, tenantId: number, { appId, state, places }: RuleFilter): Fragment => db`
  automations m
  join entitlements e on e.tenant_id = ${tenantId} and e.app_id = m.app_id and e.entitlement_id = m.entitlement_id
  join apps p on p.tenant_id = ${tenantId} and p.app_id = m.app_id
  left join automation_runs r on r.tenant_id = ${tenantId} and r.run_id = m.last_run_id
  where m.tenant_id = ${tenantId} and m.deleted_at is null and m.kind <> 'none' and e.deleted_at is null
    ${appId === null ? db`` : db`and m.app_id = ${appId}`}
    ${state === null ? db`` : states[state](db)}
    ${places === null ? db`` : db`and ${isSeenEntitlement(db, places)}`}`
