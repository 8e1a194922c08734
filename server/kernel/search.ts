import type { Page } from './pages.ts'
import type { Reads } from './sql.ts'

// The greatest character there is: what begins with a text lies between the text and the text with this behind it.
const last = '\u{10ffff}'
const keyLengthMax = 100

/** What is searched for: those that are there, those that were deleted, or both. */
export const kindsOf = (kind: string, wanted: { living: boolean; deleted: boolean }): string[] => [
  ...(wanted.living ? [kind] : []),
  ...(wanted.deleted ? [`deleted_${kind}`] : []),
]

/**
 * The rows of `search_keys` that begin with `query`, as a fragment: `(object_id, app_id, key)`, each object once, with
 * the first of its keys that match: the key before that one does not. Order by `key, object_id`, and give both as the
 * page's position.
 */
export const matches = (
  db: Reads,
  tenantId: number,
  kinds: string | readonly string[],
  query: string,
  page: Pick<Page, 'after'>,
) => {
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
 * The same, cut to the page, where nothing else is asked of what is found. Planning takes longer than finding, and with
 * bounds that the planner sees it plans each time anew; behind a `select` it sees none, and keeps its plan. So too with
 * the size of the page, where it must see one.
 */
export const matchingPage = (
  db: Reads,
  tenantId: number,
  kind: string,
  query: string,
  page: Pick<Page, 'after' | 'limit'>,
) => {
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
  const from = query.trim().toLowerCase().slice(0, keyLengthMax)
  // Where the range begins, told once: with `key >= from` beside it, the index would be read from its very beginning.
  const [afterKey = from, afterId = ''] = (page.after ?? []) as string[]
  return { from, until: from + last, afterKey, afterId }
}
