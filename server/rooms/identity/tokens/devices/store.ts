import type { Page } from '#kernel/pages.ts'
import { isSameMac, type Seals } from '#kernel/seals.ts'
import type { Db, Reads, Tx } from '#kernel/sql.ts'
import { forEachTenant, listTenantsWith } from '#kernel/tenants-with.ts'

export type DeviceState = 'waiting' | 'approved' | 'denied' | 'redeemed'
/** Everything about a request that decides what it grants, and to whom. */
export type DeviceRequest = {
  id: string
  deviceCodeSha256: Buffer
  userCodeMac: Buffer
  clientId: string
  scopedRoles: string[]
  sourceAddress: string
  userAgent: string
  createdAt: Date
  expiresAt: Date
  state: DeviceState
  userId: string
  decidedAt: Date | null
  credentialId: string
  forgetAt: Date
}
/** The row in the database: whether this program wrote it is checked with `isAuthenticRequest`. */
export type DeviceRow = DeviceRequest & { intervalSeconds: number; polledAt: Date | null; mac: Buffer }

const msOf = (at: Date | null): number | null => at && at.getTime()

const requestMac = (seals: Seals, tenantId: number, of: DeviceRequest): Buffer =>
  seals.mac(
    'device request',
    String(tenantId),
    of.id,
    of.deviceCodeSha256,
    of.userCodeMac,
    JSON.stringify([of.clientId, of.scopedRoles, of.sourceAddress, of.userAgent, of.state, of.userId, of.credentialId]),
    JSON.stringify([of.createdAt, of.expiresAt, of.decidedAt, of.forgetAt].map(msOf)),
  )
export const isAuthenticRequest = (seals: Seals, tenantId: number, row: DeviceRow): boolean =>
  isSameMac(row.mac, requestMac(seals, tenantId, row))

const columns = (db: Reads) => db`
  r.request_id as id, r.device_code_sha256 as "deviceCodeSha256", r.user_code_mac as "userCodeMac",
  r.client_id as "clientId", r.scoped_role_ids as "scopedRoles", r.source_address as "sourceAddress",
  r.user_agent as "userAgent", r.created_at as "createdAt", r.expires_at as "expiresAt", r.state,
  r.user_id as "userId", r.decided_at as "decidedAt", r.credential_id as "credentialId",
  r.forget_at as "forgetAt", r.interval_seconds as "intervalSeconds", r.polled_at as "polledAt", r.mac`

/** False if one of its codes is in use. */
export async function insertRequest(
  db: Db,
  seals: Seals,
  tenantId: number,
  of: DeviceRequest,
  intervalSeconds: number,
): Promise<boolean> {
  const rows = await db`
    insert into device_requests (tenant_id, request_id, device_code_sha256, user_code_mac, client_id, scoped_role_ids,
      source_address, user_agent, created_at, expires_at, state, interval_seconds, forget_at, mac)
    values (${tenantId}, ${of.id}, ${of.deviceCodeSha256}, ${of.userCodeMac}, ${of.clientId}, ${of.scopedRoles},
      ${of.sourceAddress}, ${of.userAgent}, ${of.createdAt}, ${of.expiresAt}, ${of.state}, ${intervalSeconds},
      ${of.forgetAt}, ${requestMac(seals, tenantId, of)})
    on conflict do nothing returning 1`
  return rows.length > 0
}

/** How many wait for approval, up to `max`. */
export async function countWaiting(db: Reads, tenantId: number, now: Date, max: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from (
      select 1 from device_requests
      where tenant_id = ${tenantId} and state = 'waiting' and expires_at > ${now} limit ${max}) w`
  return row?.count ?? 0
}

export async function findByDeviceCode(db: Reads, tenantId: number, sha256: Buffer): Promise<DeviceRow | null> {
  const [row] = await db<DeviceRow[]>`
    select ${columns(db)} from device_requests r where r.tenant_id = ${tenantId} and r.device_code_sha256 = ${sha256}`
  return row ?? null
}

export async function findByUserCode(db: Reads, tenantId: number, mac: Buffer): Promise<DeviceRow | null> {
  const [row] = await db<DeviceRow[]>`
    select ${columns(db)} from device_requests r where r.tenant_id = ${tenantId} and r.user_code_mac = ${mac}`
  return row ?? null
}

/** Locked until the transaction ends: of two that decide or redeem it at once, the second sees what the first did. */
export async function lockRequest(tx: Tx, tenantId: number, id: string): Promise<DeviceRow | null> {
  const [row] = await tx<DeviceRow[]>`
    select ${columns(tx)} from device_requests r where r.tenant_id = ${tenantId} and r.request_id = ${id} for update`
  return row ?? null
}

export async function updateRequest(tx: Tx, seals: Seals, tenantId: number, of: DeviceRequest): Promise<void> {
  await tx`
    update device_requests set state = ${of.state}, user_id = ${of.userId}, decided_at = ${of.decidedAt},
      credential_id = ${of.credentialId}, forget_at = ${of.forgetAt}, mac = ${requestMac(seals, tenantId, of)}
    where tenant_id = ${tenantId} and request_id = ${of.id}`
}

export async function updatePolled(
  db: Db,
  tenantId: number,
  { id, intervalSeconds }: Pick<DeviceRow, 'id' | 'intervalSeconds'>,
  at: Date,
): Promise<void> {
  await db`
    update device_requests set polled_at = ${at}, interval_seconds = ${intervalSeconds}
    where tenant_id = ${tenantId} and request_id = ${id}`
}

/** An authorized device: its credential, and the request that it came from. */
export type Device = {
  id: string
  userId: string
  clientId: string
  scopedRoles: string[]
  sourceAddress: string
  userAgent: string
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
}

const deviceColumns = (db: Reads) => db`
  c.credential_id as id, c.user_id as "userId", r.client_id as "clientId", c.scoped_role_ids as "scopedRoles",
  r.source_address as "sourceAddress", r.user_agent as "userAgent", c.created_at as "createdAt",
  c.expires_at as "expiresAt", c.last_used_at as "lastUsedAt"`

export async function listDevicesOf(
  db: Reads,
  tenantId: number,
  /** Only this one; null for all of them. */
  { userId, family }: { userId: string; family: string | null },
  now: Date,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Device[]> {
  return db<Device[]>`
    select ${deviceColumns(db)}
    from credentials c
    join device_requests r on r.tenant_id = ${tenantId} and r.credential_id = c.credential_id
    where c.tenant_id = ${tenantId} and c.user_id = ${userId} and c.deleted_at is null and c.expires_at > ${now}
      ${family === null ? db`` : db`and c.credential_id = ${family}`}
      and c.client_id like '%/device' and c.credential_id > ${page.after?.[0] ?? ''}
    order by c.credential_id limit ${page.limit}`
}

/** The client id with which a device requested its authorization. */
export async function findClientOf(db: Reads, tenantId: number, credentialId: string): Promise<string | null> {
  const [row] = await db<{ clientId: string }[]>`
    select client_id as "clientId" from device_requests
    where tenant_id = ${tenantId} and credential_id = ${credentialId}`
  return row?.clientId ?? null
}

/** Deletes rows that are no longer needed; run by the engine. */
export async function deleteForgottenRequests(db: Reads, now: Date): Promise<void> {
  const tenantIds = await listTenantsWith(
    db,
    (after) => db`select tenant_id from device_requests where forget_at <= ${now} and tenant_id > ${after}`,
  )
  await forEachTenant(
    tenantIds,
    (tenantId) => db`delete from device_requests where tenant_id = ${tenantId} and forget_at <= ${now}`,
  )
}
