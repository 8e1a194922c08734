import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findStale, generated } from '../../scripts/generated.ts'

test('every generated file is what it would be made as now', async () => {
  // To make the schema takes a PostgreSQL of its own.
  const stale = await findStale(generated)
  expect(
    stale.map(({ path }) => path),
    'npm run generate',
  ).toEqual([])
})

test('a file that differs and a file that is missing are stale; one that agrees is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-generated-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string) => ({ path: join(folder, name), make: () => Promise.resolve(text) })
  writeFileSync(join(folder, 'agrees'), 'same')
  writeFileSync(join(folder, 'differs'), 'old')

  const stale = await findStale([file('agrees', 'same'), file('differs', 'new'), file('missing', 'new')])
  expect(stale.map(({ path }) => path)).toEqual([join(folder, 'differs'), join(folder, 'missing')])
})
