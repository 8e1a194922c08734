import { breather } from '#kernel/breath.ts'
import type { KindName } from '../kinds.ts'
import { blocksOf, type Source } from './blocks.ts'
import { csvReader } from './csv.ts'
import { recordReader, type Taker } from './records.ts'

/** The last is a connector's file, which is not read line by line: see ../c1z. */
export type Format = 'jsonl' | 'csv' | 'c1z'

export type Reading = {
  source: Source
  /** If null, the first character decides: no CSV begins with a brace. */
  format: Format | null
  /** The type of records in lines without one. */
  kind: KindName | null
  now: Date
}

export type ReadSoFar = { format: Format; lines: number; bytes: number }

/** Reads a file to its end. `room` is awaited between blocks, so that rows do not pile up. */
export async function readFile(
  { source, format, kind, now }: Reading,
  taker: Taker,
  room: (soFar: ReadSoFar) => Promise<void>,
): Promise<ReadSoFar> {
  const records = recordReader(taker, { kind, now })
  const csv = csvReader()
  const soFar: ReadSoFar = { format: format ?? 'jsonl', lines: 0, bytes: 0 }
  let isBegun = format !== null
  // A block may have 32,000 lines, and each of them an error.
  const breathe = breather()
  const rows = async (read: ReturnType<typeof csv.read>): Promise<void> => {
    for (const { line, cells, problem } of read) {
      if (problem === null) records.row(line, cells)
      else taker.refuse({ line, kind: null, reason: problem })
      const pause = breathe()
      if (pause) await pause
    }
  }
  for await (const { text, firstLine, unreadable, bytes } of blocksOf(source)) {
    for (const { line, reason } of unreadable) taker.refuse({ line, kind: null, reason })
    if (!isBegun && text.trim() !== '') {
      soFar.format = /^[{[]/.test(text.trimStart()) ? 'jsonl' : 'csv'
      isBegun = true
    }
    const lines = text.split('\n')
    const isEnded = lines.at(-1) === ''
    if (soFar.format === 'csv') await rows(csv.read(text))
    else
      for (const [index, line] of lines.entries()) {
        records.json(firstLine + index, line)
        const pause = breathe()
        if (pause) await pause
      }
    soFar.lines = firstLine - 1 + lines.length - (isEnded ? 1 : 0)
    soFar.bytes += bytes
    await room(soFar)
  }
  await rows(csv.end())
  return soFar
}
