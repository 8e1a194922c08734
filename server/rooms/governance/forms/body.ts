import type { FieldViolation } from '#kernel/refusals.ts'
import { formProblems, withNames } from './decide.ts'
import type { FormTerms } from './form.ts'
import { FormBody } from './shapes.ts'

/** A copy of a form, as steps of policies and tasks contain it: unaffected by later changes of the form. */
export type FormAsked = Pick<FormTerms, 'name' | 'description' | 'fields' | 'fieldGroups' | 'fieldRelationships'>

/** Reads a form as it is sent; null, with `problems`, if something is wrong with it. */
export function readFormBody(json: object, at: string, problems: FieldViolation[]): FormAsked | null {
  const before = problems.length
  const { displayName, description, fields, fieldGroups, fieldRelationships } = FormBody.read(json, at, problems)
  if (problems.length > before) return null
  const form = { name: displayName || 'Form', description, fields: withNames(fields), fieldGroups, fieldRelationships }
  const wrong = formProblems({ ...form, justificationVisibility: 'JUSTIFICATION_VISIBILITY_SHOW' })
  problems.push(...wrong.map(({ field, description: why }) => ({ field: `${at}.${field}`, description: why })))
  return wrong.length === 0 ? form : null
}

export const formBodyOnWire = (id: string, form: FormAsked): { [name: string]: unknown } => {
  const { name: displayName, description, fields, fieldGroups, fieldRelationships } = form
  return FormBody.write({ id, displayName, description, fields, fieldGroups, fieldRelationships })
}
