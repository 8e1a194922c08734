import { type Complex, isObject, type Json, type Resource, urns } from '../resource.ts'
import { isExtension, type Resolved, resolve } from './attributes.ts'
import { comparisonsIn, type Filter, type PatchPath, parsePath } from './filter.ts'
import { isMatch } from './match.ts'
import { checked, isTaken, readValue, refuseMany } from './reading.ts'
import { scimRefusal } from './refuse.ts'
import { type Attribute, named, type ResourceType } from './schema.ts'

/**
 * PATCH of RFC 7644 section 3.5.2. Where to write is found through the schema, never by a name that was sent: there is no
 * way to reach anything but attributes.
 */
export type Operation = {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string | null
  readonly value: unknown
}

const operationsMax = 1_000
const operations: ReadonlySet<string> = new Set(['add', 'replace', 'remove'])
const wrongBody = (why: string) => scimRefusal('invalidSyntax', `The body is not a PATCH request: ${why}.`)

const fieldOf = (of: { [name: string]: unknown }, name: string): unknown =>
  Object.entries(of).find(([each]) => each.toLowerCase() === name)?.[1]

/** Some clients leave them out; a client that sends others means something else. */
function refuseOtherSchemas(sent: unknown): void {
  const schemas = (isObject(sent) ? fieldOf(sent, 'schemas') : null) ?? null
  if (schemas === null) return
  const isOurs = (each: unknown): boolean => String(each).toLowerCase() === urns.patch.toLowerCase()
  if (!Array.isArray(schemas) || !schemas.some(isOurs)) throw wrongBody(`schemas must contain ${urns.patch}`)
}

function readOperations(sent: unknown): Operation[] {
  refuseOtherSchemas(sent)
  const list = isObject(sent) ? fieldOf(sent, 'operations') : undefined
  if (!Array.isArray(list) || list.length === 0) throw wrongBody('it needs a list of Operations')
  if (list.length > operationsMax) throw wrongBody(`it has more than ${operationsMax} Operations`)
  return list.map((each: unknown) => {
    if (!isObject(each)) throw wrongBody('an operation is not an object')
    // Entra writes "Add" and "Replace".
    const op = String(fieldOf(each, 'op')).toLowerCase()
    if (!operations.has(op)) throw wrongBody('op must be add, replace or remove')
    const path = fieldOf(each, 'path') ?? null
    if (path !== null && typeof path !== 'string') throw wrongBody('path must be a string')
    const value = fieldOf(each, 'value')
    if (op === 'remove' && !path) throw scimRefusal('noTarget', 'remove needs a path.')
    if (op !== 'remove' && value === undefined) throw scimRefusal('invalidValue', `${op} needs a value.`)
    return { op: op as Operation['op'], path: path === '' ? null : path, value }
  })
}

/** One attribute, and the operation on it. */
export type Change = Resolved & {
  readonly op: Operation['op']
  readonly filter: Filter | null
  readonly value: unknown
}

const changesMax = 2_000
const comparisonsMax = 2_000

/** All that a PATCH request changes, in order. */
export function readChanges(type: ResourceType, sent: unknown): Change[] {
  const changes: Change[] = []
  let comparisons = 0
  for (const operation of readOperations(sent))
    for (const change of changesOf(type, operation)) {
      changes.push(change)
      comparisons += change.filter ? comparisonsIn(change.filter) : 0
      // An operation without a path names any number of attributes, and each value is compared in each comparison.
      if (changes.length > changesMax) throw wrongBody(`it changes more than ${changesMax} attributes`)
      if (comparisons > comparisonsMax) throw wrongBody(`its paths have more than ${comparisonsMax} comparisons`)
    }
  return changes
}

/** What an operation does, attribute by attribute: one without a path names several (section 3.5.2.1). */
function changesOf(type: ResourceType, { op, path, value }: Operation): Change[] {
  // A list next to the path says which values to remove: an empty one means none, and not all.
  if (op === 'remove' && Array.isArray(value) && value.length === 0) return []
  if (path !== null && !isExtension(type, path)) return [changeAt(type, parsePath(path), path, op, value)]
  if (op === 'remove') {
    const all = type.extension?.attributes ?? []
    const extension = type.extension?.urn ?? null
    return all.map((attribute) => ({ attribute, sub: null, extension, op, filter: null, value: undefined }))
  }
  if (!isObject(value)) throw scimRefusal('invalidValue', `${op} without a path needs an object of attributes.`)
  return Object.entries(value).flatMap(([name, each]) => namedChange(type, path, name, each, op))
}

