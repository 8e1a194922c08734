import { kinds } from '../kinds/kinds.ts'
import { type Manifest, readCanonical, sha256 } from '../manifest.ts'
import { pdfOf } from '../pdf/document.ts'
import { lineDifferences } from './differences.ts'
import type { CheckedFile } from './files.ts'
import type { Finding } from './verdict.ts'

const lineEnd = '\r\n'
const textOf = (content: Buffer): string => content.toString('utf8')

/**
 * The table and the document against the data, from which they are written again: what an alteration changed can be told
 * as long as one of them is as it was signed.
 */
export function compareWithData(manifest: Manifest, files: readonly CheckedFile[]): Finding[] {
  const of = (role: CheckedFile['role']) => files.find((file) => file.role === role && file.content !== null)
  const [data, table, document] = [of('data'), of('table'), of('document')]
  const kind = kinds.find(({ name }) => name === manifest.kind)
  if (!kind) return [{ what: `This version does not know packs of the kind ${manifest.kind}.`, details: [] }]
  const value = data?.content && readCanonical(data.content)
  if (!data || !table?.content) return []
  if (!kind.isData(value)) return [{ what: `${data.name} cannot be read.`, details: [] }]
  try {
    const written = kind.table(value as never)
    return [
      ...tableFindings(data, { ...table, content: table.content }, written),
      ...(document?.content && data.isAsSigned && !document.isAsSigned
        ? [documentFinding(document.sha256 === sha256(pdfOf(kind.document(value as never))))]
        : []),
    ]
  } catch {
    // Data that was altered need not have the fields that the table is written from.
    return [{ what: `${data.name} cannot be read.`, details: [] }]
  }
}

function tableFindings(data: CheckedFile, table: CheckedFile & { content: Buffer }, written: Buffer): Finding[] {
  if (data.isAsSigned && !table.isAsSigned && sha256(written) === table.sha256)
    return [
      {
        what: 'By the data, which is as it was signed, the table differs:',
        details: lineDifferences(textOf(written), textOf(table.content), lineEnd),
      },
    ]
  if (!data.isAsSigned && table.isAsSigned) {
    const details = lineDifferences(textOf(table.content), textOf(written), lineEnd)
    const what = 'By the table, which is as it was signed, the data differs:'
    return details.length > 0 ? [{ what, details }] : []
  }
  return []
}

const documentFinding = (isKnown: boolean): Finding => ({
  what: isKnown
    ? 'The data is as it was signed: what the document said can be read there and in the table.'
    : 'What the document said cannot be written again by this version.',
  details: [],
})
