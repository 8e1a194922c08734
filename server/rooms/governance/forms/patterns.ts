import { RE2JS } from '@bufbuild/re2'
import { matchable, patternSize } from '#rooms/rules/expressions/index.ts'

// RE2 is linear in the text, but a large pattern takes long at every character: the limits are those of expressions.
const patternsMax = 200
const patterns = new Map<string, RE2JS>()

function compiled(source: string): RE2JS {
  const known = patterns.get(source)
  if (known) return known
  const pattern = RE2JS.compile(source)
  if (patterns.size >= patternsMax) patterns.clear()
  patterns.set(source, pattern)
  return pattern
}

/** Whether it is a valid pattern that is not too large to compile. */
export function isPattern(source: string): boolean {
  if (source.length > matchable.textMax || patternSize(source) > matchable.patternMax) return false
  try {
    return compiled(source) !== null
  } catch {
    return false
  }
}

/** Whether these patterns are too large for one form. */
export const areTooMany = (sources: readonly string[]): boolean =>
  sources.reduce((sum, source) => sum + patternSize(source), 0) > matchable.patternsMax

/** Longer texts match no pattern. */
export const matchedMax: number = matchable.textMax

export const matchesPattern = (source: string, value: string): boolean => compiled(source).test(value)
