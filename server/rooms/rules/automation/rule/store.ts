import type { By, May } from '#authority/proof.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import {
  type Automation,
  type Definition,
  type EntitlementRef,
  holdersOfAny,
  type Kind,
  type PauseReason,
  type RunCause,
  writtenRefs,
} from '../automation.ts'
import type { Edge } from '../decide.ts'

type Row = Omit<Automation, 'definition'> & { kind: Kind; expression: string; refs: EntitlementRef[] }

const columns = (db: Reads) => db`
  m.app_id as "appId", m.entitlement_id as id, m.version, m.kind, m.expression, m.refs,
  m.display_name as "displayName", m.description, m.examples, m.is_clocked as "isClocked", m.has_breaker as "hasBreaker",
  m.loss_percent_max as "lossPercentMax", m.holds_few as "holdsFew", m.is_of_owner as "isOfOwner",
  m.paused_why as "pausedWhy", m.due_at as "dueAt", coalesce(m.last_run_id, '') as "lastRunId",
  r.status as "lastRunStatus", coalesce(r.error, '') as "lastRunError", m.last_completed_at as "lastCompletedAt",
  m.created_at as "createdAt", m.updated_at as "updatedAt", m.deleted_at as "deletedAt"`
const withLastRun = (db: Reads) => db`
  left join automation_runs r on r.tenant_id = m.tenant_id and r.run_id = m.last_run_id`
const ofKey = (db: Reads, tenantId: number, { appId, id }: EntitlementRef) => db`
  m.tenant_id = ${tenantId} and m.app_id = ${appId} and m.entitlement_id = ${id}`

/** The definition in a row of `self`. */
export const definitionOf = ({
  kind,
  expression,
  refs,
  ...self
}: Pick<Row, 'appId' | 'id' | 'kind' | 'expression' | 'refs'>): Definition => {
  if (kind === 'none') return { kind }
  if (kind !== 'entitlements') return { kind, expression }
  // The database changes the order of each object's members; a plan's fingerprint is of the rule as it was proposed.
  return holdersOfAny(
    self,
    refs.map(({ appId, id }) => ({ appId, id })),
  )
}
const automationOf = (row: Row): Automation => {
  const { kind: _, expression: __, refs: ___, ...rest } = row
  return { ...rest, definition: definitionOf(row) }
}

/** A statement over everyone may take longer than others. */
export async function allowMinutes(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = '10min'`
}

/** Limits the time of each following statement. */
export async function allowMs(tx: Tx, milliseconds: number): Promise<void> {
  await tx.unsafe(`set local statement_timeout = ${Math.ceil(milliseconds)}`)
}

export async function findAutomation(db: Reads, tenantId: number, ref: EntitlementRef): Promise<Automation | null> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from automations m ${withLastRun(db)}
    where ${ofKey(db, tenantId, ref)} and m.deleted_at is null`
  return row ? automationOf(row) : null
}

/** The rules of some entitlements, for those that have one. */
export async function listAutomations(
  db: Reads,
  tenantId: number,
  refs: readonly EntitlementRef[],
): Promise<Automation[]> {
  if (refs.length === 0) return []
  const rows = await db<Row[]>`
    select ${columns(db)} from (select distinct * from unnest(
      ${refs.map(({ appId }) => appId)}::text[], ${refs.map(({ id }) => id)}::text[])) as w (app_id, entitlement_id)
    join automations m on m.tenant_id = ${tenantId} and m.app_id = w.app_id and m.entitlement_id = w.entitlement_id
    ${withLastRun(db)}
    where m.deleted_at is null order by m.app_id, m.entitlement_id`
  return rows.map(automationOf)
}

/** Locks the rule, deleted or not, until the transaction ends. */
export async function lockAutomation(tx: Tx, tenantId: number, ref: EntitlementRef): Promise<Automation | null> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from automations m ${withLastRun(tx)}
    where ${ofKey(tx, tenantId, ref)} for no key update of m`
  return row ? automationOf(row) : null
}

const rulesMax = 100_000

/** How many rules of a tenant are active: neither deleted nor paused. */
export async function countWorking(db: Reads, tenantId: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) from automations m
    where m.tenant_id = ${tenantId} and m.deleted_at is null and m.paused_why is null`
  return row?.count ?? 0
}

