import type { Page } from '#kernel/pages.ts'
import type { Reads } from '#kernel/sql.ts'
import type { EntitlementRef } from '../automation.ts'
import { between, type Span } from './store.ts'

export type RunChange = { outcome: 'gain' | 'lose'; userId: string; accountId: string; at: Date }

export type ChangesAsked = {
  runId: string
  span: Span
  /** Null for both. */
  outcome: RunChange['outcome'] | null
  /** In lower case. */
  words: readonly string[]
  countsEmails: boolean
  page: Pick<Page, 'after' | 'limit'>
}

/**
 * The accounts that a run granted something to or revoked it from. Each grant has the run that granted and ended it; only
 * grants of the entitlement that began or ended around the time of the run are read, by an index: as many as the run
 * changed, not as many as there are. One whose expiry was changed since has several rows, and is listed once.
 */
export async function listRunChanges(
  db: Reads,
  tenantId: number,
  { appId, id }: EntitlementRef,
  { runId, span, outcome, words, countsEmails, page }: ChangesAsked,
): Promise<RunChange[]> {
  const [afterOutcome = '', afterAccount = ''] = (page.after ?? []) as string[]
  const ofEntitlement = db`g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${id}`
  const gained = db`
    select 'gain' as outcome, g.account_id, min(g.began_at) as at from grants g
    where ${ofEntitlement} and ${between(db, 'began_at', span)} and g.granted_by = ${runId} and g.source = 'rule'
    group by g.account_id`
  const lost = db`
    select 'lose' as outcome, g.account_id, max(g.ended_at) as at from grants g
    where ${ofEntitlement} and ${between(db, 'ended_at', span)} and g.ended_by = ${runId} and g.source = 'rule'
    group by g.account_id`
  const both = db`${gained} union all ${lost}`
  const called = countsEmails
    ? db`concat_ws(' ', u.display_name, u.email, a.display_name, a.email)`
    : db`coalesce(u.display_name, '')`
  return db<RunChange[]>`
    select c.outcome, coalesce(a.user_id, '') as "userId", c.account_id as "accountId", c.at
    from (${outcome === null ? both : outcome === 'gain' ? gained : lost}) c
    join accounts a on a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = c.account_id
    left join users u on u.tenant_id = ${tenantId} and u.user_id = a.user_id
    where (c.outcome, c.account_id::text) > (${afterOutcome}::text, ${afterAccount}::text)
      ${
        words.length === 0
          ? db``
          : db`and (select bool_and(strpos(lower(${called}), w) > 0) from unnest(${words}::text[]) as w)`
      }
    order by c.outcome, c.account_id::text limit ${page.limit}`
}
