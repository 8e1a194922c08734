import type { FieldViolation } from '#kernel/refusals.ts'
import { formProblems, withNames } from './decide.ts'
import type { FormTerms } from './form.ts'
import { FormBody } from './shapes.ts'

/** A form by itself, as steps of policies and of tasks hold it: what was asked then, whatever becomes of the schema. */
export type FormAsked = Pick<FormTerms, 'name' | 'description' | 'fields' | 'fieldGroups' | 'fieldRelationships'>

/** A form as it is sent; null where something is wrong with it, which is told. */
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
