import type { Field } from '#client/api/types.ts'

/** The kinds of questions, as the editor of forms names them. */
export const questionKinds = [
  ['text', 'Short text'],
  ['long', 'Long text'],
  ['select', 'Single choice'],
  ['date', 'A date'],
  ['number', 'A number'],
  ['bool', 'Yes or no'],
  ['list', 'List of strings'],
  ['user', 'A user'],
  ['users', 'Several users'],
  ['account', 'An account of an app'],
  ['accounts', 'Several accounts of an app'],
  ['resource', 'A resource of an app'],
  ['resources', 'Several resources of an app'],
  ['map', 'Names and values'],
] as const
export type QuestionKind = (typeof questionKinds)[number][0]

export function kindOfQuestion({
  stringField,
  boolField,
  int64Field,
  stringSliceField,
  stringMapField,
}: Field): QuestionKind {
  if (boolField) return 'bool'
  if (int64Field) return 'number'
  if (stringMapField) return 'map'
  const picker = stringField?.pickerField ?? stringSliceField?.pickerField
  const isMany = Boolean(stringSliceField)
  if (picker?.appUserPicker) return isMany ? 'accounts' : 'account'
  if (picker?.resourcePicker) return isMany ? 'resources' : 'resource'
  if (picker) return isMany ? 'users' : 'user'
  if (isMany) return 'list'
  if (stringField?.selectField) return 'select'
  if (stringField?.dateField) return 'date'
  return stringField?.textField?.multiline ? 'long' : 'text'
}

const users = { pickerField: { c1UserPicker: {} } }
const accounts = { pickerField: { appUserPicker: { appId: '' } } }
const resources = { pickerField: { resourcePicker: { appId: '', resourceTypeId: '' } } }

const shapes: Record<QuestionKind, object> = {
  text: { stringField: { textField: {} } },
  long: { stringField: { textField: { multiline: true } } },
  select: { stringField: { selectField: { options: [], type: 'SELECT_TYPE_DROPDOWN' } } },
  date: { stringField: { dateField: {} } },
  number: { int64Field: { numberField: {} } },
  bool: { boolField: { checkboxField: {} } },
  list: { stringSliceField: { chipsField: {} } },
  user: { stringField: users },
  users: { stringSliceField: users },
  account: { stringField: accounts },
  accounts: { stringSliceField: accounts },
  resource: { stringField: resources },
  resources: { stringSliceField: resources },
  map: { stringMapField: {} },
}

/** A question with another kind: fields of its previous kind are removed, and those of every question are kept. */
export function ofKind(field: Field, kind: QuestionKind): Field {
  const {
    stringField: _,
    boolField: __,
    int64Field: ___,
    stringSliceField: ____,
    stringMapField: _____,
    ...rest
  } = field
  return { ...rest, ...shapes[kind] } as unknown as Field
}

export const newQuestion = (): Field =>
  ofKind({ name: '', displayName: '', description: '', required: false } as Field, 'text')

/** A name for the answer, by which expressions and clients refer to it. */
export const nameFrom = (label: string): string =>
  label
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')

type Names = { fields?: readonly Field[] | null } & Record<string, unknown>
type Group = { fields?: string[] | null }
type Relationship = { fieldNames?: string[] | null; dependentOn?: { dependencyFieldNames?: string[] | null } | null }

/** The groups and relationships of a form after a question was renamed, or removed. */
export function followName<F extends Names>(form: F, from: string, to: string | null): F {
  if (from === to || from === '') return form
  const follow = (names: readonly string[] | null | undefined): string[] =>
    (names ?? []).flatMap((name) => (name !== from ? [name] : to === null ? [] : [to]))
  const groups = (form['fieldGroups'] ?? []) as Group[]
  const relationships = (form['fieldRelationships'] ?? []) as Relationship[]
  return {
    ...form,
    fieldGroups: groups.map((group) => ({ ...group, fields: follow(group.fields) })),
    fieldRelationships: relationships
      .map((each) => ({
        ...each,
        fieldNames: follow(each.fieldNames),
        ...(each.dependentOn && {
          dependentOn: { dependencyFieldNames: follow(each.dependentOn.dependencyFieldNames) },
        }),
      }))
      // A relationship with too few questions has no meaning any more, and the API refuses it.
      .filter(({ fieldNames, dependentOn }) =>
        dependentOn
          ? fieldNames.length > 0 && (dependentOn.dependencyFieldNames ?? []).length > 0
          : fieldNames.length > 1,
      ),
  }
}
