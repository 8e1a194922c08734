import { create, type JsonObject, toBinary } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { messageExcess } from '../../server/rooms/records/baton/protocol/excess.ts'
import {
  FinishTaskRequestSchema,
  HeartbeatRequestSchema,
  HelloRequestSchema,
} from '../../server/rooms/records/baton/protocol/generated/c1/connectorapi/baton/v1/baton_pb.js'

const limits = { fieldsMax: 10, depthMax: 4 }
const tooMany = 'has more than 10 fields'
const bytes = (...parts: (number | Uint8Array)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)))
const field = (number: number, inside: Uint8Array): Uint8Array => bytes((number << 3) | 2, inside.length, inside)
const times = (count: number, part: Uint8Array): Uint8Array => Buffer.concat(Array.from({ length: count }, () => part))
const unknown = bytes(0xa0, 0x06, 0x00)

describe('a message may have so many fields', () => {
  const hello = (message: Uint8Array) => messageExcess(HelloRequestSchema, message, limits)
  test('unknown ones and repeated ones count', () => {
    expect(hello(times(10, unknown))).toBeNull()
    expect(hello(times(11, unknown))).toBe(tooMany)
    expect(hello(times(11, field(1, bytes())))).toBe(tooMany)
    expect(messageExcess(HeartbeatRequestSchema, times(11, field(4, bytes())), limits)).toBe(tooMany)
  })
  test('those of messages within count, in maps and lists too', () => {
    expect(hello(field(3, times(9, unknown)))).toBeNull()
    expect(hello(field(3, times(10, unknown)))).toBe(tooMany)
    expect(hello(times(2, field(3, times(5, unknown))))).toBe(tooMany)
  })
  test('numbers in one field count, and texts do not', () => {
    // connector_metadata.capabilities.connector_capabilities
    const capabilities = (count: number) =>
      toBinary(
        HelloRequestSchema,
        create(HelloRequestSchema, {
          connectorMetadata: { capabilities: { connectorCapabilities: Array.from({ length: count }, () => 1) } },
        }),
      )
    expect(hello(capabilities(7))).toBeNull()
    expect(hello(capabilities(8))).toBe(tooMany)
    expect(hello(field(1, times(30, unknown)))).toBeNull()
  })
  test('and be so deep', () => {
    const nested = (depth: number): JsonObject => (depth === 0 ? {} : { inner: nested(depth - 1) })
    const deep = (depth: number) => {
      const message = create(HelloRequestSchema, { connectorMetadata: { profile: nested(depth) } })
      return messageExcess(HelloRequestSchema, toBinary(HelloRequestSchema, message))
    }
    expect(deep(20)).toBeNull()
    expect(deep(21)).toBe('is nested more than 64 levels deep')
  })
  test.each([
    ['a group', bytes(0x1b, 0x1c)],
    ['an end of a group', bytes(0x1c)],
    ['a length beyond its end', bytes(0x0a, 5, 1)],
    ['a message beyond its end', bytes(0x1a, 5, 1)],
    ['a message that ends within a field', field(3, bytes(0x0a, 1))],
    ['a number without an end', bytes(0x10, 0xff)],
    ['a field 0', bytes(0x02, 0)],
  ])('%s is malformed', (_name, message) => {
    expect(messageExcess(FinishTaskRequestSchema, message, limits)).toBe('is malformed')
  })
})
