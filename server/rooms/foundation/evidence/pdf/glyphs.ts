/**
 * The widths of Helvetica in thousandths of its size, by the codes of WinAnsiEncoding (ISO 32000-1, annex D.2), and which
 * character has which code. Every viewer has this font: none is embedded.
 */
const widthsFrom32 = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
]
const widthsFrom128 = [
  556, 350, 222, 556, 333, 1000, 556, 556, 333, 1000, 667, 333, 1000, 350, 611, 350, 350, 222, 222, 333, 333, 350, 556,
  1000, 333, 1000, 500, 333, 944, 350, 500, 667, 278, 333, 556, 556, 556, 556, 260, 556, 333, 737, 370, 556, 584, 333,
  737, 333, 400, 584, 333, 333, 333, 556, 537, 278, 333, 333, 365, 556, 834, 834, 834, 611, 667, 667, 667, 667, 667,
  667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278, 722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722,
  722, 667, 667, 611, 556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556, 556, 278, 278, 278, 278, 556, 556, 556,
  556, 556, 556, 556, 584, 611, 556, 556, 556, 556, 500, 556, 500,
]

/** The characters of the codes 128 to 159; '' where there is none. */
const upper = [
  ...['€', '', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '', 'Ž', ''],
  ...['', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '', 'ž', 'Ÿ'],
]
const upperCodes = new Map(upper.flatMap((character, i) => (character === '' ? [] : [[character, 128 + i] as const])))

const softHyphen = 0xad

function codeOf(character: string): number | null {
  const point = character.codePointAt(0) as number
  if (point >= 32 && point <= 126) return point
  if (point >= 160 && point <= 255 && point !== softHyphen) return point
  return upperCodes.get(character) ?? null
}

const escaped = (character: string): string =>
  `{U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}}`

/**
 * A text as the font can show it: characters that it lacks, and those that are not seen, are written as {U+5F20}. Two
 * different texts never look the same.
 */
export const shownText = (text: string): string =>
  Array.from(text.normalize('NFC').replaceAll('{U+', '{U+007B}U+'), (character) =>
    codeOf(character) === null ? escaped(character) : character,
  ).join('')

/** Whether a text can be shown as it is. */
export const isShownWhole = (text: string): boolean => shownText(text) === text

const widthOfCode = (code: number): number => (code < 128 ? widthsFrom32[code - 32] : widthsFrom128[code - 128]) ?? 556

/** The codes of a text that `shownText` returned, as a hexadecimal string of PDF: nothing in it can end the string. */
export const hexOf = (shown: string): string =>
  `<${Array.from(shown, (character) => (codeOf(character) ?? 63).toString(16).padStart(2, '0')).join('')}>`

export const widthOf = (shown: string, size: number): number => {
  let sum = 0
  for (const character of shown) sum += widthOfCode(codeOf(character) ?? 63)
  return (sum * size) / 1000
}
