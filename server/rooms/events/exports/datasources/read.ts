import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { slot } from '#kernel/memory.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { strictRules } from '#kernel/outgoing/addresses.ts'
import { urlProblem } from '#kernel/outgoing/send.ts'
import { whyUnreadable } from '#kernel/unreadable.ts'
import type { World } from '#kernel/world.ts'
import type { Datasource } from './datasource.ts'

/** The datasources in the settings are not valid. */
class DatasourcesUnusable extends OperatorError {
  override name = 'DatasourcesUnusable'
}

export type Datasources = ReadonlyMap<string, Datasource>

/** Read once, when first needed; a server reads them when it starts. */
const known = slot((world): Datasources => {
  const file = world.settings.datasourcesFile
  if (file === undefined) return new Map()
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new DatasourcesUnusable(`--datasources-file: ${whyUnreadable(file, error as NodeJS.ErrnoException)}`)
  }
  return readDatasources(text, file, world)
})

export const datasourcesOf = (world: World): Datasources => world.memory(known)

/** Reads a file of datasources; throws with the place of each mistake. */
export function readDatasources(text: string, file: string, world: Pick<World, 'settings'>): Datasources {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new DatasourcesUnusable(`--datasources-file ${file} is not JSON: ${(error as Error).message}`)
  }
  if (!isObject(json)) throw new DatasourcesUnusable(`--datasources-file ${file} must contain an object of datasources`)
  return new Map(
    Object.entries(json).map(([id, value]) => {
      const fail = (what: string): never => {
        throw new DatasourcesUnusable(`--datasources-file ${file}: the datasource ${JSON.stringify(id)} ${what}`)
      }
      if (!/^[A-Za-z0-9._-]{1,64}$/.test(id))
        fail('must have a name of at most 64 letters, digits, dots, hyphens and underscores')
      if (!isObject(value)) return fail('must be an object')
      return [id, sourceOf(id, fieldsOf(value, dirname(file), fail), world)]
    }),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Fail = (what: string) => never
type FieldsRead = ReturnType<typeof fieldsOf>

/** Reads the fields of one; unknown fields are mistakes. */
function fieldsOf(value: Record<string, unknown>, folder: string, fail: Fail) {
  const asked = new Set<string>()
  const given = (name: string): unknown => {
    asked.add(name)
    return value[name]
  }
  const text = (name: string, fallback?: string): string => {
    const found = given(name) ?? fallback
    return typeof found === 'string' && (found !== '' || fallback === '') ? found : fail(`needs a string "${name}"`)
  }
  /** Relative to the file of datasources. */
  const path = (name: string): string => {
    const found = text(name)
    return isAbsolute(found) ? found : resolve(folder, found)
  }
  return {
    fail,
    text,
    path,
    optionalPath: (name: string): string | null => (given(name) === undefined ? null : path(name)),
    flag(name: string, fallback: boolean): boolean {
      const found = given(name) ?? fallback
      return typeof found === 'boolean' ? found : fail(`needs true or false as "${name}"`)
    },
    choice<const N extends string>(name: string, names: readonly N[], fallback?: N): N {
      const found = given(name) ?? fallback
      return names.find((each) => each === found) ?? fail(`needs one of ${names.join(', ')} as "${name}"`)
    },
    seconds(name: string, fallback: number): number {
      const found = given(name) ?? fallback
      return Number.isInteger(found) && (found as number) >= 1 && (found as number) <= 86_400
        ? (found as number)
        : fail(`needs a whole number from 1 to 86400 as "${name}"`)
    },
    texts(name: string): string[] | null {
      const found = given(name)
      if (found === undefined) return null
      return Array.isArray(found) && found.every((each) => typeof each === 'string')
        ? found
        : fail(`needs a list of strings as "${name}"`)
    },
    done(): void {
      const unknown = Object.keys(value).filter((name) => !asked.has(name))
      if (unknown.length > 0) fail(`has unknown fields: ${unknown.join(', ')}`)
    },
  }
}

// The published service exports every four to five minutes.
const everySecondsUsual = 240

function sourceOf(id: string, fields: FieldsRead, world: Pick<World, 'settings'>): Datasource {
  const kind = fields.choice('kind', ['folder', 's3', 'http', 'otlp'])
  const common = {
    id,
    tenants: fields.texts('tenants'),
    everySeconds: fields.seconds('everySeconds', everySecondsUsual),
  }
  const source = ofKind(kind, common, fields, world)
  fields.done()
  return source
}

type Common = Pick<Datasource, 'id' | 'tenants' | 'everySeconds'>

function ofKind(
  kind: Datasource['kind'],
  common: Common,
  fields: FieldsRead,
  world: Pick<World, 'settings'>,
): Datasource {
  if (kind === 'folder') return { ...common, kind, path: fields.path('path') }
  if (kind === 's3') return s3Of(common, fields, world)
  const url = addressOf('url', fields, world)
  const tokenFile = fields.optionalPath('tokenFile')
  const token = {
    tokenFile,
    tokenHeader: headerOf(fields),
    tokenScheme: fields.text('tokenScheme', 'Bearer'),
  }
  if (kind === 'otlp') return { ...common, kind, url, ...token }
  return { ...common, kind, url, ...token, shape: fields.choice('shape', ['ndjson', 'splunk'], 'ndjson') }
}

function headerOf(fields: FieldsRead): string {
  const name = fields.text('tokenHeader', 'authorization').toLowerCase()
  return /^[a-z0-9-]{1,64}$/.test(name) ? name : fields.fail('needs the name of a header as "tokenHeader"')
}

function addressOf(name: string, fields: FieldsRead, { settings }: Pick<World, 'settings'>): string {
  const url = fields.text(name)
  const problem = urlProblem(url, settings.outgoing ?? strictRules)
  return problem === null ? url : fields.fail(`has a "${name}" that ${problem}`)
}

function s3Of(common: Common, fields: FieldsRead, world: Pick<World, 'settings'>): Datasource {
  const bucket = fields.text('bucket')
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) fields.fail('needs the name of a bucket as "bucket"')
  const prefix = fields.text('prefix', '')
  if (prefix !== '' && !/^[A-Za-z0-9._=+@/-]{1,200}$/.test(prefix)) fields.fail('has a "prefix" with other characters')
  return {
    ...common,
    kind: 's3',
    endpoint: addressOf('endpoint', fields, world),
    region: fields.text('region', 'us-east-1'),
    bucket,
    prefix: prefix
      .split('/')
      .filter((part) => part !== '' && !/^\.+$/.test(part))
      .join('/'),
    isPathStyle: fields.flag('pathStyle', true),
    accessKeyId: fields.text('accessKeyId'),
    secretAccessKeyFile: fields.path('secretAccessKeyFile'),
  }
}
