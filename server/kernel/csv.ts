export type Cell = string | number | boolean | null

/** So that spreadsheets read it as UTF-8. */
export const byteOrderMark = '\ufeff'

// Spreadsheets run text that begins like a formula, also after a tab or a line break:
// https://owasp.org/www-community/attacks/CSV_Injection
const formula = /^[\t\r\n ]*[=+\-@\uff1d\uff0b\uff0d\uff20]/
const special = /[",\r\n]|^\s|\s$/

/** A cell of RFC 4180. Text that would be a formula gets an apostrophe in front: names come from other systems. */
function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const safe = formula.test(cell) || /^[\t\r]/.test(cell) ? `'${cell}` : cell
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`
