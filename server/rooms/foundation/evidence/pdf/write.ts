import { hexOf } from './glyphs.ts'

/** The text of a page: where each line begins, from the left and from the bottom, in points. */
export type Line = { x: number; y: number; size: number; isBold: boolean; shown: string }
/** A thin line from the left to the right of a page. */
export type Stroke = { x: number; y: number; width: number }
export type Page = { lines: readonly Line[]; strokes: readonly Stroke[] }
export type PageSize = { width: number; height: number }

const contentOf = ({ lines, strokes }: Page): string =>
  [
    '0.75 G 0.5 w',
    ...strokes.map(({ x, y, width }) => `${point(x)} ${point(y)} m ${point(x + width)} ${point(y)} l S`),
    'BT',
    ...lines.map(
      ({ x, y, size, isBold, shown }) =>
        `/${isBold ? 'B' : 'R'} ${point(size)} Tf 1 0 0 1 ${point(x)} ${point(y)} Tm ${hexOf(shown)} Tj`,
    ),
    'ET',
  ].join('\n')

const point = (value: number): string => String(Math.round(value * 100) / 100)

const font = (name: string): string => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`

/** UTF-16 with a byte order mark (ISO 32000-1, 7.9.2.2), in hexadecimal. */
const textString = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`

const catalogNumber = 1
const pagesNumber = 2
const [regular, bold, information] = [3, 4, 5]
const firstPage = 6

/**
 * A PDF 1.4 of pages with text: no links, scripts, forms, attachments or metadata other than the title and when it was
 * created. The same pages always give the same bytes.
 */
export function writePdf(pages: readonly Page[], size: PageSize, about: { title: string; createdAt: Date }): Buffer {
  const pageNumber = (place: number): number => firstPage + place * 2
  const kids = pages.map((_, place) => `${pageNumber(place)} 0 R`).join(' ')
  const date = about.createdAt.toISOString().replace(/[-:T]/g, '').slice(0, 'YYYYMMDDHHmmss'.length)
  const objects = [
    `<< /Type /Catalog /Pages ${pagesNumber} 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title ${textString(about.title)} /CreationDate (D:${date}Z) /Producer (Bailiwick) >>`,
    ...pages.flatMap((page, place) => {
      const content = contentOf(page)
      return [
        `<< /Type /Page /Parent ${pagesNumber} 0 R /MediaBox [0 0 ${size.width} ${size.height}] ` +
          `/Resources << /Font << /R ${regular} 0 R /B ${bold} 0 R >> >> /Contents ${pageNumber(place) + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  // Bytes above 127 in the second line tell programs that the file is not text.
  let text = '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n'
  const parts: string[] = [text]
  let offset = text.length
  const offsets: number[] = []
  for (const [place, object] of objects.entries()) {
    offsets.push(offset)
    text = `${place + 1} 0 obj\n${object}\nendobj\n`
    parts.push(text)
    offset += text.length
  }
  const entries = offsets.map((each) => `${String(each).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  parts.push(
    `xref\n0 ${count}\n0000000000 65535 f \n${entries}`,
    `trailer\n<< /Size ${count} /Root ${catalogNumber} 0 R /Info ${information} 0 R >>\nstartxref\n${offset}\n%%EOF\n`,
  )
  return Buffer.from(parts.join(''), 'latin1')
}
