import { sieve } from '#authority/replies/index.ts'
import type { Page, Position } from '#kernel/pages.ts'
import type { BodyStream, Call, Route } from '#kernel/routes.ts'
import type { Json } from '../list.ts'

/** As many are read in one go, as of any list: what is in memory of it at a time. */
const pageSize = 100

type Input = { path: Readonly<Record<string, string>>; query: object; body: object }

/**
 * A list from its beginning to its end, page by page, by the operation itself: the same rows, for the same caller, by the same
 * filters, and sifted as its replies are. Keyset pages rather than one snapshot: a file that is taken slowly holds no
 * transaction, and a row that changes its place meanwhile may be missed or be there twice.
 */
export async function* pagesOf(of: Route, call: Call, input: Input): AsyncGenerator<Json> {
  let after: Position | null = null
  do {
    let next: Position | null = null
    const page: Page = {
      size: pageSize,
      limit: pageSize + 1,
      after,
      cut(rows, positionOf, view) {
        const last = rows.length > pageSize ? rows[pageSize - 1] : undefined
        next = last === undefined ? null : positionOf(last)
        return { list: rows.slice(0, pageSize).map(view), nextPageToken: '' }
      },
      tokenAfter: () => '',
    }
    const stream = undefined as unknown as BodyStream
    const reply = of.reply.write(await of.handle(call, { ...input, sent: {}, page, stream } as never))
    yield sieve.passes(call, of) ? reply : await sieve.sift(call, of.reply, reply)
    after = next
  } while (after && !call.signal.aborted)
}
