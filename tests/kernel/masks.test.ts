import { expect, test } from 'vitest'
import { fieldsToChange, updatable } from '#kernel/masks.ts'
import { message, text } from '#kernel/wire.ts'

const Thing = message('Thing', { displayName: text(), homeTown: text(), id: text() })
const sent = (json: object) => updatable(Thing).read(json, '', [])
const changeable = ['displayName', 'homeTown'] as const

test('a mask names fields in either spelling', () => {
  const fields = fieldsToChange(sent({ display_name: 'x' }), 'display_name, homeTown', changeable)
  expect(fields).toEqual(new Set(['displayName', 'homeTown']))
})

test('without a mask, every field that was sent is changed, and no other', () => {
  expect(fieldsToChange(sent({ home_town: '' }), '', changeable)).toEqual(new Set(['homeTown']))
  expect(fieldsToChange(sent({ id: 'x' }), '', changeable)).toEqual(new Set())
  expect(fieldsToChange(null, '', changeable)).toEqual(new Set())
})

test('a mask that names what cannot be changed is refused, naming it', () => {
  expect(() => fieldsToChange(sent({}), 'displayName,shoeSize', changeable)).toThrow(/updateMask: names shoeSize/)
})

test('null is unset, and so it is not sent', () => {
  expect(fieldsToChange(sent({ displayName: null, homeTown: 'x' }), '', changeable)).toEqual(new Set(['homeTown']))
  expect(fieldsToChange(sent({ displayName: null }), 'displayName', changeable)).toEqual(new Set(['displayName']))
})
