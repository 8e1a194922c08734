import type { JsonObject } from '@bufbuild/protobuf'
import type { Page } from '#kernel/pages.ts'
import type { Fragment, Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'
import type { ProvisioningKind, ProvisioningTask, TaskState } from '../connector.ts'
import { taskColumns } from '../work/store.ts'
import type { Capable } from './support.ts'

export type Provisioner = Capable & {
  id: string
  appId: string
  deletesAccounts: boolean
  accountProfile: JsonObject
  isPaused: boolean
}

export async function listProvisioners(db: Reads, tenantId: number, appId: string): Promise<Provisioner[]> {
  return db<Provisioner[]>`
    select connector_id as id, app_id as "appId", display_name as "displayName", provisioning_disabled as "isDisabled",
      provisioning_refused as refused, last_seen_at is not null as "hasConnected", metadata,
      deletes_accounts as "deletesAccounts", account_profile as "accountProfile", sync_disabled_at is not null as "isPaused"
    from connectors where tenant_id = ${tenantId} and app_id = ${appId} and deleted_at is null
    order by connector_id limit 20`
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

export type EntitlementOf = {
  name: string
  externalId: string
  typeId: string
  isKnown: boolean
  /** Of the resource that it is of, as the connector names it; empty where there is none. */
  resourceKey: string
}

/** An entitlement, and what its connector wrote of it. */
export async function findEntitlement(
  db: Reads,
  tenantId: number,
  { appId, entitlementId }: { appId: string; entitlementId: string },
): Promise<EntitlementOf | null> {
  const [row] = await db<EntitlementOf[]>`
    select e.display_name as name, coalesce(e.external_id, '') as "externalId", coalesce(o.type_id, '') as "typeId",
      o.data is not null as "isKnown", coalesce(t.external_id || ':' || r.external_id, '') as "resourceKey"
    from entitlements e
    left join resource_types t on t.tenant_id = ${tenantId} and t.app_id = ${appId}
      and t.resource_type_id = e.resource_type_id
    left join resources r on r.tenant_id = ${tenantId} and r.app_id = ${appId}
      and r.resource_type_id = e.resource_type_id and r.resource_id = e.resource_id
    left join connector_objects o on o.tenant_id = ${tenantId} and o.app_id = ${appId} and o.kind = 'entitlement'
      and o.external_id = e.external_id
    where e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.entitlement_id = ${entitlementId}
      and e.deleted_at is null`
  return row ?? null
}

export type AccountOf = {
  id: string
  name: string
  externalId: string
  userId: string
  isDeleted: boolean
  isDisabled: boolean
  isKnown: boolean
  typeId: string
}

export async function findAccountsOf(
  db: Reads,
  tenantId: number,
  appId: string,
  accountIds: readonly string[],
): Promise<AccountOf[]> {
  return db<AccountOf[]>`
    select a.account_id as id, a.display_name as name, coalesce(a.external_id, '') as "externalId",
      coalesce(a.user_id, '') as "userId", a.deleted_at is not null as "isDeleted",
      a.status <> 'STATUS_ENABLED' as "isDisabled", o.data is not null as "isKnown",
      coalesce(o.type_id, '') as "typeId"
    from accounts a
    left join connector_objects o on o.tenant_id = ${tenantId} and o.app_id = ${appId} and o.kind = 'resource'
      and o.external_id = a.external_id
    where a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = any(${accountIds}::text[])`
}

/** The accounts of a user in apps that have a connector. */
export async function listAccountsOfUser(
  db: Reads,
  tenantId: number,
  userId: string,
): Promise<{ appId: string; id: string }[]> {
  return db<{ appId: string; id: string }[]>`
    select a.app_id as "appId", a.account_id as id from accounts a
    join (select distinct app_id from connectors
      where tenant_id = ${tenantId} and deleted_at is null and deletes_accounts) c on c.app_id = a.app_id
    where a.tenant_id = ${tenantId} and a.user_id = ${userId} and a.deleted_at is null and a.external_id is not null
    order by a.app_id, a.account_id limit 1000`
}

/** What a connector wrote, by kind and its own id. */
export async function findObjects(
  db: Reads,
  tenantId: number,
  appId: string,
  wanted: readonly { kind: 'resource' | 'entitlement'; externalId: string }[],
): Promise<{ kind: string; externalId: string; typeId: string; data: Buffer }[]> {
  return db<{ kind: string; externalId: string; typeId: string; data: Buffer }[]>`
    select o.kind, o.external_id as "externalId", o.type_id as "typeId", o.data
    from unnest(${wanted.map(({ kind }) => kind)}::text[], ${wanted.map(({ externalId }) => externalId)}::text[])
      as w (kind, external_id)
    join connector_objects o on o.tenant_id = ${tenantId} and o.app_id = ${appId} and o.kind = w.kind
      and o.external_id = w.external_id`
}

export async function putObject(
  tx: Tx,
  tenantId: number,
  appId: string,
  { externalId, typeId, data }: { externalId: string; typeId: string; data: Uint8Array },
): Promise<void> {
  await tx`
    insert into connector_objects (tenant_id, app_id, kind, external_id, type_id, data)
    values (${tenantId}, ${appId}, 'resource', ${externalId}, ${typeId}, ${Buffer.from(data)})
    on conflict (tenant_id, app_id, kind, external_id) do update set type_id = excluded.type_id, data = excluded.data`
}

type PairRef = { appId: string; entitlementId: string; accountId: string }

/** What the connector wrote of a grant beside its entitlement and its account; null where those are all. */
export async function findKeptGrant(
  db: Reads,
  tenantId: number,
  { appId, entitlementId, accountId }: PairRef,
): Promise<{ isFixed: boolean; data: Buffer } | null> {
  const [row] = await db<{ isFixed: boolean; data: Buffer }[]>`
    select is_fixed as "isFixed", data from connector_grants
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${entitlementId}
      and account_id = ${accountId}`
  return row ?? null
}

export async function putKeptGrant(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, accountId }: PairRef,
  { isFixed, data }: { isFixed: boolean; data: Uint8Array },
): Promise<void> {
  await tx`
    insert into connector_grants (tenant_id, app_id, entitlement_id, account_id, is_fixed, data)
    values (${tenantId}, ${appId}, ${entitlementId}, ${accountId}, ${isFixed}, ${Buffer.from(data)})
    on conflict (tenant_id, app_id, entitlement_id, account_id)
    do update set is_fixed = excluded.is_fixed, data = excluded.data`
}

export async function deleteKeptGrant(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, accountId }: PairRef,
): Promise<void> {
  await tx`
    delete from connector_grants
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${entitlementId}
      and account_id = ${accountId}`
}

