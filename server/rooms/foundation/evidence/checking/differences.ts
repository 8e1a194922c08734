const shownMax = 10
const lengthMax = 300

/** A text for a terminal: without control characters, and not endless. */
export const printable = (text: string): string => {
  const shown = Array.from(text.slice(0, lengthMax), (character) =>
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u.test(character)
      ? `\\u{${(character.codePointAt(0) as number).toString(16)}}`
      : character,
  ).join('')
  return text.length > lengthMax ? `${shown}…` : shown
}

/** How the lines of a text differ from those that were written. */
export function lineDifferences(written: string, found: string, lineEnd: string): string[] {
  const [before, after] = [written.split(lineEnd), found.split(lineEnd)]
  // What is the same at both ends is left out: a line that was removed does not make all others differ.
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail++
  const [removed, added] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  const lines: string[] = []
  for (let place = 0; place < Math.max(removed.length, added.length); place++) {
    const [was, is] = [removed[place], added[place]]
    if (was === is) continue
    if (was !== undefined) lines.push(`line ${head + place + 1} was: ${printable(was)}`)
    if (is !== undefined) lines.push(`line ${head + place + 1} is:  ${printable(is)}`)
    if (lines.length >= shownMax) return [...lines, 'and more']
  }
  return lines
}
