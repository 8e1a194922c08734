import type { Page } from './pages.ts'
import type { Reads } from './sql.ts'

// The greatest character there is: what begins with a text lies between the text and the text with this behind it.
const last = '\u{10ffff}'
const keyLengthMax = 100

/**
 * The rows of `search_keys` that begin with `query`, as a fragment: `(object_id, app_id, key)`, each object once, with
 * the first of its keys that match. Order by `key, object_id`, and give both as the page's position.
 */
export const matches = (db: Reads, tenantId: number, kind: string, query: string, page: Pick<Page, 'after'>) => {
  const from = query.trim().toLowerCase().slice(0, keyLengthMax)
  // Where the range begins, told once: with `key >= from` beside it, the index would be read from its very beginning.
  const [afterKey = from, afterId = ''] = (page.after ?? []) as string[]
  return db`(
    select s.object_id, s.app_id, s.key from search_keys s
    where s.tenant_id = ${tenantId} and s.kind = ${kind} and (s.key, s.object_id) > (${afterKey}, ${afterId})
      and s.key < ${from + last}
      and not exists (
        select from search_keys earlier
        where earlier.tenant_id = s.tenant_id and earlier.kind = s.kind and earlier.object_id = s.object_id
          and earlier.key >= ${from} and earlier.key < s.key
      )
  )`
}
