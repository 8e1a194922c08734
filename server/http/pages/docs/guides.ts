import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { escape } from './html.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'

const folder = fileURLToPath(new URL('../../../../docs', import.meta.url))

export type Guide = Rendered & { name: string }

// What a reader of the console needs first; the others follow by their titles.
const first = ['console', 'api', 'client', 'glossary']
// For people who change the program: they have the files.
const left = new Set(['where-to-change'])

const fileForm = /^([\w-]+)\.md$/
const namesIn = (all: readonly string[]): string[] => all.flatMap((file) => fileForm.exec(file)?.[1] ?? [])

/** The papers in docs/, as pages; none if the program was installed without them. */
export function readGuides(): Guide[] {
  let names: string[]
  try {
    names = namesIn(readdirSync(folder)).filter((name) => !left.has(name))
  } catch {
    return []
  }
  const known = new Set(names)
  const resolve = (href: string): string | null => {
    if (/^(https?:|#)/.test(href)) return escape(href)
    const [, page = '', hash = ''] = /^([\w-]+)\.md(#[\w-]*)?$/.exec(href) ?? []
    if (known.has(page)) return `/docs/guides/${page}${hash}`
    const [, picture] = /^pictures\/([\w-]+\.png)$/.exec(href) ?? []
    return picture ? `/docs/pictures/${picture}` : null
  }
  const guides = names.map((name) => ({
    name,
    ...renderMarkdown(readFileSync(join(folder, `${name}.md`), 'utf8'), resolve),
  }))
  const place = ({ name }: Guide): number => (first.indexOf(name) < 0 ? first.length : first.indexOf(name))
  return guides.toSorted((a, b) => place(a) - place(b) || (a.title < b.title ? -1 : 1))
}

export function readPicture(name: string): Buffer | null {
  if (!/^[\w-]+\.png$/.test(name)) return null
  try {
    return readFileSync(join(folder, 'pictures', name))
  } catch {
    return null
  }
}
