import { isObject, type Json, type Resource } from '../resource.ts'
import { resolve } from './attributes.ts'
import { scimRefusal } from './refuse.ts'
import type { ResourceType } from './schema.ts'

/** The requested attributes (RFC 7644 section 3.9). Unknown names are ignored, as in resources. */
export type Asked = { readonly only: readonly string[] | null; readonly without: readonly string[] }

const namesMax = 200

export function readAsked(attributes: unknown, excludedAttributes: unknown): Asked {
  const only = namesIn(attributes)
  const without = namesIn(excludedAttributes)
  if (only && without) throw scimRefusal('invalidSyntax', 'attributes and excludedAttributes exclude each other.')
  return { only, without: without ?? [] }
}

function namesIn(value: unknown): string[] | null {
  if (value === undefined || value === null || value === '') return null
  const list: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value]
  if (!list.every((each) => typeof each === 'string'))
    throw scimRefusal('invalidSyntax', 'attributes and excludedAttributes are names of attributes.')
  const names = list.map((each) => each.trim())
  if (names.length > namesMax) throw scimRefusal('invalidSyntax', `At most ${namesMax} attributes can be named.`)
  return names.filter((each) => each !== '')
}

/** Whether an attribute of the resource is in the reply, so that it is read only if needed. */
export function asksFor(type: ResourceType, { only, without }: Asked, name: string): boolean {
  const isIt = (path: string): boolean => resolve(type, path)?.attribute.name === name
  const isWhole = (path: string): boolean => isIt(path) && resolve(type, path)?.sub === null
  return only ? only.some(isIt) : !without.some(isWhole)
}

/** Whether a sub-attribute that is returned only on request was requested (RFC 7643 section 7, "returned"). */
export const asksForSub = (type: ResourceType, { only }: Asked, name: string, subName: string): boolean =>
  (only ?? []).some((path) => {
    const found = resolve(type, path)
    return found?.attribute.name === name && found.sub?.name === subName
  })

const always: readonly string[] = ['schemas', 'id']

/** The requested part of the resource. */
export function project(type: ResourceType, { only, without }: Asked, resource: Resource): Resource {
  if (only) {
    const chosen: Resource = {}
    for (const name of always) if (resource[name] !== undefined) chosen[name] = resource[name]
    for (const path of only) keep(type, resource, chosen, path)
    return chosen
  }
  if (without.length === 0) return resource
  const rest = structuredClone(resource)
  for (const path of without) drop(type, rest, path)
  return rest
}

function placeOf(type: ResourceType, path: string): string[] | null {
  const { extension } = type
  if (extension && path.toLowerCase() === extension.urn.toLowerCase()) return [extension.urn]
  const found = resolve(type, path)
  if (!found) return null
  const inner = found.sub ? [found.attribute.name, found.sub.name] : [found.attribute.name]
  return found.extension === null ? inner : [found.extension, ...inner]
}

function keep(type: ResourceType, from: Resource, into: Resource, path: string): void {
  const place = placeOf(type, path)
  if (place) copyAt(from, into, place)
}

function copyAt(from: Resource, into: Resource, [name = '', ...rest]: readonly string[]): void {
  const value = from[name]
  if (value === undefined) return
  if (rest.length === 0) into[name] = value
  else if (Array.isArray(value)) {
    const before = (into[name] as Json[] | undefined) ?? value.map(() => ({}))
    value.forEach((each, place) => {
      if (isObject(each)) copyAt(each, before[place] as Resource, rest)
    })
    into[name] = before
  } else if (isObject(value)) {
    const inner = (into[name] as Resource | undefined) ?? {}
    copyAt(value, inner, rest)
    into[name] = inner
  }
}

function drop(type: ResourceType, from: Resource, path: string): void {
  const place = placeOf(type, path)
  if (place && !always.includes(place[0] ?? '')) removeAt(from, place)
}

function removeAt(from: Resource, [name = '', ...rest]: readonly string[]): void {
  const value = from[name]
  if (rest.length === 0) delete from[name]
  else if (Array.isArray(value)) {
    for (const each of value) if (isObject(each)) removeAt(each, rest)
  } else if (isObject(value)) removeAt(value, rest)
}
