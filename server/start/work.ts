import type { Logger } from 'pino'
import type { Database } from '#database/open.ts'
import type { Presence } from '#database/presence.ts'
import type { Listening } from '#database/signals.ts'
import type { HttpServer } from '#http/server.ts'
import type { JobKind } from '#kernel/jobs.ts'
import type { Wakes } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { sendEvents } from '#rooms/events/subscriptions/index.ts'
import { jobStore } from '#rooms/foundation/jobs/index.ts'
import { keepHeads, sealAll } from '#rooms/foundation/systemlog/index.ts'
import type { Clock, WatchedClock } from '#server/engine/clock.ts'
import { type Dispatcher, startDispatch } from '#server/engine/dispatch/dispatcher.ts'
import { type JobLimits, type Jobs, startJobs } from '#server/engine/jobs/runner.ts'
import { wakeOnJumps } from '#server/engine/jumps.ts'
import { holdLease, type Lease } from '#server/engine/lease.ts'
import { startTicks, type Tick } from '#server/engine/ticks.ts'
import {
  dispatchesOfAll,
  isPassing,
  workOfAll,
  workOfProcess,
  workOfServer,
  workOfWorker,
} from '#server/registry/regular-work.ts'

/** What a process does besides answering requests. */
export type Work = {
  jobs: Jobs
  /** Stopped together with the HTTP server, before the rest. */
  dispatchers: readonly Dispatcher[]
  stop(): Promise<void>
}

export type WorkParts = {
  world: World
  database: Database
  log: Logger
  clock: Clock
  watched: WatchedClock
  presence: Presence
  /** Also woken by requests that changed nothing. */
  used: Wakes
  load: HttpServer['load']
  jobKinds: readonly JobKind[]
  jobLimits: Partial<JobLimits>
  leaseOwner?: string
}

export function startWork(parts: WorkParts): Work {
  const { database, log, watched, leaseOwner } = parts
  const { signals } = database
  const background = { ...parts.world, db: database.background }
  const listening = signals.listen(log)
  // Where this connection is lost, so may the others be.
  listening.onLost(parts.presence.suspect)
  // Wakes the others to find changes that a killed process did not announce.
  signals.changed()
  const jumps = wakeOnJumps(parts.clock, signals.wakeHere)
  const leases = holdLeases(parts, listening)
  const { jobs, dispatchers } = startDispatchers(parts, background, leases.lease)
  const ofAll = workOfAll(background, watched).map((tick) => whileHeld(tick, leases))
  const ofServer = leaseOwner === undefined ? workOfServer(background) : workOfWorker(background)
  const ticks = startTicks([...ofAll, ...workOfProcess(background, watched, parts.used), ...ofServer], {
    log,
    isQuiet: isPassing,
    wakes: signals,
    now: background.now,
  })
  return {
    jobs,
    dispatchers,
    async stop() {
      jumps.stop()
      await ticks.stop()
      await Promise.all([leases.lease.stop(), leases.ending.stop()])
      await listening.stop()
      // What the last ticks wrote is sealed too, and then kept.
      if (leaseOwner !== undefined)
        await sealAll(background)
          .then(() => keepHeads(background))
          .catch(() => {})
    },
  }
}

/** For the work of all servers, and for that part of it which ends things by the time. */
type Leases = { lease: Lease; ending: Lease }

function holdLeases({ world, database, watched, leaseOwner }: WorkParts, listening: Listening): Leases {
  const { background, signals } = database
  const holding = {
    owner: leaseOwner ?? `${world.newId()} process ${process.pid}`,
    // What the last one left is found by looking at everything.
    onHeld: signals.wakeHere,
    session: listening,
    wakes: signals,
    processes: world.settings.workers ?? 1,
  }
  return {
    lease: holdLease(background, { ...holding, name: 'regular work', mayHold: () => true }),
    // Whose clock is in doubt leaves this to others: by that clock it would do nothing.
    ending: holdLease(background, {
      ...holding,
      name: 'work by the time',
      number: 2,
      mayHold: () => watched.doubt === null,
    }),
  }
}

/** Regular work that is done only while this process has the lease for it. */
function whileHeld(tick: Tick, { lease, ending }: Leases): Tick {
  const { isHeld } = tick.isByTime ? ending : lease
  return {
    ...tick,
    work: async () => (isHeld() ? tick.work() : undefined),
    nextDue: async (before: Date) => (isHeld() ? ((await tick.nextDue?.(before)) ?? null) : null),
  }
}

function startDispatchers(parts: WorkParts, background: World, lease: Lease): Pick<Work, 'jobs' | 'dispatchers'> {
  const { world, database, watched } = parts
  const dispatch = { world, sinceJumpMs: watched.sinceJumpMs, wakes: database.signals, isQuiet: isPassing }
  const ofJobs = { ...world, db: database.jobs }
  // In every process: a lease decides which of them does a job or sends to a subscription.
  const jobs = startJobs({
    ...dispatch,
    world: ofJobs,
    db: database.background,
    store: jobStore,
    kinds: parts.jobKinds,
    limits: parts.jobLimits,
  })
  return {
    jobs,
    dispatchers: [
      jobs,
      startDispatch(sendEvents(ofJobs, parts.load), dispatch),
      ...dispatchesOfAll(background).map((each) => startDispatch(each, { ...dispatch, mayBegin: lease.isHeld })),
    ],
  }
}
