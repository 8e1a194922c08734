import { parentPort } from 'node:worker_threads'

/** Starts a task, continues it (only its id), or drops it. */
export type ToWorker = { id: number; task?: string; input?: unknown; isDropped?: true }
export type FromWorker =
  | { ready: true }
  | { id: number; isPending: true }
  | { id: number; result: unknown }
  | { id: number; error: { name: string; message: string; stack: string } }

/** Work in small steps: after each `yield`, another job may have its turn. */
export type Task = (input: never) => Generator<void, unknown>

const sliceMs = 20

/** In a worker thread: carries out the tasks that `openWorkers` sends. */
export function serveTasks(tasks: { readonly [name: string]: Task }): void {
  const port = parentPort
  if (!port) throw new Error('not a worker thread')
  const suspended = new Map<number, Generator<void, unknown>>()

  /** Until it is done, or its slice is over. */
  function go(id: number, work: Generator<void, unknown>): FromWorker {
    const until = performance.now() + sliceMs
    for (;;) {
      const { done, value } = work.next()
      if (done) return { id, result: value }
      if (performance.now() < until) continue
      suspended.set(id, work)
      return { id, isPending: true }
    }
  }

  port.on('message', ({ id, task, input, isDropped }: ToWorker) => {
    if (isDropped) return void suspended.delete(id)
    const begun = suspended.get(id)
    suspended.delete(id)
    try {
      const work = begun ?? (tasks[task as string] as Task)(input as never)
      port.postMessage(go(id, work))
    } catch (error) {
      const { name, message, stack = '' } = error as Error
      port.postMessage({ id, error: { name, message, stack } } satisfies FromWorker)
    }
  })
  port.postMessage({ ready: true } satisfies FromWorker)
}
