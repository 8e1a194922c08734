import type { Reads, Tx } from '#kernel/sql.ts'
import type { NewHost, TenantHost } from './host.ts'

/** How long a name that has ended is kept from other tenants: what still uses it finds nobody else there. */
const keptDays = 90
const keptSince = (now: Date): Date => new Date(now.getTime() - keptDays * 86_400_000)

const columns = (db: Reads) => db`
  host, tenant_id as "tenantId", domain, origin, created_at as "createdAt", reached_at as "reachedAt",
  reached_origin as "reachedOrigin", signed_in_at as "signedInAt", replaced_at as "replacedAt", ends_at as "endsAt",
  ended_at as "endedAt", certificate_at as "certificateAt"`

/** Whether the name is the tenant's now: the database accepts each name once, whoever asks first. */
export async function claimHost(tx: Tx, tenantId: number, of: NewHost, now: Date): Promise<boolean> {
  await tx`
    delete from tenant_hosts
    where host = ${of.host} and ended_at is not null and (tenant_id = ${tenantId} or ended_at < ${keptSince(now)})`
  const rows = await tx`
    insert into tenant_hosts (host, tenant_id, domain, origin, created_at)
    values (${of.host}, ${tenantId}, ${of.domain}, ${of.origin}, ${now})
    on conflict (host) do nothing returning 1 as claimed`
  return rows.length === 1
}

/** Whether another tenant has it as its current name: tenants that earlier versions created are only there. */
export async function isNameOfOther(tx: Tx, tenantId: number, host: string): Promise<boolean> {
  const rows = await tx`select 1 as found from tenants where host = ${host} and tenant_id <> ${tenantId}`
  return rows.length > 0
}

export async function listHosts(db: Reads, tenantId: number): Promise<TenantHost[]> {
  return db<TenantHost[]>`
    select ${columns(db)} from tenant_hosts where tenant_id = ${tenantId} order by created_at, host limit ${hostsMax}`
}
const hostsMax = 10

export async function lockHost(tx: Tx, tenantId: number, host: string): Promise<TenantHost | null> {
  const [row] = await tx<TenantHost[]>`
    select ${columns(tx)} from tenant_hosts where tenant_id = ${tenantId} and host = ${host} for update`
  return row ?? null
}

/** What is stored of a name from now on. */
type Change = Pick<TenantHost, 'origin' | 'replacedAt' | 'endsAt' | 'endedAt'>

/** A name that has ended has no certificate any more. */
export async function updateHost(tx: Tx, tenantId: number, host: string, to: Change): Promise<void> {
  const isEnded = to.endedAt !== null
  await tx`
    update tenant_hosts set origin = ${to.origin}, replaced_at = ${to.replacedAt}, ends_at = ${to.endsAt},
      ended_at = ${to.endedAt}, check_sha256 = null,
      certificate = case when ${isEnded}::boolean then null else certificate end,
      sealed_key = case when ${isEnded}::boolean then null else sealed_key end,
      certificate_at = case when ${isEnded}::boolean then null else certificate_at end
    where tenant_id = ${tenantId} and host = ${host}`
}

export async function deleteHost(tx: Tx, tenantId: number, host: string): Promise<void> {
  await tx`delete from tenant_hosts where tenant_id = ${tenantId} and host = ${host}`
}

/** Of a name that is to be checked: the hash of its one-time address. */
export async function putCheck(tx: Tx, tenantId: number, host: string, sha256: Buffer): Promise<void> {
  await tx`update tenant_hosts set check_sha256 = ${sha256} where tenant_id = ${tenantId} and host = ${host}`
}

/** Whether this was the one-time address of that name. It works once. */
export async function takeCheck(
  db: Reads,
  tenantId: number,
  host: string,
  { sha256, origin, at }: { sha256: Buffer; origin: string; at: Date },
): Promise<boolean> {
  const rows = await db`
    update tenant_hosts set check_sha256 = null, reached_at = ${at}, reached_origin = ${origin}
    where tenant_id = ${tenantId} and host = ${host} and check_sha256 = ${sha256} and ended_at is null
    returning 1 as reached`
  return rows.length === 1
}

/** Once per name. */
export async function noteSignedIn(tx: Tx, tenantId: number, host: string, at: Date): Promise<void> {
  await tx`
    update tenant_hosts set signed_in_at = ${at}
    where tenant_id = ${tenantId} and host = ${host} and signed_in_at is null`
}

/** Those whose end is due. */
export async function listDueHosts(db: Reads, now: Date): Promise<{ tenantId: number; host: string }[]> {
  return db<{ tenantId: number; host: string }[]>`
    select tenant_id as "tenantId", host from tenant_hosts
    where ended_at is null and ends_at <= ${now} order by ends_at, host limit 100`
}

export async function findNextHostEnd(db: Reads, before: Date): Promise<Date | null> {
  const [row] = await db<{ at: Date | null }[]>`
    select min(ends_at) as at from tenant_hosts where ended_at is null and ends_at <= ${before}`
  return row?.at ?? null
}

/** Names that ended long ago: nothing keeps them from others any more. */
export async function forgetEndedHosts(db: Reads, now: Date): Promise<void> {
  await db`delete from tenant_hosts where ended_at < ${keptSince(now)}`
}
