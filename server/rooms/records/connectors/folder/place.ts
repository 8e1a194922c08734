import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { slot } from '#kernel/memory.ts'
import { openWatching, type Watching } from '#kernel/programs/watching.ts'

/** Where the programs of this process have their folders, and the process that ends them after it. */
export type Place = { base: string; watching: Watching; close(): void }

/** Opened when the first program is started. */
export const places = slot(() => {
  let place: Promise<Place> | null = null
  const make = async (): Promise<Place> => {
    const base = mkdtempSync(join(tmpdir(), 'bailiwick-connectors-'))
    // Other users pass through to their own folders, and list none.
    await chmod(base, 0o711)
    const watching = openWatching(base)
    return {
      base,
      watching,
      close() {
        watching.end()
        rmSync(base, { recursive: true, force: true })
      },
    }
  }
  return {
    open: (): Promise<Place> => (place ??= make()),
    async close(): Promise<void> {
      ;(await place)?.close()
      place = null
    },
  }
})
