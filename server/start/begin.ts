import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Logger } from 'pino'
import type { Database } from '#database/open.ts'
import { openLog } from '#kernel/log.ts'
import { forPeople } from '#kernel/log-text.ts'
import { whyUnreadable } from '#kernel/unreadable.ts'
import { type Config, loggingOf, UsageError } from '#server/settings/config.ts'
import { readMailSettings } from '#server/settings/mail-settings.ts'
import { outgoingRules } from '#server/settings/outgoing-rules.ts'
import { usualWorkers } from '#server/workers/how-many.ts'
import { type DataOptions, openData } from './open-data.ts'
import { assertFree } from './ports.ts'

/**
 * What a server has before its program is loaded: this file and its imports are small, so PostgreSQL starts while the rest
 * loads.
 */
export type Beginning = {
  log: Logger
  workers: number
  /** A port that is free. */
  port: number
  tls: { cert: string; key: string } | null
  database: Database
}

/** Additional fields of each line, if several processes write to one pipe. */
type Mixin = () => object

export function openServerLog(config: Config, mixin?: Mixin): Logger {
  const isTerminal = process.stderr.isTTY
  const isText = loggingOf(config, isTerminal).format === 'text'
  return openLog(config.logLevel, isText ? forPeople(isTerminal) : undefined, mixin)
}

/** How many processes serve. */
export const workersOf = (config: Config): number => config.workers ?? usualWorkers(config.databaseUrl === null)

/**
 * Checks the settings, then opens the data: a mistyped port is reported before a database is created. `onWait` is called
 * when this process waits for others, and has time to load the program, which occupies the process completely.
 */
export async function begin(
  config: Config,
  workers: number,
  log: Logger,
  options: Pick<DataOptions, 'onWait' | 'isPatient'> = {},
): Promise<Beginning> {
  const tls = await readCertificate(config)
  const port = await assertFree(config)
  await outgoingRules(config)
  await readMailSettings(config)
  return {
    log,
    workers,
    port,
    tls,
    database: await openData(config, 'serve', log, { workers, ...options }),
  }
}

async function readCertificate({ tlsCert, tlsKey }: Config): Promise<{ cert: string; key: string } | null> {
  if (tlsCert === null || tlsKey === null) return null
  const read = (file: string): Promise<string> =>
    readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(whyUnreadable(file, error))
    })
  const pair = { cert: await read(tlsCert), key: await read(tlsKey) }
  try {
    createSecureContext(pair)
  } catch (error) {
    throw new UsageError(`${tlsCert} and ${tlsKey} are not a certificate and its key: ${(error as Error).message}`)
  }
  return pair
}
