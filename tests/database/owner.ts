import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { DataFolderInUse, type EmbedOptions } from '#database/embedded/embed.ts'
import { openDatabase } from '#database/open.ts'

// Opens a data folder, says so, and writes rows if it was told to; ends when its input does.
const { write, ...from } = JSON.parse(process.argv[2] ?? '{}') as EmbedOptions & { write?: boolean }
const say = (what: object): void => {
  writeSync(1, `${JSON.stringify(what)}\n`)
}

try {
  const { db, embedded, close } = await openDatabase({ from })
  say({ opened: { owned: embedded?.owned, postmaster: embedded?.pid() } })
  process.stdin.resume().once('end', () => void close().then(() => process.exit(0)))
  if (write) {
    await db`create table if not exists written (row text primary key)`
    const writeOn = async (line: number): Promise<void> => {
      for (let n = 0; ; n++) {
        const row = `${process.pid}-${line}-${n}`
        // Goes on, as a server does, when PostgreSQL is away for a moment.
        await db
          .begin((tx) => tx`insert into written (row) values (${row})`)
          .then(
            () => say({ wrote: row }),
            () => sleep(20),
          )
      }
    }
    await Promise.all([1, 2, 3, 4].map(writeOn))
  }
} catch (error) {
  if (!(error instanceof DataFolderInUse)) throw error
  say({ refused: { name: error.name, message: error.message } })
}
