import { anyone, type Route, signedIn } from '#kernel/routes.ts'
import type { Fields, JsonSchema, Message } from '#kernel/wire.ts'
import { constantName } from '../../operation-names.ts'

type Messages = ReadonlyMap<string, Message<Fields>>

const fieldsMax = 4
const vague = '…'
const depthMax = 2

/** A possible value of a field: shown in examples, and never sent by this server. */
function sampleOf(name: string, schema: JsonSchema, messages: Messages, depth: number): unknown {
  const { $ref, oneOf, items, type, format } = schema as {
    $ref?: string
    oneOf?: JsonSchema[]
    items?: JsonSchema
    type?: string | string[]
    format?: string
  }
  const values = schema['enum'] as readonly string[] | undefined
  const [example] = (schema['examples'] ?? []) as unknown[]
  if (example !== undefined) return example
  const one = oneOf?.find((each) => each['$ref'])
  if (one) return sampleOf(name, one, messages, depth)
  if ($ref) {
    const of = messages.get($ref.split('/').pop() as string)
    return of && depth < depthMax ? sampleMessage(of, messages, depth + 1) : {}
  }
  if (values) return values.find((value) => !value.endsWith('UNSPECIFIED')) ?? values[0]
  const kind = [type].flat()[0]
  if (kind === 'array') return items ? [sampleOf(name, items, messages, depth)] : []
  if (kind === 'boolean') return true
  if (kind === 'integer' || kind === 'number') return /size/i.test(name) ? 25 : 1
  if (kind === 'object') return {}
  if (format === 'date-time') return '2026-12-31T00:00:00Z'
  if (format === 'int64') return '1'
  return wordFor(name)
}

const wordFor = (name: string): string =>
  /ids?$/i.test(name)
    ? placeholder(name.replace(/s$/, ''))
    : /name$/i.test(name)
      ? 'Wiki editors'
      : /email/i.test(name)
        ? 'ann@example.com'
        : /url$/i.test(name)
          ? 'https://example.com/hook'
          : name === 'query'
            ? 'wiki'
            : vague

const placeholder = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()

function sampleMessage(of: Message<Fields>, messages: Messages, depth: number): Record<string, unknown> {
  const entries = Object.entries(of.fields).filter(
    ([name, { schema, isReadOnly }]) => !isReadOnly && !schema['readOnly'] && name !== 'pageToken',
  )
  const samples = entries.map(([name, { schema }]) => [name, sampleOf(name, schema, messages, depth)] as const)
  // The fields with meaningful values; if there are none, the first field shows the form.
  const telling = samples.filter(([, value]) => !isVague(value))
  return Object.fromEntries(telling.length > 0 ? telling.slice(0, fieldsMax) : samples.slice(0, 1))
}

const isVague = (value: unknown): boolean =>
  value === vague ||
  (Array.isArray(value)
    ? value.every(isVague)
    : typeof value === 'object' && value !== null && Object.values(value).every(isVague))

const isCalledByToken = (route: Route): boolean => route.allow !== signedIn && !route.ownPages && !route.redirect

/** A request with curl and with the client for TypeScript; null if only the console's own pages send it. */
export function examplesOf(route: Route, messages: Messages): { curl: string; typescript: string | null } | null {
  if (!isCalledByToken(route)) return null
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => placeholder(name))
  const body = route.body && !route.form && !route.stream ? sampleMessage(route.body, messages, 0) : null
  const hasBody = body !== null && Object.keys(body).length > 0
  const type = route.stream?.[0]
  const curl = [
    `curl -s "$BAILIWICK_URL${path}"`,
    ...(route.method === 'GET' || (route.method === 'POST' && (hasBody || route.form || type))
      ? []
      : [`-X ${route.method}`]),
    ...(route.allow === anyone ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(hasBody
      ? [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
    ...(route.form && route.body
      ? Object.keys(route.body.fields)
          .slice(0, fieldsMax)
          .map((name) => `-d ${snake(name)}=…`)
      : []),
    ...(type ? [`-H 'Content-Type: ${type}'`, '--data-binary @FILE'] : []),
    ...(route.download ? ['-OJ'] : []),
  ].join(' \\\n  ')
  return { curl, typescript: route.form || route.stream || route.download ? null : typescriptOf(route, body) }
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function typescriptOf(route: Route, body: Record<string, unknown> | null): string {
  const name = constantName(route.id)
  const parts = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, part]) => `${part}: '${placeholder(part as string)}'`)
  const input = [
    ...(parts.length > 0 ? [`path: { ${parts.join(', ')} }`] : []),
    ...(body && Object.keys(body).length > 0 ? [`body: ${literal(body)}`] : []),
  ]
  const given = input.length === 0 ? '{}' : `{\n  ${input.join(',\n  ')},\n}`
  return `import { ${name} } from '@bailiwick/client'\n\nconst reply = await bailiwick.call(${name}, ${given})`
}

/** In the syntax of TypeScript: names without quotes. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(
      ([name, each]) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ${literal(each)}`,
    )
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
  }
  return typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : String(value)
}
