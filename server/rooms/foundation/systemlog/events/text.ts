import { randomUUID } from 'node:crypto'
import { type Attempt, authentication, type OcsfEvent } from './event.ts'

/** The text of an event, once it has its id and its time. */
export type EventText = (eventId: string, timeMs: number) => string

export const eventText = (event: OcsfEvent, eventId: string, timeMs: number): string =>
  JSON.stringify({
    // First, so that the index of events for operators finds it without reading further.
    severity_id: event['severity_id'],
    ...event,
    time: timeMs,
    metadata: { ...(event['metadata'] as object), uid: eventId },
  })

/** The values that differ between two tokens of one client from one address. None of them needs escapes in JSON. */
export type IssuedValues = { requestId: string; tokenId: string; expiresAt: Date }

// Nobody knows these, so nothing that anyone sends contains them.
const blanks = { requestId: randomUUID(), tokenId: randomUUID(), eventId: randomUUID() }
// The same digits may occur in a name, but not after these texts: within a JSON string each of the quotes has a
// backslash before it.
const moment = 8_640_000_000_000_000
const holes = [
  `"${blanks.eventId}"`,
  `"${blanks.requestId}"`,
  `"${blanks.tokenId}"`,
  `"expiration_time":${moment}`,
  `"time":${moment}`,
]

/**
 * The text between the holes: one piece more than there are holes; null if they do not all occur in this order, each
 * once.
 */
function piecesOf(text: string): string[] | null {
  const pieces: string[] = []
  let from = 0
  for (const hole of holes) {
    const at = text.indexOf(hole, from)
    if (at < 0 || text.indexOf(hole, at + hole.length) >= 0) return null
    pieces.push(text.slice(from, at))
    from = at + hole.length
  }
  return [...pieces, text.slice(from)]
}

type Recurring = Omit<Attempt, 'requestId' | 'outcome'>

/** The events of tokens that one client gets from one address. They differ in five values: the rest is built once. */
export function issuedEvents(client: Recurring): (issued: IssuedValues) => EventText {
  const { requestId, tokenId, eventId } = blanks
  const sample = authentication({ ...client, requestId, outcome: { tokenId, expiresAt: new Date(moment) } })
  const pieces = piecesOf(eventText(sample, eventId, moment))
  if (!pieces)
    return ({ requestId: id, ...outcome }) => {
      const event = authentication({ ...client, requestId: id, outcome })
      return (eventUid, timeMs) => eventText(event, eventUid, timeMs)
    }
  const [a, b, c, d, e, f] = pieces
  return (issued) => (eventUid, timeMs) =>
    `${a}"${eventUid}"${b}"${issued.requestId}"${c}"${issued.tokenId}"${d}"expiration_time":${issued.expiresAt.getTime()}` +
    `${e}"time":${timeMs}${f}`
}
