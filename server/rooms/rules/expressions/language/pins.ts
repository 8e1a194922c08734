import type { Pin } from '../expression.ts'
import { type Comprehension, callOf, type Expr, macroOf, nameOf, partsOf, textOf } from './tree.ts'

/** The claims that a condition reads, by name; null if it can be any. */
export function claimsRead(tree: Expr): readonly string[] | null {
  const names = new Set<string>()
  const open = [tree]
  for (let part = open.pop(); part; part = open.pop()) {
    if (nameOf(part) === 'claims') return null
    const name = nameRead(part)
    if (name === null) open.push(...partsOf(part))
    else names.add(name)
  }
  return [...names].toSorted()
}

/** For `claims.sub`, `claims["sub"]`, `has(claims.sub)` and `"sub" in claims`: `sub`. */
function nameRead(part: Expr): string | null {
  const { exprKind } = part
  if (exprKind.case === 'selectExpr') return isClaims(exprKind.value.operand) ? exprKind.value.field : null
  const made = callOf(part)
  if (made?.function === '_[_]') return isClaims(made.args[0]) ? textOf(made.args[1] as Expr) : null
  if (made?.function === '@in') return isClaims(made.args[1]) ? textOf(made.args[0] as Expr) : null
  return null
}

const isClaims = (tree: Expr | undefined): boolean => tree !== undefined && nameOf(tree) === 'claims'

/** Null for a condition that is never true: it implies any pin. */
type Pins = ReadonlyMap<string, Pin> | null
/** For the variables of macros: the claim that they are elements of. */
type Elements = ReadonlyMap<string, string>

const none: Pins = new Map()
const pin = (claim: string, by: Pin['by'], values: readonly string[]): Pins => new Map([[claim, { claim, by, values }]])

/**
 * What must hold for claims whenever a condition is true. Not everything: only what can be derived from its syntax. Null for
 * a condition that is never true.
 */
export function pinsOf(tree: Expr): Pin[] | null {
  const pins = pinned(tree, new Map())
  return pins && [...pins.values()]
}

function pinned(tree: Expr, elements: Elements): Pins {
  const constant = constantOf(tree)
  if (constant === 'false') return null
  if (tree.exprKind.case === 'comprehensionExpr') return pinnedByMacro(tree.exprKind.value, elements)
  const made = callOf(tree)
  if (!made) return none
  const [first, second, third] = made.args
  const of = (part: Expr | undefined): Pins => (part ? pinned(part, elements) : none)
  const target = made.target ? claimIn(made.target, elements) : null
  switch (made.function) {
    case '_&&_':
      return both(of(first), of(second))
    case '_||_':
      return either(of(first), of(second))
    case '_?_:_':
      return either(both(of(first), of(second)), of(third))
    case '_==_':
      return pinnedByEquality(first as Expr, second as Expr, elements)
    case '@in':
      return pinnedByMembership(first as Expr, second as Expr, elements)
    case 'startsWith': {
      const prefix = first ? textOf(first) : null
      return target !== null && prefix ? pin(target, 'prefix', [prefix]) : none
    }
    case 'matches': {
      const begun = first ? literalStart(textOf(first) ?? '') : null
      return target !== null && begun ? pin(target, begun.isWhole ? 'value' : 'prefix', [begun.text]) : none
    }
    default:
      return none
  }
}

function pinnedByEquality(left: Expr, right: Expr, elements: Elements): Pins {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const claim = claimIn(one, elements)
    const value = constantOf(other)
    if (claim !== null && value !== null) return pin(claim, isPart(one) ? 'prefix' : 'value', [value])
  }
  return none
}

function pinnedByMembership(item: Expr, range: Expr, elements: Elements): Pins {
  const value = constantOf(item)
  const held = claimIn(range, elements)
  if (value !== null && held !== null) return pin(held, 'value', [value])
  const claim = claimIn(item, elements)
  if (claim === null || range.exprKind.case !== 'listExpr') return none
  const values = range.exprKind.value.elements.map(constantOf)
  if (values.length === 0) return null
  return values.every((each) => each !== null) ? pin(claim, isPart(item) ? 'prefix' : 'value', values) : none
}

