import type { Fragment, Reads } from '#kernel/sql.ts'
import { countedMax, type Example, type Found, shownMax } from '../findings.ts'

/** Counts what a query finds, up to one more than `countedMax`, and keeps the first few. The query has its own order. */
export async function few(db: Reads, rows: Fragment): Promise<Found> {
  const list = await db<(Example & { total: number })[]>`
    with found as materialized (${rows} limit ${countedMax + 1})
    select f.*, (select count(*)::int from found) as total from found f limit ${shownMax}`
  return {
    count: list[0]?.total ?? 0,
    examples: list.map(({ appId, id, name, about }) => ({ appId, id, name, about })),
  }
}
