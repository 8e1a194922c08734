import { camel, type Fields, type Message } from '#kernel/wire.ts'

/** A query string has only text; it is converted to what its fields expect, so that shapes read it like any JSON. */
export function queryAsJson(of: Message<Fields>, query: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = { ...query }
  for (const [name, value] of Object.entries(out)) {
    const known = camel(name)
    // `?constructor=` is not a field, though every object has one.
    const field = Object.hasOwn(of.fields, known) ? of.fields[known] : undefined
    const types = [field?.schema['type']].flat()
    if (types.includes('array')) out[name] = Array.isArray(value) ? value : [value]
    else if (types.includes('boolean') && (value === 'true' || value === 'false')) out[name] = value === 'true'
    else if (value === '' && types.includes('integer')) delete out[name]
  }
  return out
}
