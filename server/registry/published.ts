import { readFileSync } from 'node:fs'
import type { PublishedField, PublishedMessage } from '#kernel/published.ts'

/** The requests of the published API, of those operations that are here: `published-requests.json`. */
type PublishedRequests = {
  readonly messages: { readonly [name: string]: MessageEntry }
  /** An operation with the message of its body, and the fields of its query. */
  readonly operations: { readonly [name: string]: { readonly body?: string; readonly query?: readonly string[] } }
}

type MessageEntry = {
  readonly fields?: readonly string[]
  /** Fields that the service sets, and clients only send back. */
  readonly readOnly?: readonly string[]
  /** Fields that hold a message or a list of messages, with its name. */
  readonly messages?: { readonly [field: string]: string }
}

const requestsFile = new URL('./published-requests.json', import.meta.url)
const { messages, operations } = JSON.parse(readFileSync(requestsFile, 'utf8')) as PublishedRequests

const known = new Map<string, PublishedMessage>()

/** A message by its name. Messages may contain themselves, so each is known before its fields are. */
function messageNamed(name: string): PublishedMessage {
  const before = known.get(name)
  if (before) return before
  const message = new Map<string, PublishedField>()
  known.set(name, message)
  const entry = messages[name] ?? {}
  for (const field of entry.fields ?? []) message.set(field, { isReadOnly: false, within: null })
  for (const field of entry.readOnly ?? []) message.set(field, { isReadOnly: true, within: null })
  for (const [field, of] of Object.entries(entry.messages ?? {}))
    message.set(field, { isReadOnly: false, within: messageNamed(of) })
  return message
}

export type PublishedRequest = { readonly body: PublishedMessage | null; readonly query: PublishedMessage }

/** What the published API lets clients send to an operation; null where it has no such operation. */
export function publishedRequest(operation: string): PublishedRequest | null {
  const entry = Object.hasOwn(operations, operation) ? operations[operation] : undefined
  if (!entry) return null
  const query = (entry.query ?? []).map((field) => [field, { isReadOnly: false, within: null }] as const)
  return { body: entry.body === undefined ? null : messageNamed(entry.body), query: new Map(query) }
}
