import type { Reads, Tx } from '#kernel/sql.ts'
import type { Task } from '../machine/record.ts'
import type { Found, Reading } from './decide.ts'

export type Attachment = {
  id: string
  stepId: string
  name: string
  mediaType: string
  byteCount: number
  addedBy: string
  addedAt: Date
}

const columns = (db: Reads) => db`
  f.attachment_id as id, f.step_id as "stepId", f.name, f.media_type as "mediaType", f.byte_count as "byteCount",
  f.added_by as "addedBy", f.added_at as "addedAt"`

const listedMax = 500

export const listAttachments = (db: Reads, tenantId: number, taskId: string): Promise<Attachment[]> => db<Attachment[]>`
  select ${columns(db)} from task_attachments f
  where f.tenant_id = ${tenantId} and f.task_id = ${taskId} order by f.attachment_id limit ${listedMax}`

export async function findAttachment(
  db: Reads,
  tenantId: number,
  taskId: string,
  id: string,
): Promise<(Attachment & { sealed: Buffer }) | null> {
  const [row] = await db<(Attachment & { sealed: Buffer })[]>`
    select ${columns(db)}, f.sealed from task_attachments f
    where f.tenant_id = ${tenantId} and f.task_id = ${taskId} and f.attachment_id = ${id}`
  return row ?? null
}

export async function insertAttachment(
  tx: Tx,
  tenantId: number,
  taskId: string,
  of: Attachment & { sealed: Buffer },
): Promise<void> {
  await tx`
    insert into task_attachments (tenant_id, attachment_id, task_id, step_id, name, media_type, byte_count, added_by,
      added_at, sealed)
    values (${tenantId}, ${of.id}, ${taskId}, ${of.stepId}, ${of.name}, ${of.mediaType}, ${of.byteCount}, ${of.addedBy},
      ${of.addedAt}, ${of.sealed})`
}

/** How many bytes the files of a tenant have. */
export async function countBytes(db: Reads, tenantId: number): Promise<number> {
  const [row] = await db<{ bytes: number }[]>`
    select coalesce(sum(f.byte_count), 0)::float8 as bytes from task_attachments f where f.tenant_id = ${tenantId}`
  return row?.bytes ?? 0
}

/**
 * The first and the last complete reading of an app in a time: a sync that began in it, or a full import with grants that
 * started in it.
 */
export async function findReadings(
  db: Reads,
  tenantId: number,
  appId: string,
  { since, until }: { since: Date; until: Date },
): Promise<{ first: Reading | null; last: Reading | null }> {
  const one = (isLast: boolean) => db<Reading[]>`
    select i.import_id as "importId", i.started_at as "startedAt", i.finished_at as "finishedAt",
      i.app_id <> '' as "byConnector"
    from imports i
    where i.tenant_id = ${tenantId} and i.is_full and i.started_at >= ${since} and i.finished_at <= ${until}
      and case when i.app_id = '' then i.counts @> '[{"kind": "grant"}]'::jsonb else i.app_id = ${appId} end
      and not exists (select 1 from connector_tasks c
        where c.tenant_id = ${tenantId} and c.kind = 'sync' and c.import_id = i.import_id and c.begun_at < ${since}
          and c.connector_id in (select k.connector_id from connectors k
            where k.tenant_id = ${tenantId} and k.app_id = ${appId}))
    order by i.finished_at ${isLast ? db`desc` : db`asc`}, i.import_id limit 1`
  const [[first], [last]] = await Promise.all([one(false), one(true)])
  return { first: first ?? null, last: last ?? null }
}

const foundMax = 1_000

/** What imports said of the access of a task, and what else granted it. */
export const listFound = (
  db: Reads,
  tenantId: number,
  { appId, entitlementId, accountId, subjectUserId }: Task,
): Promise<(Found & { source: string; grantedBy: string })[]> => db<(Found & { source: string; grantedBy: string })[]>`
  select g.source, g.granted_by as "grantedBy", g.began_at as "beganAt", g.ended_at as "endedAt" from (
    select c.account_id from accounts c
    where c.tenant_id = ${tenantId} and c.app_id = ${appId}
      and ${accountId === '' ? db`c.user_id = ${subjectUserId}` : db`c.account_id = ${accountId}`} offset 0) a
  join grants g on g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${entitlementId}
    and g.account_id = a.account_id
  order by g.began_at desc limit ${foundMax}`
