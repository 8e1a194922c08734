import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { Log } from '#kernel/world.ts'
import type { FromWorker, MetricsJson, Orders, ToWorker } from './messages.ts'

export type TeamParts = {
  count: number
  orders(leaseOwner: string): Orders
  newId(): string
  log: Log
  /** A worker has died: what it held by this name is free. */
  onGone(leaseOwner: string): void
  /** Its metrics, as last reported. */
  onLastReport(metrics: MetricsJson): void
  /** The server is asked to stop: where the workers do not serve yet, they do not begin to. */
  asked?: Promise<void> | undefined
  /** Workers die as soon as they are started, again and again. */
  onHopeless(): void
}

export type Team = {
  /** How many serve. */
  readonly serving: number
  /** How many were started in place of others. */
  readonly replaced: number
  /** What each worker reports now; of one that does not answer, what it reported last. */
  reports(): Promise<MetricsJson[]>
  tell(message: ToWorker): void
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
  /** Those who wait for its next report, or its end. */
  waiting: Set<() => void>
}

const reportEveryMs = 10_000
const reportWithinMs = 2_000
/**
 * A worker that has not answered so many times in a row hangs: 30 seconds. One that still loads its program gets two minutes: where
 * a machine has twenty times as much to do as it has cores, that takes longer than 30 seconds, and the next one would not be faster.
 */
export const missedMax = (state: MemberState): number => (state === 'opening' ? 12 : 3)
/** A worker that ends sooner than this after it began to serve has failed to start. */
const goodAfterMs = 1_000
const failuresMax = 6
const delayMs = (failures: number): number => (failures === 0 ? 0 : Math.min(5_000, 100 * 2 ** (failures - 1)))
/** Longer than a worker takes to stop by itself: see worker.ts. */
const stopWithinMs = 35_000

/**
 * Starts the workers, and one more that is ready and does not serve: it takes the place of one that dies, at once. They
 * share one listening socket (SCHED_NONE). So a connection that nobody has accepted yet is lost with no worker, as it
 * would be with SO_REUSEPORT, and none waits for the primary, as it would with round robin (decision 0050).
 */
