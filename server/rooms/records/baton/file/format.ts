import { FileRefused } from './refused.ts'

/** The number of bytes that identify a file's format. */
export const magicBytes = 5

/** The first bytes of the files that are read and written here. */
export const magic = 'C1ZF\0'
const known: Record<string, 'v1' | 'v3'> = { [magic]: 'v1', 'C1Z3\0': 'v3' }
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, magicBytes)).toString('latin1')

/** Whether a file that begins like this is a connector's, including one that cannot be read. */
export const isConnectorFile = (first: Uint8Array): boolean => textOf(first).startsWith('C1Z')

/** Refuses everything except zstd with a SQLite database in it. Only Go reads the tables of version 3. */
export function refuseFormat(first: Uint8Array): void {
  const format = known[textOf(first)]
  if (format === 'v1') return
  if (format === 'v3')
    throw new FileRefused(
      'The file is in the format C1Z3 (Pebble), which cannot be read. Run the connector with --storage-engine sqlite ' +
        '(or BATON_STORAGE_ENGINE=sqlite), which writes a file that can.',
    )
  throw new FileRefused(
    isConnectorFile(first)
      ? `The file is in the unknown format ${JSON.stringify(textOf(first))}. Formats that can be read: C1ZF.`
      : 'The file is not a connector file: it does not begin with C1ZF.',
  )
}
