import { ScimFailed } from './failed.ts'

export type Json = { readonly [name: string]: unknown }

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Attribute names are compared ignoring case (RFC 7643 section 2.1), and apps do write them differently. */
export function attribute(of: Json, name: string): unknown {
  if (Object.hasOwn(of, name)) return of[name]
  const lower = name.toLowerCase()
  const found = Object.keys(of).find((each) => each.toLowerCase() === lower)
  return found === undefined ? undefined : of[found]
}

/** Text; empty if it is absent or something else: attributes that are only shown are not a reason to refuse an app. */
export const textOf = (of: Json, name: string): string => {
  const value = attribute(of, name)
  return typeof value === 'string' ? value : ''
}

const idBytesMax = 512
/** The id of an object in an app. Everything depends on it: an invalid one is refused. */
export function idOf(of: Json, what: string): string {
  const id = attribute(of, 'id')
  if (typeof id !== 'string' || id === '')
    throw new ScimFailed(`The app returned a ${what} whose id is empty or not text.`)
  if (Buffer.byteLength(id) > idBytesMax || id.includes('\0') || !id.isWellFormed())
    throw new ScimFailed(`The app returned a ${what} whose id is longer than ${idBytesMax} bytes or cannot be stored.`)
  return id
}

/** A list; null if it is absent. */
export function listOf(of: Json, name: string, where: string): readonly unknown[] | null {
  const value = attribute(of, name)
  if (value === undefined || value === null) return null
  if (!Array.isArray(value)) throw new ScimFailed(`${where}: ${name} is not a list.`)
  return value as readonly unknown[]
}

/** Some apps write booleans as text. */
export const isFalse = (value: unknown): boolean =>
  value === false || (typeof value === 'string' && value.toLowerCase() === 'false')
