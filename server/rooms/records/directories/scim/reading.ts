import { isPlainAddress, isSingleLine, singleLineHint } from '#kernel/single-line.ts'
import { type Complex, isObject, type Json, type Resource } from '../resource.ts'
import { scimRefusal } from './refuse.ts'
import { type Attribute, named, type ResourceType } from './schema.ts'

const textLengthMax = 4_000
const valuesMax = 200
/** As JSON: anything longer is not a description of a person. */
const resourceLengthMax = 64 * 1024

const invalid = (field: string, why: string) => scimRefusal('invalidValue', `${field}: ${why}.`)

export function refuseMany(list: readonly unknown[], field: string): void {
  if (list.length > valuesMax) throw invalid(field, `must have at most ${valuesMax} values`)
}

/** A value of an attribute as it is stored; undefined if it is empty: null, or an empty text, list or object. */
export function readValue(attribute: Attribute, value: unknown, field = attribute.name): Json | undefined {
  if (value === null || value === undefined || value === '') return undefined
  // Entra sends one value in a list, as for the manager of a user.
  if (!attribute.multiValued)
    return readSingle(attribute, Array.isArray(value) && value.length <= 1 ? value[0] : value, field)
  const list = Array.isArray(value) ? value : [value]
  refuseMany(list, field)
  const read = list.flatMap((each) => {
    const one = readSingle(attribute, each, field)
    return one === undefined ? [] : [one]
  })
  return read.length === 0 ? undefined : onePrimary(attribute, read)
}

/** If several are marked as primary, the last one is: at most one may be (RFC 7643 section 2.4). */
function onePrimary(attribute: Attribute, list: Json[]): Json[] {
  if (!named(attribute.subAttributes ?? [], 'primary')) return list
  const last = list.findLastIndex((each) => isObject(each) && each['primary'] === true)
  return list.map((each, place) =>
    isObject(each) && each['primary'] === true && place !== last ? { ...each, primary: false } : each,
  )
}

function readSingle(attribute: Attribute, value: unknown, field: string): Json | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (attribute.type === 'boolean') return readBoolean(value, field)
  return attribute.type === 'complex' ? readComplex(attribute, value, field) : readText(value, field)
}

/** Entra sends "True" and "False". */
function readBoolean(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  throw invalid(field, 'must be true or false')
}

const ofSeveralLines = /^addresses\b|^streetAddress$/
const ofEmails = /^emails(?:\.value)?$/

function readText(value: unknown, field: string): string {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') throw invalid(field, 'must be a string')
  if (text.length > textLengthMax) throw invalid(field, `must have at most ${textLengthMax} characters`)
  if (text.includes('\0') || !text.isWellFormed()) throw invalid(field, 'must be text')
  if (!isSingleLine(text) && !ofSeveralLines.test(field)) throw invalid(field, singleLineHint)
  if (ofEmails.test(field) && !isPlainAddress(text.trim())) throw invalid(field, 'must be an email address')
  return text
}

function readComplex(attribute: Attribute, value: unknown, field: string): Complex | undefined {
  // Entra sends the id of a manager as a plain value, and others an email address.
  if (typeof value === 'string' || typeof value === 'number')
    return named(attribute.subAttributes ?? [], 'value') ? { value: readText(value, field) } : refuseShape(field)
  if (!isObject(value)) return refuseShape(field)
  const read: Complex = {}
  for (const [name, each] of Object.entries(value)) {
    const sub = named(attribute.subAttributes ?? [], name)
    if (!sub) continue
    const one = readValue(sub, each, `${field}.${sub.name}`)
    if (one !== undefined) read[sub.name] = one
  }
  return Object.keys(read).length === 0 ? undefined : read
}

const refuseShape = (field: string): never => {
  throw invalid(field, 'must be an object')
}

/** What clients may set: neither what only this server sets, nor what is never stored. */
export const isTaken = ({ mutability }: Attribute): boolean => mutability === 'readWrite' || mutability === 'immutable'

/** A resource as a client sends it, as a whole. Attributes that are unknown, or that clients cannot set, are ignored. */
export function readResource(type: ResourceType, sent: unknown): Resource {
  if (!isObject(sent)) throw scimRefusal('invalidSyntax', 'The body must be a SCIM resource: a JSON object.')
  refuseOtherSchemas(type, sent)
  const read: Resource = {}
  for (const [name, value] of Object.entries(sent)) takeAttribute(type, read, name, value)
  return checked(type, read)
}

function refuseOtherSchemas(type: ResourceType, sent: { [name: string]: unknown }): void {
  const [, schemas] = Object.entries(sent).find(([name]) => name.toLowerCase() === 'schemas') ?? []
  if (schemas === undefined || schemas === null) return
  const isOurs = (each: unknown): boolean => String(each).toLowerCase() === type.schema.urn.toLowerCase()
  if (!Array.isArray(schemas) || !schemas.some(isOurs))
    throw scimRefusal('invalidSyntax', `schemas must contain ${type.schema.urn}.`)
}

const externalIdAttribute: Attribute = {
  name: 'externalId',
  type: 'string',
  multiValued: false,
  description: '',
  required: false,
  caseExact: true,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
}

function takeAttribute(type: ResourceType, into: Resource, name: string, value: unknown): void {
  const { schema, extension } = type
  if (extension && name.toLowerCase() === extension.urn.toLowerCase()) {
    if (!isObject(value)) return
    const read: Complex = {}
    for (const [each, inner] of Object.entries(value)) {
      const attribute = named(extension.attributes, each)
      const one = attribute ? readValue(attribute, inner) : undefined
      if (attribute && one !== undefined) read[attribute.name] = one
    }
    if (Object.keys(read).length > 0) into[extension.urn] = read
    return
  }
  const attribute = name.toLowerCase() === 'externalid' ? externalIdAttribute : named(schema.attributes, name)
  if (!attribute || !isTaken(attribute)) return
  const read = readValue(attribute, value)
  if (read !== undefined) into[attribute.name] = read
}

const hasText = (value: Json | undefined): boolean => typeof value === 'string' && value.trim() !== ''

/** Checks the resource as a whole. */
export function checked(type: ResourceType, resource: Resource): Resource {
  for (const { name, required } of type.schema.attributes)
    if (required && !hasText(resource[name])) throw scimRefusal('invalidValue', `${name} is required.`)
  const { members: _, ...described } = resource
  if (JSON.stringify(described).length > resourceLengthMax)
    throw scimRefusal('invalidValue', `The resource is larger than ${resourceLengthMax / 1024} KiB.`)
  return resource
}