/**
 * An entry of a value without a path: its name may itself be a path, as Entra sends it. Unknown attributes, and those that
 * clients cannot set, are ignored.
 */
function namedChange(
  type: ResourceType,
  within: string | null,
  name: string,
  value: unknown,
  op: Operation['op'],
): Change[] {
  if (within === null && isExtension(type, name))
    return isObject(value) ? Object.entries(value).flatMap(([each, one]) => namedChange(type, name, each, one, op)) : []
  const path = within === null ? name : `${within}:${name}`
  const { attribute, filter, sub } = parsePath(path)
  const found = resolve(type, sub === null ? attribute : `${attribute}.${sub}`)
  if (!found || !isTaken(found.attribute) || (found.sub && !isTaken(found.sub))) return []
  return [{ ...found, op, filter, value }]
}

function changeAt(
  type: ResourceType,
  { attribute, filter, sub }: PatchPath,
  path: string,
  op: Operation['op'],
  value: unknown,
): Change {
  const found = resolve(type, sub === null ? attribute : `${attribute}.${sub}`)
  if (!found) throw scimRefusal('invalidPath', `"${path}" is not an attribute of a ${type.name}.`)
  if (found.attribute.mutability === 'readOnly' || found.sub?.mutability === 'readOnly')
    throw scimRefusal('mutability', `"${path}" is read-only.`)
  if (filter && !found.attribute.multiValued)
    throw scimRefusal('invalidPath', `"${found.attribute.name}" has one value: it takes no filter.`)
  return { ...found, op, filter, value }
}

/** The resource after all changes; the one that is passed in stays unchanged. */
export function patched(type: ResourceType, resource: Resource, changes: readonly Change[]): Resource {
  const after = structuredClone(resource)
  for (const change of changes) {
    // Never stored, so nothing changes.
    if (change.attribute.mutability === 'writeOnly') continue
    if (change.extension === null) apply(after, change)
    else {
      const inner = (after[change.extension] as Resource | undefined) ?? {}
      apply(inner, change)
      if (Object.keys(inner).length > 0) after[change.extension] = inner
      else delete after[change.extension]
    }
  }
  return checked(type, after)
}

function apply(target: Resource, change: Change): void {
  const { attribute } = change
  if (attribute.multiValued) {
    const list = ofMany(change, (target[attribute.name] as Json[]) ?? [])
    refuseMany(list, attribute.name)
    put(target, attribute.name, list)
  } else if (change.sub)
    put(target, attribute.name, withSub(change, change.sub, (target[attribute.name] as Complex) ?? {}))
  else if (change.op === 'remove') delete target[attribute.name]
  else put(target, attribute.name, single(change, target[attribute.name]))
}

function put(target: Resource, name: string, value: Json | undefined): void {
  const isEmpty =
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  if (isEmpty) delete target[name]
  else target[name] = value
}

/** Of a complex attribute, the sub-attributes that are sent are replaced and the others stay. */
function single({ attribute, value }: Change, before: Json | undefined): Json | undefined {
  const read = readValue(attribute, value)
  if (!isObject(read) || !isObject(before)) return read
  // The reference and the name of the previous manager, if not sent again, do not apply to another one.
  const { $ref: _ref, displayName: _name, ...rest } = before
  const isOther = read['value'] !== undefined && read['value'] !== before['value']
  return isOther && named(attribute.subAttributes ?? [], '$ref') ? { ...rest, ...read } : { ...before, ...read }
}

function withSub({ op, value }: Pick<Change, 'op' | 'value'>, sub: Attribute, before: Complex): Complex {
  const { [sub.name]: _, ...rest } = before
  const read = op === 'remove' ? undefined : readValue(sub, value)
  return read === undefined ? rest : { ...rest, [sub.name]: read }
}

function ofMany(change: Change, list: readonly Json[]): Json[] {
  const { attribute, filter, op } = change
  if (!filter) return change.sub ? eachOfMany(change, change.sub, list, () => true) : wholeOfMany(change, list)
  const fits = (each: Json): boolean => isMatch(filter, attribute, each)
  if (list.some(fits)) return chosenOfMany(change, list, fits)
  if (op === 'remove') return [...list]
  return added(list, [newValue(change, filter)])
}

