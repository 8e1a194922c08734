import {
  type CelFunc,
  type CelInput,
  type CelList,
  CelScalar,
  type CelValue,
  celEnv,
  celFunc,
  celList,
  celListConcat,
  celMethod,
  listType,
  mapType,
  objectType,
} from '@bufbuild/cel'
import { RE2JS } from '@bufbuild/re2'
import { containsTimes, costOfMatch, costOfText, costs, iterableMax, matchable, spend, textMax } from '../budget.ts'
import { patternSize } from './patterns.ts'
import { lookupFunctions } from './people.ts'
import { urlFunctions } from './urls.ts'
import { compareText, equals, sizeOfText } from './values.ts'

const { BOOL, DOUBLE, DYN, INT, STRING, UINT } = CelScalar
const LIST = listType(DYN)
const MAP = mapType(DYN, DYN)
const TIMESTAMP = objectType('google.protobuf.Timestamp')

let moment = new Date(0)
/** Sets what now() returns from here on. */
export const setMoment = (now: Date): void => {
  moment = now
}

/** As a message of protobuf: the library recognizes the plain object by its type name. */
export const timestampOf = (milliseconds: number) => {
  const seconds = Math.floor(milliseconds / 1000)
  return {
    $typeName: 'google.protobuf.Timestamp' as const,
    seconds: BigInt(seconds),
    nanos: (milliseconds - seconds * 1000) * 1_000_000,
  }
}

export const durationOf = (seconds: number) => ({
  $typeName: 'google.protobuf.Duration' as const,
  seconds: BigInt(Math.trunc(seconds)),
  nanos: 0,
})

type Pattern = { matches(text: string): boolean; size: number }
const patterns = new Map<string, Pattern>()
const patternsMax = 1000

/** Compiled once: that costs a thousand times as much as matching a short text. Throws if RE2 refuses it. */
export function patternOf(source: string): Pattern {
  const known = patterns.get(source)
  if (known) return known
  const compiled = RE2JS.compile(source)
  const pattern: Pattern = { matches: (text) => compiled.test(text), size: patternSize(source) }
  if (patterns.size >= patternsMax) patterns.clear()
  patterns.set(source, pattern)
  return pattern
}

function matches(text: string, source: string): boolean {
  const { size, matches: isMatch } = patternOf(source)
  const length = sizeOfText(text)
  spend(costOfMatch(length, size))
  if (length > matchable.textMax) throw new Error(`matches() of a string of more than ${matchable.textMax} characters`)
  return isMatch(text)
}

const grown = new WeakMap<CelList, CelInput[]>()

/**
 * `list + [item]` of the macros `map` and `filter`, whose list is not visible elsewhere: the library's version takes
 * quadratic time.
 */
function append(list: CelList, item: CelValue): CelList {
  const items = grown.get(list)
  if (items) {
    items.push(item)
    return list
  }
  const fresh: CelInput[] = [...list, item]
  const made = celList(fresh)
  grown.set(made, fresh)
  return made
}

function isIn(item: CelValue, list: CelList): boolean {
  for (const each of list) if (equals(each, item)) return true
  return false
}

function concatTexts(a: string, b: string): string {
  spend(costOfText(a.length + b.length))
  if (a.length + b.length > textMax) throw new Error(`a string of more than ${textMax} characters`)
  return a + b
}

function concatLists(a: CelList, b: CelList): CelList {
  spend((a.size + b.size) * costs.element)
  return celList([...celListConcat(a, b)])
}

const order = (name: string, holds: (compared: number) => boolean): CelFunc =>
  celFunc(name, [STRING, STRING], BOOL, (a, b) => {
    spend(costOfText(Math.min(a.length, b.length)))
    return holds(compareText(a, b))
  })

const lookInto = (name: string, look: (text: string, part: string) => boolean, times = 1): CelFunc =>
  celMethod(name, STRING, [STRING], BOOL, function (part) {
    spend(costOfText(this.length) * times)
    return look(this, part)
  })

const inAscii = (name: string, change: (text: string) => string): CelFunc =>
  celMethod(name, STRING, [], STRING, function () {
    spend(costOfText(this.length) * 4)
    return change(this)
  })

function sizeOf(text: string): bigint {
  spend(costOfText(text.length))
  return BigInt(sizeOfText(text))
}

const intPattern = /^[+-]?\d{1,19}$/
const doublePattern = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)$/i

