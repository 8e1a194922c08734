import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, blocksOf } from '../../server/rooms/records/imports/reading/blocks.ts'

async function read(...chunks: (string | Buffer)[]): Promise<Block[]> {
  return Array.fromAsync(blocksOf(Readable.from(chunks.map((chunk) => Buffer.from(chunk)))))
}
const textOf = (blocks: readonly Block[]): string => blocks.map(({ text }) => text).join('')
const unreadableIn = (blocks: readonly Block[]): string[] =>
  blocks.flatMap(({ unreadable }) => unreadable.map(({ line, reason }) => `${line}: ${reason}`))

test('however a file is cut into pieces, its blocks are whole lines, and the lines are counted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '🙈', '\n') })),
      fc.integer({ min: 1, max: 7 }),
      async (parts, size) => {
        const bytes = Buffer.from(parts.join(''))
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        )
        const blocks = await read(...chunks)
        expect(textOf(blocks)).toBe(parts.join(''))
        let line = 1
        for (const [i, { text, firstLine }] of blocks.entries()) {
          expect(firstLine).toBe(line)
          expect(text.endsWith('\n') || i === blocks.length - 1).toBe(true)
          line += text.split('\n').length - 1
        }
      },
    ),
  )
})

test('a byte order mark at the beginning is read over', async () => {
  expect(textOf(await read('\ufeff{}\n\ufeff\n'))).toBe('{}\n\ufeff\n')
})

test('a line that is not UTF-8 is named and left out; its neighbours stay', async () => {
  const blocks = await read('one\n', Buffer.from([0x74, 0xc3, 0x28, 0x0a]), 'three\n')
  expect(unreadableIn(blocks)).toEqual(['2: is not UTF-8'])
  expect(textOf(blocks)).toBe('one\n\nthree\n')
})

test('a line with a NUL is named and left out', async () => {
  expect(unreadableIn(await read('a\nb\0c\nd'))).toEqual(['2: contains a NUL character'])
})

test('a line of more than 1 MiB is named and not held, be it in one piece or in many', async () => {
  const long = 'x'.repeat(1024 * 1024 + 1)
  const many = await read('a\n', ...Array.from({ length: 1000 }, () => 'y'.repeat(10_000)), 'z\nb\n', long)
  expect(unreadableIn(many)).toEqual(['2: is longer than 1 MiB', '4: is longer than 1 MiB'])
  expect(textOf(many)).toBe('a\n\nb\n')
  const one = await read(`a\n${long}\nb\n`)
  expect(unreadableIn(one)).toEqual(['2: is longer than 1 MiB'])
  expect(textOf(one)).toBe('a\n\nb\n')
})
