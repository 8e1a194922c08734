import { describe, expect, test } from 'vitest'
import {
  chainOf,
  confirmationOf,
  confirmationWords,
  type HoldingFacts,
  inForce,
  type SaidOfRequest,
} from '#rooms/overview/evidence/decide.ts'
import type { Carried, HistoryRow } from '#rooms/overview/evidence/facts.ts'
import { joined } from '#rooms/overview/evidence/gather/cite.ts'

/** What an evidence pack says that an app confirmed: only what belongs to the grant that it is about. */

const ref = { appId: 'app', entitlementId: 'entitlement', accountId: 'account' }
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n))
const row = (more: Partial<HistoryRow>): HistoryRow => ({
  ...ref,
  id: 'grant',
  source: 'manual',
  grantedBy: 'someone',
  grantedAt: day(10),
  beganAt: day(10),
  expiresAt: null,
  endedAt: null,
  endedWhy: null,
  reason: '',
  ...more,
})
const carried = (more: Partial<Carried>): Carried => ({
  ...ref,
  id: 'task',
  connectorId: 'c',
  connectorName: 'Baton',
  kind: 'grant',
  state: 'done',
  createdAt: day(10),
  endedAt: day(11),
  ...more,
})
const facts = (rows: HistoryRow[], more: Partial<HoldingFacts> = {}): HoldingFacts => ({
  chains: inForce(rows, day(20)).map((each) => chainOf(each, rows)),
  carried: [],
  readOf: () => undefined,
  lastReadOf: () => undefined,
  saidOf: () => undefined,
  isBuiltIn: false,
  at: day(20),
  ...more,
})
const sync = {
  importId: 'sync',
  connectorId: 'c',
  connectorName: 'Baton',
  userId: '',
  beganAt: day(9),
  finishedAt: day(10),
}
const file = { ...sync, importId: 'file', connectorId: '', connectorName: '', userId: 'someone' }
const reads: Partial<HoldingFacts> = { readOf: (id) => [sync, file].find(({ importId }) => importId === id) }
const is = (of: HoldingFacts): string => confirmationOf(of).is

describe('a grant is', () => {
  test('reported by its app if a sync found it, as of the last sync before the moment', () => {
    const held = row({ source: 'import', grantedBy: 'sync' })
    const found = confirmationOf(facts([held], { ...reads, lastReadOf: () => day(19) }))
    expect(found).toMatchObject({ is: 'app reported', at: day(19), by: { name: 'Baton' } })
    expect(is(facts([held, row({ id: 'other' })], reads))).toBe('app reported')
  })

  test('not confirmed by a file that someone imported', () => {
    expect(is(facts([row({ source: 'import', grantedBy: 'file' })], reads))).toBe('file said')
    // Nor if it is not known which import it was.
    expect(is(facts([row({ source: 'import', grantedBy: 'gone' })], reads))).toBe('file said')
    expect(is(facts([row({ source: 'import', grantedBy: 'file' })], { ...reads, carried: [carried({})] }))).toBe(
      'file said',
    )
  })

  test('confirmed by the task of a connector since it began', () => {
    expect(is(facts([row({})], { carried: [carried({})] }))).toBe('connector confirmed')
    expect(is(facts([row({})], { carried: [carried({ createdAt: day(9) })] }))).toBe('recorded only')
    expect(is(facts([row({})], { carried: [carried({ endedAt: day(21) })] }))).toBe('sent')
  })

  test('not confirmed by what an earlier grant led to', () => {
    const earlier = row({ id: 'earlier', grantedAt: day(1), beganAt: day(1), endedAt: day(5), endedWhy: 'revoked' })
    const once = carried({ createdAt: day(1), endedAt: day(2) })
    expect(is(facts([row({}), earlier], { carried: [once] }))).toBe('recorded only')
    // A change of its terms does not make it another grant.
    const restated = row({ id: 'earlier', grantedAt: day(1), beganAt: day(1), endedAt: day(10), endedWhy: 'restated' })
    expect(is(facts([row({}), restated], { carried: [once] }))).toBe('connector confirmed')
  })

  test('not confirmed if it was revoked in the app since', () => {
    const revoked = carried({ id: 'later', kind: 'revoke', createdAt: day(12), endedAt: day(13) })
    expect(is(facts([row({})], { carried: [revoked, carried({})] }))).toBe('recorded only')
    const asked = row({ source: 'request', grantedBy: 'request' })
    const saidOf = () => said({ at: day(11) })
    expect(is(facts([asked], { saidOf, carried: [revoked] }))).toBe('recorded only')
  })

  test('sent or failed as long as the last task says so', () => {
    expect(is(facts([row({})], { carried: [carried({ state: 'queued', endedAt: null })] }))).toBe('sent')
    expect(is(facts([row({})], { carried: [carried({ state: 'failed' })] }))).toBe('failed')
  })

  const said = (more: Partial<SaidOfRequest>): SaidOfRequest => ({
    is: 'person',
    by: { id: 'nina', name: 'Nina' },
    from: day(9),
    at: day(10),
    ...more,
  })

  test('done as a person, a webhook or a connector said of its request, and of no other', () => {
    const asked = row({ source: 'request', grantedBy: 'request' })
    const of = (more: Partial<SaidOfRequest>) =>
      is(facts([asked], { saidOf: (id) => (id === 'request' ? said(more) : undefined) }))
    expect(of({})).toBe('person said')
    expect(of({ is: 'webhook' })).toBe('webhook confirmed')
    expect(of({ is: 'connector' })).toBe('connector confirmed')
    expect(of({ at: day(21) })).toBe('recorded only')
    expect(is(facts([row({ grantedBy: 'request' })], { saidOf: () => said({}) }))).toBe('recorded only')
    // The connector was asked before the grant was recorded, for this request.
    const before = carried({ createdAt: day(9), endedAt: day(10) })
    expect(is(facts([asked], { saidOf: () => said({ is: 'connector' }), carried: [before] }))).toBe(
      'connector confirmed',
    )
  })

  test('enforced here if Bailiwick is the app', () => {
    expect(is(facts([row({})], { isBuiltIn: true }))).toBe('enforced here')
  })
})

test('each of them in words, that name the app', () => {
  const by = { id: 'c', name: 'Baton' }
  expect(confirmationWords({ is: 'app reported', at: day(2), by }, 'CRM')).toBe(
    'CRM has it: read by the connector Baton, the last time at 2026-01-02 00:00 UTC',
  )
  expect(confirmationWords({ is: 'person said', at: day(2), by: null }, 'CRM')).toBe(
    'A person said at 2026-01-02 00:00 UTC that it was done in CRM',
  )
  expect(confirmationWords({ is: 'sent', at: day(2), by }, 'CRM')).toBe(
    'Sent to the connector Baton at 2026-01-02 00:00 UTC, not confirmed',
  )
})

test('times that overlap are read once', () => {
  const span = (from: number, to: number) => ({ since: day(from), until: day(to) })
  expect(joined([span(5, 6), span(1, 3), span(2, 4), span(8, 9)])).toEqual([span(1, 4), span(5, 6), span(8, 9)])
  expect(joined([])).toEqual([])
})
