import { toSingleLine } from '#kernel/single-line.ts'
import type { Group, Setting } from './entry.ts'

/** What a program says about its settings. */
export type Declared = { displayName: string; settings: readonly Setting[]; groups: readonly Group[] }

const settingsMax = 100
const textMax = 500
const settingForm = /^[a-z][a-z0-9_-]{0,63}$/

type Json = { readonly [name: string]: unknown }
const isObject = (json: unknown): json is Json => typeof json === 'object' && json !== null && !Array.isArray(json)
const lineOf = (json: unknown): string =>
  typeof json === 'string' ? toSingleLine(json.toWellFormed()).slice(0, textMax) : ''
const listIn = (json: unknown): Json[] => (Array.isArray(json) ? json.slice(0, settingsMax).filter(isObject) : [])

const types: readonly [field: string, type: Setting['type']][] = [
  ['boolField', 'bool'],
  ['intField', 'int'],
  ['stringSliceField', 'list'],
  ['stringField', 'string'],
]

/**
 * What the command `config` of a connector prints: its settings as JSON. Settings for operators, such as how much is logged, and
 * those that this server sets are left out. Null if it is something else.
 */
export function readDeclared(text: string): Declared | null {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(json) || !Array.isArray(json['fields'])) return null
  const settings = listIn(json['fields']).flatMap((field): Setting[] => {
    const { name } = field
    const type = types.find(([key]) => key in field)?.[1]
    if (typeof name !== 'string' || !settingForm.test(name) || field['isOps'] === true || !type) return []
    if (isReserved(name)) return []
    return [
      {
        name,
        description: lineOf(field['description']) || lineOf(field['displayName']),
        type,
        isRequired: field['isRequired'] === true,
        isSecret: field['isSecret'] === true,
        example: lineOf(field['placeholder']),
      },
    ]
  })
  const known = new Set(settings.map(({ name }) => name))
  const groups = listIn(json['fieldGroups']).map((group) => ({
    name: lineOf(group['name']),
    displayName: lineOf(group['displayName']) || lineOf(group['name']),
    isDefault: group['default'] === true,
    settings: (Array.isArray(group['fields']) ? group['fields'] : []).filter((name) => known.has(name as string)),
  }))
  return {
    displayName: lineOf(json['displayName']),
    settings,
    groups: groups.filter(({ settings: of }) => of.length > 0),
  }
}

/** Settings that decide whom a connector reports to, what it does and where it writes: set by this server only. */
const reserved = new Set([
  ...['client-id', 'client-secret', 'c1-api-host', 'host-id', 'config-path', 'provisioning', 'get-tasks', 'file'],
  ...['log-format', 'log-level', 'log-output-path', 'storage-engine', 'c1z-temp-dir', 'health-check', 'skip-full-sync'],
  ...['task-concurrency', 'connector-service-listener-fd', 'keep-sync-count', 'skip-cleanup'],
])
const reservedPrefixes = ['otel-', 'health-check-', 'lambda-', 'compact-', 'external-resource-']

export function isReserved(name: string): boolean {
  const plain = name.replaceAll('_', '-')
  return reserved.has(plain) || reservedPrefixes.some((prefix) => plain.startsWith(prefix))
}
