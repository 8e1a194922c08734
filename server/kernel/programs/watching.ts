import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Started } from './processes.ts'
import type { ToWatcher } from './watcher.ts'

export type Watching = {
  watch(started: Started): void
  forget(started: Started): void
  /** Nothing is left to watch. */
  end(): void
  /** The process that watches, once there is one. */
  pid(): number | undefined
}

const entry = fileURLToPath(new URL('watcher.ts', import.meta.url))
const againMs = 1_000

/**
 * A process that ends the programs of this one when this one has ended. It is started with the first program, as the server's
 * own user, so that programs of other users cannot end it; if it ends, there is another one.
 */
export function openWatching(folder: string): Watching {
  const started = new Map<string, Started>()
  let child: ChildProcess | null = null
  let isOver = false
  const send = (order: ToWatcher): void => void child?.stdin?.write(`${JSON.stringify(order)}\n`)
  const begin = (): void => {
    const mine = spawn(process.execPath, ['--max-old-space-size=32', entry], {
      // Its own session: the terminal's Ctrl-C is not for it.
      detached: true,
      cwd: '/',
      env: { TMPDIR: process.env['TMPDIR'] ?? '' },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child = mine
    mine.on('error', () => {})
    mine.stdin?.on('error', () => {})
    mine.unref()
    ;(mine.stdin as Socket).unref()
    mine.once('exit', () => {
      if (child === mine) child = null
      if (!isOver && started.size > 0) setTimeout(() => !isOver && !child && begin(), againMs).unref()
    })
    send({ folder })
    for (const each of started.values()) send({ watch: each })
  }
  return {
    watch(each) {
      started.set(each.folder, each)
      if (child) send({ watch: each })
      else begin()
    },
    forget(each) {
      started.delete(each.folder)
      send({ forget: each.folder })
    },
    end() {
      isOver = true
      child?.stdin?.end()
    },
    pid: () => child?.pid,
  }
}
