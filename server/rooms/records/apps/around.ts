import { beginsWith, hasKey, joined, marked, type Part, textMatches, textOf, wordsOf } from '#kernel/search.ts'
import type { Fragment, Reads } from '#kernel/sql.ts'

type Around = {
  /** Of `search_keys`: the kind of existing entitlements, of deleted ones, or both. */
  kinds: readonly string[]
  query: string
  /** Within these apps, if any: their names then do not distinguish one entitlement from another. */
  appIds: readonly string[]
}

/**
 * The entitlements of a part of a search, as a fragment: `(object_id, app_id, key)`; order by `key, object_id`. In the
 * second part a word may be one of the entitlement, of its app or of its resource: "sales wiki" finds the entitlement Editor
 * of the app Sales Wiki. That part is ordered by app and id. It starts from what has the rarest of the words that occur in
 * no app's name, if there is such a word; otherwise from the apps with such a name, with all their entitlements.
 */
export async function entitlementsAround(
  db: Reads,
  tenantId: number,
  { kinds, query, appIds }: Around,
  part: Part,
): Promise<{ found: Fragment }> {
  if (part.by === 'text') return { found: textMatches(db, tenantId, kinds, query, part.page) }
  const words = wordsOf(query)
  // Two letters begin the names of a large part of all apps.
  if (words.length === 1 && (words[0] ?? '').length < lengthMin)
    return { found: db`(select '' as object_id, '' as app_id, '' as key where false)` }
  const named = appIds.length > 0 ? new Map<string, string[]>() : await listAppsCalled(db, tenantId, words)
  // If so many apps have it in their names, a single word does not narrow the search.
  if (words.length === 1 && (named.get(words[0] ?? '')?.length ?? 0) > appsOfOneWordMax) named.clear()
  const rare = words.filter((word) => !named.has(word))
  const driver =
    words.length === 1 ? words.join('') : await rarestOf(db, tenantId, kinds, rare.length > 0 ? rare : words)
  const isOwn = (word: string): Fragment => hasKey(db, tenantId, kinds, db`t.entitlement_id`, word)
  const isAround = (word: string): Fragment => db`and (${isOwn(word)}
    or t.app_id = any(${named.get(word) ?? []}::text[]) or ${hasKey(db, tenantId, ['resource'], db`t.resource_id`, word)})`
  const keysOf = (which: readonly string[]): Fragment =>
    db`s.tenant_id = ${tenantId} and s.kind = any(${which}::text[]) and ${beginsWith(db, 's.key', driver)}`
  const candidates = db`
    select s.app_id::text as app_id, s.object_id::text as id from search_keys s where ${keysOf(kinds)}
    union
    select e.app_id::text, e.entitlement_id::text from search_keys s
    join entitlements e on e.tenant_id = ${tenantId} and e.app_id = s.app_id and e.resource_id = s.object_id
    where ${keysOf(['resource'])}
    union
    select e.app_id::text, e.entitlement_id::text from entitlements e
    where e.tenant_id = ${tenantId} and e.app_id = any(${named.get(driver) ?? []}::text[])`
  const [afterApp = '', afterId = ''] = (part.page.after ?? []) as string[]
  const found = db`(
    select t.entitlement_id as object_id, t.app_id, ${marked(db, db`t.app_id`)} as key from (${candidates}) c
    join entitlements t on t.tenant_id = ${tenantId} and t.app_id = c.app_id and t.entitlement_id = c.id
    where (t.app_id, t.entitlement_id) > (${afterApp}, ${afterId})
      ${joined(db, words.filter((word) => word !== driver).map(isAround))}
      and not ${isOwn(textOf(query))})`
  // In an object: a fragment is thenable, and an async function that returned it would send it.
  return { found }
}

const lengthMin = 3
const appsOfOneWordMax = 50

const countMax = 5_000

/** The word that begins the fewest keys, counted up to a number: one probe of an index for each. */
async function rarestOf(
  db: Reads,
  tenantId: number,
  kinds: readonly string[],
  words: readonly string[],
): Promise<string> {
  const counted: { word: string; count: number }[] = []
  for (const word of words) {
    const [row] = await db<{ count: number }[]>`
      select count(*)::int as count from (
        select 1 from search_keys s where s.tenant_id = ${tenantId} and s.kind = any(${kinds}::text[])
          and ${beginsWith(db, 's.key', word)} limit ${countMax}) x`
    counted.push({ word, count: row?.count ?? 0 })
  }
  return counted.toSorted((a, b) => a.count - b.count)[0]?.word ?? ''
}

// App names are few; a word that is in more of them does not narrow the search.
const appsMax = 1_000

/** The apps whose names have a word with such a beginning, by word. */
async function listAppsCalled(db: Reads, tenantId: number, words: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const word of words) {
    const rows = await db<{ id: string }[]>`
      select distinct s.object_id as id from search_keys s
      where s.tenant_id = ${tenantId} and s.kind = 'app' and ${beginsWith(db, 's.key', word)} limit ${appsMax}`
    if (rows.length > 0)
      found.set(
        word,
        rows.map(({ id }) => id),
      )
  }
  return found
}
