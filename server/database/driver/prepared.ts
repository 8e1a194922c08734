/**
 * Names for statements that come again, so that PostgreSQL parses them once per connection. A text gets one at its second
 * use: what is put together from an expression comes once, and would only fill the memory of every connection.
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
  // Connections forget the name of what was dropped when they are replaced.
  if (names.size > namesMax) dropFirst(names)
  return given
}

/** Its columns are others than when it was prepared: it gets another name, under which it is prepared anew. */
export const forgetName = (text: string): boolean => names.delete(text)
