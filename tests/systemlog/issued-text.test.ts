import { expect, test } from 'vitest'
import { type Attempt, authentication, issuedEvents } from '#rooms/foundation/systemlog/index.ts'

const tenant = { id: 1, publicId: '3M7qZsqzcqi7ew3IGBJLacSDVbk', domain: 'localhost:8080' }
const issued = {
  requestId: 'request-1',
  tokenId: '5f2c6c3e-5d0f-4c39-9d2e-0c8b5a7d6e01',
  expiresAt: new Date('2026-11-16T02:00:00Z'),
}
const eventId = '3M7p0kKjBNQxnX93xRZxfdHXcc7'
const timeMs = 1_794_700_000_000

const names = [
  'Ada Lovelace',
  '',
  '"time":8640000000000000',
  '","time":1,"x":"',
  '\\"expiration_time\\":8640000000000000,',
  '${eventId} \u2028 \u0001 😀',
  '8640000000000000',
]

test.each(names)('the event of a token, made ready or not, is the same: name %j', (name) => {
  const client: Omit<Attempt, 'requestId' | 'outcome'> = {
    tenant,
    sourceAddress: '127.0.0.1',
    clientId: `${name} client`,
    method: 'client_secret',
    user: { id: 'u', name, email: 'a@b.example' },
  }
  const { requestId, ...outcome } = issued
  const event = authentication({ ...client, requestId, outcome })
  const text = issuedEvents(client)(issued)(eventId, timeMs)
  expect(text.startsWith('{"severity_id":1,')).toBe(true)
  expect(text).toBe(
    JSON.stringify({
      severity_id: event['severity_id'],
      ...event,
      time: timeMs,
      metadata: { ...(event['metadata'] as object), uid: eventId },
    }),
  )
})
