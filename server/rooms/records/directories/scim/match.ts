import { isObject, type Json } from '../resource.ts'
import type { Comparison, Filter, Value } from './filter.ts'
import { scimRefusal } from './refuse.ts'
import { type Attribute, named } from './schema.ts'

const unknown = (path: string) => scimRefusal('invalidFilter', `"${path}" is not an attribute that can be filtered by.`)

/** Whether one value of an attribute matches a filter: `type eq "work"` for one of the emails. */
export function isMatch(filter: Filter, attribute: Attribute, value: Json): boolean {
  switch (filter.is) {
    case 'and':
      return filter.of.every((each) => isMatch(each, attribute, value))
    case 'or':
      return filter.of.some((each) => isMatch(each, attribute, value))
    case 'not':
      return !isMatch(filter.of, attribute, value)
    case 'some':
      throw unknown(filter.path)
    case 'present': {
      const { found } = subOf(attribute, value, filter.path)
      return found !== undefined && found !== ''
    }
    case 'compare': {
      const { sub, found } = subOf(attribute, value, filter.path)
      return compares(sub, found, filter.by, coerced(sub, filter.value))
    }
  }
}

function subOf(attribute: Attribute, value: Json, path: string): { sub: Attribute; found: Json | undefined } {
  if (!attribute.subAttributes) {
    if (path.toLowerCase() !== 'value') throw unknown(path)
    return { sub: attribute, found: value }
  }
  const sub = named(attribute.subAttributes, path)
  if (!sub) throw unknown(path)
  return { sub, found: isObject(value) ? value[sub.name] : undefined }
}

/** A boolean may be sent as text. */
export const coerced = ({ type }: Attribute, value: Value): Value =>
  type === 'boolean' && typeof value === 'string' && /^(?:true|false)$/i.test(value)
    ? value.toLowerCase() === 'true'
    : value

function compares(attribute: Attribute, found: Json | undefined, by: Comparison, value: Value): boolean {
  if (value === null || typeof value === 'boolean' || typeof found === 'boolean') {
    if (by !== 'eq' && by !== 'ne') throw scimRefusal('invalidFilter', `${by} cannot be used with ${attribute.name}.`)
    const isSame = value === null ? found === undefined : found === value
    return isSame === (by === 'eq')
  }
  if (typeof found !== 'string') return by === 'ne'
  const fold = (text: string): string => (attribute.caseExact ? text : text.toLowerCase())
  return compareText(fold(found), by, fold(String(value)))
}

function compareText(one: string, by: Comparison, other: string): boolean {
  switch (by) {
    case 'eq':
      return one === other
    case 'ne':
      return one !== other
    case 'co':
      return one.includes(other)
    case 'sw':
      return one.startsWith(other)
    case 'ew':
      return one.endsWith(other)
    case 'gt':
      return one > other
    case 'ge':
      return one >= other
    case 'lt':
      return one < other
    case 'le':
      return one <= other
  }
}
