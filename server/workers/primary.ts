import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { Log } from '#kernel/world.ts'
import type { FromWorker, MetricsJson, Orders, ToWorker } from './messages.ts'

export type TeamParts = {
  count: number
  orders(leaseOwner: string): Orders
  newId(): string
  log: Log
  /** A worker has died: the leases that it held under this name are free. */
  onGone(leaseOwner: string): void
  /** Called with the metrics that it last reported. */
  onLastReport(metrics: MetricsJson): void
  /** Resolves when the server is asked to stop: workers that do not serve yet do not begin to. */
  asked?: Promise<void> | undefined
  /** Workers die as soon as they are started, again and again. */
  onHopeless(): void
}

export type Team = {
  /** How many serve. */
  readonly serving: number
  /** How many workers were replaced. */
  readonly replaced: number
  /** What each worker reports now; for one that does not respond, its last report. */
  reports(): Promise<MetricsJson[]>
  send(message: ToWorker): void
  stop(): Promise<void>
}

/** A worker could not start, and why. */
export class WorkerFailed extends Error {
  override name = 'WorkerFailed'
  readonly isUsage: boolean
  constructor(message: string, isUsage: boolean) {
    super(message)
    this.isUsage = isUsage
  }
}

type MemberState = 'opening' | 'spare' | 'starting' | 'serving' | 'leaving'

type Member = {
  worker: Worker
  leaseOwner: string
  state: MemberState
  number: number
  servesSince: number
  failure: WorkerFailed | null
  report: MetricsJson | null
  missed: number
  /** Called at its next report, or when it exits. */
  waiting: Set<() => void>
}

const reportEveryMs = 10_000
const reportWithinMs = 2_000
/**
 * A worker that misses this many reports in a row hangs: 30 seconds. A worker that still loads its program gets two minutes:
 * with a load of twenty times the machine's cores that takes longer than 30 seconds, and a replacement would not be faster.
 */
export const missedMax = (state: MemberState): number => (state === 'opening' ? 12 : 3)
/** A worker that ends sooner than this after it began to serve has failed to start. */
const goodAfterMs = 1_000
const failuresMax = 6
const delayMs = (failures: number): number => (failures === 0 ? 0 : Math.min(5_000, 100 * 2 ** (failures - 1)))
/** Longer than a worker may take to stop: see worker.ts. */
const stopWithinMs = 35_000

class StartedTeam implements Team {
  readonly #parts: TeamParts
  readonly #log: Log
  readonly #members = new Set<Member>()
  readonly #started = Promise.withResolvers<void>()
  readonly #ended = new Set<() => void>()
  readonly #regular: NodeJS.Timeout
  #isStopping = false
  #failures = 0
  #replaced = 0
  #isStarted = false
  #isConsoleReady = false
  #forking: NodeJS.Timeout | undefined