/** The active rules of a tenant, except those that are about to run over everyone anyway. */
export async function listWorking(db: Reads, tenantId: number, at: Date): Promise<Automation[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from automations m ${withLastRun(db)}
    where m.tenant_id = ${tenantId} and m.deleted_at is null and m.paused_why is null
      and (m.due_at is null or m.due_at > ${at})
    order by m.app_id, m.entitlement_id limit ${rulesMax}`
  return rows.map(automationOf)
}

/** The expressions of all tenants' rules, each once. */
export async function listExpressions(db: Reads, limit: number): Promise<string[]> {
  const rows = await db<{ expression: string }[]>`
    select distinct expression from automations
    where deleted_at is null and kind in ('basic', 'cel') limit ${limit}`
  return rows.map(({ expression }) => expression)
}

export type Saved = Pick<
  Automation,
  'displayName' | 'description' | 'definition' | 'examples' | 'isClocked' | 'isOfOwner'
> & {
  reads: readonly string[]
  version: number
  /** Whether it is paused, and stays so. */
  staysPaused: boolean
  /** Whether its first run is not held, however much it grants. */
  isConfirmed?: boolean
  /** Who saved it. */
  by: string
  at: Date
}

/** The definition of a rule of `self`, in columns. */
export const columnsOf = (self: EntitlementRef, definition: Definition) => ({
  expression: 'expression' in definition ? definition.expression : '',
  refs: definition.kind === 'entitlements' ? writtenRefs(self, definition) : [],
})

/** Writes a rule, replacing the existing one; it is due at once. */
export async function putAutomation(
  tx: Tx,
  { tenant: { id: tenantId } }: By<'entitlement.change-rule' | 'profiles.change' | 'operator'>,
  { appId, id }: EntitlementRef,
  saved: Saved,
): Promise<void> {
  const { definition, at } = saved
  const { expression, refs } = columnsOf({ appId, id }, definition)
  await tx`
    insert into automations as m (tenant_id, app_id, entitlement_id, version, kind, expression, refs, display_name,
      description, examples, reads, is_clocked, is_of_owner, due_at, due_cause, due_by, created_at, updated_at)
    values (${tenantId}, ${appId}, ${id}, ${saved.version}, ${definition.kind}, ${expression}, ${tx.json(refs)},
      ${saved.displayName}, ${saved.description}, ${tx.json(saved.examples)}, ${saved.reads}, ${saved.isClocked},
      ${saved.isOfOwner}, ${at},
      ${saved.isConfirmed ? 'release' : 'saved'}, ${saved.by}, ${at}, ${at})
    on conflict (tenant_id, app_id, entitlement_id) do update set version = excluded.version, kind = excluded.kind,
      expression = excluded.expression, refs = excluded.refs, display_name = excluded.display_name,
      description = excluded.description, examples = excluded.examples, reads = excluded.reads, is_clocked = excluded.is_clocked,
      is_of_owner = excluded.is_of_owner,
      due_at = excluded.due_at, due_cause = excluded.due_cause, due_by = excluded.due_by,
      updated_at = excluded.updated_at, deleted_at = null,
      paused_why = ${saved.staysPaused ? tx`m.paused_why` : null},
      has_breaker = m.has_breaker or m.deleted_at is not null,
      last_run_id = ${tx`case when m.deleted_at is null then m.last_run_id end`},
      last_completed_at = case when m.deleted_at is null then m.last_completed_at end,
      created_at = case when m.deleted_at is null then m.created_at else excluded.created_at end`
}

export async function deleteAutomation(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'entitlement.change-rule' | 'profiles.change'>,
  ref: EntitlementRef,
  at: Date,
): Promise<void> {
  await tx`
    update automations m set deleted_at = ${at}, updated_at = ${at}, due_at = null, paused_why = null
    where ${ofKey(tx, tenantId, ref)}`
}

/** What a rule reads from now on. An entitlement without an id is an app. */
export async function replaceReads(
  tx: Tx,
  tenantId: number,
  { appId, id }: EntitlementRef,
  reads: readonly EntitlementRef[],
): Promise<void> {
  await tx`
    delete from automation_reads where tenant_id = ${tenantId} and by_app_id = ${appId} and by_entitlement_id = ${id}`
  await tx`
    insert into automation_reads (tenant_id, app_id, entitlement_id, by_app_id, by_entitlement_id)
    select distinct ${tenantId}::int, r.app_id, r.entitlement_id, ${appId}, ${id}
    from unnest(${reads.map((ref) => ref.appId)}::text[], ${reads.map((ref) => ref.id)}::text[])
      as r (app_id, entitlement_id)`
}

/**
 * What the other rules of a tenant read, except the members that each keeps; and what is in access profiles that enroll by a
 * rule: enrolling grants it, as if by a rule that reads the enrollment. Profiles are a room further down.
 */
export async function listReadsOfOthers(tx: Tx, tenantId: number, of: EntitlementRef): Promise<Edge[]> {
  const rows = await tx<{ appId: string; id: string; byAppId: string; byId: string }[]>`
    select app_id as "appId", entitlement_id as id, by_app_id as "byAppId", by_entitlement_id as "byId"
    from automation_reads
    where tenant_id = ${tenantId} and entitlement_id <> ''
      and (app_id, entitlement_id) <> (by_app_id, by_entitlement_id)
      and (by_app_id, by_entitlement_id) <> (${of.appId}, ${of.id})
    union all
    select ${profilesAppId}, r.profile_id, r.app_id, r.entitlement_id from profile_entries r
    where r.tenant_id = ${tenantId} and not r.is_enrollment
      and (r.profile_id = ${of.id} or r.profile_id in (
        select m.entitlement_id from automations m
        where m.tenant_id = ${tenantId} and m.app_id = ${profilesAppId} and m.deleted_at is null))`
  return rows.map(({ appId, id, byAppId, byId }) => ({ reads: { appId, id }, by: { appId: byAppId, id: byId } }))
}

/** Makes a rule due over everyone at once, and resumes it. */
export async function makeDue(
  tx: Tx,
  tenantId: number,
  ref: EntitlementRef,
  { at, cause, by }: { at: Date; cause: RunCause; by: string },
): Promise<void> {
  await tx`
    update automations m set due_at = ${at}, due_cause = ${cause}, due_by = ${by}, paused_why = null
    where ${ofKey(tx, tenantId, ref)}`
}

/** Makes all active rules of a tenant due over everyone. */
export async function makeAllDue(tx: Tx, tenantId: number, at: Date): Promise<void> {
  await tx`
    update automations set due_at = ${at}, due_cause = 'change', due_by = ''
    where tenant_id = ${tenantId} and deleted_at is null and paused_why is null
      and (due_at is null or due_at > ${at})`
}

export async function pauseAutomation(
  tx: Tx,
  tenantId: number,
  ref: EntitlementRef,
  why: PauseReason | null,
): Promise<void> {
  await tx`update automations m set paused_why = ${why} where ${ofKey(tx, tenantId, ref)}`
}

/** Its run was done: it is neither due nor paused. */
export async function setNotDue(tx: Tx, tenantId: number, ref: EntitlementRef): Promise<void> {
  await tx`update automations m set due_at = null, paused_why = null where ${ofKey(tx, tenantId, ref)}`
}

export async function setBreaker(
  tx: Tx,
  tenantId: number,
  ref: EntitlementRef,
  { isOn, at }: { isOn: boolean; at: Date },
): Promise<void> {
  await tx`update automations m set has_breaker = ${isOn}, updated_at = ${at} where ${ofKey(tx, tenantId, ref)}`
}

/** Sets when a run would remove so many that it is held. */
export async function setLimits(
  tx: Tx,
  tenantId: number,
  ref: EntitlementRef,
  { lossPercentMax, holdsFew }: Pick<Automation, 'lossPercentMax' | 'holdsFew'>,
): Promise<void> {
  await tx`
    update automations m set loss_percent_max = ${lossPercentMax}, holds_few = ${holdsFew} where ${ofKey(tx, tenantId, ref)}`
}

export async function setLastRun(
  tx: Tx,
  tenantId: number,
  ref: EntitlementRef,
  { runId, completedAt }: { runId: string; completedAt: Date | null },
): Promise<void> {
  await tx`
    update automations m set last_run_id = ${runId}, last_completed_at = coalesce(${completedAt}, m.last_completed_at)
    where ${ofKey(tx, tenantId, ref)}`
}

/** Sets when a rule is run next, unless someone requested a run meanwhile. */
export async function setNextDue(
  tx: Tx,
  tenantId: number,
  ref: EntitlementRef,
  { at, restMs }: { at: Date; restMs: number },
): Promise<void> {
  const dueAt = new Date(at.getTime() + restMs)
  await tx`
    update automations m set due_at = ${dueAt}, due_cause = 'schedule', due_by = ''
    where ${ofKey(tx, tenantId, ref)} and m.due_at is null`
}
