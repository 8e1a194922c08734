import { archiveBytesMax, type Entry, entriesMax, entryName, writeArchive } from './write.ts'

/** Why bytes are not an archive as this program writes it. */
export class NotAsWritten extends Error {
  override name = 'NotAsWritten'
}

const localHeader = 0x04034b50
const headerBytes = 30

/**
 * The files of an archive, if every byte of it is as `writeArchive` writes these files: without compression, duplicates,
 * comments, extra fields, gaps or anything after its end.
 */
export function readArchive(bytes: Buffer): Entry[] {
  if (bytes.length > archiveBytesMax) throw new NotAsWritten('is larger than any evidence pack')
  const entries: Entry[] = []
  let at = 0
  while (at + headerBytes <= bytes.length && bytes.readUInt32LE(at) === localHeader) {
    if (entries.length === entriesMax) throw new NotAsWritten('contains more files than an evidence pack')
    const size = bytes.readUInt32LE(at + 18)
    const nameLength = bytes.readUInt16LE(at + 26)
    const start = at + headerBytes + nameLength
    if (start + size > bytes.length) throw new NotAsWritten('ends in the middle of a file')
    const name = bytes.toString('latin1', at + headerBytes, start)
    if (!entryName.test(name)) throw new NotAsWritten('contains a file with a name that no evidence pack has')
    entries.push({ name, content: bytes.subarray(start, start + size) })
    at = start + size
  }
  if (entries.length === 0) throw new NotAsWritten('is not a ZIP archive of an evidence pack')
  if (new Set(entries.map(({ name }) => name)).size < entries.length)
    throw new NotAsWritten('contains two files with the same name')
  if (!writeArchive(entries).equals(bytes))
    throw new NotAsWritten('is a ZIP archive that Bailiwick did not write: its structure was changed')
  return entries
}
