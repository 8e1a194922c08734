import type { May } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { GoneInApp } from '#rooms/records/apps/index.ts'
import type { EntitlementRef, Form } from './form.ts'

const columns = (db: Reads) => db`
  f.form_id as id, f.name, f.description, f.fields, f.field_groups as "fieldGroups",
  f.field_relationships as "fieldRelationships", f.justification_visibility as "justificationVisibility",
  f.created_at as "createdAt", f.updated_at as "updatedAt", f.deleted_at as "deletedAt"`

export async function insertForm(tx: Tx, { tenant: { id: tenantId } }: May<'forms.change'>, form: Form): Promise<void> {
  await tx`
    insert into forms (tenant_id, form_id, name, description, fields, field_groups, field_relationships,
      justification_visibility, created_at, updated_at)
    values (${tenantId}, ${form.id}, ${form.name}, ${form.description}, ${tx.json(form.fields)},
      ${tx.json(form.fieldGroups)}, ${tx.json(form.fieldRelationships)}, ${form.justificationVisibility},
      ${form.createdAt}, ${form.updatedAt})`
}

export async function findForm(db: Reads, tenantId: number, id: string): Promise<Form | null> {
  const [row] = await db<Form[]>`
    select ${columns(db)} from forms f where f.tenant_id = ${tenantId} and f.form_id = ${id} and f.deleted_at is null`
  return row ?? null
}

export async function lockForm(tx: Tx, tenantId: number, id: string): Promise<Form | null> {
  const [row] = await tx<Form[]>`
    select ${columns(tx)} from forms f
    where f.tenant_id = ${tenantId} and f.form_id = ${id} and f.deleted_at is null for update`
  return row ?? null
}

/** Whether the form exists; if so, it cannot be deleted until the transaction ends. */
export async function holdForm(tx: Tx, tenantId: number, id: string): Promise<boolean> {
  const rows = await tx`
    select 1 from forms f where f.tenant_id = ${tenantId} and f.form_id = ${id} and f.deleted_at is null for share`
  return rows.length > 0
}

export async function updateForm(tx: Tx, { tenant: { id: tenantId } }: May<'forms.change'>, form: Form): Promise<void> {
  await tx`
    update forms set name = ${form.name}, description = ${form.description}, fields = ${tx.json(form.fields)},
      field_groups = ${tx.json(form.fieldGroups)}, field_relationships = ${tx.json(form.fieldRelationships)},
      justification_visibility = ${form.justificationVisibility}, updated_at = ${form.updatedAt}
    where tenant_id = ${tenantId} and form_id = ${form.id}`
}

export async function deleteForm(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'forms.change'>,
  id: string,
  at: Date,
): Promise<void> {
  await tx`update forms set deleted_at = ${at}, updated_at = ${at} where tenant_id = ${tenantId} and form_id = ${id}`
}

/** The entitlements that a form is bound to, up to a limit. */
export async function listBound(db: Reads, tenantId: number, id: string, limit: number): Promise<EntitlementRef[]> {
  return db<EntitlementRef[]>`
    select b.app_id as "appId", b.entitlement_id as id
    from form_bindings b
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = b.app_id and e.entitlement_id = b.entitlement_id
    where b.tenant_id = ${tenantId} and b.form_id = ${id} and e.deleted_at is null
    order by b.app_id, b.entitlement_id limit ${limit}`
}

export type FormUse = EntitlementRef & { type: string; name: string }

/**
 * Some of the objects that use a form: enough to say why it cannot be deleted. Terms are a room further down, which this one
 * cannot call; their tables are only read here.
 */
export async function listUsesOf(db: Reads, tenantId: number, id: string): Promise<FormUse[]> {
  return db<FormUse[]>`
    (select 'entitlement' as type, b.app_id as "appId", b.entitlement_id as id, e.display_name as name
      from form_bindings b
      join entitlements e on e.tenant_id = ${tenantId} and e.app_id = b.app_id and e.entitlement_id = b.entitlement_id
      where b.tenant_id = ${tenantId} and b.form_id = ${id} and e.deleted_at is null
      order by b.app_id, b.entitlement_id limit 5)
    union all
    (select 'routing rule', r.app_id, r.rule_id, r.display_name from routing_rules r
      where r.tenant_id = ${tenantId} and r.form_id = ${id} limit 5)
    union all
    (select 'defaults of the app', d.app_id, d.app_id, a.display_name from request_defaults d
      join apps a on a.tenant_id = ${tenantId} and a.app_id = d.app_id
      where d.tenant_id = ${tenantId} and d.form_id = ${id} limit 5)
    limit 5`
}

/** A tenant has tens of forms, not thousands. */
export async function searchForms(
  db: Reads,
  tenantId: number,
  { query, ids }: { query: string; ids: readonly string[] },
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Form[]> {
  return db<Form[]>`
    select ${columns(db)} from forms f
    where f.tenant_id = ${tenantId} and f.deleted_at is null and f.form_id > ${page.after?.[0] ?? ''}
      ${query === '' ? db`` : db`and strpos(lower(f.name), ${query.toLowerCase()}) > 0`}
      ${ids.length === 0 ? db`` : db`and f.form_id = any(${ids}::text[])`}
    order by f.form_id limit ${page.limit}`
}

/** The id of an entitlement's form; null if it has none. */
export async function findBinding(db: Reads, tenantId: number, { appId, id }: EntitlementRef): Promise<string | null> {
  const [row] = await db<{ formId: string }[]>`
    select b.form_id as "formId" from form_bindings b
    where b.tenant_id = ${tenantId} and b.app_id = ${appId} and b.entitlement_id = ${id}`
  return row?.formId ?? null
}

/** Replaces the form of the entitlement. */
export async function bindForm(
  tx: Tx,
  tenantId: number,
  { appId, id }: EntitlementRef,
  formId: string,
  at: Date,
): Promise<void> {
  await tx`
    insert into form_bindings (tenant_id, app_id, entitlement_id, form_id, created_at)
    values (${tenantId}, ${appId}, ${id}, ${formId}, ${at})
    on conflict (tenant_id, app_id, entitlement_id) do update set form_id = excluded.form_id, created_at = excluded.created_at`
}

export async function unbindForm(
  tx: Tx,
  tenantId: number,
  { appId, id }: EntitlementRef,
  formId: string,
): Promise<boolean> {
  const rows = await tx`
    delete from form_bindings where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${id}
      and form_id = ${formId} returning 1`
  return rows.length > 0
}

/** Removes the bindings of a form that is being deleted. */
export async function unbindDeleted(tx: Tx, tenantId: number, formId: string): Promise<void> {
  await tx`delete from form_bindings where tenant_id = ${tenantId} and form_id = ${formId}`
}

/** Removes the bindings of entitlements that are deleted. */
export async function deleteBindingsOf(tx: Tx, tenantId: number, { appId, entitlements }: GoneInApp): Promise<void> {
  await tx`
    delete from form_bindings where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id in ${entitlements}`
}
