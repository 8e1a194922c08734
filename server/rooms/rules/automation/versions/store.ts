import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { EntitlementRef, Kind, Version } from '../automation.ts'
import { columnsOf, definitionOf } from '../rule/store.ts'

type Row = Omit<Version, 'definition'> & { kind: Kind; expression: string; refs: EntitlementRef[] }

const columns = (db: Reads) => db`
  v.app_id as "appId", v.entitlement_id as id, v.version, v.kind, v.expression, v.refs, v.display_name as "displayName",
  v.description, v.examples, v.reason, v.restores, v.saved_by as "savedBy", v.saved_at as "savedAt"`
const ofRule = (db: Reads, tenantId: number, { appId, id }: EntitlementRef) => db`
  v.tenant_id = ${tenantId} and v.app_id = ${appId} and v.entitlement_id = ${id}`

const versionOf = (row: Row): Version => {
  const { kind: _, expression: __, refs: ___, ...rest } = row
  return { ...rest, definition: definitionOf(row) }
}

/** Keeps the version that a save wrote. */
export async function insertVersion(tx: Tx, tenantId: number, version: Version): Promise<void> {
  const { definition, appId, id } = version
  const { expression, refs } = columnsOf({ appId, id }, definition)
  await tx`
    insert into automation_versions (tenant_id, app_id, entitlement_id, version, kind, expression, refs, display_name,
      description, examples, reason, restores, saved_by, saved_at)
    values (${tenantId}, ${appId}, ${id}, ${version.version}, ${definition.kind}, ${expression}, ${tx.json(refs)},
      ${version.displayName}, ${version.description}, ${tx.json(version.examples)}, ${version.reason},
      ${version.restores}, ${version.savedBy}, ${version.savedAt})`
}

/** Deletes the versions up to this one. */
export async function deleteVersionsUpTo(
  tx: Tx,
  tenantId: number,
  { appId, id }: EntitlementRef,
  version: number,
): Promise<void> {
  await tx`
    delete from automation_versions
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${id} and version <= ${version}`
}

/** The latest first. */
export async function listVersions(
  db: Reads,
  tenantId: number,
  ref: EntitlementRef,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Version[]> {
  const after = page.after?.[0]
  const rows = await db<Row[]>`
    select ${columns(db)} from automation_versions v
    where ${ofRule(db, tenantId, ref)} ${after === undefined ? db`` : db`and v.version < ${after}`}
    order by v.version desc limit ${page.limit}`
  return rows.map(versionOf)
}

export async function findVersion(
  db: Reads,
  tenantId: number,
  ref: EntitlementRef,
  version: number,
): Promise<Version | null> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from automation_versions v where ${ofRule(db, tenantId, ref)} and v.version = ${version}`
  return row ? versionOf(row) : null
}

/** The last version before this one that is kept. */
export async function findVersionBefore(
  db: Reads,
  tenantId: number,
  ref: EntitlementRef,
  version: number,
): Promise<Version | null> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from automation_versions v where ${ofRule(db, tenantId, ref)} and v.version < ${version}
    order by v.version desc limit 1`
  return row ? versionOf(row) : null
}

/** The latest version, including that of a deleted rule. */
export async function findLatestVersion(db: Reads, tenantId: number, ref: EntitlementRef): Promise<Version | null> {
  const [latest] = await listVersions(db, tenantId, ref, { after: null, limit: 1 })
  return latest ?? null
}
