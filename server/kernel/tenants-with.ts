import type { Fragment, Reads } from './sql.ts'

const rowsMax = 10_000

/**
 * Which tenants have rows of some kind: the first step of all work over all tenants, whose second step handles one
 * tenant after the other. `rows` selects `tenant_id` of those after a tenant. One statement if there are at most
 * 10,000; a tenant with more of them ends a page, and the next page begins after that tenant: no backlog hides the rows
 * of other tenants.
 */
export async function listTenantsWith(db: Reads, rows: (after: number) => Fragment): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const found = await db<{ id: number; count: number }[]>`
      select w.tenant_id as id, count(*) as count from (${rows(ids.at(-1) ?? 0)} order by tenant_id limit ${rowsMax}) w
      group by w.tenant_id order by w.tenant_id`
    ids.push(...found.map(({ id }) => id))
    if (found.reduce((sum, { count }) => sum + count, 0) < rowsMax) return ids
  }
}

/**
 * When the first of some rows is due. `rows` selects when each is, as `at`; it need not include those that are due much
 * later.
 */
export async function findEarliest(db: Reads, rows: Fragment): Promise<Date | null> {
  const [row] = await db<{ at: Date | null }[]>`select min(w.at) as at from (${rows}) w`
  return row?.at ?? null
}

export async function listTenantIds(db: Reads): Promise<number[]> {
  const rows = await db<{ id: number }[]>`select tenant_id as id from tenants order by tenant_id`
  return rows.map(({ id }) => id)
}

/** One tenant after the other. A failure of one does not delay the others; the first error is thrown at the end. */
export async function forEachTenant(
  ids: readonly number[],
  work: (tenantId: number) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for (const id of ids) await work(id).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/**
 * In turns: each tenant in its turn has some of its work done, and gets another turn if `work` returns that there is
 * more. Ends when no tenant has more, or after some time: the next tick continues, and begins with the tenants that are
 * listed then.
 */
export async function inTurns(
  ids: readonly number[],
  work: (tenantId: number) => Promise<boolean>,
  forMs = 1_000,
): Promise<void> {
  const until = performance.now() + forMs
  for (let round = [...ids]; round.length > 0; ) {
    const next: number[] = []
    await forEachTenant(round, async (id) => {
      if (await work(id)) next.push(id)
    })
    round = performance.now() < until ? next : []
  }
}
