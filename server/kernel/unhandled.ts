import { currentWork } from './work.ts'
import type { Log } from './world.ts'

export type UnhandledParts = {
  log: Log
  count(kind: 'rejection' | 'exception'): void
  /** Whether an error comes from a lost connection, and from nothing else. */
  isLostConnection(error: unknown): boolean
  /** Ends the process in order: its state is no longer reliable. */
  giveUp(): void
}

const rejectionsMax = 100
const windowMs = 60_000

/**
 * The last line of defense, for errors that no code handles. A rejection leaves nothing incomplete except its own
 * request, which gets a 500; so does an error of a lost connection. Any other exception may have left something
 * incomplete in memory, and so does a flood of rejections: then the server stops in order and is started again.
 */
export function guardProcess({ log, count, isLostConnection, giveUp }: UnhandledParts): () => void {
  let since = performance.now()
  let rejections = 0
  const onRejection = (error: unknown): void => {
    count('rejection')
    log.error({ err: error }, 'unhandled rejection')
    currentWork()?.fail(error)
    if (performance.now() - since > windowMs) {
      since = performance.now()
      rejections = 0
    }
    rejections++
    if (rejections === rejectionsMax) giveUp()
  }
  const onException = (error: unknown): void => {
    count('exception')
    log.error({ err: error }, 'uncaught exception')
    currentWork()?.fail(error)
    if (!isLostConnection(error)) giveUp()
  }
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  return () => void process.off('unhandledRejection', onRejection).off('uncaughtException', onException)
}
