import type { Fields, Message } from '#kernel/wire.ts'

/** A query string has only text; what its fields expect is made of it, so that shapes read it like any JSON. */
export function queryAsJson(of: Message<Fields>, query: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = { ...query }
  for (const [name, value] of Object.entries(out)) {
    const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    // `?constructor=` is no field, though every object has one.
    const field = Object.hasOwn(of.fields, camel) ? of.fields[camel] : undefined
    const types = [field?.schema['type']].flat()
    if (types.includes('array')) out[name] = Array.isArray(value) ? value : [value]
    else if (types.includes('boolean') && (value === 'true' || value === 'false')) out[name] = value === 'true'
    else if (value === '' && types.includes('integer')) delete out[name]
  }
  return out
}
