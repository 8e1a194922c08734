import { plural } from '#kernel/plural.ts'
import { breakable, escape } from './html.ts'

/** What a search can find: an operation, or the part of a guide under one heading. */
export type Entry = { href: string; title: string; within: string; text: string }
export type Indexed = Entry & { titleLower: string; lower: string }

export const indexed = (entries: readonly Entry[]): Indexed[] =>
  entries.map((entry) => ({
    ...entry,
    titleLower: entry.title.toLowerCase(),
    lower: `${entry.title} ${entry.within} ${entry.text}`.toLowerCase(),
  }))

const resultsMax = 50
const excerptLength = 220

const wordsIn = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 10)

/** Entries that have all words, beginning with those that have them in their title. A thousand entries take about 3 ms. */
function findEntries(index: readonly Indexed[], query: string): { entries: Indexed[]; isMore: boolean } {
  const words = wordsIn(query)
  if (words.length === 0) return { entries: [], isMore: false }
  const found = index
    .filter(({ lower }) => words.every((word) => lower.includes(word)))
    .map((entry) => ({ entry, score: words.filter((word) => entry.titleLower.includes(word)).length }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
  return { entries: found.slice(0, resultsMax), isMore: found.length > resultsMax }
}

/** The text around the first word that is found, with the words marked. */
function excerpt({ text }: Entry, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const at = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const from = at.length === 0 ? 0 : Math.max(0, Math.min(...at) - 60)
  const begin = from === 0 ? 0 : text.indexOf(' ', from) + 1
  const cut = text.slice(begin, begin + excerptLength)
  return `${begin > 0 ? '… ' : ''}${marked(cut, words)}${begin + excerptLength < text.length ? ' …' : ''}`
}

function marked(text: string, words: readonly string[]): string {
  const pattern = new RegExp(
    `(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')})`,
    'gi',
  )
  return text
    .split(pattern)
    .map((part, place) => (place % 2 === 1 ? `<mark>${escape(part)}</mark>` : escape(part)))
    .join('')
}

export function resultsHtml(query: string, index: readonly Indexed[]): string {
  const words = wordsIn(query)
  if (words.length === 0)
    return '<h1>Search</h1><p>Type one or more words: of a guide, or the name, path or field of an operation.</p>'
  const { entries, isMore } = findEntries(index, query)
  const count = isMore ? `The first ${entries.length} results` : plural(entries.length, 'result')
  const items = entries.map(
    (entry) =>
      `<li><a href="${escape(entry.href)}">${breakable(entry.title)}</a> <span class="quiet">${breakable(entry.within)}</span><div>${excerpt(entry, words)}</div></li>`,
  )
  return `<h1>Search</h1><p role="status">${entries.length === 0 ? `No results for “${escape(query)}”. Try fewer or other words.` : `${count} for “${escape(query)}”.`}</p><ol class="results">${items.join('')}</ol>`
}
