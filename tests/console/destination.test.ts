import { expect, test } from 'vitest'
import { pathWithin } from '#rooms/identity/sessions/decide.ts'
import { destination } from '../../console/src/pages/sign-in/destination.ts'

const origin = 'https://access.example.com'

const elsewhere = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '/\t\\evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/ /evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/./\\evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/%2E%2e//evil.example',
  'https://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'java\tscript:alert(1)',
  'evil.example',
  '@evil.example',
  '',
  '\u2028//evil.example',
  '/\u00a0/evil.example',
  '/\u3002/evil.example',
]

test.each(elsewhere)('%j leads to the start', (returnTo) => {
  expect(destination(returnTo, origin)).toBe('/')
  expect(pathWithin(returnTo)).toBe('/')
})

test('no address leads to the start', () => {
  expect(destination(undefined, origin)).toBe('/')
})

test.each([
  '/',
  '/apps',
  '/log?order=oldest&q=a%20b',
  '/users/2abc/owned?page=x#top',
  // Encoded twice it is a name, and no slash.
  '/%252F%252Fevil.example',
  '/%2F%2Fevil.example',
  '/%09/evil.example',
  '/a//b',
  '/apps?returnTo=//evil.example',
])('%j leads there, on this very origin', (returnTo) => {
  expect(destination(returnTo, origin)).toBe(returnTo)
  expect(new URL(destination(returnTo, origin), origin).origin).toBe(origin)
  expect(pathWithin(returnTo)).toBe(returnTo)
})