function intOf(text: string): bigint {
  if (!intPattern.test(text)) throw new Error('int() of a string that is not an integer')
  const int = BigInt(text.startsWith('+') ? text.slice(1) : text)
  if (BigInt.asIntN(64, int) !== int) throw new Error('int() of a number that is too large')
  return int
}

function doubleOf(text: string): number {
  if (!doublePattern.test(text)) throw new Error('double() of a string that is not a number')
  const word = /^([+-]?)(inf|nan)/i.exec(text)
  if (!word) return Number(text)
  if (word[2]?.toLowerCase() === 'nan') return Number.NaN
  return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

// From the beginning of year 1 to the last second of year 9999: google.protobuf.Timestamp has nothing beyond.
const [secondsMin, secondsMax] = [-62_135_596_800n, 253_402_300_799n]

function timestampOfSeconds(seconds: bigint) {
  if (seconds < secondsMin || seconds > secondsMax) throw new Error('timestamp out of range')
  return timestampOf(Number(seconds) * 1000)
}

/**
 * Functions in which the library differs from CEL's definition, or has no limit. These replace its functions with the same
 * names and types: strings are ordered by code points, a key whose value is null is in its map, int("") fails, timestamp(1)
 * is a second after the epoch.
 */
export const repairs: readonly CelFunc[] = [
  celFunc('_==_', [DYN, DYN], BOOL, equals),
  celFunc('_!=_', [DYN, DYN], BOOL, (a, b) => !equals(a, b)),
  order('_<_', (compared) => compared < 0),
  order('_<=_', (compared) => compared <= 0),
  order('_>_', (compared) => compared > 0),
  order('_>=_', (compared) => compared >= 0),
  celFunc('@in', [DYN, LIST], BOOL, isIn),
  ...[STRING, DOUBLE, INT, BOOL, UINT].map((key) =>
    celFunc('@in', [key, MAP], BOOL, (a, map) => map.get(a) !== undefined),
  ),
  celFunc('_+_', [STRING, STRING], STRING, concatTexts),
  celFunc('_+_', [LIST, LIST], LIST, concatLists),
  celFunc('size', [STRING], INT, sizeOf),
  celMethod('size', STRING, [], INT, function () {
    return sizeOf(this)
  }),
  lookInto('contains', (text, part) => text.includes(part), containsTimes),
  lookInto('startsWith', (text, part) => text.startsWith(part)),
  lookInto('endsWith', (text, part) => text.endsWith(part)),
  celMethod('matches', STRING, [STRING], BOOL, function (pattern) {
    return matches(this, pattern)
  }),
  celFunc('int', [STRING], INT, intOf),
  celFunc('double', [STRING], DOUBLE, doubleOf),
  celFunc('timestamp', [INT], TIMESTAMP, timestampOfSeconds),
]

const ours: readonly CelFunc[] = [
  inAscii('lowerAscii', (text) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())),
  inAscii('upperAscii', (text) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())),
  celFunc('now', [], TIMESTAMP, () => timestampOf(moment.getTime())),
  // Written into the macros by check.ts; callers cannot write a name with `@`.
  celFunc('@iterable', [DYN], DYN, (range) => {
    const { size } = range as { size?: unknown }
    if (typeof size === 'number' && size > iterableMax) throw new Error(`a list of more than ${iterableMax} elements`)
    return range
  }),
  celFunc('@tick', [DYN, INT], DYN, (goesOn, units) => {
    spend(Number(units))
    return goesOn
  }),
  celFunc('@append', [LIST, DYN], LIST, append),
]

/** All functions that an expression may call. The library has more: conversions to bytes, parts of dates, formats. */
export const functionNames: ReadonlySet<string> = new Set([
  ...['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_', '_+_', '_-_', '_*_', '_/_', '_%_', '-_', '!_'],
  ...['_&&_', '_||_', '_?_:_', '@in', '_[_]', 'size', 'contains', 'startsWith', 'endsWith', 'matches'],
  ...['lowerAscii', 'upperAscii', 'int', 'double', 'string', 'bool', 'timestamp', 'duration', 'now'],
])

export const environment = celEnv({ funcs: [...repairs, ...ours, ...lookupFunctions, ...urlFunctions] })

/** The functions of one name, with the types of their arguments and results. */
export const overloadsOf = (name: string): readonly CelFunc[] => [...(environment.funcs.find(name) ?? [])] as CelFunc[]