  constructor(parts: TeamParts) {
    this.#parts = parts
    this.#log = parts.log
    this.#regular = setInterval(() => this.#askAll(), reportEveryMs).unref()
    process.once('exit', this.#killAll)
  }

  get serving(): number {
    return this.#inState('serving').length
  }

  get replaced(): number {
    return this.#replaced
  }

  /** Resolves when all serve; rejects if one of them cannot. */
  async begin(): Promise<void> {
    void this.#parts.asked?.then(() => this.#started.reject(new WorkerFailed('the server was asked to stop', false)))
    for (let n = 0; n < this.#parts.count; n++) this.#fork()
    try {
      await this.#started.promise
    } catch (error) {
      await this.stop()
      throw error
    }
    this.#fill()
  }

  #send({ worker }: Member, message: ToWorker): void {
    if (worker.isConnected()) worker.send(message, () => {})
  }
  #inState(...states: Member['state'][]): Member[] {
    return [...this.#members].filter(({ state }) => states.includes(state))
  }

  /** If the machine has no process, memory or file descriptor left for it, it is tried again later. */
  #fork(): void {
    let worker: Worker
    try {
      worker = cluster.fork()
    } catch (error) {
      this.#failToFork(error)
      return
    }
    if (worker.process.pid === undefined) {
      // The `error` event has the reason; there is no `exit` event, because the process never started.
      worker.once('error', (error) => this.#failToFork(error))
      return
    }
    const leaseOwner = `${this.#parts.newId()} process ${worker.process.pid}`
    const member: Member = {
      worker,
      leaseOwner,
      state: 'opening',
      number: 0,
      servesSince: 0,
      failure: null,
      report: null,
      missed: 0,
      waiting: new Set(),
    }
    this.#members.add(member)
    member.worker.on('message', (message: FromWorker) => this.#hear(member, message))
    member.worker.on('error', (error) => this.#log.error({ err: error }, 'a worker cannot be reached'))
    member.worker.once('exit', (code, signal) => this.#lose(member, signal ?? `code ${code}`))
    this.#send(member, { do: 'open', orders: this.#parts.orders(leaseOwner) })
  }

  #failToFork(error: unknown): void {
    if (this.#isStopping) return
    this.#log.error({ err: error }, 'a worker process could not be created')
    if (!this.#isStarted) return this.#started.reject(error)
    this.#failures++
    if (!this.#giveUpIfHopeless('could not be created')) this.#fill()
  }

  #giveUpIfHopeless(how: string): boolean {
    if (this.#failures < failuresMax || [...this.#members].some(isGood)) return false
    if (!this.#isStarted) {
      this.#started.reject(new WorkerFailed(`workers exit as soon as they start: ${how}`, false))
      return true
    }
    this.#log.error({ failures: this.#failures }, 'workers exit as soon as they start: the server stops')
    this.#parts.onHopeless()
    return true
  }

  #hear(member: Member, message: FromWorker): void {
    if (message.is === 'open') {
      if (member.state === 'opening') member.state = 'spare'
      if (this.#isConsoleReady) this.#send(member, { do: 'prepare console' })
      this.#fill()
      if (member.state === 'spare') {
        this.#log.info({ pid: member.worker.process.pid }, 'a spare worker is ready')
        // All places are taken. Earlier failures of others do not predict that the next worker fails.
        setTimeout(() => {
          if (this.#members.has(member) && member.state === 'spare') this.#failures = 0
        }, goodAfterMs).unref()
      }
    } else if (message.is === 'serving') {
      // A worker that was asked to stop while it started does not take a place.
      if (member.state !== 'starting') return
      member.state = 'serving'
      member.servesSince = performance.now()
      setTimeout(() => {
        if (this.#members.has(member)) this.#failures = 0
      }, goodAfterMs).unref()
      this.#log.info({ worker: member.number, pid: member.worker.process.pid }, 'a worker serves')
      if (!this.#isStarted && this.#inState('serving').length === this.#parts.count) this.#start()
      this.#fill()
    } else if (message.is === 'leaving') {
      member.state = 'leaving'
      this.#fill()
    } else if (message.is === 'failed') member.failure = new WorkerFailed(message.message, message.isUsage)
    else if (message.is === 'forget') {
      for (const other of this.#members)
        if (other !== member) this.#send(other, { do: 'forget', forgotten: message.forgotten })
    } else {
      member.report = message.metrics
      member.missed = 0
      for (const notify of member.waiting) notify()
    }
  }

  #start(): void {
    this.#isStarted = true
    this.#started.resolve()
  }

  /** Assigns every free place to a spare worker, and starts the next spare. */
  #fill(): void {
    if (this.#isStopping) return
    const taken = new Set(this.#inState('starting', 'serving').map(({ number }) => number))
    for (const member of this.#inState('spare')) {
      if (taken.size >= this.#parts.count) break
      let number = 1
      while (taken.has(number)) number++
      taken.add(number)
      member.number = number
      member.state = 'starting'
      this.#send(member, { do: 'serve', number })
    }
    // The spare is started when the others serve, so that it does not slow down their start.
    const wanted = this.#isStarted ? this.#parts.count + 1 : this.#parts.count
    const coming = this.#members.size - this.#inState('leaving').length
    if (coming >= wanted || this.#forking !== undefined) return
    this.#forking = setTimeout(() => {
      this.#forking = undefined
      if (this.#isStopping) return
      this.#fork()
      this.#fill()
    }, delayMs(this.#failures))
  }

  #lose(member: Member, how: string): void {
    this.#members.delete(member)
    for (const notify of member.waiting) notify()
    if (member.report) this.#parts.onLastReport(member.report)
    for (const notify of [...this.#ended]) notify()
    if (this.#isStopping) return
    this.#parts.onGone(member.leaseOwner)
    const { pid } = member.worker.process
    // The reason why a worker cannot start applies to the next one too. A worker that was killed, or asked to stop, implies
    // nothing about the others: if all are to stop, the primary gets the signal too.
    if (!this.#isStarted && member.failure) return this.#started.reject(member.failure)
    // The exit of a worker that served for a while does not predict that the next one fails.
    if (!isGood(member)) this.#failures++
    if (member.number > 0) this.#replaced++
    // It is not an error if a worker that was asked to stop exits.
    this.#log[how === 'code 0' ? 'info' : 'error'](
      { worker: member.number, pid, how, ...(member.failure && { why: member.failure.message }) },
      'a worker exited; another replaces it',
    )
    if (!this.#giveUpIfHopeless(how)) this.#fill()
  }

  async #ask(member: Member): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, reportWithinMs)
    member.waiting.add(resolve)
    this.#send(member, { do: 'report' })
    await promise
    clearTimeout(timer)
    member.waiting.delete(resolve)
  }

  /**
   * Reports are kept, so that the counts of a worker that is killed are not lost. The spare is asked too, and a worker that
   * is about to serve: if it hung, its place would stay unserved.
   */
  #askAll(): void {
    for (const member of this.#members) {
      if (++member.missed > missedMax(member.state)) {
        this.#log.error(
          { worker: member.number, pid: member.worker.process.pid },
          'a worker does not respond: it is terminated',
        )
        member.worker.process.kill('SIGKILL')
      } else void this.#ask(member)
    }
  }

  // Whenever this process exits: a worker that hangs would not notice, and would keep the port.
  readonly #killAll = (): void => {
    for (const { worker } of this.#members) worker.process.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#regular)
    clearTimeout(this.#forking)
    const kill = setTimeout(this.#killAll, stopWithinMs)
    for (const member of this.#members) {
      // Its counts are part of the metrics until it exits.
      this.#send(member, { do: 'report' })
      this.#send(member, { do: 'stop' })
    }
    while (this.#members.size > 0)
      await new Promise<void>((resolve) => {
        const notify = (): void => {
          this.#ended.delete(notify)
          resolve()
        }
        this.#ended.add(notify)
      })
    clearTimeout(kill)
    process.off('exit', this.#killAll)
  }

  async reports(): Promise<MetricsJson[]> {
    await Promise.all(this.#inState('serving').map((member) => this.#ask(member)))
    return [...this.#members].flatMap(({ report }) => (report ? [report] : []))
  }

  send(message: ToWorker): void {
    if (this.#isStopping) return
    if (message.do === 'prepare console') this.#isConsoleReady = true
    for (const member of this.#members) this.#send(member, message)
  }
}

const isGood = ({ servesSince }: Member): boolean => servesSince > 0 && performance.now() - servesSince >= goodAfterMs

/**
 * Starts the workers, and a spare one that is ready and does not serve: it replaces a worker that dies, at once. They share
 * one listening socket (SCHED_NONE). So a connection that is not accepted yet is not lost when a worker dies, as it would
 * be with SO_REUSEPORT, and does not wait for the primary, as it would with round robin (decision 0050).
 */
export async function openTeam(parts: TeamParts): Promise<Team> {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../../cli/worker.ts', import.meta.url)),
    args: [],
    // As cli/serve.ts sets it for itself.
    execArgv: [...process.execArgv, '--heap-growing-percent=50'],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const team = new StartedTeam(parts)
  await team.begin()
  return team
}