/**
 * No value was selected. According to section 3.5.2.3 "replace" fails then; Entra sends it nevertheless, with a filter that
 * describes the new value, as in `emails[type eq "work"].value`: that value is added.
 */
function newValue(change: Change, filter: Filter): Complex {
  const { attribute, sub, op, value } = change
  const said = saidBy(filter, attribute)
  if (!said || (op === 'replace' && !sub))
    throw scimRefusal('noTarget', `No value of ${attribute.name} matches the filter of the path.`)
  if (sub) return withSub({ op, value }, sub, said)
  const read = readValue({ ...attribute, multiValued: false }, value)
  return { ...said, ...(isObject(read) ? read : {}) }
}

/** The value that a filter describes, if it consists only of equalities. */
function saidBy(filter: Filter, attribute: Attribute): Complex | null {
  if (filter.is === 'and') {
    const all = filter.of.map((each) => saidBy(each, attribute))
    return all.includes(null) ? null : Object.fromEntries(all.flatMap((each) => Object.entries(each ?? {})))
  }
  if (filter.is !== 'compare' || filter.by !== 'eq') return null
  const sub = named(attribute.subAttributes ?? [], filter.path)
  const value = sub && readValue(sub, filter.value)
  return sub && value !== undefined && value !== null ? { [sub.name]: value } : null
}

function wholeOfMany({ attribute, op, value }: Change, list: readonly Json[]): Json[] {
  // Entra removes values by listing them next to the path.
  const given = (readValue(attribute, value) as Json[] | undefined) ?? []
  if (op === 'remove') return given.length === 0 ? [] : without(list, given)
  return op === 'replace' ? given : added(list, given)
}

/** Two values are equal if their keys are: a thousand operations compare many. */
const keyOf = (value: Json): string =>
  JSON.stringify(isObject(value) ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)) : value)

function without(list: readonly Json[], given: readonly Json[]): Json[] {
  const keys = new Set(given.map(keyOf))
  const values = new Set(given.flatMap((one) => (isObject(one) && one['value'] !== undefined ? [one['value']] : [])))
  const isGiven = (each: Json): boolean =>
    keys.has(keyOf(each)) || (isObject(each) && each['value'] !== undefined && values.has(each['value']))
  return list.filter((each) => !isGiven(each))
}

function chosenOfMany(change: Change, list: readonly Json[], fits: (each: Json) => boolean): Json[] {
  const { attribute, op, sub, value } = change
  if (sub) return eachOfMany(change, sub, list, fits)
  if (op === 'remove') return list.filter((each) => !fits(each))
  const read = readValue({ ...attribute, multiValued: false }, value)
  const changed = (each: Json): Json =>
    op === 'add' && isObject(each) && isObject(read) ? { ...each, ...read } : (read ?? each)
  return settledAt(
    list.map((each) => (fits(each) ? changed(each) : each)),
    placesOf(list, fits),
  )
}

function eachOfMany(change: Change, sub: Attribute, list: readonly Json[], fits: (each: Json) => boolean): Json[] {
  if (list.length === 0 && change.op !== 'remove') return [withSub(change, sub, {})]
  const after = list.map((each) => (fits(each) ? withSub(change, sub, isObject(each) ? each : {}) : each))
  const isPrimary = sub.name === 'primary' && change.op !== 'remove'
  return (isPrimary ? settledAt(after, placesOf(list, fits)) : after).filter(
    (each) => !isObject(each) || Object.keys(each).length > 0,
  )
}

/** Existing values are not added again (section 3.5.2.1). */
function added(list: readonly Json[], given: readonly Json[]): Json[] {
  const known = new Set(list.map(keyOf))
  const fresh = given.filter((one) => !known.has(keyOf(one)))
  const all = [...list, ...fresh]
  return settledAt(all, new Set(fresh.map((_, place) => list.length + place)))
}

const placesOf = (list: readonly Json[], fits: (each: Json) => boolean): Set<number> =>
  new Set(list.flatMap((each, place) => (fits(each) ? [place] : [])))

/** A value that becomes the primary one takes that from the others (section 3.5.2). */
function settledAt(list: Json[], touched: ReadonlySet<number>): Json[] {
  const isPrimary = (each: Json): boolean => isObject(each) && each['primary'] === true
  const last = list.findLastIndex((each, place) => touched.has(place) && isPrimary(each))
  if (last < 0) return list
  return list.map((each, place) =>
    place !== last && isPrimary(each) ? { ...(each as Complex), primary: false } : each,
  )
}
