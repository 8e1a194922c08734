import { isUtf8 } from 'node:buffer'

/** Whole lines of a file, as text. A line that cannot be read is empty here, and listed in `unreadable`. */
export type Block = { text: string; firstLine: number; bytes: number; unreadable: Unreadable[] }
export type Unreadable = { line: number; reason: string }

/** What a file is read from: a file's own stream, standard input, or a request's body. */
export type Source = AsyncIterable<Uint8Array>

export const lineBytesMax = 1024 * 1024
const newline = 10
const byteOrderMark = '\u{feff}'
const tooLong = `is longer than ${lineBytesMax / 1024 / 1024} MiB`

/**
 * Reads a file line by line, a block of whole lines at a time, in bounded memory. The encoding is checked for a block at
 * once, and for each line only if the block is invalid: a line end is never part of another character in UTF-8.
 */
export async function* blocksOf(source: Source): AsyncGenerator<Block> {
  let begun: Uint8Array[] = []
  let begunBytes = 0
  let line = 1
  const blockOf = (bytes: Buffer): Block => {
    if (begunBytes <= lineBytesMax) return readLines(bytes, line)
    // Of a line that is too long, only its end is kept.
    const end = bytes.indexOf(newline)
    const block = readLines(end < 0 ? Buffer.alloc(0) : bytes.subarray(end), line)
    block.unreadable.unshift({ line, reason: tooLong })
    return block
  }
  for await (const chunk of source) {
    const end = chunk.lastIndexOf(newline) + 1
    if (end > 0) {
      const block = blockOf(Buffer.concat([...begun, chunk.subarray(0, end)]))
      yield block
      line += countLines(block.text)
      begun = []
      begunBytes = 0
    }
    begunBytes += chunk.length - end
    if (begunBytes > lineBytesMax) begun = []
    else if (end < chunk.length) begun.push(chunk.subarray(end))
  }
  if (begunBytes > 0) yield blockOf(Buffer.concat(begun))
}

function readLines(bytes: Buffer, firstLine: number): Block {
  const unreadable: Unreadable[] = []
  let text = bytes.toString()
  const refuse = (isWrong: (line: string, index: number) => boolean, reason: string): void => {
    const lines = text.split('\n')
    for (const [index, line] of lines.entries())
      if (isWrong(line, index)) {
        unreadable.push({ line: firstLine + index, reason })
        lines[index] = ''
      }
    text = lines.join('\n')
  }
  if (!isUtf8(bytes)) {
    const wrong = wrongLines(bytes)
    refuse((_, index) => wrong.has(index), 'is not UTF-8')
  }
  if (text.includes('\0')) refuse((line) => line.includes('\0'), 'contains a NUL character')
  if (text.length > lineBytesMax) refuse((line) => line.length > lineBytesMax, tooLong)
  if (firstLine === 1 && text.startsWith(byteOrderMark)) text = text.slice(1)
  return { text, firstLine, bytes: bytes.length, unreadable }
}

function wrongLines(bytes: Buffer): Set<number> {
  const wrong = new Set<number>()
  for (let from = 0, index = 0; from < bytes.length; index++) {
    const end = bytes.indexOf(newline, from)
    const to = end < 0 ? bytes.length : end
    if (!isUtf8(bytes.subarray(from, to))) wrong.add(index)
    from = to + 1
  }
  return wrong
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