/** The person for whom an account is created. */
export async function findPersonOf(
  db: Reads,
  tenantId: number,
  userId: string,
): Promise<{
  displayName: string
  email: string
  emails: string[]
  username: string
  department: string
  jobTitle: string
  employeeIds: string[]
} | null> {
  const [row] = await db<
    {
      displayName: string
      email: string
      emails: string[]
      username: string
      department: string
      jobTitle: string
      employeeIds: string[]
    }[]
  >`
    select display_name as "displayName", email, emails, username, department, job_title as "jobTitle",
      employee_ids as "employeeIds"
    from users where tenant_id = ${tenantId} and user_id = ${userId} and deleted_at is null`
  return row ?? null
}

const openStates = ['queued', 'leased', 'unknown'] as const

/** The tasks of an account that are not over. */
export async function listOpenOf(
  db: Reads,
  tenantId: number,
  { appId, accountId }: { appId: string; accountId: string },
): Promise<ProvisioningTask[]> {
  return db<ProvisioningTask[]>`
    select ${taskColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = ${accountId} and kind <> 'sync'
      and state = any(${openStates}::text[])
    order by task_id limit 10000`
}

export type NewTask = {
  id: string
  connectorId: string
  appId: string
  entitlementId: string
  accountId: string
  kind: ProvisioningKind
  state: 'queued' | 'failed'
  error: string
  isAwaited: boolean
  askedBy: string
  retryOf: string
  retries: number
  at: Date
}

export async function insertProvisioningTask(tx: Tx, tenantId: number, task: NewTask): Promise<void> {
  await tx`
    insert into connector_tasks (tenant_id, connector_id, task_id, kind, state, asked_by, app_id, entitlement_id,
      account_id, error, is_awaited, retry_of, retries, created_at, ended_at)
    values (${tenantId}, ${task.connectorId}, ${task.id}, ${task.kind}, ${task.state}, ${task.askedBy}, ${task.appId},
      ${task.entitlementId}, ${task.accountId}, ${task.error}, ${task.isAwaited}, ${task.retryOf}, ${task.retries},
      ${task.at}, ${task.state === 'failed' ? task.at : null})`
}

export async function setAwaited(
  tx: Tx,
  tenantId: number,
  { connectorId, id }: { connectorId: string; id: string },
  isAwaited: boolean,
): Promise<void> {
  await tx`
    update connector_tasks set is_awaited = ${isAwaited}
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and task_id = ${id}`
}

const isBack = (db: Reads): Fragment =>
  db`provisioning_off_since is not null and not provisioning_disabled and provisioning_refused = '' and deleted_at is null`

