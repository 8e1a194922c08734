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
  /** Finishes requests and work in progress, and closes everything. */
  stop(): Promise<void>
  /** Whether the operator can fix the error. */
  isUsage(error: unknown): boolean
  logFailure(error: unknown): void
}

export const sendToPrimary = (message: FromWorker): void => {
  // The channel is closed when the primary has died: then this process ends too.
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

/** How long a stop may take before the process exits in any case. */
const stopWithinMs = 30_000

/**
 * Carries out the primary's messages, and exits when it does. Returns a function by which the worker stops with an exit
 * code.
 */
export function obeyPrimary(hooks: WorkerHooks): { leave(code: number): void } {
  let leaving: Promise<void> | undefined
  const end = (code: number): void => {
    leaving ??= (async () => {
      setTimeout(() => hooks.exit(code), stopWithinMs).unref()
      sendToPrimary({ is: 'leaving' })
      await hooks.stop().catch(() => {})
      hooks.exit(code)
    })()
  }
  const failed = (error: unknown): void => {
    sendToPrimary({ is: 'failed', message: (error as Error).message, isUsage: hooks.isUsage(error) })
    // The primary logs only the message.
    if (!hooks.isUsage(error)) hooks.logFailure(error)
    end(1)
  }
  const obey = (message: ToWorker): void => {
    if (message.do === 'open') hooks.open(message.orders).then(() => sendToPrimary({ is: 'open' }), failed)
    else if (message.do === 'serve') hooks.serve(message.number).then(() => sendToPrimary({ is: 'serving' }), failed)
    else if (message.do === 'prepare console') hooks.prepareConsole()
    else if (message.do === 'ready') void hooks.becomeReady()
    else if (message.do === 'learn') hooks.learn(message.ends)
    else if (message.do === 'forget') hooks.forget(message.forgotten)
    else if (message.do === 'stop') end(0)
    else
      hooks.metrics().then(
        (metrics) => sendToPrimary({ is: 'report', metrics }),
        () => {},
      )
  }
  process.on('message', obey)
  // At once, without an orderly stop: the port is free when the server is started again.
  process.on('disconnect', () => hooks.exit(1))
  process.on('SIGTERM', () => end(0))
  return { leave: end }
}
