import { breather } from './breath.ts'
import { type Fields, isThere, type Message, type Shape } from './wire.ts'

/**
 * Limits of a JSON text. Parsing 1 MiB of `[` takes 80 ms, of 90,000 names 70 ms; of anything else 20 ms. Readers look
 * at names again and again: for 25,000 in one object that took 270 ms.
 */
export type JsonLimits = { depthMax: number; namesMax: number; namesPerObjectMax?: number }

// Shorter texts cannot be slow.
const lengthMin = 32 * 1024
const [quote, backslash, openList, closeList, openObject, closeObject, colon] = [34, 92, 91, 93, 123, 125, 58]

/** Why a text is not parsed; null if it may be. Reads each character once: 2 ms for 1 MiB. */
export function jsonExcess(
  text: string,
  { depthMax, namesMax, namesPerObjectMax = namesMax }: JsonLimits,
): string | null {
  if (text.length < lengthMin) return null
  let [depth, names] = [0, 0]
  const namesAt = new Uint32Array(depthMax + 1)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) {
      at++
      for (let inner = text.charCodeAt(at); at < text.length && inner !== quote; inner = text.charCodeAt(at))
        at += inner === backslash ? 2 : 1
    } else if (unit === openList || unit === openObject) {
      if (++depth > depthMax) return `is nested more than ${depthMax} levels deep`
      namesAt[depth] = 0
    } else if (unit === closeList || unit === closeObject) depth--
    else if (unit === colon) {
      if (++names > namesMax) return `has more than ${namesMax} fields`
      namesAt[depth] = (namesAt[depth] ?? 0) + 1
      if ((namesAt[depth] ?? 0) > namesPerObjectMax) return `has an object of more than ${namesPerObjectMax} fields`
    }
  }
  return null
}

/** Parses what may well not be JSON: for 32,000 lines that are not, the stacks of the exceptions took most of the time. */
export function parseJson(text: string): unknown {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return JSON.parse(text)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

// Writing a mebibyte takes 5 ms.
const pieceLength = 256 * 1024

/** JSON as text or, if it is long, in pieces. */
export type WrittenJson = string | readonly Buffer[]

/**
 * Writes a message whose lists may be long: item by item, so that other work can run in between. A page of 100 records
 * of 400 kB took 440 ms at once.
 */
export function writeJson(message: { readonly [name: string]: unknown }): string | Promise<WrittenJson> {
  const parts = partsOf(message)
  let text = ''
  for (let part = parts.next(); !part.done; part = parts.next()) {
    text += part.value
    if (text.length > pieceLength) return inPieces(text, parts)
  }
  return text
}

/** The same for a value that was not written yet: directly as text if it is short, which most replies are. */
export function writeMessage(
  of: Message<Fields>,
  value: { readonly [name: string]: unknown },
): string | Promise<WrittenJson> {
  let text = ''
  for (const [name, shape] of Object.entries(of.fields as Record<string, Shape<unknown>>)) {
    const { text: textOf, itemText } = shape
    const field = value[name]
    if (shape.isLeftOut && !isThere(shape, field)) continue
    text += `${text === '' ? '{' : ','}"${name}":`
    if (itemText && isList(field)) {
      text += '['
      for (let at = 0; at < field.length; at++) {
        text += at === 0 ? itemText(field[at]) : `,${itemText(field[at])}`
        if (text.length > pieceLength) return writeJson(of.write(value))
      }
      text += ']'
    } else text += textOf(field)
  }
  return text === '' ? '{}' : text.length > pieceLength ? writeJson(of.write(value)) : `${text}}`
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

async function inPieces(begun: string, parts: Generator<string>): Promise<readonly Buffer[]> {
  const pieces = [Buffer.from(begun)]
  const breathe = breather()
  let text = ''
  for (const part of parts) {
    text += part
    if (text.length <= pieceLength) continue
    pieces.push(Buffer.from(text))
    text = ''
    await breathe()
  }
  return [...pieces, Buffer.from(text)]
}

function* partsOf(message: { readonly [name: string]: unknown }): Generator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(message)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (Array.isArray(value)) yield* itemsOf(value)
    else yield JSON.stringify(value)
  }
  yield before === '{' ? '{}' : '}'
}

function* itemsOf(list: readonly unknown[]): Generator<string> {
  yield '['
  for (const [at, item] of list.entries()) yield `${at === 0 ? '' : ','}${JSON.stringify(item) ?? 'null'}`
  yield ']'
}
