import type { FieldViolation } from '#kernel/refusals.ts'
import type { Reads } from '#kernel/sql.ts'
import { type Answers, type CheckedAnswers, checkAnswers } from './answers.ts'
import type { FormTerms } from './form.ts'
import {
  listAccountsAmong,
  listAppsAmong,
  listResourcesAmong,
  listTypesAmong,
  listUsersAmong,
} from './pickers-store.ts'
import type { Field, Picker } from './shapes.ts'

const pickerOf = ({ stringField, stringSliceField }: Field): Picker | null =>
  stringField?.pickerField ?? stringSliceField?.pickerField ?? null

/** What the pickers of a form name that does not exist. */
export async function pickerProblems(db: Reads, tenantId: number, fields: readonly Field[]): Promise<FieldViolation[]> {
  const problems: FieldViolation[] = []
  for (const [place, field] of fields.entries()) {
    const picker = pickerOf(field)
    if (!picker) continue
    const at = `fields[${place}].${field.stringField ? 'stringField' : 'stringSliceField'}.pickerField`
    const { c1UserPicker: users, appUserPicker: accounts, resourcePicker: resources } = picker
    const appId = accounts?.appId ?? resources?.appId ?? ''
    if (appId !== '' && !(await listAppsAmong(db, tenantId, [appId])).has(appId))
      problems.push({
        field: `${at}.${accounts ? 'appUserPicker' : 'resourcePicker'}.appId`,
        description: `names an app that does not exist: ${appId}`,
      })
    else if (
      resources &&
      !(await listTypesAmong(db, tenantId, appId, [resources.resourceTypeId])).has(resources.resourceTypeId)
    )
      problems.push({
        field: `${at}.resourcePicker.resourceTypeId`,
        description: `names a resource type that the app does not have: ${resources.resourceTypeId}`,
      })
    const known = users ? await listUsersAmong(db, tenantId, users.userIds, true) : new Set()
    for (const id of users?.userIds ?? [])
      if (!known.has(id))
        problems.push({ field: `${at}.c1UserPicker.userIds`, description: `names a user who does not exist: ${id}` })
  }
  return problems
}

/**
 * The answers to a form, checked by its rules, including what they pick: it exists, and the form allows it. The message does
 * not reveal whether it does not exist or cannot be picked.
 */
export async function checkAnswersIn(
  db: Reads,
  tenantId: number,
  form: Pick<FormTerms, 'fields' | 'fieldRelationships'>,
  data: Answers,
  now: Date,
): Promise<CheckedAnswers> {
  const checked = checkAnswers(form, data, now)
  const problems = [...checked.problems]
  for (const field of form.fields) {
    const picker = pickerOf(field)
    if (!picker || !Object.hasOwn(checked.answers, field.name)) continue
    const picked = [checked.answers[field.name]].flat() as string[]
    const allowed = await listAllowed(db, tenantId, picker, picked)
    const wrong = picked.find((id) => !allowed.has(id))
    if (wrong !== undefined) problems.push({ field: field.name, description: `cannot be ${wrong}: ${kindOf(picker)}` })
  }
  return { ...checked, problems }
}

const kindOf = ({ c1UserPicker, appUserPicker }: Picker): string =>
  c1UserPicker
    ? 'it is not a user who can be picked'
    : appUserPicker
      ? 'it is not an account of the app'
      : 'it is not a resource of that type'

async function listAllowed(
  db: Reads,
  tenantId: number,
  { c1UserPicker, appUserPicker, resourcePicker }: Picker,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (appUserPicker) return listAccountsAmong(db, tenantId, appUserPicker.appId, ids)
  if (resourcePicker) return listResourcesAmong(db, tenantId, resourcePicker, ids)
  if (!c1UserPicker) return new Set()
  const { userIds, excludeUserIds, includeDeactivated } = c1UserPicker
  const meant = ids.filter((id) => (userIds.length === 0 || userIds.includes(id)) && !excludeUserIds.includes(id))
  return listUsersAmong(db, tenantId, meant, includeDeactivated)
}
