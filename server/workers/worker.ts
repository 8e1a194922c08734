import type { Forgotten } from '#kernel/world.ts'
import type { ChainEnds, FromWorker, MetricsJson, Orders, ToWorker } from './messages.ts'

export type WorkerHooks = {
  exit(code: number): void
  open(orders: Orders): Promise<void>
  serve(number: number): Promise<void>
  prepareConsole(): void
  becomeReady(): Promise<void>
  metrics(): Promise<MetricsJson>
  learn(ends: ChainEnds): void
  forget(forgotten: Forgotten): void
  /** Finishes what is under way, and closes everything. */
  stop(): Promise<void>
  /** Whether an error is one that the operator can mend. */
  isUsage(error: unknown): boolean
  logFailure(error: unknown): void
}

export const tellPrimary = (message: FromWorker): void => {
  // The channel is closed when the primary has died: then this process ends too.
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

/** What a stop may take before the process ends in any case. */
const stopWithinMs = 30_000

/** Does what the primary says, and ends with it. Answers how to leave: to stop by oneself, with an exit code. */
export function obeyPrimary(hooks: WorkerHooks): { leave(code: number): void } {
  let leaving: Promise<void> | undefined
  const end = (code: number): void => {
    leaving ??= (async () => {
      setTimeout(() => hooks.exit(code), stopWithinMs).unref()
      tellPrimary({ is: 'leaving' })
      await hooks.stop().catch(() => {})
      hooks.exit(code)
    })()
  }
  const failed = (error: unknown): void => {
    tellPrimary({ is: 'failed', message: (error as Error).message, isUsage: hooks.isUsage(error) })
    // The primary logs only the message.
    if (!hooks.isUsage(error)) hooks.logFailure(error)
    end(1)
  }
  const obey = (message: ToWorker): void => {
    if (message.do === 'open') hooks.open(message.orders).then(() => tellPrimary({ is: 'open' }), failed)
    else if (message.do === 'serve') hooks.serve(message.number).then(() => tellPrimary({ is: 'serving' }), failed)
    else if (message.do === 'prepare console') hooks.prepareConsole()
    else if (message.do === 'ready') void hooks.becomeReady()
    else if (message.do === 'learn') hooks.learn(message.ends)
    else if (message.do === 'forget') hooks.forget(message.forgotten)
    else if (message.do === 'stop') end(0)
    else
      hooks.metrics().then(
        (metrics) => tellPrimary({ is: 'report', metrics }),
        () => {},
      )
  }
  process.on('message', obey)
  // At once and not in order: who starts the server again finds the port free.
  process.on('disconnect', () => hooks.exit(1))
  process.on('SIGTERM', () => end(0))
  return { leave: end }
}