export async function openTeam(parts: TeamParts): Promise<Team> {
  const { count, log } = parts
  const members = new Set<Member>()
  let isStopping = false
  let failures = 0
  let replaced = 0
  let isStarted = false
  let isConsoleReady = false
  let forking: NodeJS.Timeout | undefined
  const started = Promise.withResolvers<void>()
  const ended = new Set<() => void>()

  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('../../cli/worker.ts', import.meta.url)),
    args: [],
    // As cli/serve.ts sets it for itself.
    execArgv: [...process.execArgv, '--heap-growing-percent=50'],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

  const send = ({ worker }: Member, message: ToWorker): void => {
    if (worker.isConnected()) worker.send(message, () => {})
  }
  const inState = (...states: Member['state'][]): Member[] => [...members].filter(({ state }) => states.includes(state))

  /** Where the machine has no process, no memory or no file left for it, it is tried again later. */
  function fork(): void {
    let worker: Worker
    try {
      worker = cluster.fork()
    } catch (error) {
      failToFork(error)
      return
    }
    if (worker.process.pid === undefined) {
      // Why is told by its event; it never exits, because it never was.
      worker.once('error', failToFork)
      return
    }
    const leaseOwner = `${parts.newId()} process ${worker.process.pid}`
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
    members.add(member)
    member.worker.on('message', (message: FromWorker) => hear(member, message))
    member.worker.on('error', (error) => log.error({ err: error }, 'a worker cannot be reached'))
    member.worker.once('exit', (code, signal) => lose(member, signal ?? `code ${code}`))
    send(member, { do: 'open', orders: parts.orders(leaseOwner) })
  }

  function failToFork(error: unknown): void {
    if (isStopping) return
    log.error({ err: error }, 'a worker process could not be created')
    if (!isStarted) return started.reject(error)
    failures++
    if (!giveUpIfHopeless('could not be created')) fill()
  }

  function giveUpIfHopeless(how: string): boolean {
    if (failures < failuresMax || [...members].some(isGood)) return false
    if (!isStarted) {
      started.reject(new WorkerFailed(`workers exit as soon as they start: ${how}`, false))
      return true
    }
    log.error({ failures }, 'workers exit as soon as they start: the server stops')
    parts.onHopeless()
    return true
  }

  function hear(member: Member, message: FromWorker): void {
    if (message.is === 'open') {
      if (member.state === 'opening') member.state = 'spare'
      if (isConsoleReady) send(member, { do: 'prepare console' })
      fill()
      if (member.state === 'spare') {
        log.info({ pid: member.worker.process.pid }, 'a spare worker is ready')
        // All places are taken. That others failed long ago says nothing about the next one.
        setTimeout(() => {
          if (members.has(member) && member.state === 'spare') failures = 0
        }, goodAfterMs).unref()
      }
    } else if (message.is === 'serving') {
      // One that was told to end as it began does not take a place.
      if (member.state !== 'starting') return
      member.state = 'serving'
      member.servesSince = performance.now()
      setTimeout(() => {
        if (members.has(member)) failures = 0
      }, goodAfterMs).unref()
      log.info({ worker: member.number, pid: member.worker.process.pid }, 'a worker serves')
      if (!isStarted && inState('serving').length === count) start()
      fill()
    } else if (message.is === 'leaving') {
      member.state = 'leaving'
      fill()
    } else if (message.is === 'failed') member.failure = new WorkerFailed(message.message, message.isUsage)
    else if (message.is === 'forget') {
      for (const other of members) if (other !== member) send(other, { do: 'forget', forgotten: message.forgotten })
    } else {
      member.report = message.metrics
      member.missed = 0
      for (const tell of member.waiting) tell()
    }
  }

  function start(): void {
    isStarted = true
    started.resolve()
  }

  /** Gives every place that is free to one who is ready; sees that another will be ready. */
  function fill(): void {
    if (isStopping) return
    const taken = new Set(inState('starting', 'serving').map(({ number }) => number))
    for (const member of inState('spare')) {
      if (taken.size >= count) break
      let number = 1
      while (taken.has(number)) number++
      taken.add(number)
      member.number = number
      member.state = 'starting'
      send(member, { do: 'serve', number })
    }
    // The spare comes when the others serve: it is not to slow down their start.
    const wanted = isStarted ? count + 1 : count
    const coming = members.size - inState('leaving').length
    if (coming >= wanted || forking !== undefined) return
    forking = setTimeout(() => {
      forking = undefined
      if (isStopping) return
      fork()
      fill()
    }, delayMs(failures))
  }

  function lose(member: Member, how: string): void {
    members.delete(member)
    for (const tell of member.waiting) tell()
    if (member.report) parts.onLastReport(member.report)
    for (const tell of [...ended]) tell()
    if (isStopping) return
    parts.onGone(member.leaseOwner)
    const { pid } = member.worker.process
    // One that says why it cannot start is right about the next one too. One that was killed, or asked to end, says nothing about the
    // others: whether all of them are, the primary is told itself.
    if (!isStarted && member.failure) return started.reject(member.failure)
    // One that served for a while says nothing about the next one.
    if (!isGood(member)) failures++
    if (member.number > 0) replaced++
    // Who was asked to end, and did, is no error.
    log[how === 'code 0' ? 'info' : 'error'](
      { worker: member.number, pid, how, ...(member.failure && { why: member.failure.message }) },
      'a worker exited; another replaces it',
    )
    if (!giveUpIfHopeless(how)) fill()
  }

  const isGood = ({ servesSince }: Member): boolean => servesSince > 0 && performance.now() - servesSince >= goodAfterMs

  async function ask(member: Member): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, reportWithinMs)
    member.waiting.add(resolve)
    send(member, { do: 'report' })
    await promise
    clearTimeout(timer)
    member.waiting.delete(resolve)
  }

  // Reports are kept, so that what a worker that is killed had counted is still counted. The spare is asked too, and who is about
  // to serve: one that hangs would keep a place that nobody serves.
  const regular = setInterval(() => {
    for (const member of members) {
      if (++member.missed > missedMax(member.state)) {
        log.error(
          { worker: member.number, pid: member.worker.process.pid },
          'a worker does not respond: it is terminated',
        )
        member.worker.process.kill('SIGKILL')
      } else void ask(member)
    }
  }, reportEveryMs).unref()

  // However this process comes to exit: a worker that hangs would not notice, and keep the port.
  const killAll = (): void => {
    for (const { worker } of members) worker.process.kill('SIGKILL')
  }
  process.once('exit', killAll)

  const stop = async (): Promise<void> => {
    isStopping = true
    clearInterval(regular)
    clearTimeout(forking)
    const kill = setTimeout(killAll, stopWithinMs)
    for (const member of members) {
      // What it has counted is part of the metrics until the very end.
      send(member, { do: 'report' })
      send(member, { do: 'stop' })
    }
    while (members.size > 0)
      await new Promise<void>((resolve) => {
        const tell = (): void => {
          ended.delete(tell)
          resolve()
        }
        ended.add(tell)
      })
    clearTimeout(kill)
    process.off('exit', killAll)
  }

  void parts.asked?.then(() => started.reject(new WorkerFailed('the server was asked to stop', false)))
  for (let n = 0; n < count; n++) fork()
  try {
    await started.promise
  } catch (error) {
    await stop()
    throw error
  }
  fill()

  return {
    get serving() {
      return inState('serving').length
    },
    get replaced() {
      return replaced
    },
    async reports() {
      await Promise.all(inState('serving').map(ask))
      return [...members].flatMap(({ report }) => (report ? [report] : []))
    },
    tell(message) {
      if (isStopping) return
      if (message.do === 'prepare console') isConsoleReady = true
      for (const member of members) send(member, message)
    },
    stop,
  }
}
