import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { list, message, oneOf, struct, text, timestamp } from '#kernel/wire.ts'
import { sealTenant } from './chain/seal.ts'
import { archivedNote } from './seam/seam.ts'
import type { NameThings } from './search/names.ts'
import { searchRoutes } from './search/routes.ts'
import { findPlace, listEvents, type Place } from './store.ts'
import { verificationRoutes } from './verification/routes.ts'

const ListEventsRequest = message('systemlog.v1.ListEventsRequest', {
  since: timestamp(),
  until: timestamp(),
  sinceEventUid: text(),
  untilEventUid: text(),
  sortDirection: oneOf(['SORT_DIRECTION_UNSPECIFIED', 'SORT_DIRECTION_ASC', 'SORT_DIRECTION_DESC']),
})
const ListEventsReply = message('systemlog.v1.ListEventsReply', { list: list(struct()), nextPageToken })

async function placeOf(call: Call, field: string, eventId: string): Promise<Place | null> {
  if (eventId === '') return null
  const place = await findPlace(call.db, call.tenant.id, eventId)
  if (!place) {
    const archived = await archivedNote(call, call.db, call.tenant.id, eventId)
    throw invalid({
      field,
      description: archived ? `the event ${eventId} ${archived}` : `there is no event ${eventId}`,
    })
  }
  return place
}

/** `nameThings` finds the names of objects whose ids are in events: the rooms that have them import this one. */
export const systemlogRoutes = (nameThings: NameThings): readonly Route[] => [
  ...searchRoutes(nameThings),
  ...verificationRoutes,
  route({
    id: 'systemlog.v1.SystemLogService.ListEvents',
    at: 'POST /api/v1/systemlog/events',
    summary: 'List the events of the tenant in the order of its chain, by time and by event.',
    rule: 'systemlog.read',
    paged: true,
    body: ListEventsRequest,
    reply: ListEventsReply,
    async handle(call, { body, page }) {
      // The log that a request reads has everything that requests before it did: what is not sealed yet is sealed
      // first.
      if (page.after === null) await sealTenant(call, call.tenant.id)
      const isDescending = body.sortDirection === 'SORT_DIRECTION_DESC'
      const here = page.after as Place | null
      const since = await placeOf(call, 'sinceEventUid', body.sinceEventUid)
      const until = await placeOf(call, 'untilEventUid', body.untilEventUid)
      const filter = {
        since: body.since,
        until: body.until,
        after: isDescending ? since : (here ?? since),
        before: isDescending ? (here ?? until) : until,
        isDescending,
      }
      const rows = await listEvents(call.db, call.tenant.id, filter, page.limit)
      return page.cut(
        rows,
        (row) => row.place,
        (row) => JSON.parse(row.event) as Record<string, unknown>,
      )
    },
  }),
]
