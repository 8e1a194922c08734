import { Marked, type RendererObject, type Token, type Tokens } from 'marked'
import { breakable, escape } from './html.ts'

/** The part of a text under one heading, for the search. */
export type Section = { heading: string; anchor: string; text: string }
export type Rendered = { title: string; html: string; sections: Section[] }

/** In the form that GitHub uses, so that links within and between the files work here too. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** The page that a link of a file leads to; null if the target is not served. */
export type Resolve = (href: string) => string | null

/** The words of a token, without their markup. */
function wordsOf(token: Token): string {
  if (token.type === 'html' || token.type === 'br') return ' '
  if (token.type === 'list') return (token as Tokens.List).items.map(wordsOf).join(' ')
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map(({ tokens }) => tokens.map(wordsOf).join(''))).join(' ')
  }
  const isOfBlocks = token.type === 'list_item' || token.type === 'blockquote'
  if ('tokens' in token && token.tokens) return token.tokens.map(wordsOf).join(isOfBlocks ? ' ' : '')
  return 'text' in token ? (token.text as string) : ''
}

const lineBreak = /^<br *\/?>$/

/** One of our own files as HTML, with its sections for the search. Of the HTML in it, only line breaks are kept. */
export function renderMarkdown(source: string, resolve: Resolve): Rendered {
  const sections: Section[] = []
  const used = new Map<string, number>()
  const section = (text: string): Section => {
    const slug = slugOf(text)
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    return { heading: text, anchor: count === 0 ? slug : `${slug}-${count}`, text: '' }
  }
  let rendered = 0
  const renderer: RendererObject = {
    html: ({ text }) => (lineBreak.test(text) ? '<br>' : ''),
    heading({ tokens, depth }) {
      const { anchor = '' } = sections[rendered++] ?? {}
      return `<h${depth} id="${escape(anchor)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escape(text)}</code></pre>\n`,
    codespan: ({ text }) => `<code>${breakable(text)}</code>`,
    link({ href, tokens, raw }) {
      const to = resolve(href)
      // If an address in angle brackets is not a link, the brackets stay.
      const label = raw.startsWith('<') ? escape(raw) : this.parser.parseInline(tokens)
      return to === null ? label : `<a href="${to}">${label}</a>`
    },
    image({ href, text }) {
      const to = resolve(href)
      return to === null ? escape(text) : `<img src="${to}" alt="${escape(text)}" loading="lazy">`
    },
    table({ header, rows }) {
      const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      // A table of facts has a row of empty headings in Markdown, which requires one, and none here.
      const head = header.some(({ text }) => text !== '') ? `<thead>${row(header, 'th')}</thead>` : ''
      const body = rows.map((cells) => row(cells, 'td')).join('')
      return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`
    },
  }
  const marked = new Marked({ renderer, gfm: true })
  const tokens = marked.lexer(source)
  for (const token of tokens) {
    if (token.type === 'heading') sections.push(section(wordsOf(token)))
    else if (token.type !== 'space' && sections.length > 0)
      (sections.at(-1) as Section).text += `${wordsOf(token).replace(/\s+/g, ' ')} `
  }
  const title = sections.find(({ heading }) => heading !== '')?.heading ?? ''
  return { title, html: marked.parser(tokens), sections }
}
