import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { compileExpression } from './compiled.ts'
import { type Person, prepare } from './world.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/rules.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\w+)( fails)?\n([^]*?)^```/gm)].map(([, language, fails, text]) => ({
  language,
  isFailing: fails !== undefined,
  lines: (text ?? '').trim().split('\n'),
}))
const examples = blocks
  .filter(({ language }) => language === 'cel')
  .flatMap(({ lines, isFailing }) => lines.map((source) => ({ source, verdict: isFailing ? 'error' : true })))

const world = prepare()
let userId: string
beforeAll(async () => {
  const json = blocks.find(({ language }) => language === 'json')
  ;[userId = ''] = await world.people([JSON.parse(json?.lines.join('\n') ?? '') as Person])
})

test('the page has examples', () => expect(examples.length).toBeGreaterThan(20))

test.each(examples)('$source is $verdict', async ({ source, verdict }) => {
  const compiled = compileExpression(source)
  expect((await world.byEvaluation(compiled, [userId])).get(userId)).toBe(verdict)
  const inSql = await world.bySql(compiled, [userId])
  // The page says which are not.
  expect(inSql?.get(userId)).toBe(source.startsWith('timestamp(subject') ? undefined : verdict)
})

const refused = [...page.matchAll(/^\| `(.+?)` \| (line \d+, column \d+: .+?) \|$/gm)].map(([, source, why]) => ({
  source,
  why,
}))
test('the page tells of refusals', () => expect(refused).toHaveLength(4))
test.each(refused)('$source is refused', ({ source, why }) => {
  expect(() => compileExpression(source ?? '')).toThrow(`expression: ${why}`)
})
