import type { JsonSchema } from '#kernel/wire.ts'

/** The part of JSON Schema that the API document uses, and the wire's own rule: every field present, and no other. */
export type Schemas = { readonly [name: string]: JsonSchema }

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** What of a value does not fit its schema, a line each. */
export function misfits(schemas: Schemas, schema: JsonSchema, value: unknown, at = '$'): string[] {
  const { $ref: ref, oneOf, type, enum: names, items, properties, additionalProperties } = schema
  if (typeof ref === 'string') {
    const found = schemas[ref.slice('#/components/schemas/'.length)]
    return found ? misfits(schemas, found, value, at) : [`${at}: ${ref} is not in the document`]
  }
  if (Array.isArray(oneOf)) {
    const each = (oneOf as JsonSchema[]).map((one) => misfits(schemas, one, value, at))
    return each.some((wrong) => wrong.length === 0) ? [] : (each[0] as string[])
  }
  const types = [type].flat()
  const own = typeOf(value)
  if (!types.includes(own) && !(own === 'integer' && types.includes('number')))
    return [`${at}: ${own}, not ${types.join(' or ')}`]
  if (Array.isArray(names) && !names.includes(value)) return [`${at}: ${String(value)} is not one of the names`]
  if (schema['format'] === 'date-time' && typeof value === 'string' && new Date(value).toISOString() !== value)
    return [`${at}: ${value} is no time`]
  if (Array.isArray(value))
    return value.flatMap((item, i) => misfits(schemas, items as JsonSchema, item, `${at}[${i}]`))
  if (own !== 'object' || properties === undefined) return []
  const fields = properties as Schemas
  const given = value as Record<string, unknown>
  const missing = Object.keys(fields).filter(
    (name) => !Object.hasOwn(given, name) && !fields[name]?.['x-omitted-by-default'],
  )
  const unknown = additionalProperties ? [] : Object.keys(given).filter((name) => !Object.hasOwn(fields, name))
  return [
    ...missing.filter(() => !additionalProperties).map((name) => `${at}.${name}: missing`),
    ...unknown.map((name) => `${at}.${name}: not in the document`),
    ...Object.entries(fields).flatMap(([name, field]) =>
      Object.hasOwn(given, name) ? misfits(schemas, field, given[name], `${at}.${name}`) : [],
    ),
  ]
}
