import { expect, test } from 'vitest'
import { changesIn, fieldName, itemsOf } from '../../console/src/pages/system-log/changes.ts'

const told = (data: object, name = ''): string[] =>
  changesIn({ name, data }).changes.map(({ field, state, before, after }) =>
    [field, state, JSON.stringify(before), JSON.stringify(after)].join(' '),
  )

test('fields under their names are compared, and those that stayed are left out', () => {
  expect(told({ appId: 'a', description: 'new', cost: 1, before: { description: 'old', cost: 1 } })).toEqual([
    'description changed "old" "new"',
  ])
  expect(told({ description: 'new', before: { description: '' } })).toEqual(['description added "" "new"'])
  expect(told({ description: '', before: { description: 'old' } })).toEqual(['description removed "old" ""'])
  expect(told({ before: { displayName: 'Old' } }, 'New')).toEqual(['displayName changed "Old" "New"'])
})

test('a before without names is the old value of the field that the event is about', () => {
  expect(told({ status: 'DISABLED', before: 'ENABLED' })).toEqual(['status changed "ENABLED" "DISABLED"'])
  expect(told({ appId: 'a', expiresAt: 'y', before: 'x' })).toEqual(['expiresAt changed "x" "y"'])
  expect(told({ roleIds: ['a', 'b'], before: ['a'] })).toEqual(['roleIds changed ["a"] ["a","b"]'])
  expect(told({ before: 'Old name' }, 'New name')).toEqual(['displayName changed "Old name" "New name"'])
  expect(told({ kind: 'x', policyId: 'p', before: '' })).toEqual(['policyId added "" "p"'])
})

test('an object within is compared field by field; a new one is all added', () => {
  const definition = { kind: 'cel', expression: 'b', deep: { n: 1 } }
  expect(
    told({ appId: 'a', version: 2, definition, before: { kind: 'cel', expression: 'a', deep: { n: 2 } } }),
  ).toEqual(['definition.expression changed "a" "b"', 'definition.deep.n changed 2 1'])
  expect(told({ appId: 'a', version: 1, definition: { kind: 'cel' }, before: null })).toEqual([
    'definition.kind added  "cel"',
  ])
})

test('an event without a previous state shows the new one, without unset fields; anything but an object shows nothing', () => {
  expect(changesIn({ data: { appId: 'a', counts: { users: 2, apps: null }, note: '' } })).toEqual({
    changes: [],
    facts: [
      ['appId', 'a'],
      ['counts.users', 2],
    ],
  })
  for (const data of [undefined, null, 'text', ['x']]) expect(changesIn({ data })).toEqual({ changes: [], facts: [] })
})

test('lists tell what came and what went', () => {
  const items = itemsOf({ field: 'x', before: ['a', 'b'], after: ['b', 'c'], state: 'changed' })
  expect(items).toEqual({ added: ['c'], removed: ['a'] })
  expect(itemsOf({ field: 'x', before: 'a', after: 'b', state: 'changed' })).toBeNull()
})

test('names of fields are words', () => {
  expect(['grantPolicyId', 'displayName', 'roleIds', 'settings.maxDays'].map(fieldName)).toEqual([
    'Grant policy',
    'Name',
    'Roles',
    'Settings: max days',
  ])
})
