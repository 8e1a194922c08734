import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabase } from '#database/open.ts'
import { dataFolder, postmastersOf, until } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import { startChild } from './child.ts'

const rounds = fewOrMany(1, 20)

test('kill -9 of the server in the middle of writes: every write that was answered is there', async () => {
  const dataDir = dataFolder()
  const acknowledged: string[] = []
  let unanswered = 0
  for (let round = 0; round < rounds; round++) {
    const { url, process: child, exit } = await startChild(dataDir)
    await fetch(`${url}/test/sleep?ms=0`)
    const write = async (line: number): Promise<void> => {
      for (let n = 0; ; n++) {
        const name = `${round}-${line}-${n}`
        const body = JSON.stringify({ name })
        const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
        try {
          const reply = await fetch(`${url}/test/rows`, init)
          // A server that just started on a busy machine may not have heard from its database yet; it says that nothing was changed.
          if (reply.status === 503) continue
          expect(await reply.json()).toEqual({ name })
          acknowledged.push(name)
        } catch (error) {
          if (!(error instanceof TypeError)) throw error
          unanswered++
          return
        }
      }
    }
    const before = acknowledged.length
    const writing = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(write))
    // In the middle of it, however slow the machine is.
    await until(() => acknowledged.length > before + 10)
    await sleep(Math.random() * 150)
    child.kill('SIGKILL')
    await writing
    await exit
  }
  await until(() => postmastersOf(dataDir).length === 0)
  const { db, close } = await openDatabase({ from: { dataDir, purpose: 'command' }, connectionsMax: 1 })
  const there = new Set((await db<{ name: string }[]>`select name from written`).map(({ name }) => name))
  await close()
  expect(acknowledged.length).toBeGreaterThan(10 * rounds)
  expect(unanswered).toBe(8 * rounds)
  expect(acknowledged.filter((name) => !there.has(name))).toEqual([])
})
