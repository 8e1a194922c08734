import { route } from '#authority/route.ts'
import { asExport } from '#kernel/exports-at-once.ts'
import { idPattern } from '#kernel/ids.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import {
  described,
  empty,
  flag,
  int64,
  list,
  listOf,
  message,
  nested,
  oneOf,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { sealTenant } from '../chain/seal.ts'
import { archivedNote } from '../seam/seam.ts'
import type { EventFilter, Place } from '../store.ts'
import { kinds, outcomes, type Wanted } from './decide.ts'
import { fileEventsMax, openFile } from './file.ts'
import { idsIn, type NameThings } from './names.ts'
import { findRecorded, findTimeAt } from './store.ts'
import { findSome } from './walk.ts'

const sortDirections = ['SORT_DIRECTION_UNSPECIFIED', 'SORT_DIRECTION_ASC', 'SORT_DIRECTION_DESC'] as const

const filters = {
  query: described(
    text({ maxLength: 200 }),
    'Words that must all be in the message, the names, the reason, the operation, the address or the request id.',
  ),
  actorId: described(text({ maxLength: 64 }), 'The user who did it, or who signed in.'),
  objectId: described(text({ maxLength: 64 }), 'An object of the event, or an object that its data mentions.'),
  objectType: described(text({ maxLength: 64 }), 'The type of an object of the event, such as "user".'),
  kind: oneOf(kinds),
  outcome: oneOf(outcomes),
  since: timestamp(),
  until: timestamp(),
}
type Asked = Wanted & { since: Date | null; until: Date | null }

const EventsFile = message('bailiwick.v1.EventsFile', {
  events: described(list(struct()), 'As they were recorded.'),
  truncated: described(flag(), `Whether there are more than the ${fileEventsMax} events that a file contains.`),
})
const NamedMessage = message(
  'bailiwick.v1.NamedInEvents',
  {
    id: text(),
    type: text(),
    displayName: text(),
    appId: text(),
    appName: text(),
    parentId: text(),
    isDeleted: flag(),
  },
  'The current display name of an object that events mention. Callers who may read the system log see the names of all these objects.',
)

const wantedIn = ({ query, actorId, objectId, objectType, kind, outcome }: Asked): Wanted => ({
  query: query.trim(),
  actorId: actorId.trim(),
  objectId: objectId.trim(),
  objectType: objectType.trim(),
  kind,
  outcome,
})

const filterFrom = ({ since, until }: Asked, isDescending: boolean, here: Place | null): EventFilter => ({
  since,
  until,
  isDescending,
  after: isDescending ? null : here,
  before: isDescending ? here : null,
})

const notFound = async (call: Call, eventId: string): Promise<Refusal> => {
  const archived = await archivedNote(call, call.db, call.tenant.id, eventId)
  return new Refusal(
    'EVENT_NOT_FOUND',
    archived ? `The event ${eventId} ${archived}.` : `There is no event ${eventId}.`,
    {
      metadata: { eventId },
    },
  )
}

export const searchRoutes = (nameThings: NameThings): readonly Route[] => [
  route({
    id: 'bailiwick.v1.SystemLog.Search',
    at: 'POST /api/v1/search/systemlog/events',
    summary:
      'Search the events of the tenant by person, object, kind, outcome, words and time, newest first by default. A page may have fewer events than its size, or none, and still have a next page: each request searches a limited part of the log, and searchedUntil shows how far it got.',
    rule: 'systemlog.read',
    paged: true,
    body: message('bailiwick.v1.SearchEventsRequest', { ...filters, sortDirection: oneOf(sortDirections) }),
    reply: message('bailiwick.v1.SearchEventsResponse', {
      list: list(struct()),
      names: listOf(NamedMessage),
      searchedUntil: described(
        timestamp(),
        'Where the search stopped before the page was full; null if it did not stop.',
      ),
      nextPageToken,
    }),
    async handle(call, { body, page }) {
      if (page.after === null) await sealTenant(call, call.tenant.id)
      const isDescending = body.sortDirection !== 'SORT_DIRECTION_ASC'
      const filter = filterFrom(body, isDescending, page.after as Place | null)
      const { found, stoppedAt } = await findSome(call, filter, wantedIn(body), page.limit)
      const cut = page.cut(
        found,
        ({ place }) => place,
        ({ event }) => event as Record<string, unknown>,
      )
      return {
        ...cut,
        ...(stoppedAt && { nextPageToken: page.tokenAfter(stoppedAt) }),
        searchedUntil: stoppedAt && (await findTimeAt(call.db, call.tenant.id, stoppedAt)),
        names: await nameThings(call.db, call.tenant.id, idsIn(cut.list)),
      }
    },
  }),
  route({
    id: 'bailiwick.v1.SystemLog.Get',
    at: 'GET /api/v1/systemlog/events/{event_id}',
    summary: 'Get one event, as it was recorded, with display names for its ids.',
    rule: 'systemlog.read',
    reply: message('bailiwick.v1.GetEventResponse', {
      event: struct(),
      link: described(int64(), 'The link of the chain that contains it; 0 until it is sealed.'),
      names: listOf(NamedMessage),
    }),
    async handle(call, { path: { event_id: eventId } }) {
      const recorded = idPattern.test(eventId) ? await findRecorded(call.db, call.tenant.id, eventId) : null
      if (!recorded) throw await notFound(call, eventId)
      const event = JSON.parse(recorded.event) as Record<string, unknown>
      const names = await nameThings(call.db, call.tenant.id, idsIn([event]))
      return { event, link: recorded.link ?? 0, names }
    },
  }),
  route({
    id: 'bailiwick.v1.SystemLog.Download',
    at: 'GET /api/v1/systemlog/download',
    summary: `Download the events that a search finds, as CSV or as JSON with the events as they were recorded. At most ${fileEventsMax} events: a file that is truncated says so at its end.`,
    rule: 'systemlog.read',
    download: ['text/csv', 'application/json'],
    jsonFile: nested(EventsFile),
    query: message('', {
      ...filters,
      sortDirection: oneOf(sortDirections),
      format: oneOf(['csv', 'json']),
    }),
    reply: empty,
    handle: (call, { query }) =>
      asExport(call, async () => {
        await sealTenant(call, call.tenant.id)
        const filter = filterFrom(query, query.sortDirection !== 'SORT_DIRECTION_ASC', null)
        return openFile(call, filter, wantedIn(query), query.format)
      }),
  }),
]
