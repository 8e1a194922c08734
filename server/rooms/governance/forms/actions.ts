import { isDeepStrictEqual } from 'node:util'
import { may } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { changeWithinReach, refuseGivingBeyondReach } from '#authority/reach/index.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { keepEntitlement } from '#rooms/records/apps/index.ts'
import { formProblems, withNames } from './decide.ts'
import type { EntitlementRef, Form, FormTerms, MayRequest } from './form.ts'
import { pickerProblems } from './pickers.ts'
import { bindingNotFound, formInUse, formNotFound } from './refuse.ts'
import {
  bindForm,
  deleteForm,
  findBinding,
  findForm,
  holdForm,
  insertForm,
  listBound,
  listUsesOf,
  lockForm,
  unbindDeleted,
  unbindForm,
  updateForm,
} from './store.ts'

async function getForm(db: Reads, call: Call, id: string): Promise<Form> {
  const form = await findForm(db, call.tenant.id, id)
  if (!form) throw formNotFound(id)
  return form
}

/** The same for callers who may only request: a form that is bound to something that they may request. */
export async function getFormSeen(db: Reads, call: Call, mayRequest: MayRequest, id: string): Promise<Form> {
  const form = await getForm(db, call, id)
  if (may(call.actor, 'forms.read')) return form
  for (const ref of await listBound(db, call.tenant.id, id, boundSeen)) if (await mayRequest(db, call, ref)) return form
  throw formNotFound(id)
}
// Enough to find one that they may request; each check reads its terms.
const boundSeen = 20

/** The requested form, as it is stored; refused with everything that is wrong with it. */
function tidy(wanted: FormTerms, nameOf: (field: string) => string): FormTerms {
  const { name, description, fields, fieldGroups, fieldRelationships, justificationVisibility } = wanted
  const terms: FormTerms = {
    name: name.trim(),
    description,
    fields: withNames(fields),
    fieldGroups,
    fieldRelationships,
    justificationVisibility:
      justificationVisibility === 'JUSTIFICATION_VISIBILITY_UNSPECIFIED'
        ? 'JUSTIFICATION_VISIBILITY_SHOW'
        : justificationVisibility,
  }
  const [first, ...others] = formProblems(terms).map((problem) => ({ ...problem, field: nameOf(problem.field) }))
  if (first) throw invalid(first, ...others)
  return terms
}

async function refuseUnknownPicks(tx: Tx, call: Call, { fields }: FormTerms, prefix: string): Promise<void> {
  const problems = await pickerProblems(tx, call.tenant.id, fields)
  const [first, ...others] = problems.map((problem) => ({ ...problem, field: `${prefix}${problem.field}` }))
  if (first) throw invalid(first, ...others)
}

export async function createForm(tx: Tx, call: May<'forms.change'>, wanted: FormTerms): Promise<Form> {
  const at = call.now()
  const terms = tidy(wanted, (field) => field)
  await refuseUnknownPicks(tx, call, terms, '')
  const form: Form = { ...terms, id: call.newId(), createdAt: at, updatedAt: at, deletedAt: null }
  await insertForm(tx, call, form)
  await recordFormChange(tx, call, 'create', 'Created', { form })
  return form
}

export async function changeForm(
  tx: Tx,
  call: May<'forms.change'>,
  id: string,
  changes: Partial<FormTerms>,
): Promise<Form> {
  const before = await lockForm(tx, call.tenant.id, id)
  if (!before) throw formNotFound(id)
  const terms = tidy({ ...before, ...changes }, (field) =>
    field === 'name' ? 'requestSchema.form.displayName' : `requestSchema.form.${field}`,
  )
  await refuseUnknownPicks(tx, call, terms, 'requestSchema.form.')
  const after: Form = { ...before, ...terms, updatedAt: call.now() }
  if (asksOtherwise(before, after)) await refuseGivingBeyondReach(tx, call, { formId: id })
  await updateForm(tx, call, after)
  await recordFormChange(tx, call, 'update', `Changed ${Object.keys(changes).join(', ') || 'nothing'} of`, {
    form: after,
    before,
  })
  return after
}

/** Whether requesters are asked something else; name and description make no difference. */
const asksOtherwise = (before: Form, after: Form): boolean =>
  (['fields', 'fieldGroups', 'fieldRelationships', 'justificationVisibility'] as const).some(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )

/** A form that is in use cannot be deleted: requests would be made without its questions. */
export async function removeForm(tx: Tx, call: May<'forms.change'>, id: string): Promise<void> {
  const form = await lockForm(tx, call.tenant.id, id)
  if (!form) throw formNotFound(id)
  const users = await listUsesOf(tx, call.tenant.id, id)
  if (users.length > 0) throw formInUse(form, users)
  await unbindDeleted(tx, call.tenant.id, id)
  await deleteForm(tx, call, id, call.now())
  await recordFormChange(tx, call, 'delete', 'Deleted', { form })
}

/** The id of an entitlement's form. Callers who may not read all forms need to be able to request the entitlement. */
export async function getBinding(db: Reads, call: Call, mayRequest: MayRequest, ref: EntitlementRef): Promise<string> {
  const formId = await findBinding(db, call.tenant.id, ref)
  const isSeen = may(call.actor, 'forms.read') || (await mayRequest(db, call, ref))
  if (formId === null || !isSeen) throw bindingNotFound(ref)
  return formId
}

/** Uses the form for requests of the entitlement, instead of the previous one. */
export async function bind(tx: Tx, call: May<'forms.change'>, ref: EntitlementRef, formId: string): Promise<void> {
  if (!(await holdForm(tx, call.tenant.id, formId))) throw formNotFound(formId)
  await keepEntitlement(tx, call, ref.appId, ref.id)
  await changeWithinReach(tx, call, [ref], () => bindForm(tx, call.tenant.id, ref, formId, call.now()))
  await recordBinding(tx, call, 'create', ref, formId)
}

export async function unbind(tx: Tx, call: May<'forms.change'>, ref: EntitlementRef, formId: string): Promise<void> {
  const isUnbound = await changeWithinReach(tx, call, [ref], () => unbindForm(tx, call.tenant.id, ref, formId))
  if (!isUnbound) throw bindingNotFound(ref)
  await recordBinding(tx, call, 'delete', ref, formId)
}

const recordFormChange = (
  tx: Tx,
  call: Call,
  activity: 'create' | 'update' | 'delete',
  verb: string,
  { form, before }: { form: Form; before?: Form },
) =>
  recordChange(tx, call, activity, `${verb} the request schema ${form.name}`, [
    {
      type: 'request_schema',
      id: form.id,
      name: form.name,
      data: { fields: form.fields, ...(before && { before: beforeOf(form, before) }) },
    },
  ])

const beforeOf = (form: Form, before: Form): object => ({
  ...(before.name !== form.name && { displayName: before.name }),
  ...(JSON.stringify(before.fields) !== JSON.stringify(form.fields) && { fields: before.fields }),
})

const recordBinding = (
  tx: Tx,
  call: Call,
  activity: 'create' | 'delete',
  { appId, id }: EntitlementRef,
  formId: string,
) => {
  const message =
    activity === 'create'
      ? `Bound the request schema ${formId} to the entitlement ${id}`
      : `Unbound the request schema ${formId} from the entitlement ${id}`
  return recordChange(tx, call, activity, message, [
    { type: 'entitlement', id, data: { appId, requestSchemaId: formId } },
    { type: 'request_schema', id: formId },
  ])
}
