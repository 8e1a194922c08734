import { rm } from 'node:fs/promises'
import { openLog } from '#kernel/log.ts'
import { openMemory } from '#kernel/memory.ts'
import type { World } from '#kernel/world.ts'
import { openKept } from '#rooms/foundation/systemlog/index.ts'
import { readServeConfig } from '#server/settings/config.ts'
import { openWorld } from '#server/start/world.ts'
import { makeFolder } from '../fixture/folder.ts'
import { makeDatabase } from '../fixture/server.ts'

/** A world of its own without a server: nothing is sealed or kept but by the tests. */
export type Alone = {
  world: World
  /** The lines of its log. */
  logged: Record<string, unknown>[]
  errors(): string[]
  /** A process that has just started: it knows what was stored next to the secret key, and nothing else. */
  start(): Promise<World>
  close(): Promise<void>
}

export async function openAlone(): Promise<Alone> {
  const { url, drop } = await makeDatabase()
  const dataDir = await makeFolder()
  const logged: Record<string, unknown>[] = []
  const config = readServeConfig({ 'data-dir': dataDir, 'database-url': url }, {})
  const log = openLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) })
  const { world, close } = await openWorld(config, 'command', log)
  return {
    world,
    logged,
    errors: () => logged.filter(({ level }) => level === 'error').map(({ msg }) => String(msg)),
    async start() {
      const made: World = { ...world, memory: openMemory(() => made) }
      await openKept(made)
      return made
    },
    async close() {
      await close()
      await drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