export const listTenantsWithBack = (db: Reads): Promise<number[]> =>
  listTenantsWith(db, (after) => db`select tenant_id from connectors where ${isBack(db)} and tenant_id > ${after}`)

/** The connectors that carried nothing out for a time, and can again. */
export const lockBack = (tx: Tx, tenantId: number): Promise<{ id: string; appId: string; offSince: Date }[]> =>
  tx<{ id: string; appId: string; offSince: Date }[]>`
    select connector_id as id, app_id as "appId", provisioning_off_since as "offSince" from connectors
    where tenant_id = ${tenantId} and ${isBack(tx)} order by connector_id limit 20 for update`

export async function clearOff(tx: Tx, tenantId: number, connectorId: string): Promise<void> {
  await tx`
    update connectors set provisioning_off_since = null
    where tenant_id = ${tenantId} and connector_id = ${connectorId}`
}

/**
 * Notes what was given and ended here since a time, as it would have been noted then. What imports ended is not among it: the app
 * says so itself.
 */
export async function noteSince(tx: Tx, tenantId: number, appId: string, since: Date): Promise<void> {
  await tx`
    insert into provisioning_changes (tenant_id, app_id, entitlement_id, account_id, cause_id, change)
    select ${tenantId}::int, g.app_id, g.entitlement_id, g.account_id, g.grant_id,
      case when g.ended_at is null then 'opened' when g.source = 'import' then 'removed' else 'ended' end
    from grants g
    where g.tenant_id = ${tenantId} and g.app_id = ${appId}
      and (g.source not in ('import', 'directory') and (g.ended_at is null and g.began_at >= ${since} or g.ended_at >= ${since})
        or g.source = 'import' and g.ended_at >= ${since} and (
          exists (select 1 from users u where u.tenant_id = ${tenantId} and u.user_id = g.ended_by)
          or exists (select 1 from tasks t where t.tenant_id = ${tenantId} and t.task_id = g.ended_by)))
    on conflict do nothing`
}

export const listTenantsWithChanges = (db: Reads): Promise<number[]> =>
  listTenantsWith(db, (after) => db`select tenant_id from provisioning_changes where tenant_id > ${after}`)

export type Change = {
  appId: string
  entitlementId: string
  accountId: string
  causeId: string
  change: 'opened' | 'ended' | 'removed' | 'settled'
}

/** What changed and was not looked at yet. That for which a request waits is left until that has taken the result. */
export async function listChanges(db: Reads, tenantId: number, limit: number): Promise<Change[]> {
  return db<Change[]>`
    select c.app_id as "appId", c.entitlement_id as "entitlementId", c.account_id as "accountId",
      c.cause_id as "causeId", c.change
    from provisioning_changes c
    where c.tenant_id = ${tenantId} and not exists (
      select 1 from connector_tasks t
      where t.tenant_id = ${tenantId} and t.app_id = c.app_id and t.account_id = c.account_id
        and t.entitlement_id = c.entitlement_id and t.kind <> 'sync' and t.is_awaited)
    order by c.app_id, c.account_id, c.entitlement_id limit ${limit}`
}

/** Takes changes to look at them. Answers those that nobody took, or made needless, since they were listed. */
export async function takeChanges(tx: Tx, tenantId: number, changes: readonly Change[]): Promise<Change[]> {
  return tx<Change[]>`
    delete from provisioning_changes c
    using unnest(
      ${changes.map(({ appId }) => appId)}::text[], ${changes.map(({ entitlementId }) => entitlementId)}::text[],
      ${changes.map(({ accountId }) => accountId)}::text[], ${changes.map(({ causeId }) => causeId)}::text[],
      ${changes.map(({ change }) => change)}::text[]) as d (app_id, entitlement_id, account_id, cause_id, change)
    where c.tenant_id = ${tenantId} and c.app_id = d.app_id and c.entitlement_id = d.entitlement_id
      and c.account_id = d.account_id and c.cause_id = d.cause_id and c.change = d.change
    returning c.app_id as "appId", c.entitlement_id as "entitlementId", c.account_id as "accountId",
      c.cause_id as "causeId", c.change`
}

/** A person gave the access in the app: what was still to be looked at would have the connector give it again. */
export async function deleteChangesGiven(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, accountId }: { appId: string; entitlementId: string; accountId: string },
): Promise<void> {
  await tx`
    delete from provisioning_changes
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${entitlementId}
      and account_id = ${accountId} and change in ('opened', 'settled')`
}

