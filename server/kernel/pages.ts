import { createHash } from 'node:crypto'
import { Refusal } from './refusals.ts'
import type { Seals } from './seals.ts'
import { anyInteger, described, text } from './wire.ts'

export const pageFields = {
  pageSize: described(anyInteger(), 'The number of items per page: 10 to 100, 25 by default.'),
  pageToken: described(text(), 'The nextPageToken of the page before; empty or absent for the first page.'),
}
export const nextPageToken = described(text(), 'The token of the next page; empty on the last one.')

const sizeMin = 10
const sizeMax = 100
const sizeDefault = 25

export const pageSizeOf = (asked: number | null): number =>
  asked === null ? sizeDefault : Math.min(Math.max(asked, sizeMin), sizeMax)

/** The values of the columns that a list is ordered by, in the last row of a page. */
export type Position = readonly (string | number)[]

/**
 * One page of a list, by keyset: the rows after `after` in the list's own order. Its cost does not depend on its
 * position, and rows that are added or removed elsewhere neither repeat nor hide others.
 */
export type Page = {
  readonly size: number
  /** One row more than the page has: if it is there, there is a next page. */
  readonly limit: number
  readonly after: Position | null
  /** Reduces what was read to a page, and adds the token of the next one. */
  cut<Row, Item>(
    rows: readonly Row[],
    positionOf: (row: Row) => Position,
    view: (row: Row) => Item,
  ): { list: Item[]; nextPageToken: string }
  /** The token of the page after a position: for a page that ends before it is full, because enough rows were checked. */
  tokenAfter(position: Position): string
}

export type PageScope = {
  seals: Seals
  tenant: string
  operation: string
  /** The path's parameters and everything that filters or orders the list. */
  filter: unknown
}

const purpose = 'page token'

export function pageOf(scope: PageScope, size: number | null, token: string): Page {
  const context = createHash('sha256')
    .update(JSON.stringify([scope.operation, scope.filter]))
    .digest('base64')
  const limit = pageSizeOf(size)
  return {
    size: limit,
    limit: limit + 1,
    after: token === '' ? null : positionIn(scope, token, context),
    cut(rows, positionOf, view) {
      const last = rows.length > limit ? rows[limit - 1] : undefined
      const next = last === undefined ? '' : tokenFor(scope, positionOf(last), context)
      return { list: rows.slice(0, limit).map(view), nextPageToken: next }
    },
    tokenAfter: (position) => tokenFor(scope, position, context),
  }
}

const tokenFor = (scope: PageScope, position: Position, context: string): string =>
  scope.seals.seal(purpose, scope.tenant, Buffer.from(JSON.stringify(position)), context).toString('base64url')

function positionIn(scope: PageScope, token: string, context: string): Position {
  const sealed = Buffer.from(token, 'base64url')
  // Node ignores what is not base64url: only what it would write itself is a token.
  const plain = sealed.toString('base64url') === token ? scope.seals.open(purpose, scope.tenant, sealed, context) : null
  if (!plain)
    throw new Refusal(
      'PAGE_TOKEN_INVALID',
      'pageToken: is not a token of this list; start again without one, and do not change filters between pages',
      { violations: [{ field: 'pageToken', description: 'is not a token of this list' }] },
    )
  return JSON.parse(plain.toString()) as Position
}
