import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { serveOn } from '../../cli/command.ts'
import { inBrowser, openBrowser, openWindow } from '../../fixture/browser.ts'
import { makeFolder } from '../../fixture/folder.ts'
import { copyDataFolder } from '../../fixture/later.ts'
import { startServer } from '../../fixture/server.ts'

/** One of each kind that tests start, and nothing that ends them: then this hook waits for ever, or fails. */
beforeAll(async () => {
  const dataDir = join(await makeFolder(), 'data')
  copyDataFolder(dataDir)
  await startServer()
  await serveOn(['--workers', '2', '--empty', '--data-dir', dataDir])
  if (inBrowser === describe) await openWindow(await openBrowser(), 'http://localhost')
  writeFileSync(process.env['LEFT_BEHIND_READY'] as string, String(process.pid))
  if (process.env['LEFT_BEHIND_FAIL']) throw new Error('this hook fails')
  await new Promise(() => {})
})

test('is never reached', () => {})
