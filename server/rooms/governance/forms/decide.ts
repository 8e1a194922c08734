import type { FieldViolation } from '#kernel/refusals.ts'
import type { FormTerms } from './form.ts'
import { areTooMany, isPattern } from './patterns.ts'
import type { Field, FieldRelationship, NumberRules, Picker, TextRules } from './shapes.ts'

type Problems = FieldViolation[]

const fieldKinds = ['stringField', 'boolField', 'int64Field', 'stringSliceField', 'stringMapField'] as const
const relationKinds = ['requiredTogether', 'atLeastOne', 'mutuallyExclusive', 'dependentOn'] as const
const date = /^\d{4}-\d\d-\d\d$/

const chosen = <T extends object>(of: T, names: readonly (keyof T & string)[]): string[] =>
  names.filter((name) => of[name] !== null)

function onlyOne<T extends object>(of: T, names: readonly (keyof T & string)[], at: string, problems: Problems): void {
  const found = chosen(of, names)
  if (found.length === 0) problems.push({ field: at, description: `must have one of ${names.join(', ')}` })
  if (found.length > 1) problems.push({ field: at, description: `must have only one of ${found.join(', ')}` })
}

/** A field without a name is named after its label: `Cost center` is `cost_center`, a second one `cost_center_2`. */
export function withNames(fields: readonly Field[]): Field[] {
  const taken = new Set(fields.map(({ name }) => name))
  return fields.map((field) => {
    if (field.name !== '') return field
    const base =
      field.displayName
        .trim()
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '_')
        .replace(/^_+|_+$/g, '') || 'field'
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`
    taken.add(name)
    return { ...field, name }
  })
}

/** Everything that is wrong with a form. */
export function formProblems(terms: FormTerms): FieldViolation[] {
  const problems: Problems = []
  if (terms.name === '') problems.push({ field: 'name', description: 'must not be empty' })
  const names = new Set<string>()
  for (const [place, field] of terms.fields.entries()) {
    const at = `fields[${place}]`
    if (names.has(field.name))
      problems.push({ field: `${at}.name`, description: `is the name of another field: ${field.name}` })
    names.add(field.name)
    fieldProblems(field, at, problems)
  }
  const patterns = terms.fields.flatMap(({ stringField, stringSliceField }) => [
    stringField?.rules?.pattern ?? '',
    stringSliceField?.rules?.items?.string?.pattern ?? '',
  ])
  if (areTooMany(patterns))
    problems.push({
      field: 'fields',
      description: 'must have patterns of at most 500 characters in total, repetitions counted',
    })
  const grouped = new Set<string>()
  for (const [place, group] of terms.fieldGroups.entries()) {
    const at = `fieldGroups[${place}].fields`
    unknownNames(group.fields, names, at, problems)
    const twice = group.fields.find((name) => grouped.has(name))
    if (twice !== undefined) problems.push({ field: at, description: `names a field that another group has: ${twice}` })
    for (const name of group.fields) grouped.add(name)
  }
  for (const [place, relation] of terms.fieldRelationships.entries())
    relationProblems(relation, names, `fieldRelationships[${place}]`, problems)
  return problems
}

function unknownNames(wanted: readonly string[], known: ReadonlySet<string>, at: string, problems: Problems): void {
  const unknown = wanted.find((name) => !known.has(name))
  if (unknown !== undefined) problems.push({ field: at, description: `names no field of the form: ${unknown}` })
}

function relationProblems(
  relation: FieldRelationship,
  names: ReadonlySet<string>,
  at: string,
  problems: Problems,
): void {
  onlyOne(relation, relationKinds, at, problems)
  const isOfOne = relation.dependentOn !== null
  const least = isOfOne ? 1 : 2
  if (new Set(relation.fieldNames).size < least)
    problems.push({ field: `${at}.fieldNames`, description: `must name at least ${least} of the fields` })
  unknownNames(relation.fieldNames, names, `${at}.fieldNames`, problems)
  if (!relation.dependentOn) return
  const on = relation.dependentOn.dependencyFieldNames
  const field = `${at}.dependentOn.dependencyFieldNames`
  if (on.length === 0) problems.push({ field, description: 'must name at least 1 of the fields' })
  unknownNames(on, names, field, problems)
  if (on.some((name) => relation.fieldNames.includes(name)))
    problems.push({ field, description: 'must not name a field that depends on them' })
}

function fieldProblems(field: Field, at: string, problems: Problems): void {
  const before = problems.length
  onlyOne(field, fieldKinds, at, problems)
  if (problems.length > before) return
  const { stringField, int64Field, stringSliceField } = field
  if (stringField) {
    textRulesProblems(stringField.rules, `${at}.stringField.rules`, problems)
    const shown = chosen(stringField, ['dateField', 'selectField', 'textField', 'pickerField'])
    if (shown.length > 1)
      problems.push({ field: `${at}.stringField`, description: `must have only one of ${shown.join(', ')}` })
    if (stringField.selectField && stringField.selectField.options.length === 0)
      problems.push({ field: `${at}.stringField.selectField.options`, description: 'must not be empty' })
    for (const name of ['minDate', 'maxDate'] as const) {
      const value = stringField.dateField?.[name] ?? ''
      if (value !== '' && !date.test(value))
        problems.push({ field: `${at}.stringField.dateField.${name}`, description: 'must be a date, as in 2026-01-31' })
    }
  }
  pickerProblems(stringField?.pickerField ?? null, `${at}.stringField.pickerField`, problems)
  pickerProblems(stringSliceField?.pickerField ?? null, `${at}.stringSliceField.pickerField`, problems)
  if (stringSliceField?.chipsField && stringSliceField.pickerField)
    problems.push({ field: `${at}.stringSliceField`, description: 'must have only one of chipsField, pickerField' })
  if (int64Field) numberRulesProblems(int64Field.rules, `${at}.int64Field.rules`, problems)
  if (stringSliceField)
    textRulesProblems(
      stringSliceField.rules?.items?.string ?? null,
      `${at}.stringSliceField.rules.items.string`,
      problems,
    )
}

function pickerProblems(picker: Picker | null, at: string, problems: Problems): void {
  if (!picker) return
  onlyOne(picker, ['c1UserPicker', 'appUserPicker', 'resourcePicker'], at, problems)
  const { appUserPicker, resourcePicker } = picker
  if (appUserPicker?.appId === '') problems.push({ field: `${at}.appUserPicker.appId`, description: 'must be given' })
  for (const name of ['appId', 'resourceTypeId'] as const)
    if (resourcePicker?.[name] === '')
      problems.push({ field: `${at}.resourcePicker.${name}`, description: 'must be given' })
}

function textRulesProblems(rules: TextRules | null, at: string, problems: Problems): void {
  if (!rules) return
  if (rules.pattern !== null && !isPattern(rules.pattern))
    problems.push({
      field: `${at}.pattern`,
      description: 'must be a regular expression of RE2, of at most 100 characters, repetitions counted',
    })
  const { minLen, maxLen } = rules
  if (minLen !== null && maxLen !== null && minLen > maxLen)
    problems.push({ field: `${at}.minLen`, description: 'must not be more than maxLen' })
  for (const name of ['len', 'minLen', 'maxLen', 'lenBytes', 'minBytes', 'maxBytes'] as const)
    if ((rules[name] ?? 0) < 0) problems.push({ field: `${at}.${name}`, description: 'must not be negative' })
}

function numberRulesProblems(rules: NumberRules | null, at: string, problems: Problems): void {
  if (!rules) return
  const { gte, lte } = rules
  if (gte !== null && lte !== null && gte > lte)
    problems.push({ field: `${at}.gte`, description: 'must not be more than lte' })
}
