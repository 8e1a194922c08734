import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readServeConfig } from '#server/settings/config.ts'
import { getToken, type Key, openAccess } from '../fixture/access.ts'
import { dataFolder, until } from '../fixture/later.ts'
import { startChild } from './child.ts'

test('kill -9 of the server in the middle of creations with keys: repeated, each was made once, with one reply', async () => {
  const dataDir = dataFolder()
  const config = readServeConfig({ 'data-dir': dataDir }, {})
  let key: Key | undefined
  const replies = new Map<string, string>()
  let unanswered: string[] = []
  let repeated = 0
  let replayed = 0
  for (let round = 0; round < 2; round++) {
    const server = await startChild(dataDir)
    const access = await openAccess({ config })
    // One caller in all: keys are the caller's own.
    key ??= await access.makeCaller(['system:owner'])
    const token = await getToken(server, key)
    const create = async (name: string): Promise<void> => {
      const reply = await fetch(`${server.url}/api/v1/apps`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': name },
        body: JSON.stringify({ displayName: name }),
      })
      const text = await reply.text()
      // A server that just started on a busy machine may not have heard from its database yet; it says that nothing was changed.
      if (reply.status === 503) return create(name)
      expect(reply.status, text).toBe(200)
      expect(text).toBe(replies.get(name) ?? text)
      if (reply.headers.has('idempotent-replayed')) replayed++
      replies.set(name, text)
    }
    repeated += unanswered.length
    for (const name of [...unanswered, ...[...replies.keys()].slice(-5)]) await create(name)
    unanswered = []
    let n = 0
    const write = async (line: number): Promise<void> => {
      for (;;) {
        const name = `${round}-${line}-${n++}`
        try {
          await create(name)
        } catch (error) {
          if (!(error instanceof TypeError)) throw error
          unanswered.push(name)
          return
        }
      }
    }
    const writing = Promise.all([1, 2, 3, 4, 5, 6, 7].map(write))
    await until(() => n > 40)
    await access.close()
    await sleep(Math.random() * 60)
    server.process.kill('SIGKILL')
    await writing
    await server.exit
  }
  const server = await startChild(dataDir)
  const access = await openAccess({ config })
  const rows = await access.world.db<{ name: string; count: number }[]>`
    select display_name as name, count(*)::int as count from apps group by 1`
  await access.close()
  server.process.kill('SIGTERM')
  expect(await server.exit).toBe(0)
  expect(rows.filter(({ count }) => count !== 1)).toEqual([])
  expect([...replies.keys()].filter((name) => !rows.some((row) => row.name === name))).toEqual([])
  expect(repeated).toBe(7)
  expect(replayed).toBeGreaterThan(0)
})
