import { useEffect, useState } from 'react'
import { isOwnFormat } from './mapping/guess.ts'
import { bytesMax, type FileTable, readTable, UnreadableFile } from './mapping/table.ts'

type Read = { table: FileTable | 'reading' | null; note: string }
const none: Read = { table: null, note: '' }
const isTable = (file: File): boolean => /\.(?:csv|tsv|txt)$/i.test(file.name)

/** A file as a table whose columns can be mapped; null if it is in the format of imports, which says why in a note if it is not clear. */
export function useTable(file: File | null): Read {
  const [read, setRead] = useState<Read>(none)
  useEffect(() => {
    let isCurrent = true
    if (!file || !isTable(file)) {
      setRead(none)
      return
    }
    if (file.size > bytesMax) {
      setRead({ table: null, note: tooLarge })
      return
    }
    setRead({ table: 'reading', note: '' })
    void readFile(file).then((result) => {
      if (isCurrent) setRead(result)
    })
    return () => {
      isCurrent = false
    }
  }, [file])
  return read
}

const tooLarge = `Columns can be mapped in files of up to ${bytesMax / 1024 / 1024} MiB. This one is imported as it is: its columns must have the names of fields.`

async function readFile(file: File): Promise<Read> {
  try {
    const table = readTable(new Uint8Array(await file.arrayBuffer()))
    return { table: isOwnFormat(table.header) ? null : table, note: '' }
  } catch (error) {
    if (error instanceof UnreadableFile) return { table: null, note: `The columns cannot be mapped. ${error.message}` }
    return { table: null, note: 'The file could not be read.' }
  }
}
