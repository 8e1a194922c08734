/**
 * Names for statements that are repeated, so that PostgreSQL parses them once per connection. A text gets one at its
 * second use: what is built from an expression is used once, and would only fill the memory of every connection.
 */
const namesMax = 1_000
const seenMax = 2_000

const names = new Map<string, string>()
const seen = new Set<string>()
let count = 0

const dropFirst = (texts: Map<string, string> | Set<string>): void => {
  const [first] = texts.keys()
  if (first !== undefined) texts.delete(first)
}

export function nameOf(text: string): string | undefined {
  const name = names.get(text)
  if (name !== undefined) return name
  if (!seen.delete(text)) {
    seen.add(text)
    if (seen.size > seenMax) dropFirst(seen)
    return undefined
  }
  const given = `s${++count}`
  names.set(text, given)
  // Connections keep the names dropped here until they are replaced.
  if (names.size > namesMax) dropFirst(names)
  return given
}

/** Its columns have changed since it was prepared: it gets another name, under which it is prepared again. */
export const forgetName = (text: string): boolean => names.delete(text)
