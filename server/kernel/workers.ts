import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Refusal, serverBusy } from './refusals.ts'
import { watchThread } from './thread-time.ts'
import type { FromWorker, ToWorker } from './worker-tasks.ts'
import type { Log } from './world.ts'

export type WorkersOptions = {
  /** A module that calls `serveTasks`. */
  entry: URL
  /** How many threads; one less than there are cores by default, so that the event loop has one for itself. */
  size?: number
  /** How many processes share the machine, and so the threads. */
  processes?: number
  /**
   * A worker whose slice takes more CPU time is terminated. A last line of defense: whatever does the work limits its
   * cost by counting, and slices end after some 20 ms. CPU time, so that a busy machine ends nothing.
   */
  cpuMsMax?: number
  memoryMb?: number
  /** Logs each worker that was terminated: its work was not counted as it should have been. */
  log?: Pick<Log, 'error'>
  /** How many jobs of one lane may wait. */
  waitingMax?: number
}

export type Job = {
  /** Whose work it is. Lanes take turns, slice by slice, however much work each has. */
  lane: string
  task: string
  input: unknown
  signal?: AbortSignal | null | undefined
}

export type Workers = {
  run<T>(job: Job): Promise<T>
  close(): Promise<void>
}

type Waiting = Job & {
  id: number
  /** The thread that has its state, because it was begun there. */
  at: Hand | null
  attempts: number
  isOver: boolean
  settle(outcome: { result: unknown } | { error: unknown }): void
}

type Hand = {
  worker: Worker
  isReady: boolean
  job: Waiting | null
  /** Jobs that were begun in this thread and wait for their next slice. */
  suspended: Set<Waiting>
  unwatch(): void
  /** Why it was terminated. */
  ended: Error | null
}

const attemptsMax = 3

class WorkerThreads implements Workers {
  readonly #entry: WorkersOptions['entry']
  readonly #size: number
  readonly #cpuMsMax: number
  readonly #memoryMb: number
  readonly #waitingMax: number
  readonly #log: WorkersOptions['log']
  readonly #hands: Hand[] = []
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Waiting[]>()
  #lastId = 0
  #isClosed = false

  constructor({
    entry,
    processes = 1,
    size = Math.max(1, Math.floor(Math.min(4, availableParallelism() - 1) / processes)),
    cpuMsMax = 10_000,
    memoryMb = 512,
    waitingMax = 200,
    log,
  }: WorkersOptions) {
    this.#entry = entry
    this.#size = size
    this.#cpuMsMax = cpuMsMax
    this.#memoryMb = memoryMb
    this.#waitingMax = waitingMax
    this.#log = log
  }

