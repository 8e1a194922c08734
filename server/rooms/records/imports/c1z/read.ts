import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { Refusal, serverBusy } from '#kernel/refusals.ts'
import { watchThread } from '#kernel/thread-time.ts'
import { openTurns } from '#kernel/turns.ts'
import { type UnpackLimits, unpackLimits } from '#rooms/records/baton/index.ts'
import type { Source } from '../reading/blocks.ts'
import type { ReadSoFar } from '../reading/reading.ts'
import type { KnownPart } from './known.ts'
import {
  type FromReader,
  type Leftovers,
  noSpace,
  type StagedTable,
  type ToReader,
  type ToReaderMessage,
} from './messages.ts'

export type ReaderLimits = UnpackLimits & {
  /**
   * The most CPU time that unpacking and decoding may take. Sizes and rows have limits; this one only protects the server.
   */
  cpuMsMax: number
  /** The largest file, as it is sent. */
  fileBytesMax: number
  heapMb: number
}

export const readerLimits: ReaderLimits = {
  ...unpackLimits,
  cpuMsMax: 15 * 60_000,
  fileBytesMax: 1024 ** 3,
  heapMb: 192,
}

export type RowsTaker = (rows: { table: StagedTable; text: string; count: number }) => void

/** The grants of an app that the database has, as rows of COPY. */
export type KnownRows = AsyncIterable<{ part: KnownPart; bytes: Uint8Array }>

type FileRead = ReadSoFar & {
  left: Leftovers
  /** Grants that are the same in the database and the file; they are not among the rows. */
  knownGrants: number
}

const fileRefused = (why: string): Refusal => new Refusal('IMPORT_FILE_REFUSED', `${why} Nothing was imported.`)

// A thread, its heap and a database on disk each.
const turns = openTurns({ perKey: 2, inAll: 2, waitingMax: 20, waitMs: 60_000 })

const folderPrefix = 'bailiwick-connector-file-'
const staleMs = 60 * 60_000

/**
 * Reads a connector's file in a separate thread. The file is in a folder that only the server's user can open, for as long
 * as it takes; `room` is awaited, so that rows do not pile up.
 */
export async function readConnectorFile(
  source: Source,
  take: RowsTaker,
  room: (soFar: ReadSoFar) => Promise<void>,
  limits: ReaderLimits = readerLimits,
  known: KnownRows | null = null,
): Promise<FileRead> {
  await removeStale()
  const folder = await mkdtemp(join(tmpdir(), folderPrefix))
  try {
    const file = join(folder, 'file')
    // Before its turn: even if a file arrives slowly, others are read meanwhile.
    const bytes = await spool(source, file, limits.fileBytesMax)
    const input: ToReader = { file, database: join(folder, 'database'), limits, isTold: known !== null }
    return await turns.take('', null, () => runReader(input, bytes, { take, room }, limits, known))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes what a server left behind that was killed while reading. */
async function removeStale(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(folderPrefix)) continue
    const path = join(tmpdir(), name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    // A file of another user fails to be removed, and stays.
    if (Date.now() - mtimeMs > staleMs) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

async function spool(source: Source, path: string, bytesMax: number): Promise<number> {
  let bytes = 0
  await pipeline(
    source,
    async function* counted(pieces: Source) {
      for await (const piece of pieces) {
        bytes += piece.length
        if (bytes > bytesMax) throw fileRefused(`The file is larger than ${bytesMax / 1024 ** 2} MiB.`)
        yield piece
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOSPC' ? fileRefused(noSpace) : error
  })
  return bytes
}

async function runReader(
  input: ToReader,
  bytes: number,
  { take, room }: { take: RowsTaker; room: (soFar: ReadSoFar) => Promise<void> },
  { cpuMsMax, heapMb }: ReaderLimits,
  known: KnownRows | null,
): Promise<FileRead> {
  const { promise, resolve, reject } = Promise.withResolvers<FileRead>()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: input,
    // Without the flags of this process: a test runner's hooks do not belong in the thread.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
  })
  const unwatch = watchThread(worker, cpuMsMax, () => reject(serverBusy('Reading the file took too long')))
  const soFar = (records: number): ReadSoFar => ({ format: 'c1z', lines: records, bytes })

  const send = (told: ToReaderMessage, transfer: readonly ArrayBuffer[] = []): void =>
    worker.postMessage(told, [...transfer])
  // Rows are taken through the same connection: not before it has sent all known grants.
  let taking: Promise<void> = known ? sendKnown(known, send) : Promise.resolve()
  taking.catch(reject)
  worker.on('message', (told: FromReader) => {
    if (told.is === 'refused') return reject(fileRefused(told.message))
    if (told.is === 'done') {
      const { records, left, knownGrants } = told
      return void taking.then(() => resolve({ ...soFar(records), left, knownGrants }), reject)
    }
    taking = taking.then(async () => {
      take(told)
      await room(soFar(told.records))
      send({ is: 'taken' })
    })
    taking.catch(reject)
  })
  worker.on('error', (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? fileRefused('Reading the file takes more memory than allowed.')
        : error,
    ),
  )
  worker.on('exit', (code) => {
    if (code !== 0) reject(fileRefused('The file could not be read: the thread that reads it stopped.'))
  })
  try {
    return await promise
  } finally {
    unwatch()
    await worker.terminate()
  }
}

async function sendKnown(
  known: KnownRows,
  send: (told: ToReaderMessage, transfer?: readonly ArrayBuffer[]) => void,
): Promise<void> {
  for await (const { part, bytes } of known) {
    // What a connection read may share its memory with other data.
    const own = new Uint8Array(bytes)
    send({ is: 'known', part, bytes: own }, [own.buffer])
  }
  send({ is: 'allKnown' })
}
