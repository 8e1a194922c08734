import type { Db } from '#kernel/sql.ts'

/** What the driver knows of types, by their number in PostgreSQL. */
type Types = {
  parsers: Record<number, ((text: string) => unknown) & { array?: boolean }>
  serializers: Record<number, (value: unknown) => unknown>
  shared: { typeArrayMap: Record<number, number> }
}

/**
 * Reads which types are arrays of which, by an ordinary statement that may fail like any other. The driver's own reading,
 * once for each connection, ends the process when the connection is lost meanwhile, and so it is switched off
 * (`fetch_types` in open.ts). Arrays of our own domains have other numbers in each database. To be called again when the
 * schema has changed.
 */
export async function readArrayTypes(reader: Db, ...forThese: Db[]): Promise<void> {
  const rows = await reader<{ element: number; array: number }[]>`
    select typelem::int8 as element, oid::int8 as array from pg_catalog.pg_type
    where typcategory = 'A' and typelem <> 0`
  for (const each of forThese) {
    const types = each.options as unknown as Types
    for (const { element, array } of rows) {
      const parse = types.parsers[element]
      const serialize = types.serializers[element]
      types.shared.typeArrayMap[element] = array
      types.parsers[array] = (text) => parseArray(text, parse)
      types.serializers[array] = (values) => (Array.isArray(values) ? writeArray(values, serialize) : values)
    }
  }
}

/** As PostgreSQL reads arrays: every element quoted, so that none is taken for `null` or for a delimiter. */
function writeArray(values: readonly unknown[], serialize: ((value: unknown) => unknown) | undefined): string {
  const written = values.map((value) => {
    if (Array.isArray(value)) return writeArray(value, serialize)
    if (value === null) return 'null'
    if (value === undefined) throw new TypeError('undefined is not a value in an array')
    const text = String(serialize ? serialize(value) : value)
    return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  })
  return `{${written.join(',')}}`
}

type Parsed = unknown[]

/** As PostgreSQL writes arrays. An unquoted NULL is null; a quoted one is text. */
function parseArray(text: string, parse: ((text: string) => unknown) | undefined): Parsed {
  // Lower bounds other than 1 stand before the braces: `[0:1]={a,b}`.
  let at = text.indexOf('{')
  const element = (value: string): unknown => (parse ? parse(value) : value)
  const quoted = (): string => {
    let value = ''
    for (at++; text[at] !== '"'; at++) value += text[at] === '\\' ? text[++at] : text[at]
    at++
    return value
  }
  const plain = (): unknown => {
    const begin = at
    while (text[at] !== ',' && text[at] !== '}') at++
    const value = text.slice(begin, at)
    return value === 'NULL' ? null : element(value)
  }
  const array = (): Parsed => {
    const values: Parsed = []
    for (at++; text[at] !== '}'; ) {
      if (text[at] === ',') at++
      else if (text[at] === '{') values.push(array())
      else values.push(text[at] === '"' ? element(quoted()) : plain())
    }
    at++
    return values
  }
  return array()
}
