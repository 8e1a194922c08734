import {
  type CelInput,
  type CelList,
  type CelMap,
  type CelValue,
  celList,
  celMap,
  isCelList,
  isCelMap,
  isCelType,
  isCelUint,
} from '@bufbuild/cel'
import { costs, spend } from '../budget.ts'
import type { Json } from '../expression.ts'

type Key = Parameters<CelMap['get']>[0]

// A profile that one evaluation reads ten times is wrapped once.
const wrapped = new WeakMap<object, CelValue>()

/**
 * JSON as values of CEL. The library would treat a JSON object as a protobuf message if it has a key `$typeName`, and would
 * fail if it has a key `constructor`; so no JSON object or array is left to it.
 */
export function celOf(json: Json): CelValue {
  if (typeof json !== 'object' || json === null) return json
  const known = wrapped.get(json)
  if (known !== undefined) return known
  const value = Array.isArray(json) ? celList(json.map((each: Json) => celOf(each))) : mapOf(json as JsonObject)
  wrapped.set(json, value)
  return value
}

type JsonObject = { readonly [key: string]: Json }

function mapOf(json: JsonObject): CelMap {
  const map = celMap(new JsonView(json))
  // In the library's version, a key whose value is null counts as missing.
  return Object.defineProperty(map, 'has', { value: (key: Key) => typeof key === 'string' && Object.hasOwn(json, key) })
}

/** An object in place of a Map, converted only where it is read. */
class JsonView implements ReadonlyMap<string, CelInput> {
  readonly #json: JsonObject
  constructor(json: JsonObject) {
    this.#json = json
  }
  get size(): number {
    return Object.keys(this.#json).length
  }
  get(key: unknown): CelValue | undefined {
    return typeof key === 'string' && Object.hasOwn(this.#json, key) ? celOf(this.#json[key] as Json) : undefined
  }
  has(key: unknown): boolean {
    return typeof key === 'string' && Object.hasOwn(this.#json, key)
  }
  keys(): MapIterator<string> {
    return Object.keys(this.#json).values()
  }
  *values(): MapIterator<CelInput> {
    for (const value of Object.values(this.#json)) yield celOf(value)
  }
  *entries(): MapIterator<[string, CelInput]> {
    for (const [key, value] of Object.entries(this.#json)) yield [key, celOf(value)]
  }
  forEach(callback: (value: CelInput, key: string, map: ReadonlyMap<string, CelInput>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this)
  }
  [Symbol.iterator](): MapIterator<[string, CelInput]> {
    return this.entries()
  }
}

/** CEL's equality (langdef.md, "Equality"), as in the library, but with a cost for what it compares. */
export function equals(a: CelValue, b: CelValue): boolean {
  spend(costs.comparison)
  if (a === b) return true
  const [left, right] = [isCelUint(a) ? a.value : a, isCelUint(b) ? b.value : b]
  if (isNumber(left) && isNumber(right)) return areSameNumber(left, right)
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right
  if (isCelList(left)) return isCelList(right) && equalLists(left, right)
  if (isCelMap(left)) return isCelMap(right) && equalMaps(left, right)
  if (left instanceof Uint8Array)
    return right instanceof Uint8Array && left.length === right.length && left.every((byte, at) => byte === right[at])
  if (isCelType(left)) return isCelType(right) && left.kind === right.kind && left.name === right.name
  return isMoment(left) && isMoment(right) && areSameMoment(left, right)
}

/** An int and a double are equal if their values are exactly equal; NaN is equal to nothing. */
export function areSameNumber(a: number | bigint, b: number | bigint): boolean {
  if (typeof a === 'number') return typeof b === 'number' ? a === b : Number.isInteger(a) && BigInt(a) === b
  return typeof b === 'number' ? areSameNumber(b, a) : a === b
}

export const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

function equalLists(a: CelList, b: CelList): boolean {
  if (a.size !== b.size) return false
  for (let at = 0; at < a.size; at++) if (!equals(a.get(at) as CelValue, b.get(at) as CelValue)) return false
  return true
}

function equalMaps(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false
  for (const [key, value] of a) {
    const other = b.get(key)
    if (other === undefined || !equals(value, other)) return false
  }
  return true
}

/** A timestamp or a duration: the only messages in the language. */
type Moment = { desc: { typeName: string }; message: { seconds: bigint; nanos: number } }
const isMoment = (value: unknown): value is Moment =>
  typeof value === 'object' && value !== null && 'desc' in value && 'message' in value
const areSameMoment = (a: Moment, b: Moment): boolean =>
  a.desc.typeName === b.desc.typeName && a.message.seconds === b.message.seconds && a.message.nanos === b.message.nanos

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xe000

/** By code points, as CEL orders strings. JavaScript's `<` compares UTF-16, in which U+FFFD comes after U+1F600. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (left === right) continue
    if (isSurrogate(left) !== isSurrogate(right)) return isSurrogate(left) ? 1 : -1
    return left - right
  }
  return a.length - b.length
}

/** In code points. */
export function sizeOfText(text: string): number {
  let size = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0xdc00 || unit > 0xdfff) size++
  }
  return size
}
