import { notSupported } from '../refusals.ts'
import type { JsonSchema, Shape } from './shape.ts'

export const described = <T>(shape: Shape<T>, description: string): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, description },
})

const isEmpty = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() === '' : value === null || (Array.isArray(value) && value.length === 0)

/** The schema of a value that must not be empty. */
function filled({ schema, limits = {} }: Shape<never> | Shape<unknown>): JsonSchema {
  const { type, oneOf: either, enum: names } = schema
  if (Array.isArray(either)) return { oneOf: undefined, ...(either as JsonSchema[])[0] }
  if (Array.isArray(names)) return { enum: names.slice(1) }
  const [own] = [type].flat()
  if (own === 'array') return { ...limits, type: own, minItems: 1 }
  return own === 'string' ? { pattern: '\\S', ...limits, type: own, minLength: 1 } : { ...limits, type: own }
}

const isOfChars = ({ type, enum: names, format }: JsonSchema): boolean =>
  ['string', 'array'].includes([type].flat()[0] as string) && !names && !format

/** A required field of a request: if it is unset or blank, the request is refused, with `description`. */
export const required = <T>(
  shape: Shape<T>,
  description = isOfChars(shape.schema) ? 'must not be empty' : 'must be given',
): Shape<NonNullable<T>> =>
  ({
    ...shape,
    isRequired: true,
    limits: filled(shape),
    read(json, at, problems) {
      const before = problems.length
      const value = shape.read(json, at, problems)
      const isUnnamed = 'enum' in shape.schema && value === shape.unset
      if (problems.length === before && (isUnnamed || isEmpty(value))) problems.push({ field: at, description })
      return value
    },
  }) satisfies Shape<T> as unknown as Shape<NonNullable<T>>

/**
 * A field that is omitted if it is unset, as other specifications require, or because a published client does not read
 * null there.
 */
export const leftOut = <T>(shape: Shape<T>): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, 'x-omitted-by-default': true },
  isLeftOut: true,
})

/** Set by the service: what a caller sends for it is ignored. */
export const readOnly = <T>(shape: Shape<T>): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, readOnly: true },
  limits: {},
  isReadOnly: true,
  read: () => shape.unset,
})

/** As `readOnly`, for what the published API lets clients set: an update with another value is refused. */
export const fixed = <T>(shape: Shape<T>): Shape<T> => ({ ...readOnly(shape), fixed: shape })

/**
 * Whether a value is equivalent to an unset field: clients send such fields along. An object counts with its fields;
 * one that contains another object selects one of several kinds, even if that one is empty.
 */
export const isUnset = (json: unknown): boolean => {
  if (json === null || json === undefined || json === '' || json === 0 || json === false) return true
  if (typeof json === 'string') return json.endsWith('_UNSPECIFIED')
  if (Array.isArray(json)) return json.length === 0
  return typeof json === 'object' && Object.values(json).every((value) => !isObject(value) && isUnset(value))
}
const isObject = (json: unknown): boolean => typeof json === 'object' && json !== null && !Array.isArray(json)

const always = (written: string) => (): string => written

/**
 * A published field of a feature that Bailiwick does not have: always unset, and refused if a request sets it.
 * `instead` is a sentence about what to do instead, or about the reason.
 */
export const neverSet = <T>(shape: Shape<T>, instead = ''): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, description: `Not supported: setting it is refused. ${instead}`.trimEnd() },
  limits: {},
  write: () => shape.write(shape.unset),
  text: always(shape.text(shape.unset)),
  read(json, at, problems) {
    if (!isUnset(json))
      problems.push(notSupported(at, ...(instead ? [`is not supported by this service. ${instead}`] : [])))
    return shape.unset
  },
})
