import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idMaker, idPattern, idTime } from '#kernel/ids.ts'

test('ids are 27 characters of 0-9A-Za-z', () => {
  const newId = idMaker(Date.now)
  for (let i = 0; i < 1000; i++) expect(newId()).toMatch(idPattern)
})

test('ids are in order of creation, whatever the clock does', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 2, maxLength: 200 }), (steps) => {
      let at = Date.parse('2026-11-15T00:00:00Z')
      const newId = idMaker(() => at)
      const ids = steps.map((step) => {
        at += step
        return newId()
      })
      expect(ids.toSorted()).toEqual(ids)
      expect(new Set(ids).size).toBe(ids.length)
    }),
  )
})

test('an id tells when it was made, to the second', () => {
  const at = Date.parse('2026-11-15T12:34:56.789Z')
  expect(idTime(idMaker(() => at)())).toEqual(new Date('2026-11-15T12:34:56Z'))
})

test('a known KSUID of another maker is read as it was meant', () => {
  // The example of the KSUID reference implementation: 2017-10-10 04:00:47 UTC.
  expect(idTime('0ujtsYcgvSTl8PAuAdqWYSMnLOv')).toEqual(new Date('2017-10-10T04:00:47Z'))
})