export async function insertSettled(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, accountId, id }: ProvisioningTask,
): Promise<void> {
  await tx`
    insert into provisioning_changes (tenant_id, app_id, entitlement_id, account_id, cause_id, change)
    values (${tenantId}, ${appId}, ${entitlementId}, ${accountId}, ${id}, 'settled') on conflict do nothing`
}

type Pairs = readonly { entitlementId: string; accountId: string }[]
export type PairFacts = {
  entitlementId: string
  accountId: string
  wantedSince: Date | null
  inAppSince: Date | null
  endedBeganAt: Date | null
  isDerived: boolean
}

/** What the records say of accounts and entitlements of an app. `ended` are the grants whose end is looked at. */
export async function listFacts(
  db: Reads,
  tenantId: number,
  appId: string,
  pairs: Pairs,
  ended: readonly string[],
  at: Date,
): Promise<PairFacts[]> {
  return db<PairFacts[]>`
    select p.entitlement_id as "entitlementId", p.account_id as "accountId",
      max(g.began_at) filter (where g.ended_at is null and g.source not in ('import', 'directory')
        and (g.expires_at is null or g.expires_at > ${at})) as "wantedSince",
      min(g.granted_at) filter (where g.ended_at is null and g.source = 'import') as "inAppSince",
      max(g.granted_at) filter (where g.grant_id = any(${ended}::text[])) as "endedBeganAt",
      exists (select 1 from grant_sources s where s.tenant_id = ${tenantId} and s.app_id = ${appId}
        and s.entitlement_id = p.entitlement_id and s.account_id = p.account_id)
      and not exists (select 1 from grant_sources s where s.tenant_id = ${tenantId} and s.app_id = ${appId}
        and s.entitlement_id = p.entitlement_id and s.account_id = p.account_id
        and s.source_entitlement_id = p.entitlement_id) as "isDerived"
    from unnest(${pairs.map(({ entitlementId }) => entitlementId)}::text[],
      ${pairs.map(({ accountId }) => accountId)}::text[]) as p (entitlement_id, account_id)
    left join grants g on g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = p.entitlement_id
      and g.account_id = p.account_id
    group by p.entitlement_id, p.account_id`
}

/** The last tasks of each pair, the newest first. */
export async function listTasksOf(
  db: Reads,
  tenantId: number,
  appId: string,
  pairs: Pairs,
): Promise<ProvisioningTask[]> {
  return db<ProvisioningTask[]>`
    select t.* from unnest(${pairs.map(({ entitlementId }) => entitlementId)}::text[],
      ${pairs.map(({ accountId }) => accountId)}::text[]) as p (entitlement_id, account_id)
    cross join lateral (
      select ${taskColumns(db)} from connector_tasks
      where tenant_id = ${tenantId} and app_id = ${appId} and account_id = p.account_id
        and entitlement_id = p.entitlement_id and kind <> 'sync'
      order by task_id desc limit 10) t`
}

/** When the connector began to read what the records show now; null before its first sync. */
export async function findSyncedFrom(db: Reads, tenantId: number, connectorId: string): Promise<Date | null> {
  const [row] = await db<{ begunAt: Date | null }[]>`
    select begun_at as "begunAt" from connector_tasks
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and kind = 'sync' and state = 'done'
    order by task_id desc limit 1`
  return row?.begunAt ?? null
}

/** What was with the connector while it read the app from a time on, or later: a file of that sync may not show it. */
export async function listInDoubt(
  db: Reads,
  tenantId: number,
  appId: string,
  since: Date,
): Promise<{ kind: ProvisioningKind; state: TaskState; entitlementId: string; accountId: string }[]> {
  return db<{ kind: ProvisioningKind; state: TaskState; entitlementId: string; accountId: string }[]>`
    select kind, state, entitlement_id as "entitlementId", account_id as "accountId" from connector_tasks
    where tenant_id = ${tenantId} and app_id = ${appId} and kind <> 'sync' and begun_at is not null
      and state in ('leased', 'unknown', 'done', 'failed') and (ended_at is null or ended_at >= ${since})
    order by task_id limit 100000`
}

