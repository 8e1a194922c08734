import { jsonExcess, parseJson } from '#kernel/json.ts'
import { type Kind, type KindName, kindNamed, kindNames, kinds, spellingsOf, type Values } from '../kinds.ts'
import { missingColumns } from './columns.ts'
import { type Field, Wrong } from './fields.ts'

export type Refused = { line: number; kind: KindName | null; reason: string }

/** Receives the lines of a file. */
export type Taker = {
  take(kind: KindName, line: number, values: Values): void
  refuse(refused: Refused): void
  /** A field that no kind has, such as `user.shoeSize`. */
  ignore(field: string): void
}

export type RecordReader = {
  /** A line of JSON Lines. */
  json(line: number, text: string): void
  /** A row of CSV; the first is the header. */
  row(line: number, cells: readonly string[]): void
}

type Prepared = {
  kind: Kind
  spellings: Map<string, { name: string; field: Field }>
  unset: Values
  required: string[]
}
const prepared = new Map(
  kindNames.map((name): [KindName, Prepared] => {
    const fields = Object.entries(kinds[name].fields)
    return [
      name,
      {
        kind: kinds[name],
        spellings: spellingsOf(kinds[name]),
        unset: Object.fromEntries(fields.map(([field, { unset }]) => [field, unset])),
        required: fields.filter(([, { isRequired }]) => isRequired).map(([field]) => field),
      },
    ]
  }),
)

const jsonLimits = { depthMax: 64, namesMax: 10_000 }

// Clocks differ; a grant that begins later than this is not held yet.
const skewMs = 5 * 60_000

/** Reads records, in either spelling of their fields. Fields that a record omits, or has as null, are unset. */
export function recordReader(taker: Taker, options: { kind: KindName | null; now: Date }): RecordReader {
  const read = fieldReader(taker, new Date(options.now.getTime() + skewMs))
  const known = kindNames.join(', ')
  let header: Header | null = null

  const kindOf = (line: number, given: unknown): KindName | null => {
    const isGiven = given !== undefined && given !== null && given !== ''
    const kind = isGiven ? kindNamed(given) : options.kind
    if (!kind) {
      const reason = isGiven ? `kind: ${told(given)} is not one of ${known}` : `kind: is missing; it is one of ${known}`
      taker.refuse({ line, kind: null, reason })
    }
    return kind
  }

  /** Without a column that every record of the kind needs, the file is refused once instead of in each of its lines. */
  const refuseIncomplete = (of: Header, line: number, kind: KindName): boolean => {
    if (of.complete.has(kind)) return false
    const reason = missingColumns(kind, of.names)
    if (reason === null) {
      of.complete.add(kind)
      return false
    }
    of.problem = reason
    taker.refuse({ line, kind, reason })
    return true
  }

  return {
    json(line, text) {
      if (isBlank(text)) return
      const excess = jsonExcess(text, jsonLimits)
      if (excess) return taker.refuse({ line, kind: null, reason: excess })
      let given: unknown
      try {
        given = parseJson(text)
      } catch {
        return taker.refuse({ line, kind: null, reason: 'is not JSON' })
      }
      if (typeof given !== 'object' || given === null || Array.isArray(given))
        return taker.refuse({ line, kind: null, reason: 'is not a JSON object' })
      const kind = kindOf(line, (given as { kind?: unknown }).kind)
      if (kind) read(line, kind, given)
    },
    row(line, cells) {
      if (!header) {
        header = headerOf(cells)
        if (header.problem) taker.refuse({ line, kind: null, reason: header.problem })
        else if (header.kindAt < 0 && !options.kind)
          taker.refuse({
            line,
            kind: null,
            reason: 'there is no column "kind": choose a record type (kind) for all lines, or add the column',
          })
        else if (header.kindAt < 0 && options.kind) refuseIncomplete(header, line, options.kind)
        return
      }
      if (header.problem || (header.kindAt < 0 && !options.kind)) return
      if (cells.length !== header.names.length) {
        const reason = `has ${cells.length} cells where the header has ${header.names.length}`
        return taker.refuse({ line, kind: null, reason })
      }
      const kind = kindOf(line, header.kindAt < 0 ? undefined : cells[header.kindAt])
      if (!kind || refuseIncomplete(header, line, kind)) return
      read(line, kind, objectOf(header, prepared.get(kind) as Prepared, cells))
    },
  }
}

/** Reads the fields of a record, and passes on what they contain, or why the record is refused. */
function fieldReader(taker: Taker, latest: Date) {
  return (line: number, name: KindName, given: object): void => {
    const { kind, spellings, unset, required } = prepared.get(name) as Prepared
    const values: Values = { ...unset }
    const problems: string[] = []
    let hasKey = true
    for (const spelling in given) {
      const value = (given as Values)[spelling]
      if (value === null || value === undefined) continue
      const found = spellings.get(spelling)
      if (!found) {
        if (spelling !== 'kind') taker.ignore(`${name}.${spelling}`)
        continue
      }
      const result = found.field.read(value)
      if (result instanceof Wrong) problems.push(`${found.name}: ${result.reason}`)
      else values[found.name] = result
    }
    for (const field of required) {
      if (values[field] !== '') continue
      if (!problems.some((problem) => problem.startsWith(`${field}:`))) problems.push(`${field}: is missing`)
      if (field !== 'displayName') hasKey = false
    }
    if (problems.length === 0) {
      const problem = kind.complete?.(values)
      if (problem) problems.push(`${problem.field}: ${problem.wrong.reason}`)
      if (name === 'grant' && values['grantedAt'] && (values['grantedAt'] as Date) > latest)
        problems.push('grantedAt: is in the future')
    }
    if (problems.length > 0) taker.refuse({ line, kind: name, reason: problems.join('; ') })
    // The key of a refused line is noted too: lines that name it as their parent are not refused for that.
    if (hasKey) taker.take(name, line, values)
  }
}

const isBlank = (text: string): boolean => text === '' || text === '\r' || /^\s*$/.test(text)

const told = (given: unknown): string => {
  const text = JSON.stringify(given)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

type Header = {
  names: readonly string[]
  kindAt: number
  problem: string | null
  /** The kinds for which the header has all columns that their records need. */
  complete: Set<KindName>
}

function headerOf(cells: readonly string[]): Header {
  const names = cells.map((cell) => cell.trim())
  const seen = new Set<string>()
  const twice = names.find((name) => seen.size === seen.add(name).size)
  return {
    names,
    kindAt: names.indexOf('kind'),
    problem: twice === undefined ? null : `two columns have the name ${told(twice)}`,
    complete: new Set(),
  }
}

const profilePrefix = 'profile.'
const listSeparator = ';'

/** A row of CSV in the form of JSON: an empty cell is unset, a list is split, `profile.site` is `site` in the profile. */
function objectOf({ names, kindAt }: Header, { spellings }: Prepared, cells: readonly string[]): Values {
  const given: Values = {}
  let profile: Values | null = null
  for (const [at, name] of names.entries()) {
    const cell = cells[at] as string
    if (cell === '' || at === kindAt) continue
    if (name.startsWith(profilePrefix) && spellings.has('profile')) {
      profile ??= Object.create(null) as Values
      profile[name.slice(profilePrefix.length)] = cell
      continue
    }
    const type = spellings.get(name)?.field.type
    given[name] = type === 'text[]' ? cell.split(listSeparator).map((item) => item.trim()) : cell
  }
  if (profile) given['profile'] = profile
  return given
}
