import { expect, test } from 'vitest'
import { type Kind, markOf, seenAt } from '#authority/replies/index.ts'
import { type Fields, list, type Message, message, nested, text } from '#kernel/wire.ts'
import { UserMessage } from '#rooms/identity/users/index.ts'
import { AppUser } from '#rooms/records/accounts/index.ts'
import { AppMessage, EntitlementMessage, ResourceMessage, ResourceTypeMessage } from '#rooms/records/apps/index.ts'
import { routes } from '#server/registry/routes.ts'

/**
 * Replies are filtered by their schema (decision 0147). So the schema of every reply has to lead to all messages in it, and a
 * message that has what a record has is marked as one, whatever it is called.
 */
const records: Record<Kind, Message<Fields>> = {
  user: UserMessage,
  app: AppMessage,
  entitlement: EntitlementMessage,
  resource: ResourceMessage,
  'resource type': ResourceTypeMessage,
  account: AppUser,
}
const namesIn = (of: Message<Fields>): string => Object.keys(of.fields).toSorted().join(' ')

/** What is wrong with the schema of a reply, a line each. */
function problemsOf(reply: Message<Fields>, looked = new Set<Message<Fields>>()): string[] {
  if (looked.has(reply)) return []
  looked.add(reply)
  const [kind] = Object.entries(records).find(([, of]) => namesIn(of) === namesIn(reply)) ?? []
  const isUnmarked = kind !== undefined && markOf(reply)?.kind !== kind
  return [
    ...(isUnmarked ? [`${reply.name} is no record`] : []),
    ...Object.entries(reply.fields).flatMap(([name, shape]) => {
      if (shape.within) return problemsOf(shape.within, looked)
      return shape.messages.length > 0 ? [`${reply.name}.${name} hides its messages`] : []
    }),
  ]
}

test('every reply leads the filter to all of its messages, and marks every record', () => {
  const looked = new Set<Message<Fields>>()
  expect(routes.flatMap(({ reply }) => problemsOf(reply, looked))).toEqual([])
  for (const record of Object.values(records)) expect(looked.has(record), record.name).toBe(true)
})

test('a record by another name, and a message that the schema hides, are found', () => {
  const copy = message('test.v1.Copy', UserMessage.fields)
  expect(problemsOf(message('test.v1.Reply', { user: nested(copy) }))).toEqual(['test.v1.Copy is no record'])
  const hidden = message('test.v1.Hidden', { users: list(nested(UserMessage)) })
  expect(problemsOf(hidden)).toEqual(['test.v1.Hidden.users hides its messages'])
})

test('a level shows the fields that it names, and one that is not named shows nothing', () => {
  const fields = { id: text(), displayName: text(), secret: text() }
  const mark = markOf(
    seenAt('resource', message('test.v1.Thing', fields), { owned: 'all', held: { without: ['secret'] } }),
  )
  const shownAt = (level: string) => Object.keys(fields).filter((field) => mark?.shows(level, field))
  expect(shownAt('owned')).toEqual(['id', 'displayName', 'secret'])
  expect(shownAt('held')).toEqual(['id', 'displayName'])
  expect(shownAt('past')).toEqual([])
})
