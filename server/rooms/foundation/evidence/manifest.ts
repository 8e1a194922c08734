import { createHash } from 'node:crypto'
import { idPattern } from '#kernel/ids.ts'
import { entryName } from './archive/write.ts'

export const format = 'bailiwick-evidence'
export const formatVersion = 1

/** What a file of a pack is for. */
export const roles = ['data', 'table', 'document', 'events', 'log', 'readme'] as const
export type Role = (typeof roles)[number]

/** Says what a pack is about and what is in it; this is what is signed. */
export type Manifest = {
  format: typeof format
  version: typeof formatVersion
  /** What kind of subject: another kind has other data, in the same bundle. */
  kind: string
  id: string
  tenant: { id: string; domain: string }
  /** In words: `the members of Admin of firmware-core (Source Code)`. */
  subject: string
  asOf: string
  createdAt: string
  createdBy: { id: string; name: string }
  program: string
  /** The fingerprint of the key that signs it. */
  key: string
  files: { name: string; role: Role; bytes: number; sha256: string }[]
}

export const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** JSON in the one form that is accepted: a text with duplicate names, or other spaces, is not read. */
export const canonical = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

/** The value of a text that is in that form; undefined otherwise. */
export function readCanonical(content: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content))
    return canonical(value).equals(content) ? value : undefined
  } catch {
    return undefined
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTime = (value: unknown): value is string =>
  isText(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value
const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isFile = (value: unknown): boolean =>
  isObject(value) &&
  hasOnly(value, ['name', 'role', 'bytes', 'sha256']) &&
  isText(value['name']) &&
  entryName.test(value['name']) &&
  roles.some((role) => role === value['role']) &&
  Number.isSafeInteger(value['bytes']) &&
  isText(value['sha256']) &&
  /^[0-9a-f]{64}$/.test(value['sha256'])

const hasOnly = (value: object, names: readonly string[]): boolean => Object.keys(value).join() === names.join()

const fields = 'format version kind id tenant subject asOf createdAt createdBy program key files'.split(' ')

/** A manifest, if the text is one as this version writes it; null otherwise. */
export function readManifest(content: Buffer): Manifest | null {
  const value = readCanonical(content)
  if (!isObject(value) || !hasOnly(value, fields)) return null
  const { tenant, createdBy, files } = value
  const isManifest =
    value['format'] === format &&
    value['version'] === formatVersion &&
    ['kind', 'subject', 'program', 'key'].every((name) => isText(value[name])) &&
    isText(value['id']) &&
    idPattern.test(value['id']) &&
    ['asOf', 'createdAt'].every((name) => isTime(value[name])) &&
    isObject(tenant) &&
    hasOnly(tenant, ['id', 'domain']) &&
    Object.values(tenant).every(isText) &&
    isObject(createdBy) &&
    hasOnly(createdBy, ['id', 'name']) &&
    Object.values(createdBy).every(isText) &&
    Array.isArray(files) &&
    files.every(isFile)
  return isManifest ? (value as Manifest) : null
}