/** The accounts that were created in an app for someone. */
export async function listCreated(db: Reads, tenantId: number, appId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select distinct account_id as id from connector_tasks
    where tenant_id = ${tenantId} and app_id = ${appId} and kind = 'create_account' and state = 'done' limit 100000`
  return rows.map(({ id }) => id)
}

/** Of unknown outcome since before a sync began: what it shows is what became of them. */
export async function listToSettle(
  db: Reads,
  tenantId: number,
  appId: string,
  before: Date,
): Promise<ProvisioningTask[]> {
  return db<ProvisioningTask[]>`
    select ${taskColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and app_id = ${appId} and kind <> 'sync' and state = 'unknown' and ended_at < ${before}
    order by task_id limit 10000`
}

export async function setSettledBy(
  tx: Tx,
  tenantId: number,
  { connectorId, id }: { connectorId: string; id: string },
  syncId: string,
): Promise<void> {
  await tx`
    update connector_tasks set settled_by = ${syncId}
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and task_id = ${id}`
}

/**
 * The account was created in the app: from now on it is that one. Not where another account here has that id, nor where the app's
 * last sync told of something else by it, such as a group: what the connector wrote of that would be lost.
 */
export async function adoptAccount(
  tx: Tx,
  tenantId: number,
  { appId, accountId, externalId, at }: { appId: string; accountId: string; externalId: string; at: Date },
): Promise<'adopted' | 'of another' | 'no account'> {
  const [other] = await tx<{ id: string }[]>`
    select account_id as id from accounts
    where tenant_id = ${tenantId} and app_id = ${appId} and external_id = ${externalId}`
  if (other) return other.id === accountId ? 'adopted' : 'of another'
  const objects = await findObjects(tx, tenantId, appId, [{ kind: 'resource', externalId }])
  if (objects.length > 0) return 'no account'
  await updateRecords(
    tx,
    tenantId,
    'accounts',
    {
      set: { external_id: externalId, is_manually_managed: false, updated_at: at },
      where: tx`x.app_id = ${appId} and x.account_id = ${accountId} and x.external_id is null`,
    },
    { isFew: true },
  )
  return 'adopted'
}

export async function markAccountDeleted(
  tx: Tx,
  tenantId: number,
  { appId, accountId, at }: { appId: string; accountId: string; at: Date },
): Promise<void> {
  await updateRecords(tx, tenantId, 'accounts', {
    set: { deleted_at: at, updated_at: at },
    where: tx`x.app_id = ${appId} and x.account_id = ${accountId} and x.deleted_at is null`,
  })
}

export async function markAccountDisabled(
  tx: Tx,
  tenantId: number,
  { appId, accountId, at }: { appId: string; accountId: string; at: Date },
): Promise<void> {
  await updateRecords(tx, tenantId, 'accounts', {
    set: { status: 'STATUS_DISABLED', updated_at: at },
    where: tx`x.app_id = ${appId} and x.account_id = ${accountId} and x.status = 'STATUS_ENABLED'`,
  })
}

/** What an account holds, for whatever reasons. */
export async function listHeld(
  db: Reads,
  tenantId: number,
  { appId, accountId }: { appId: string; accountId: string },
): Promise<{ appId: string; entitlementId: string; accountId: string }[]> {
  return db<{ appId: string; entitlementId: string; accountId: string }[]>`
    select distinct app_id as "appId", entitlement_id as "entitlementId", account_id as "accountId" from grants
    where tenant_id = ${tenantId} and app_id = ${appId} and account_id = ${accountId} and ended_at is null limit 100000`
}

export type TaskFilter = { connectorId: string; states: readonly TaskState[]; kinds: readonly ProvisioningKind[] }

/** The newest first. */
export async function listProvisioningTasks(
  db: Reads,
  tenantId: number,
  appId: string,
  { connectorId, states, kinds }: TaskFilter,
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<(ProvisioningTask & { entitlementName: string; accountName: string })[]> {
  return db<(ProvisioningTask & { entitlementName: string; accountName: string })[]>`
    select t.*, coalesce(e.display_name, '') as "entitlementName", coalesce(a.display_name, '') as "accountName"
    from (
      select ${taskColumns(db)} from connector_tasks
      where tenant_id = ${tenantId} and app_id = ${appId} and kind <> 'sync'
        ${after ? db`and task_id < ${after[0] as string}` : db``}
        ${connectorId === '' ? db`` : db`and connector_id = ${connectorId}`}
        ${states.length === 0 ? db`` : db`and state = any(${states}::text[])`}
        ${kinds.length === 0 ? db`` : db`and kind = any(${kinds}::text[])`}
      order by task_id desc limit ${limit}) t
    left join entitlements e on e.tenant_id = ${tenantId} and e.app_id = ${appId} and e.entitlement_id = t."entitlementId"
    left join accounts a on a.tenant_id = ${tenantId} and a.app_id = ${appId} and a.account_id = t."accountId"
    order by t.id desc`
}

export async function findProvisioningTask(
  db: Reads,
  tenantId: number,
  appId: string,
  id: string,
): Promise<ProvisioningTask | null> {
  const [row] = await db<ProvisioningTask[]>`
    select ${taskColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and app_id = ${appId} and task_id = ${id} and kind <> 'sync'`
  return row ?? null
}
