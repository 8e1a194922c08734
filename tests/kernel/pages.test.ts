import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PageScope, pageOf, pageSizeOf } from '#kernel/pages.ts'
import { sealsOf } from '#kernel/seals.ts'

const scope: PageScope = {
  seals: sealsOf(randomBytes(32)),
  tenant: 'acme.example',
  operation: 'things.v1.Things.List',
  filter: [{ app_id: 'a' }, { query: '' }],
}
const rows = Array.from({ length: 30 }, (_, i) => i)
const first = (of = scope) => pageOf(of, 10, '').cut(rows.slice(0, 11), (row) => [row], String)
const invalid = /not a token of this list/

test.each([
  [null, 25],
  [0, 10],
  [-5, 10],
  [9, 10],
  [10, 10],
  [25, 25],
  [100, 100],
  [101, 100],
  [1e30, 100],
])('page_size %s is a page of %i', (asked, size) => {
  expect(pageSizeOf(asked)).toBe(size)
})

test('a page names the next one, which begins after its last row', () => {
  const { list, nextPageToken } = first()
  expect(list).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
  expect(pageOf(scope, 10, nextPageToken).after).toEqual([9])
})

test('the next page can be asked with another page size', () => {
  expect(pageOf(scope, 50, first().nextPageToken)).toMatchObject({ size: 50, after: [9] })
})

test('the last page has an empty nextPageToken, also when it is full', () => {
  expect(pageOf(scope, 10, '').cut(rows.slice(0, 10), (row) => [row], String).nextPageToken).toBe('')
  expect(pageOf(scope, 10, '').cut<number, string>([], (row) => [row], String)).toEqual({ list: [], nextPageToken: '' })
})

test.each([
  ['another tenant', { tenant: 'other.example' }],
  ['another operation', { operation: 'things.v1.Things.Search' }],
  ['another parent', { filter: [{ app_id: 'b' }, { query: '' }] }],
  ['another filter', { filter: [{ app_id: 'a' }, { query: 'x' }] }],
  ['another installation', { seals: sealsOf(randomBytes(32)) }],
])('a token made for %s is refused', (_, change) => {
  const { nextPageToken } = first({ ...scope, ...change })
  expect(() => pageOf(scope, 10, nextPageToken)).toThrow(invalid)
})

test('a token that was forged, cut or padded is refused', () => {
  const { nextPageToken } = first()
  fc.assert(
    fc.property(fc.nat(nextPageToken.length - 1), fc.constantFrom('A', 'z', '=', ' ', '!', ''), (at, character) => {
      const changed = nextPageToken.slice(0, at) + character + nextPageToken.slice(at + 1)
      fc.pre(changed !== nextPageToken && changed !== '')
      expect(() => pageOf(scope, 10, changed)).toThrow(invalid)
    }),
  )
  expect(() => pageOf(scope, 10, `${nextPageToken}A`)).toThrow(invalid)
  expect(() => pageOf(scope, 10, 'page-2')).toThrow(invalid)
})

test('a token tells nothing of the rows', () => {
  const secret = 'Ana Souza'
  const { nextPageToken } = pageOf(scope, 10, '').cut(Array<string>(11).fill(secret), (row) => [row], String)
  expect(Buffer.from(nextPageToken, 'base64url').toString('latin1')).not.toContain('Ana')
})
