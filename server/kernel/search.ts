import type { Page } from './pages.ts'
import type { Fragment, Reads } from './sql.ts'

// The greatest character there is: what begins with a text lies between the text and the text followed by this.
const last = '\u{10ffff}'
const keyLengthMax = 100

/** What is searched for: existing objects, deleted ones, or both. */
export const kindsOf = (kind: string, wanted: { living: boolean; deleted: boolean }): string[] => [
  ...(wanted.living ? [kind] : []),
  ...(wanted.deleted ? [`deleted_${kind}`] : []),
]

type PageAsked = Pick<Page, 'after' | 'limit'>

/**
 * A search has two parts, one after the other: objects with a key that begins with the whole text, and then those that
 * have all of its words, in any order. Keys of the second part are marked, so that they come after all others and a
 * page knows its position.
 */
export type Part = { by: 'text' | 'words'; page: PageAsked }

const wordsMax = 8

/** The words of a query, without duplicates; those after the eighth are not compared. */
export const wordsOf = (query: string): string[] => [
  ...new Set(
    query
      .trim()
      .toLowerCase()
      .split(/\s+/)
      .slice(0, wordsMax)
      .map((word) => word.slice(0, keyLengthMax)),
  ),
]

/** In which part a page begins, and after what. */
function placeIn({ after }: Pick<Page, 'after'>): { isSecond: boolean; after: [string, string] | null } {
  const [key = '', id = ''] = (after ?? []) as string[]
  const isSecond = key.startsWith(last)
  return { isSecond, after: isSecond ? [key.slice(last.length), id] : null }
}

/** Reads a page, the second part separately and only if the first leaves room: for a second part that is costly. */
export async function searchInParts<T>(page: PageAsked, find: (part: Part) => Promise<T[]>): Promise<T[]> {
  const { isSecond, after } = placeIn(page)
  const found = isSecond ? [] : await find({ by: 'text', page })
  if (found.length >= page.limit) return found
  return [...found, ...(await find({ by: 'words', page: { after, limit: page.limit - found.length } }))]
}

/** The mark of a key of the second part. */
export const marked = (db: Reads, key: Fragment): Fragment => db`${last}::text collate "C" || ${key}`

/** Fragments one after the other; without any, an empty one. */
export const joined = (db: Reads, fragments: readonly Fragment[]): Fragment =>
  fragments.reduce((before, each) => db`${before} ${each}`, db``)

/** Whether a column has a text that begins with this word. */
export const beginsWith = (db: Reads, column: string, word: string): Fragment =>
  db`${db(column)} >= ${word} and ${db(column)} < ${word + last}`

/** Whether an object has a key that begins with this word. */
export const hasKey = (
  db: Reads,
  tenantId: number,
  kinds: readonly string[],
  object: Fragment,
  word: string,
): Fragment =>
  db`exists (select 1 from search_keys k where k.tenant_id = ${tenantId} and k.object_id = ${object}
    and k.kind = any(${kinds}::text[]) and ${beginsWith(db, 'k.key', word)})`

/** The word that probably matches the fewest, as far as the query alone shows: the longest. */
const driverOf = (words: readonly string[]): string =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')

/**
 * Objects that have all words, in any order, and do not begin with the text. The keys that begin with the longest word
 * are read, and the others are looked up for each object with one probe of an index.
 */
function wordMatches(
  db: Reads,
  tenantId: number,
  kinds: readonly string[],
  query: string,
  page: Pick<Page, 'after'>,
): Fragment {
  const words = wordsOf(query)
  const driver = driverOf(words)
  const { after } = placeIn(page)
  const [afterKey, afterId] = after ?? [driver, '']
  const others = words.filter((word) => word !== driver)
  return db`(
    select s.object_id, s.app_id, ${marked(db, db`s.key`)} as key from search_keys s
    where s.tenant_id = ${tenantId} and s.kind = any(${kinds}::text[])
      and (s.key, s.object_id) > (${afterKey}, ${afterId}) and s.key < ${driver + last} and s.previous_key < ${driver}
      ${joined(
        db,
        others.map((word) => db`and ${hasKey(db, tenantId, kinds, db`s.object_id`, word)}`),
      )}
      and not ${hasKey(db, tenantId, kinds, db`s.object_id`, textOf(query))})`
}

