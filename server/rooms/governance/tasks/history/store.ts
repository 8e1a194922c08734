import type { Page } from '#kernel/pages.ts'
import type { Reads } from '#kernel/sql.ts'
import type { Kept } from './view.ts'

type Row = { id: string; number: number; kind: string; by: string; at: Date; data: object }

/** Events of a task, one page. */
export async function listAudits(
  db: Reads,
  tenantId: number,
  {
    taskId,
    ids,
    commentsOnly,
    newestFirst,
  }: {
    taskId: string
    ids: readonly string[]
    commentsOnly: boolean
    newestFirst: boolean
  },
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Kept[]> {
  const after = Number(page.after?.[0] ?? 0)
  const rows = await db<Row[]>`
    select e.event_id as id, e.number, e.kind, e.by_user_id as by, e.happened_at as at, e.data from task_events e
    where e.tenant_id = ${tenantId} and e.task_id = ${taskId}
      ${ids.length > 0 ? db`and e.event_id = any(${ids}::text[])` : db``}
      ${commentsOnly ? db`and e.by_user_id <> '' and e.data->>'comment' <> ''` : db``}
      ${page.after ? (newestFirst ? db`and e.number < ${after}` : db`and e.number > ${after}`) : db``}
    order by ${newestFirst ? db`e.number desc` : db`e.number`} limit ${page.limit}`
  return rows.map(({ kind, data, ...row }) => ({ ...data, ...row, is: kind }) as Kept)
}
