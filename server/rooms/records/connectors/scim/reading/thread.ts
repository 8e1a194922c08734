/**
 * Runs in a separate thread: reads one app by SCIM into a connector's file, so that no response of the app can block the
 * server.
 */
import { rm } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { openOutgoing } from '#kernel/outgoing/send.ts'
import { loadWriter } from '#rooms/records/baton/index.ts'
import { scimClient } from '../protocol/client.ts'
import { ScimFailed } from '../protocol/failed.ts'
import type { FromThread, ToThread } from './messages.ts'
import { readApp } from './read.ts'

const port = parentPort
if (!port) throw new Error('not a worker thread')
const { access, rules, file, database, syncId, at, limits, clientLimits } = workerData as ToThread
const say = (message: FromThread): void => port.postMessage(message)

const noSpace = 'There is not enough disk space in the temporary folder to read the app.'

try {
  const { packDatabase, writeDatabase } = await loadWriter()
  const outgoing = openOutgoing(rules)
  try {
    const writer = writeDatabase(database, { syncId, at })
    let hasAnswered = false
    const service = await readApp(scimClient(access, outgoing, { limits: clientLimits }), writer, limits, () => {
      if (!hasAnswered) say({ is: 'answered' })
      hasAnswered = true
    })
    writer.close()
    await packDatabase(database, file)
    await rm(database)
    say({ is: 'done', service })
  } finally {
    outgoing.close()
  }
} catch (error) {
  const message = wordsOf(error as Error)
  if (message === null) throw error
  say({ is: 'failed', message, retryAfterMs: error instanceof ScimFailed ? error.is.retryAfterMs : null })
}

function wordsOf(error: NodeJS.ErrnoException): string | null {
  if (error instanceof ScimFailed) return error.message
  const isFull = error.code === 'ENOSPC' || (error.code === 'ERR_SQLITE_ERROR' && /full/.test(error.message))
  return isFull ? noSpace : null
}
port.close()
