import type { Logger } from 'pino'
import { expect, test } from 'vitest'
import { type ConsoleWork, findOrBuild } from '#http/pages/console-build.ts'
import { temporaryFolder } from '../fixture/later.ts'

test('a stop that comes as the console begins to be built does not wait for the build', async () => {
  const said: string[] = []
  let stopped: Promise<void> | undefined
  const info = (...words: unknown[]): void => {
    said.push(String(words.at(-1)))
    // As soon as there is something to stop.
    stopped ??= Promise.resolve().then(() => work.stop())
  }
  const work: ConsoleWork = findOrBuild([temporaryFolder()], { info } as Logger)
  await expect(work.built).rejects.toThrow('stopped')
  await stopped
  expect(said).toEqual(['building the console'])
})
