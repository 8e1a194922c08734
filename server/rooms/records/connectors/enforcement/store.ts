import type { Reads } from '#kernel/sql.ts'
import type { Syncs } from './judge.ts'

/** What became of the syncs of some connectors, by connector. By `connector_tasks_syncs`, from the newest. */
export async function listSyncs(
  db: Reads,
  tenantId: number,
  connectorIds: readonly string[],
): Promise<Map<string, Syncs>> {
  const rows = await db<(Syncs & { connectorId: string })[]>`
    select c.id as "connectorId", d.ended_at as "lastSyncedAt", l.state, coalesce(l.error, '') as error,
      l.begun_at as "begunAt", l.ended_at as "endedAt"
    from unnest(${connectorIds}::text[]) as c (id)
    left join lateral (select t.ended_at from connector_tasks t
      where t.tenant_id = ${tenantId} and t.connector_id = c.id and t.kind = 'sync' and t.state = 'done'
      order by t.task_id desc limit 1) d on true
    left join lateral (select t.state, t.error, t.begun_at, t.ended_at from connector_tasks t
      where t.tenant_id = ${tenantId} and t.connector_id = c.id and t.kind = 'sync'
        and t.state in ('done', 'failed', 'unknown', 'held')
      order by t.task_id desc limit 1) l on true`
  return new Map(rows.map((row) => [row.connectorId, row]))
}