/** Whether the name of an object matches: a key of it begins with the whole text, or it has all of its words. */
export const isCalled = (db: Reads, tenantId: number, kind: string, object: Fragment, query: string): Fragment => {
  const each = wordsOf(query).map((word) => db`and ${hasKey(db, tenantId, [kind], object, word)}`)
  return db`(${hasKey(db, tenantId, [kind], object, textOf(query))} or (true ${joined(db, each)}))`
}

export const textOf = (query: string): string => query.trim().toLowerCase().slice(0, keyLengthMax)

/**
 * What `query` finds, as a fragment: `(object_id, app_id, key)`, each object once. First the objects with a key that
 * begins with the query, each with the first such key: the key before that one does not. After these, others that have
 * all words of the query at the beginning of their keys, in any order. Order by `key, object_id`, and use both as the
 * page's position.
 */
export const matches = (
  db: Reads,
  tenantId: number,
  kinds: string | readonly string[],
  query: string,
  page: Pick<Page, 'after'>,
): Fragment =>
  wordsOf(query).length < 2
    ? textMatches(db, tenantId, kinds, query, page)
    : db`(${textMatches(db, tenantId, kinds, query, page)} union all ${wordMatches(db, tenantId, [kinds].flat(), query, page)})`

/** Those of the first part only. */
export const textMatches = (
  db: Reads,
  tenantId: number,
  kinds: string | readonly string[],
  query: string,
  page: Pick<Page, 'after'>,
): Fragment => {
  const { from, until, afterKey, afterId } = rangeOf(query, page)
  const ofKind = (kind: string) => db`
    select s.object_id, s.app_id, s.key from search_keys s
    where s.tenant_id = ${tenantId} and s.kind = ${kind} and (s.key, s.object_id) > (${afterKey}, ${afterId})
      and s.key < ${until} and s.previous_key < ${from}`
  const [kind = '', ...others] = [kinds].flat()
  // Each in its order: they are merged, and none is read to its end.
  const ordered = (each: string) => db`(${ofKind(each)} order by s.key, s.object_id)`
  return others.length === 0
    ? db`(${ofKind(kind)})`
    : db`(${others.reduce((before, each) => db`${before} union all ${ordered(each)}`, ordered(kind))})`
}

/**
 * The same, limited to the page, if there are no other conditions. Planning takes longer than execution, and if
 * PostgreSQL sees the bounds it plans again each time; behind a `select` it does not see them, and keeps its plan. It
 * has to see the size of the page, which is part of the text so that the plan is kept too.
 */
export const matchingPage = (
  db: Reads,
  tenantId: number,
  kind: string,
  query: string,
  page: Pick<Page, 'after' | 'limit'>,
) => {
  if (wordsOf(query).length > 1)
    return db`(
      select m.object_id, m.app_id, m.key from ${matches(db, tenantId, kind, query, page)} m
      order by m.key, m.object_id limit ${page.limit})`
  const { from, until, afterKey, afterId } = rangeOf(query, page)
  return db`(
    select s.object_id, s.app_id, s.key from search_keys s
    where s.tenant_id = ${tenantId} and s.kind = (select ${kind}::text)
      and (s.key, s.object_id) > ((select ${afterKey}::text), (select ${afterId}::text))
      and s.key < (select ${until}::text) and s.previous_key < (select ${from}::text)
    order by s.key, s.object_id limit ${db.unsafe(String(page.limit))}
  )`
}

function rangeOf(query: string, page: Pick<Page, 'after'>) {
  const from = textOf(query)
  // Where the range begins, in one condition: with `key >= from` beside it, the index would be read from its very
  // beginning.
  const [afterKey = from, afterId = ''] = (page.after ?? []) as string[]
  return { from, until: from + last, afterKey, afterId }
}
