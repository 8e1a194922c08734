import { widthOf } from './glyphs.ts'

/** A text in lines that are no wider than this. A word that is wider is divided anywhere. */
export function wrapped(shown: string, size: number, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of shown.split(' ').flatMap((each) => pieces(each, size, width))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line === '' || widthOf(longer, size) <= width) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

function pieces(word: string, size: number, width: number): string[] {
  if (widthOf(word, size) <= width) return [word]
  const all: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece !== '' && widthOf(piece + character, size) > width) {
      all.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...all, piece]
}
