import {
  type Expression,
  heldKey,
  type Json,
  type Looked,
  type Path,
  type Subject,
  type SubjectField,
  subjectFields,
} from './expression.ts'
import { userStatuses, userTypes } from './users.ts'

/** In both spellings. `attributes` is the profile, which has what a directory provides beyond the fields of a user. */
const fieldOf = new Map<string, SubjectField>([
  ...subjectFields.flatMap((field) => [[field, field] as const, [snakeOf(field), field] as const]),
  ['attributes', 'profile'],
])

function snakeOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export const findField = (name: string): SubjectField | null => fieldOf.get(name) ?? null

export const listFields: ReadonlySet<SubjectField> = new Set(['emails', 'usernames', 'employeeIds'])

export const typeOfField = (field: SubjectField): 'list' | 'map' | 'string' => {
  if (field === 'profile') return 'map'
  return listFields.has(field) ? 'list' : 'string'
}

const spelled = (values: readonly string[], prefix: string): [string, string][] =>
  values.flatMap((value) => {
    const short = value.startsWith(prefix) ? value.slice(prefix.length) : value
    return [[short, value] as [string, string], [`${prefix}${short}`, value] as [string, string]]
  })

/** The values of fields with few values: `UserStatus.ENABLED`, or `UserStatus.USER_STATUS_ENABLED`. They are texts. */
export const constants: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['UserStatus', new Map(spelled(userStatuses, 'USER_STATUS_'))],
  [
    'DirectoryStatus',
    new Map([...spelled(userStatuses, 'DIRECTORY_STATUS_'), ...spelled(userStatuses, 'USER_STATUS_')]),
  ],
  ['UserType', new Map(spelled(userTypes, 'USER_TYPE_'))],
])

export const showPath = ({ field, keys }: Path): string =>
  `subject.${field}${keys
    .map((key) => (typeof key === 'string' && /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`))
    .join('')}`

function lookAt(subject: Subject, path: Path): Looked {
  let value: Json | undefined = subject[path.field]
  for (const key of path.keys) value = at(value, key)
  return { path: showPath(path), value: value ?? null, isMissing: value === undefined }
}

function at(value: Json | undefined, key: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return typeof key === 'number' ? (value as readonly Json[])[key] : undefined
  return typeof key === 'string' && Object.hasOwn(value, key) ? (value as Record<string, Json>)[key] : undefined
}

/** The values that an expression reads, for this user. */
export function look({ paths, reads: { apps, entitlements } }: Pick<Expression, 'paths' | 'reads'>, subject: Subject) {
  return [
    ...paths.map((path) => lookAt(subject, path)),
    ...apps.map((appId) => ({
      path: `c1.user.v1.HasApp(subject, "${appId}")`,
      value: subject.apps.includes(appId),
      isMissing: false,
    })),
    ...entitlements.map((held) => ({
      path: `c1.user.v1.HasEntitlement(subject, "${held.appId}", "${held.id}")`,
      value: subject.entitlements.includes(heldKey(held)),
      isMissing: false,
    })),
  ] satisfies Looked[]
}
