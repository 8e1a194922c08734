import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { onlyLongTest } from '../fixture/long.ts'
import { startChild } from '../tasks/start-child.ts'
import { flags, prepare } from './scene.ts'

const scene = prepare()

onlyLongTest(
  'kill -9 in the middle of deliveries: no gap, first arrivals in the order of the log, and the same id for every repeat',
  async () => {
    const { receiver } = scene
    const kind = 'bailiwick.killed'
    const made = await Promise.all(Array.from({ length: 4 }, () => scene.subscribe({ eventKinds: [kind] })))
    const ids: string[] = []
    for (let round = 0; round < 2; round++) {
      const child = await startChild(scene.server, flags)
      // Whoever sends lets go, so that the other one has some of them too.
      await scene.access.world.db`update subscriptions set lease_until = now() - interval '1 second'`
      ids.push(...(await scene.emit(200, 'killed')))
      await sleep(300 + Math.random() * 500)
      await child.kill()
      await scene.access.world.db`update subscriptions set lease_until = now() - interval '1 second'`
    }
    for (const { path, id } of made) {
      await scene.until(() => new Set(receiver.acknowledged(path)).size === ids.length)
      await scene.until(async () => (await scene.get(id)).eventsBehind === 0)
      expect([...new Set(receiver.ids(path))]).toEqual(ids)
      const bodies = Map.groupBy(
        receiver.ledger.filter((got) => got.path === path),
        (got) => got.id,
      )
      for (const repeats of bodies.values()) expect(new Set(repeats.map(({ body }) => body)).size).toBe(1)
    }
  },
)
