import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { OutgoingRules } from '#kernel/outgoing/addresses.ts'
import type { ScimAccess } from '../../scim-connection/connection.ts'
import type { Service } from '../protocol/capabilities.ts'
import { type ScimLimits, usualLimits } from '../protocol/client.ts'
import { ScimFailed } from '../protocol/failed.ts'
import type { FromThread, ToThread } from './messages.ts'
import { type ReadingLimits, readingLimits } from './read.ts'

export type RunLimits = {
  reading: ReadingLimits
  client: ScimLimits
  /** How long an app may take to be read. */
  readMs: number
  heapMb: number
}

const runLimits: RunLimits = {
  reading: readingLimits,
  // A group of 100,000 members is 20 MiB.
  client: { ...usualLimits, replyBytesMax: 32 * 1024 * 1024, waitMsMax: 60_000, timeoutMs: 60_000 },
  readMs: 30 * 60_000,
  heapMb: 384,
}

// Like files of other connectors: what a killed server leaves behind is removed together with theirs.
const folderPrefix = 'bailiwick-connector-file-'

type Wanted = {
  access: ScimAccess
  rules: OutgoingRules
  syncId: string
  at: Date
  signal: AbortSignal
  onAnswer: () => void
}

/** Reads an app in a separate thread, and passes on the file that it wrote; afterwards the file is deleted. */
export async function readInThread<T>(
  { access, rules, syncId, at, signal, onAnswer }: Wanted,
  use: (file: string, service: Service) => Promise<T>,
  limits: RunLimits = runLimits,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), folderPrefix))
  try {
    const file = join(folder, 'file')
    const input: ToThread = {
      access,
      rules,
      file,
      database: join(folder, 'database'),
      syncId,
      at,
      limits: limits.reading,
      clientLimits: limits.client,
    }
    return await use(file, await runThread(input, { signal, onAnswer, limits }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Running = { signal: AbortSignal; onAnswer: () => void; limits: RunLimits }

async function runThread(input: ToThread, { signal, onAnswer, limits }: Running): Promise<Service> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Service>()
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: input,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 32 },
  })
  const minutes = Math.round(limits.readMs / 60_000)
  const timer = setTimeout(
    () => reject(new ScimFailed(`Reading the app took longer than ${minutes} minutes.`)),
    limits.readMs,
  )
  const abort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  worker.on('message', (told: FromThread) => {
    if (told.is === 'answered') onAnswer()
    else if (told.is === 'done') resolve(told.service)
    else reject(new ScimFailed(told.message, { retryAfterMs: told.retryAfterMs }))
  })
  worker.on('error', (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ScimFailed('Reading the app takes more memory than allowed: its replies are too large.')
        : error,
    ),
  )
  worker.on('exit', (code) => {
    if (code !== 0) reject(new ScimFailed('The app could not be read: the thread that reads it stopped.'))
  })
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    await worker.terminate()
  }
}
