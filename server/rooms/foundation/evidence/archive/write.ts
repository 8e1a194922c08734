import { crc32 } from 'node:zlib'

/** A file of an archive. Names are ASCII, without folders. */
export type Entry = { name: string; content: Buffer }

/** What a name in an archive may be: no folders, nothing hidden, nothing that a terminal or a file system interprets. */
export const entryName = /^[a-z0-9][a-z0-9._-]{0,149}$/

/** More than any pack has. */
export const entriesMax = 16
/** Of one archive, so that whoever verifies one can hold it in memory. */
export const archiveBytesMax = 256 * 1024 * 1024

// APPNOTE 6.3.10 of the ZIP format: 4.3.7 (local headers), 4.3.12 (the central directory), 4.3.16 (its end).
const localHeader = 0x04034b50
const centralHeader = 0x02014b50
const endOfDirectory = 0x06054b50
/** Version 2.0; no compression. */
const version = 20
/** 1980-01-01 00:00, the earliest date there is: the time of an archive is in its manifest. */
const dosDate = 0x21

const common = ({ name, content }: Entry): Buffer => {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(version, 0)
  // Flags, method and time are 0.
  fields.writeUInt16LE(dosDate, 8)
  fields.writeUInt32LE(crc32(content), 10)
  fields.writeUInt32LE(content.length, 14)
  fields.writeUInt32LE(content.length, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

const number = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntLE(value, 0, bytes)
  return buffer
}

/**
 * A ZIP archive of files as they are. There is exactly one way to write given files: `readArchive` accepts no other, so no
 * two programs can read different files from it.
 */
export function writeArchive(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name, 'latin1')
    const fields = common(entry)
    const local = [number(localHeader, 4), fields, name, entry.content]
    // Created by version 2.0; then no comment, disk 0, no attributes.
    const rest = Buffer.alloc(10)
    directory.push(number(centralHeader, 4), number(version, 2), fields, rest, number(offset, 4), name)
    parts.push(...local)
    offset += local.reduce((sum, { length }) => sum + length, 0)
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, ...directory, number(endOfDirectory, 4), end])
}