  #start(): Hand {
    const worker = new Worker(this.#entry, {
      // Not the flags of the parent process: a test runner's hooks must not run there.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb, maxYoungGenerationSizeMb: 64 },
    })
    const hand: Hand = { worker, isReady: false, job: null, suspended: new Set(), unwatch() {}, ended: null }
    worker.unref()
    worker.on('message', (told: FromWorker) => this.#hear(hand, told))
    // Out of memory, or an exception outside of a task: `exit` follows.
    worker.on('error', (error) => {
      hand.ended ??= error
    })
    worker.on('exit', () => this.#lose(hand))
    this.#hands.push(hand)
    return hand
  }

  /** Until the slice ends. Most end before the first check. */
  #watch(hand: Hand): void {
    hand.unwatch()
    hand.unwatch = watchThread(hand.worker, this.#cpuMsMax, () => {
      hand.ended = new Error(`a slice of work took more than ${this.#cpuMsMax} ms of CPU time`)
      void hand.worker.terminate()
    })
  }

  #say(hand: Hand, message: ToWorker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread's has none
    hand.worker.postMessage(message)
  }

  #hear(hand: Hand, told: FromWorker): void {
    if ('ready' in told) {
      hand.isReady = true
      if (hand.job) this.#watch(hand)
      return
    }
    const { job } = hand
    if (job?.id !== told.id) return
    hand.unwatch()
    hand.job = null
    if ('isPending' in told) {
      hand.suspended.add(job)
      if (job.isOver) this.#forget(job)
      else this.#queue(job)
    } else if ('error' in told) job.settle({ error: Object.assign(new Error(told.error.message), told.error) })
    else job.settle({ result: told.result })
    this.#pump()
  }

  /** Jobs that were begun there and waited are begun again elsewhere; the one that ran is what ended the thread. */
  #lose(hand: Hand): void {
    hand.unwatch()
    this.#hands.splice(this.#hands.indexOf(hand), 1)
    const { job } = hand
    hand.job = null
    const why = hand.ended
    const isOwnFault = hand.isReady
    if (job && isOwnFault) {
      if (!this.#isClosed)
        this.#log?.error({ err: why, task: job.task, lane: job.lane }, 'a worker thread had to be ended')
      job.settle({ error: stopped() })
    } else if (job) this.#retry(job, why)
    for (const other of hand.suspended) {
      other.at = null
      if (++other.attempts > attemptsMax) other.settle({ error: stopped() })
    }
    this.#pump()
  }

  #retry(job: Waiting, why: Error | null): void {
    job.at = null
    if (job.isOver) return
    if (++job.attempts > attemptsMax) job.settle({ error: why ?? new Error('no worker starts') })
    else this.#queue(job)
  }

  #queue(job: Waiting): void {
    const waiting = this.#lanes.get(job.lane)
    if (waiting) waiting.push(job)
    else this.#lanes.set(job.lane, [job])
  }

  #unqueue(job: Waiting): void {
    const waiting = this.#lanes.get(job.lane)
    const place = waiting?.indexOf(job) ?? -1
    if (!waiting || place < 0) return
    waiting.splice(place, 1)
    if (waiting.length === 0) this.#lanes.delete(job.lane)
  }

  /** The next job for a worker: from the lane that has waited longest. */
  #next(hand: Hand | null): Waiting | null {
    for (const [lane, waiting] of this.#lanes) {
      const place = waiting.findIndex(({ at }) => at === null || at === hand)
      if (place < 0) continue
      const [job] = waiting.splice(place, 1)
      this.#lanes.delete(lane)
      if (waiting.length > 0) this.#lanes.set(lane, waiting)
      return job as Waiting
    }
    return null
  }

  #pump(): void {
    if (this.#isClosed) return
    // The first threads first: they still have what they compiled.
    for (const hand of this.#hands) if (!hand.job && !hand.ended) this.#give(hand, this.#next(hand))
    while (
      this.#hands.length < this.#size &&
      [...this.#lanes.values()].some((waiting) => waiting.some(({ at }) => at === null))
    ) {
      const job = this.#next(null)
      if (!job) return
      this.#give(this.#start(), job)
    }
  }

  #give(hand: Hand, job: Waiting | null): void {
    if (!job) {
      if (hand.suspended.size === 0) hand.worker.unref()
      return
    }
    hand.job = job
    hand.worker.ref()
    if (hand.isReady) this.#watch(hand)
    if (job.at === hand) {
      hand.suspended.delete(job)
      this.#say(hand, { id: job.id })
    } else {
      job.at = hand
      this.#say(hand, { id: job.id, task: job.task, input: job.input })
    }
  }

  /** Nobody waits for it any more. If it runs, it is dropped at the end of its slice. */
  #forget(job: Waiting): void {
    this.#unqueue(job)
    const hand = job.at
    if (!hand?.suspended.delete(job)) return
    this.#say(hand, { id: job.id, isDropped: true })
    if (!hand.job && hand.suspended.size === 0) hand.worker.unref()
  }

  run<T>(asked: Job): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const { signal, lane } = asked
    if (this.#isClosed) reject(new Error('the workers are closed'))
    else if (signal?.aborted) reject(signal.reason as Error)
    else if ((this.#lanes.get(lane)?.length ?? 0) >= this.#waitingMax) reject(tooMuchAtOnce())
    else {
      const abort = (): void => job.settle({ error: signal?.reason })
      const job: Waiting = {
        ...asked,
        id: ++this.#lastId,
        at: null,
        attempts: 0,
        isOver: false,
        settle: (outcome) => {
          if (job.isOver) return
          job.isOver = true
          signal?.removeEventListener('abort', abort)
          this.#forget(job)
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.result as T)
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#queue(job)
      this.#pump()
    }
    return promise
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const open = [...[...this.#lanes.values()].flat(), ...this.#hands.flatMap(({ job }) => job ?? [])]
    for (const job of open) job.settle({ error: new Error('the workers are closed') })
    await Promise.all(this.#hands.map(({ worker }) => worker.terminate()))
  }
}

/**
 * Threads for work that must not block the event loop. A job is done in slices: after each slice, the next job is from
 * another lane. So a caller with much work waits for it, and others do not.
 */
export const openWorkers = (options: WorkersOptions): Workers => new WorkerThreads(options)

/** Regardless of the cause: only counting decides that work is too much. */
const stopped = (): Refusal => serverBusy('The server had to stop this work')

export const tooMuchAtOnce = (): Refusal =>
  new Refusal('TOO_MANY_AT_ONCE', 'Too many requests of this kind are already waiting; try again shortly.', {
    retryAfterSeconds: 2,
  })
