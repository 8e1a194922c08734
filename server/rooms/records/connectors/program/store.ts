import type { Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import type { ConnectorProgram, WantedProgram } from './program.ts'

export async function insertProgram(
  tx: Tx,
  tenantId: number,
  of: Pick<ConnectorProgram, 'connectorId' | 'program' | 'sealedSettings' | 'isProvisioning'> & { at: Date },
): Promise<void> {
  await tx`
    insert into connector_programs (tenant_id, connector_id, program, sealed_settings, is_provisioning,
      settings_updated_at, state_since)
    values (${tenantId}, ${of.connectorId}, ${of.program}, ${of.sealedSettings}, ${of.isProvisioning}, ${of.at},
      ${of.at})`
}

export async function findProgramOf(
  db: Reads,
  tenantId: number,
  connectorId: string,
): Promise<ConnectorProgram | null> {
  const [row] = await db<ConnectorProgram[]>`
    select connector_id as "connectorId", program, sealed_settings as "sealedSettings",
      is_provisioning as "isProvisioning", revision, settings_updated_at as "settingsUpdatedAt", state, detail,
      state_since as "stateSince", restarts, sealed_log as "sealedLog"
    from connector_programs where tenant_id = ${tenantId} and connector_id = ${connectorId}`
  return row ?? null
}

export async function isProgram(db: Reads, tenantId: number, connectorId: string): Promise<boolean> {
  const [row] = await db`
    select 1 from connector_programs where tenant_id = ${tenantId} and connector_id = ${connectorId}`
  return row !== undefined
}

export async function countPrograms(db: Reads, tenantId: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from connector_programs where tenant_id = ${tenantId}`
  return row?.count ?? 0
}

/** With new settings, or the same ones: it is started again. */
export async function updateProgram(
  tx: Tx,
  tenantId: number,
  of: Pick<ConnectorProgram, 'connectorId' | 'sealedSettings' | 'isProvisioning' | 'settingsUpdatedAt'> & { at: Date },
): Promise<void> {
  await tx`
    update connector_programs set sealed_settings = ${of.sealedSettings}, is_provisioning = ${of.isProvisioning},
      settings_updated_at = ${of.settingsUpdatedAt}, revision = revision + 1, state = 'waiting', detail = '',
      state_since = ${of.at}, restarts = 0
    where tenant_id = ${tenantId} and connector_id = ${of.connectorId}`
}

/** A deleted connector needs neither its secrets nor what it printed. */
export async function deleteProgram(tx: Tx, tenantId: number, connectorId: string): Promise<void> {
  await tx`delete from connector_programs where tenant_id = ${tenantId} and connector_id = ${connectorId}`
}

/** What a server reports of a program that it runs. Not of one that was given other settings meanwhile. */
export async function saveState(
  tx: Tx,
  tenantId: number,
  of: Pick<ConnectorProgram, 'connectorId' | 'revision' | 'state' | 'detail' | 'stateSince' | 'restarts'>,
): Promise<void> {
  await tx`
    update connector_programs set state = ${of.state}, detail = ${of.detail}, state_since = ${of.stateSince},
      restarts = ${of.restarts}
    where tenant_id = ${tenantId} and connector_id = ${of.connectorId} and revision = ${of.revision}`
}

export async function saveLog(tx: Tx, tenantId: number, connectorId: string, sealedLog: Buffer): Promise<void> {
  await tx`
    update connector_programs set sealed_log = ${sealedLog}
    where tenant_id = ${tenantId} and connector_id = ${connectorId}`
}

export const listTenantsWithPrograms = (db: Reads): Promise<number[]> =>
  listTenantsWith(db, (after) => db`select tenant_id from connector_programs where tenant_id > ${after}`)

const wantedMax = 1000

export async function listWanted(db: Reads, tenantId: number): Promise<WantedProgram[]> {
  return db<WantedProgram[]>`
    select p.connector_id as "connectorId", p.program, p.sealed_settings as "sealedSettings",
      p.is_provisioning as "isProvisioning", p.revision, c.display_name as "displayName",
      c.sync_disabled_at is not null as "isPaused"
    from connector_programs p
    join connectors c on c.tenant_id = ${tenantId} and c.connector_id = p.connector_id
    join apps a on a.tenant_id = ${tenantId} and a.app_id = c.app_id
    where p.tenant_id = ${tenantId} and c.deleted_at is null and a.deleted_at is null
    order by p.connector_id limit ${wantedMax}`
}
