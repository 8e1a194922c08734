import type { StagedColumn, Values } from '../kinds.ts'
import type { Refused } from './records.ts'

// The text format of COPY: https://www.postgresql.org/docs/18/sql-copy.html#SQL-COPY-FILE-FORMATS
const special = /[\\\t\n\r]/
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = (text: string): string =>
  special.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => escapes[character] as string) : text

const arrayOf = (items: readonly string[]): string =>
  items.length === 0 ? '{}' : `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/** A record as one row of COPY, its line first. */
export function copyRow(columns: readonly StagedColumn[], line: number, values: Values): string {
  let row = `${line}`
  for (const { field, type } of columns) {
    const value = values[field]
    row += '\t'
    if (type === 'text[]') row += escaped(arrayOf(value as readonly string[]))
    else if (type === 'timestamptz') row += value === null ? '\\N' : (value as Date).toISOString()
    else row += escaped(value as string)
  }
  return `${row}\n`
}

export const refusedRow = ({ line, kind, reason }: Refused): string => `${line}\t${kind ?? '\\N'}\t${escaped(reason)}\n`

/** A row of COPY of a line and texts. */
export const copyText = (line: number, ...texts: readonly string[]): string =>
  `${line}\t${texts.map(escaped).join('\t')}\n`
