import type { Page } from './pages.ts'
import { invalid } from './refusals.ts'
import { type Db, type Fragment, type Reads, transact } from './sql.ts'
import { described, text } from './wire.ts'

/** What a list is sorted by, and in which direction; null is the default order of the list. */
export type Order<K extends string = string> = { readonly key: K; readonly isDescending: boolean } | null

const lengthMax = 100

/** Beyond the published shapes: the order of a list. If unset, a list has its default order. */
export const orderByField = (keys: readonly string[]) =>
  described(
    text({ maxLength: lengthMax }),
    `Sort by one of: ${keys.join(', ')}. Add " desc" for descending order. The default order applies if unset.`,
  )

/** The requested order; refused if the list has no such key. */
export function orderIn<K extends string>(keys: readonly K[], given: string): Order<K> {
  const asked = given.trim()
  if (asked === '') return null
  const [name = '', direction = 'asc', ...more] = asked.split(/\s+/)
  const key = keys.find((each) => each === name)
  const isDirection = direction === 'asc' || direction === 'desc'
  if (key === undefined || !isDirection || more.length > 0)
    throw invalid({
      field: 'orderBy',
      description: `must be one of ${keys.join(', ')}, and may end with " desc"`,
    })
  return { key, isDescending: direction === 'desc' }
}

/** A value to sort rows by, which is never null: rows without one would be on no page. */
export type Sortable = { readonly by: Fragment; readonly type: 'text' | 'timestamptz' | 'bigint' }

/**
 * One page in such an order, as parts of a statement. The ids make the order total, so that of rows with equal values
 * none is repeated or skipped. A position is the value as text (`value`) and then the ids.
 */
export function inOrder(
  db: Reads,
  { by, type }: Sortable,
  isDescending: boolean,
  ids: readonly Fragment[],
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): { value: Fragment; after: Fragment; by: Fragment } {
  const way = isDescending ? db`desc` : db`asc`
  const columns = ids.reduce((all, id) => db`${all}, ${id}`, by)
  const [last = '', ...lastIds] = (after ?? []) as string[]
  const place = lastIds.reduce((all, id) => db`${all}, ${id}`, db`${last}::${db.unsafe(type)}`)
  return {
    value: db`(${by})::text`,
    after: after ? db`and (${columns}) ${isDescending ? db`<` : db`>`} (${place})` : db``,
    by: db`order by ${ids.reduce((all, id) => db`${all}, ${id} ${way}`, db`${by} ${way}`)} limit ${limit}`,
  }
}

/**
 * Reads in a transaction what may take long: a statement outside one shares its connection with others, which would
 * wait for it. A list in its default order is read with an index; there may be none for a requested order.
 */
export const readApart = <T>(db: Db, isLong: boolean, read: (db: Reads) => Promise<T>): Promise<T> =>
  isLong ? transact(db, read) : read(db)

/**
 * How many items of a list are counted at most: counting stops one after that, and "200,000+" is shown.
 * tests/lists/large.long.test.ts prints what 100,000 cost.
 */
export const totalMax = 200_000
