import { breakable, escape } from './html.ts'

/** The part of a text under one heading, for the search. */
export type Section = { heading: string; anchor: string; text: string }
export type Rendered = { title: string; html: string; sections: Section[] }

/** As GitHub makes them, so that links within and between the files work here too. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** Where a link of a file leads to among our pages; null where to nothing that is served. */
export type Resolve = (href: string) => string | null

const plain = (text: string): string =>
  text
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')

function inline(text: string, resolve: Resolve): string {
  // Code is taken out first: nothing in it means anything else.
  const codes: string[] = []
  const held = text.replace(/(`+)(.+?)\1(?!`)/g, (_, _ticks: string, code: string) => {
    codes.push(`<code>${breakable(code.trim())}</code>`)
    return `\0${codes.length - 1}\0`
  })
  return escape(held)
    .replace(/!\[([^\]]*)\]\(([^)\s]+)\)/g, (_, label: string, href: string) => {
      const to = resolve(href)
      return to === null ? label : `<img src="${to}" alt="${label}" loading="lazy">`
    })
    .replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, label: string, href: string) => {
      const to = resolve(href)
      return to === null ? label : `<a href="${to}">${label}</a>`
    })
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[\s(])\*([^*\s][^*]*)\*/g, '$1<em>$2</em>')
    .replace(/\0(\d+)\0/g, (_, n: string) => codes[Number(n)] as string)
}

/** The cells of a row. A `|` in code is part of it. */
function cellsOf(line: string): string[] {
  const cells = ['']
  let isCode = false
  for (const c of line.trim().replace(/^\|/, '').replace(/\|$/, '').replaceAll('\\|', '\u0001')) {
    if (c === '`') isCode = !isCode
    if (c === '|' && !isCode) cells.push('')
    else cells[cells.length - 1] += c
  }
  return cells.map((cell) => cell.replaceAll('\u0001', '|').trim())
}

const isRule = (line: string | undefined): boolean =>
  line !== undefined && /^\|?[\s:|-]+\|[\s:|-]*$/.test(line) && line.includes('-')
const itemForm = /^(\s*)(?:([-*])|(\d+)\.)\s+(.*)$/

/** Markdown, as far as our own files use it, as HTML. What it does not know is text. */
export function renderMarkdown(source: string, resolve: Resolve): Rendered {
  const lines = source
    .replaceAll('\0', '')
    .replace(/<!--[^]*?-->/g, '')
    .split('\n')
  const html: string[] = []
  const sections: Section[] = []
  const used = new Map<string, number>()
  let title = ''
  let at = 0
  const note = (text: string): void => {
    const section = sections.at(-1)
    if (section) section.text += `${plain(text)} `
  }
  const take = (fits: (line: string) => boolean): string[] => {
    const taken: string[] = []
    for (let line = lines[at]; line !== undefined && fits(line); line = lines[++at]) taken.push(line)
    return taken
  }

  const heading = (level: number, text: string): void => {
    const slug = slugOf(plain(text))
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    const anchor = count === 0 ? slug : `${slug}-${count}`
    if (level === 1 && title === '') title = plain(text)
    sections.push({ heading: plain(text), anchor, text: '' })
    html.push(`<h${level} id="${escape(anchor)}">${inline(text, resolve)}</h${level}>`)
  }

  const code = (fence: string): void => {
    at++
    const body = take((line) => !line.startsWith(fence))
    at++
    note(body.join(' '))
    html.push(`<pre tabindex="0"><code>${escape(body.join('\n'))}</code></pre>`)
  }

  const table = (): void => {
    const [head = '', , ...rows] = take((line) => line.trim().startsWith('|') || isRule(line))
    const cells = cellsOf(head)
    const row = (line: string): string =>
      `<tr>${cellsOf(line)
        .map((cell) => `<td>${inline(cell, resolve)}</td>`)
        .join('')}</tr>`
    for (const line of [head, ...rows]) note(cellsOf(line).join(' '))
    const headed = cells.some((cell) => cell !== '')
    html.push(
      `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>${headed ? `<thead><tr>${cells.map((cell) => `<th>${inline(cell, resolve)}</th>`).join('')}</tr></thead>` : ''}<tbody>${rows.map(row).join('')}</tbody></table></div>`,
    )
  }

  /** Items at an indentation, each with what is indented further. */
  const list = (): void => {
    const [, indent = '', bullet] = itemForm.exec(lines[at] ?? '') ?? []
    const tag = bullet ? 'ul' : 'ol'
    html.push(`<${tag}>`)
    for (
      let match = itemForm.exec(lines[at] ?? '');
      match && (match[1] as string).length === indent.length;
      match = itemForm.exec(lines[at] ?? '')
    ) {
      if (Boolean(match[2]) !== Boolean(bullet)) break
      at++
      const words = [match[4] as string]
      words.push(
        ...take((line) => /^\s+\S/.test(line) && !itemForm.test(line) && !line.trim().startsWith('```')).map((line) =>
          line.trim(),
        ),
      )
      note(words.join(' '))
      html.push(`<li>${inline(words.join(' '), resolve)}`)
      for (;;) {
        const next = lines[at] ?? ''
        const after = next.trim() === '' ? (lines[at + 1] ?? '') : next
        const deeper = (/^\s*/.exec(after)?.[0].length ?? 0) > indent.length && after.trim() !== ''
        if (!deeper) break
        if (next.trim() === '') at++
        const line = lines[at] ?? ''
        const inner = itemForm.exec(line)
        if (inner && (inner[1] as string).length > indent.length) list()
        else if (line.trim().startsWith('```')) indentedCode()
        else paragraph((each) => /^\s+\S/.test(each) && !itemForm.test(each))
      }
      html.push('</li>')
      if (lines[at]?.trim() === '' && itemForm.exec(lines[at + 1] ?? '')?.[1]?.length === indent.length) at++
    }
    html.push(`</${tag}>`)
  }
  const indentedCode = (): void => {
    at++
    const body = take((line) => !line.trim().startsWith('```')).map((line) => line.replace(/^\s{2,4}/, ''))
    at++
    note(body.join(' '))
    html.push(`<pre tabindex="0"><code>${escape(body.join('\n'))}</code></pre>`)
  }

  const paragraph = (fits: (line: string) => boolean): void => {
    const words = take(fits)
    // Never nothing: a line that nobody takes would be met for ever.
    if (words.length === 0) words.push(lines[at++] ?? '')
    const text = words.map((line) => line.trim()).join(' ')
    note(text)
    html.push(`<p>${inline(text, resolve)}</p>`)
  }
  const isText = (line: string): boolean =>
    line.trim() !== '' && !/^(#{1,6}\s|```|>|\s*\|)/.test(line) && !itemForm.test(line)

  while (at < lines.length) {
    const line = lines[at] as string
    const [, marks = '', text = ''] = /^(#{1,6})\s+(.*)$/.exec(line) ?? []
    if (line.trim() === '') at++
    else if (marks) {
      at++
      heading(marks.length, text)
    } else if (line.startsWith('```')) code('```')
    else if (/^(-{3,}|\*{3,})$/.test(line.trim())) {
      at++
      html.push('<hr>')
    } else if (line.trim().startsWith('|') && isRule(lines[at + 1])) table()
    else if (line.startsWith('>')) {
      const quoted = take((each) => each.startsWith('>')).map((each) => each.replace(/^>\s?/, ''))
      note(quoted.join(' '))
      html.push(`<blockquote><p>${inline(quoted.join(' '), resolve)}</p></blockquote>`)
    } else if (itemForm.test(line)) list()
    else paragraph(isText)
  }
  return { title, html: html.join('\n'), sections }
}
