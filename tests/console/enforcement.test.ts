import { expect, test } from 'vitest'
import type { EntitlementEnforcement, PolicyStepInstance } from '#client/api/types.ts'
import { uncomparedWords } from '../../console/src/pages/drift/uncompared.ts'
import { provisionedWords } from '../../console/src/pages/tasks/provisioned.ts'
import type { SeenTask } from '../../console/src/pages/tasks/seen-task.ts'
import { endedWords, reachLines, reachOf } from '../../console/src/parts/reach.ts'

/** What the console says of changes in apps: no sentence may say more than what happened. */

const seen = {
  kind: 'grant',
  app: { displayName: 'Source Code' },
  task: {},
  nameOf: (id: string) => (id === 'ann' ? 'Ann Lee' : 'Bailiwick'),
} as unknown as SeenTask
const stepOf = (more: object = {}): PolicyStepInstance =>
  ({
    id: 'step',
    provision: { completed: { userId: '' }, webhookInstanceId: '', provision: null, ...more },
  }) as unknown as PolicyStepInstance
const told = (comment: string, by?: EntitlementEnforcement['by']) => ({ comments: new Map([['step', comment]]), by })
const recorded = 'Access was provisioned.'

test('a grant that nothing carried out is only said to be recorded', () => {
  for (const comment of [
    recorded,
    'Recorded in Bailiwick.',
    'Recorded in Bailiwick. Nobody is asked to change the app.',
  ])
    expect(provisionedWords(seen, stepOf(), told(comment, 'ENFORCED_BY_NOBODY'))).toEqual({
      what: 'Recorded in Bailiwick',
      after: 'Nothing is connected to Source Code: somebody must make the change there.',
    })
})

test('what is connected by now is not said to have made an earlier change', () => {
  for (const by of ['ENFORCED_BY_CONNECTOR', 'ENFORCED_BY_PEOPLE', undefined] as const)
    expect(provisionedWords(seen, stepOf(), told(recorded, by))).toEqual({
      what: 'Recorded in Bailiwick',
      after: 'Nobody was asked to change Source Code.',
    })
})

test('who confirmed a change is named: the app through its connector, a webhook, or a person', () => {
  expect(provisionedWords(seen, stepOf(), told('Provisioned by the connector Git.'))).toEqual({
    what: 'Confirmed by Source Code through the connector Git',
  })
  expect(provisionedWords(seen, stepOf({ webhookInstanceId: 'delivery' }), told(''))).toEqual({
    what: 'Confirmed by the webhook',
  })
  expect(provisionedWords(seen, stepOf({ completed: { userId: 'ann' } }), told('Added her.'))).toEqual({
    what: 'Ann Lee said that it is done',
  })
})

test('membership in an access profile takes effect in Bailiwick itself, and so does a change of its settings', () => {
  expect(provisionedWords(seen, stepOf(), told(recorded, 'ENFORCED_BY_BAILIWICK'))).toEqual({
    what: 'In effect: Bailiwick itself enforces it',
  })
  expect(provisionedWords({ ...seen, kind: 'change' }, stepOf(), told(recorded))).toEqual({ what: 'Done in Bailiwick' })
})

const of = (enforced: Record<string, EntitlementEnforcement['by']>) => ({
  isKnown: true,
  of: ({ id }: { id: string }) =>
    enforced[id] ? ({ by: enforced[id], revocation: null } as unknown as EntitlementEnforcement) : undefined,
})
const refs = (...ids: string[]) => ids.map((id) => ({ appId: 'app', id }))

test('the end of grants is counted by what removes them in their apps', () => {
  const enforced = of({ a: 'ENFORCED_BY_CONNECTOR', b: 'ENFORCED_BY_NOBODY', c: 'ENFORCED_BY_PEOPLE' })
  expect(endedWords(4, reachOf(enforced, refs('a', 'b', 'b', 'c')))).toBe(
    'Ended 4 grants in Bailiwick. 1 of them is sent to a connector. 2 of them must still be removed in apps that are not connected. ' +
      '1 of them must still be removed in their apps: nobody is asked to do it.',
  )
  expect(reachLines(reachOf(enforced, refs('b')))).toEqual(['It must still be removed in apps that are not connected.'])
  expect(reachLines(reachOf(enforced, refs('a', 'a')))).toEqual(['All of them are sent to connectors.'])
})

test('a revocation of its own counts, and nothing is said before all of it is known', () => {
  const revocation = { by: 'ENFORCED_BY_NOBODY' }
  const other = {
    isKnown: true,
    of: () => ({ by: 'ENFORCED_BY_CONNECTOR', revocation }) as unknown as EntitlementEnforcement,
  }
  expect(reachOf(other, refs('a', 'b'))).toEqual({ count: 2, sent: 0, unconnected: 2, unasked: 0 })
  expect(endedWords(2, reachOf({ ...other, isKnown: false }, refs('a', 'b')))).toBe('Ended 2 grants in Bailiwick.')
})

test('what drift does not compare is named: connectors that have not synced, and apps without one', () => {
  const words = (times: (string | null)[], appsWithoutConnector = 0) =>
    uncomparedWords({
      unread: times.map((lastSyncedAt) => ({
        lastSyncedAt,
        appId: 'app',
        connectorId: 'connector',
        displayName: 'Reader',
        health: 'CONNECTOR_HEALTH_FAILING' as const,
      })),
      appsWithoutConnector,
    })
  const at = '2026-11-15T12:00:00Z'
  expect(words([at], 10)).toBe('1 connector has not synced since Nov 15; 10 apps have no connector.')
  expect(words([null], 1)).toBe('1 connector has not synced yet; 1 app has no connector.')
  expect(words(['2026-11-16T12:00:00Z', at])).toBe('2 connectors have not synced, the longest since Nov 15.')
  expect(words([at, null])).toBe('2 connectors have not synced, some not yet.')
  expect(words([])).toBe('')
})
