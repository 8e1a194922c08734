import type { JsonObject } from '@bufbuild/protobuf'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import type { Capable } from '../support.ts'

export type Provisioner = Capable & {
  id: string
  appId: string
  deletesAccounts: boolean
  accountProfile: JsonObject
  isPaused: boolean
  isBuiltIn: boolean
  lastSeenAt: Date | null
  syncDisabledAt: Date | null
}

const columns = (db: Reads): Fragment => db`
  c.connector_id as id, c.app_id as "appId", c.display_name as "displayName", c.provisioning_disabled as "isDisabled",
  c.provisioning_refused as refused, c.last_seen_at is not null as "hasConnected", c.metadata,
  c.deletes_accounts as "deletesAccounts", c.account_profile as "accountProfile",
  c.sync_disabled_at is not null as "isPaused", c.is_built_in as "isBuiltIn", c.last_seen_at as "lastSeenAt",
  c.sync_disabled_at as "syncDisabledAt"`

/** How many connectors of one app count. */
const ofAppMax = 20

export async function listProvisioners(db: Reads, tenantId: number, appId: string): Promise<Provisioner[]> {
  return db<Provisioner[]>`
    select ${columns(db)} from connectors c
    where c.tenant_id = ${tenantId} and c.app_id = ${appId} and c.deleted_at is null
    order by c.connector_id limit ${ofAppMax}`
}

/** The same for several apps. */
export async function listProvisionersOf(
  db: Reads,
  tenantId: number,
  appIds: readonly string[],
): Promise<Provisioner[]> {
  return db<Provisioner[]>`
    select x.* from unnest(${appIds}::text[]) as w (app_id)
    cross join lateral (select ${columns(db)} from connectors c
      where c.tenant_id = ${tenantId} and c.app_id = w.app_id and c.deleted_at is null
      order by c.connector_id limit ${ofAppMax}) x`
}

type SettingsOf = Pick<Provisioner, 'isDisabled' | 'deletesAccounts' | 'accountProfile'>

export async function updateSettings(
  tx: Tx,
  tenantId: number,
  connectorId: string,
  { isDisabled, deletesAccounts, accountProfile, at }: SettingsOf & { at: Date },
): Promise<void> {
  await tx`
    update connectors set provisioning_disabled = ${isDisabled}, deletes_accounts = ${deletesAccounts},
      account_profile = ${tx.json(accountProfile)},
      provisioning_refused = '', updated_at = ${at},
      provisioning_off_since = ${isDisabled ? tx`coalesce(provisioning_off_since, ${at})` : tx`provisioning_off_since`}
    where tenant_id = ${tenantId} and connector_id = ${connectorId}`
}

/** Until it starts again, or someone changes its settings. */
export async function setRefused(
  tx: Reads,
  tenantId: number,
  connectorId: string,
  { why, at }: { why: string; at: Date },
): Promise<void> {
  await tx`
    update connectors set provisioning_refused = ${why}, provisioning_off_since = coalesce(provisioning_off_since, ${at})
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and provisioning_refused <> ${why}`
}

const isBack = (db: Reads): Fragment =>
  db`provisioning_off_since is not null and not provisioning_disabled and provisioning_refused = '' and deleted_at is null`

export const listTenantsWithBack = (db: Reads): Promise<number[]> =>
  listTenantsWith(db, (after) => db`select tenant_id from connectors where ${isBack(db)} and tenant_id > ${after}`)

/** The connectors that could not carry anything out for a time, and can again. */
export const lockBack = (tx: Tx, tenantId: number): Promise<{ id: string; appId: string; offSince: Date }[]> =>
  tx<{ id: string; appId: string; offSince: Date }[]>`
    select connector_id as id, app_id as "appId", provisioning_off_since as "offSince" from connectors
    where tenant_id = ${tenantId} and ${isBack(tx)} order by connector_id limit 20 for update`

export async function clearOff(tx: Tx, tenantId: number, connectorId: string): Promise<void> {
  await tx`
    update connectors set provisioning_off_since = null
    where tenant_id = ${tenantId} and connector_id = ${connectorId}`
}