/** `claims.groups.exists(g, g == "a")`. Nothing follows from `all`: it is true for an empty list too. */
function pinnedByMacro(value: Comprehension, elements: Elements): Pins {
  const macro = macroOf(value)
  const range = value.iterRange ? callOf(value.iterRange) : null
  const over = range?.function === '@iterable' ? range.args[0] : value.iterRange
  const claim = over ? claimIn(over, elements) : null
  if (!macro || macro.macro === 'all' || claim === null) return none
  return pinned(macro.test, new Map([...elements, [value.iterVar, claim]]))
}

function both(left: Pins, right: Pins): Pins {
  if (left === null || right === null) return null
  const all = new Map(left)
  for (const [claim, each] of right) if (all.get(claim)?.by !== 'value') all.set(claim, each)
  return all
}

function either(left: Pins, right: Pins): Pins {
  if (left === null || right === null) return left ?? right
  const common = new Map<string, Pin>()
  for (const [claim, one] of left) {
    const other = right.get(claim)
    if (!other) continue
    const by = one.by === 'value' && other.by === 'value' ? 'value' : 'prefix'
    common.set(claim, { claim, by, values: [...new Set([...one.values, ...other.values])] })
  }
  return common
}

const transparent = new Set(['string', 'lowerAscii', 'upperAscii', 'int', 'double'])

/** The claim that a value is, or is part of. */
function claimIn(tree: Expr, elements: Elements): string | null {
  const { exprKind } = tree
  if (exprKind.case === 'identExpr') return elements.get(exprKind.value.name) ?? null
  if (exprKind.case === 'selectExpr') {
    const { operand, field, testOnly } = exprKind.value
    if (!operand || testOnly) return null
    return isClaims(operand) ? field : claimIn(operand, elements)
  }
  const made = callOf(tree)
  if (!made) return null
  if (made.function === '_[_]') {
    const [operand, key] = made.args as [Expr, Expr]
    return isClaims(operand) ? textOf(key) : claimIn(operand, elements)
  }
  const inner = made.target ?? made.args[0]
  const isSeenThrough = transparent.has(made.function) || made.function === 'url' || made.function.startsWith('get')
  return inner && isSeenThrough ? claimIn(inner, elements) : null
}

/** Whether it is a part of an address in a claim, and not the whole claim. */
function isPart(tree: Expr): boolean {
  const open = [tree]
  for (let part = open.pop(); part; part = open.pop()) {
    if (callOf(part)?.function === 'url') return true
    open.push(...partsOf(part))
  }
  return false
}

function constantOf({ exprKind }: Expr): string | null {
  if (exprKind.case !== 'constExpr') return null
  const { constantKind: kind } = exprKind.value
  switch (kind.case) {
    case 'stringValue':
      return kind.value
    case 'boolValue':
    case 'int64Value':
    case 'uint64Value':
    case 'doubleValue':
      return String(kind.value)
    case 'bytesValue':
    case 'nullValue':
    case 'durationValue':
    case 'timestampValue':
    case undefined:
      return null
  }
}

const meta = /^[\\^$.|?*+()[\]{}]$/

/** The beginning of every text that a pattern of RE2 matches; null if nothing is certain. */
function literalStart(pattern: string): { text: string; isWhole: boolean } | null {
  // Without ^ it may match anywhere, and with | the other side may.
  if (!pattern.startsWith('^') || pattern.includes('|')) return null
  let text = ''
  let at = 1
  while (at < pattern.length) {
    const isEscaped = pattern[at] === '\\'
    const character = isEscaped ? pattern[at + 1] : pattern[at]
    if (character === undefined || (isEscaped ? /[A-Za-z0-9]/.test(character) : meta.test(character))) break
    const next = at + (isEscaped ? 2 : 1)
    if (/^[?*{]/.test(pattern.slice(next))) break
    text += character
    at = next
  }
  return text === '' ? null : { text, isWhole: pattern.slice(at) === '$' }
}
