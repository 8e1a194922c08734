import type { Reads } from '#kernel/sql.ts'
import type { Task } from '../../machine/record.ts'
import { columns } from '../../store.ts'

/** Tasks before a place, of any kind, latest first. Ids begin with the time. */
export const listLatestTasks = (db: Reads, tenantId: number, before: string, limit: number): Promise<Task[]> => db<
  Task[]
>`
  select ${columns(db)} from tasks t
  where t.tenant_id = ${tenantId} ${before === '' ? db`` : db`and t.task_id < ${before}`} and t.deleted_at is null
  order by t.task_id desc limit ${limit}`
