import type { PublishedField, PublishedMessage } from '#kernel/published.ts'
import { publishedMessages, publishedOperations } from './published-requests.ts'

const known = new Map<string, PublishedMessage>()

/** A message by its name. Messages may hold themselves, so each is there before its fields are. */
function messageNamed(name: string): PublishedMessage {
  const before = known.get(name)
  if (before) return before
  const fields = new Map<string, PublishedField>()
  known.set(name, fields)
  for (const [field, one] of fieldsIn(publishedMessages[name] ?? '')) fields.set(field, one)
  return fields
}

const fieldsIn = (text: string): [string, PublishedField][] =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const [, field = '', mark, message] = /^(\w+)(!?)(?::(.+))?$/.exec(word) ?? []
      return [field, { isReadOnly: mark === '!', within: message ? messageNamed(message) : null }]
    })

export type PublishedRequest = { readonly body: PublishedMessage | null; readonly query: PublishedMessage }

/** What the published API lets clients send to an operation; null where it has no such operation. */
export function publishedRequest(operation: string): PublishedRequest | null {
  const text = Object.hasOwn(publishedOperations, operation) ? publishedOperations[operation] : undefined
  if (text === undefined) return null
  const [body = '', query = ''] = text.split('?')
  return { body: body === '' ? null : messageNamed(body), query: new Map(fieldsIn(query)) }
}
