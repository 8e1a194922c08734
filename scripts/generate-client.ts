/**
 * The client's own files, from the API document: a type for each message, each operation as a constant that carries the types
 * of what it takes and answers, and a class for each reason of a refusal. How an operation is called is in client/src.
 */
type Schema = {
  $ref?: string
  oneOf?: Schema[]
  type?: string | string[]
  items?: Schema
  enum?: readonly string[]
  format?: string
  properties?: Record<string, Schema>
  description?: string
  'x-statuses'?: Record<string, number>
  'x-omitted-by-default'?: true
}
type Parameter = { name: string; in: string; description?: string; schema: Schema }
type Content = { content?: Record<string, { schema: Schema }> }
type Operation = {
  operationId: string
  summary: string
  parameters: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const banner = '// Made from the API document by `npm run generate`. Not to be edited.\n'
const refOf = (schema: Schema): string => (schema.$ref as string).split('/').pop() as string

const isList = ({ type }: Schema): boolean => [type].flat()[0] === 'array'

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `app.v2.AppOwners` is marked as V2; what is of v1, which is most, is not. */
const versionMark = (name: string): string => {
  const version = /\.(v\d+)\./.exec(name)?.[1] ?? 'v1'
  return version === 'v1' ? '' : capital(version)
}

/**
 * `app.v1.AppUser` as `AppUser`. Where two have one name, all that is behind the version makes it: AppOwnersAddRequest of
 * `app.v1.AppOwners.AddRequest`; where that is one name too, the package is put before it: PolicyForm of `policy.v1.Form`.
 */
function typeNames(schemas: readonly string[]): (schema: string) => string {
  const last = (name: string): string => `${name.split('.').at(-1)}${versionMark(name)}`
  const bySimple = Map.groupBy(schemas, last)
  const whole = (name: string): string => name.replace(/^.*?\.v\d+\./, '').replaceAll('.', '') + versionMark(name)
  const byWhole = Map.groupBy(schemas, whole)
  const wholes = (name: string): string =>
    (byWhole.get(whole(name))?.length ?? 0) > 1 ? capital(name.split('.')[0] as string) + whole(name) : whole(name)
  return (name) => {
    const simple = last(name)
    const own = (bySimple.get(simple)?.length ?? 0) > 1 ? wholes(name) : simple
    return own === 'Error' ? 'ApiErrorBody' : own
  }
}

/** `iam.v1.PersonalClientService.List` as `personalClientList`. */
function constantNames(ids: readonly string[]): (id: string) => string {
  const simple = (id: string): string => {
    const [service = '', verb = ''] = id.split('.').slice(-2)
    const name = (service.replace(/Service$/, '') + verb).replace('SearchSearch', 'Search') + versionMark(id)
    return name.charAt(0).toLowerCase() + name.slice(1)
  }
  const taken = Map.groupBy(ids, simple)
  for (const [name, own] of taken) if (own.length > 1) throw new Error(`${own.join(' and ')} would both be ${name}`)
  return simple
}

type TypeWriter = ReturnType<typeof typeWriter>

/** Schemas as types of TypeScript. */
function typeWriter(document: Document) {
  const nameOf = typeNames(Object.keys(document.components.schemas))

  // A reply has every field: lists are never null in one, messages and times may be.
  const typeOf = (schema: Schema): string => {
    if (schema.$ref) return nameOf(refOf(schema))
    if (schema.oneOf) return schema.oneOf.map(typeOf).join(' | ')
    if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ')
    const [type = 'unknown', nullable] = [schema.type].flat()
    const orNull = nullable === 'null' ? ' | null' : ''
    switch (type) {
      case 'array': {
        const item = typeOf(schema.items as Schema)
        return item.includes(' ') ? `(${item})[]` : `${item}[]`
      }
      case 'object':
        return `${schema.properties ? fieldsOf(schema) : 'Record<string, unknown>'}${orNull}`
      case 'integer':
      case 'number':
        return `number${orNull}`
      default:
        return `${type}${orNull}`
    }
  }
  // What is absent where it is unset is never null.
  const nameIn = (name: string, { 'x-omitted-by-default': isOmitted }: Schema): string =>
    `${/^\w+$/.test(name) ? name : `'${name}'`}${isOmitted ? '?' : ''}`
  const typeIn = (of: Schema): string => (of['x-omitted-by-default'] ? typeOf(of).replace(/ \| null$/, '') : typeOf(of))
  const comment = (text: string | undefined, indent = '  '): string => (text ? `${indent}/** ${text} */\n` : '')
  const fieldsOf = (schema: Schema): string => {
    const fields = Object.entries(schema.properties ?? {})
    if (fields.length === 0) return 'Record<never, never>'
    return `{\n${fields.map(([name, of]) => `${comment(of.description)}  ${nameIn(name, of)}: ${typeIn(of)}\n`).join('')}}`
  }
  return { nameOf, typeOf, comment, fieldsOf }
}

function typesOf(document: Document, { nameOf, typeOf, comment, fieldsOf }: TypeWriter): string {
  return Object.entries(document.components.schemas)
    .map(([name, schema]) => {
      const type = schema.enum ? typeOf(schema) : fieldsOf(schema)
      return `${comment(schema.description, '')}export type ${nameOf(name)} = ${type}\n`
    })
    .join('\n')
}

const callsOf = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // What answers with no JSON, or with a file, is for browsers to go to, and not for us to call.
      .filter(([, { responses }]) => {
        const answered = Object.keys(responses['200']?.content ?? {})
        return answered.length === 1 && answered[0] === 'application/json'
      })
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

/** The field of a reply that has the items of a page; null where the reply is no page. */
function itemsOf(document: Document, reply: Schema): string | null {
  const { properties = {} } = reply.$ref ? (document.components.schemas[refOf(reply)] ?? {}) : reply
  if (!('nextPageToken' in properties)) return null
  if ('list' in properties) return 'list'
  const lists = Object.keys(properties).filter((name) => name !== 'expanded' && isList(properties[name] as Schema))
  if (lists.length !== 1) throw new Error(`${reply.$ref}: which of its lists is paged? ${lists.join(', ')}`)
  return lists[0] as string
}

/** The operations, and which types they use. */
function operationsOf(document: Document, { nameOf, typeOf }: TypeWriter): { operations: string[]; used: Set<string> } {
  const all = callsOf(document)
  const constantOf = constantNames(all.map(({ operation }) => operation.operationId))
  const used = new Set<string>()
  const use = (schema: Schema): string => {
    if (!schema.$ref) return typeOf(schema)
    used.add(nameOf(refOf(schema)))
    return nameOf(refOf(schema))
  }

  const parameters = (own: readonly Parameter[], of: string): string => {
    const fields = own.filter((parameter) => parameter.in === of)
    if (fields.length === 0) return ''
    const mark = of === 'path' ? '' : '?'
    return `${of}${mark}: { ${fields.map(({ name, schema }) => `${name}${mark}: ${typeOf(schema)}`).join('; ')} }`
  }
  const bodyOf = ({ requestBody }: Operation): string => {
    const [[type, content] = []] = Object.entries(requestBody?.content ?? {})
    if (!type || !content) return ''
    if (type === 'application/json') return `body?: Sent<${use(content.schema)}>`
    return type === 'application/x-www-form-urlencoded' ? '' : 'file: Blob'
  }

  const operations = all.map(({ path, method, operation }) => {
    const input = [
      parameters(operation.parameters, 'path'),
      parameters(operation.parameters, 'query'),
      bodyOf(operation),
    ]
    const schema = operation.responses['200']?.content?.['application/json']?.schema as Schema
    const reply = use(schema)
    const taken = input.filter((part) => part !== '').join('; ')
    const items = itemsOf(document, schema)
    const isKeyed = operation.parameters.some(({ name }) => name === 'Idempotency-Key')
    const both = `${taken === '' ? 'Record<never, never>' : `{ ${taken} }`}, ${reply}`
    return `/** ${operation.summary} */
export const ${constantOf(operation.operationId)}: ${items ? `PagedOperation<${both}, '${items}'>` : `Operation<${both}>`} = {
  id: '${operation.operationId}',
  method: '${method}',
  path: '${path}',
${items ? `  items: '${items}',\n` : ''}${isKeyed ? '  isKeyed: true,\n' : ''}}
`
  })
  return { operations, used }
}

export function clientApi(document: Document): { types: string; operations: string; errors: string } {
  const writer = typeWriter(document)
  const { operations, used } = operationsOf(document, writer)
  return {
    types: `${banner}\n${typesOf(document, writer)}`,
    errors: errorsOf(document.components.schemas['ErrorReason'] ?? {}),
    operations: `${banner}import type { Operation, PagedOperation, Sent } from '../operation.ts'
import type {
${[...used]
  .toSorted()
  .map((name) => `  ${name},\n`)
  .join('')}} from './types.ts'

${operations.join('\n')}`,
  }
}

/** `USER_NOT_FOUND` as `UserNotFoundError`. */
const classOf = (reason: string): string =>
  `${reason
    .split('_')
    .map((word) => capital(word.toLowerCase()))
    .join('')}Error`

const errorsOf = ({
  enum: reasons = [],
  'x-statuses': statuses = {},
}: Schema): string => `${banner}import { ApiError } from '../api-error.ts'
import type { ErrorReason } from './types.ts'

${reasons.map((reason) => `/** ${reason}, status ${statuses[reason]}. */\nexport class ${classOf(reason)} extends ApiError {}\n`).join('')}
/** The class of each reason. */
export const errorClasses: Readonly<Record<ErrorReason, typeof ApiError>> = {
${reasons.map((reason) => `  ${reason}: ${classOf(reason)},\n`).join('')}}
`
