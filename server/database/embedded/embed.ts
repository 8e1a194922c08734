import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '#kernel/operator-error.ts'
import { findProgram, sweepPrograms } from './binaries.ts'
import { clusterExists, createCluster, role, writeAccess } from './cluster.ts'
import { giveTo, type Home, prepareHome, sweepSocketDir } from './home.ts'
import { connect, connectWhenReady, type Holder, type Purpose, type Session } from './ownership.ts'
import { type Postmaster, startPostmaster } from './postmaster.ts'
import { isRunning } from './processes.ts'
import { type FoundPostmaster, findPostmaster, isStopping } from './running.ts'
import { endStrays, orphanSteps, type StopSteps, stopPostmaster } from './stopping.ts'

export type EmbeddedEvent = {
  level: 'debug' | 'info' | 'warn' | 'error'
  /** `waiting`: for a program that was started, or asked to stop. */
  what: 'waiting' | 'created' | 'started' | 'orphan' | 'exited' | 'forced' | 'restart-failed' | 'resumed' | 'lost'
  message: string
}

export type EmbedOptions = {
  dataDir: string
  purpose: Purpose
  onEvent?: (event: EmbeddedEvent) => void
  /** Where root keeps the databases of data folders that PostgreSQL's own user cannot enter. */
  rootHome?: string
  /** How many connections it has to allow. */
  connectionsMax?: number
  /** How long to wait for other processes to release the folder. */
  waitMs?: number
  /** PostgreSQL's settings in place of the usual ones: for tests, whose databases need not survive a power failure. */
  settings?: Record<string, string>
}

export type Embedded = {
  /** How to connect to it. */
  connection: { path: string; host: string; user: string; database: string }
  home: string
  /** False for a command that joined a running server: then there is nothing to stop. */
  owned: boolean
  /** The postmaster's process ID, for its owner. */
  pid: () => number | undefined
  stop: () => Promise<void>
}

/** Another process uses this data folder. */
export class DataFolderInUse extends OperatorError {
  readonly holder: Holder

  constructor(dataDir: string, holder: Holder) {
    const who = holder.purpose === 'serve' ? 'another Bailiwick server' : 'a Bailiwick command'
    super(`The data folder ${dataDir} is in use by ${who} (process ${holder.pid}).`)
    this.name = 'DataFolderInUse'
    this.holder = holder
  }
}

/** PostgreSQL did not start, or not in time. */
class DatabaseNotStarted extends OperatorError {
  override name = 'DatabaseNotStarted'
}

type Owned = { postmaster: Postmaster; session: Session }
type Context = Required<Omit<EmbedOptions, 'dataDir' | 'rootHome'>> & { home: Home }

// For a postmaster that does not record its owner (one of an older version): an owner is without its lock for an
// instant, between the start and the lock, and while PostgreSQL recovers from the death of one of its processes. Only a
// lock that stays free this long means that the owner is gone; and a shutdown that takes this long does not finish.
const orphanMsMin = 1000
const stoppingMsMax = 10_000

/** Opens the PostgreSQL of a data folder: creates it, starts it, or joins the one that runs. */
export async function openEmbedded(options: EmbedOptions): Promise<Embedded> {
  const home = prepareHome(options.dataDir, options.rootHome ?? '/var/lib/bailiwick')
  const context: Context = {
    home,
    purpose: options.purpose,
    onEvent: options.onEvent ?? (() => {}),
    connectionsMax: options.connectionsMax ?? 100,
    waitMs: options.waitMs ?? 30_000,
    settings: options.settings ?? {},
  }
  const connection = { path: home.socketPath, host: 'localhost', user: role, database: role }
  const supervisor = makeSupervisor(context)
  const owned = await own(context, supervisor.onLockLost)
  if (!owned) return { connection, home: home.path, owned: false, pid: () => undefined, stop: async () => {} }
  supervisor.begin(owned)
  return { connection, home: home.path, owned: true, pid: supervisor.pid, stop: supervisor.stop }
}

/** Becomes the owner, or returns undefined for a command that may join the present owner. */
async function own(context: Context, onLockLost: () => void): Promise<Owned | undefined> {
  const { home, purpose } = context
  const deadline = performance.now() + context.waitMs
  let orphanSince: number | undefined
  let stoppingSince: number | undefined
  let obstacle = ''
  while (performance.now() < deadline) {
    const found = clusterExists(home) ? findPostmaster(home) : undefined
    if (found === undefined) {
      const owned = await startAndLock(context, onLockLost)
      if (!('obstacle' in owned)) return owned
      obstacle = owned.obstacle
      orphanSince = undefined
      await sleep(50)
      continue
    }
    if (found.owner && !isRunning(found.owner)) {
      await stopOrphan(context, found)
      continue
    }
    const { holder, isReady, refusal } = await look(context)
    obstacle = refusal ?? (holder ? new DataFolderInUse(home.dataDir, holder).message : 'it is not ready')
    if (holder && purpose === 'serve' && holder.purpose === 'serve') throw new DataFolderInUse(home.dataDir, holder)
    if (holder && purpose === 'command' && isReady) return undefined
    const now = performance.now()
    orphanSince = holder || refusal || found.owner ? undefined : (orphanSince ?? now)
    stoppingSince = !found.owner && isStopping(home, found) ? (stoppingSince ?? now) : undefined
    if (orphanSince && now - orphanSince >= orphanMsMin) {
      await stopUnlocked(context, found)
      orphanSince = undefined
    } else if (stoppingSince && now - stoppingSince >= stoppingMsMax) await stopOrphan(context, found)
    await sleep(50)
  }
  throw new DatabaseNotStarted(`The PostgreSQL of ${home.dataDir} could not be opened in time: ${obstacle}`)
}

type Look = { holder?: Holder | undefined; isReady?: boolean; refusal?: string }

/** Who owns the running postmaster, and whether the database exists yet. */
async function look({ home, purpose }: Context): Promise<Look> {
  const session = await connect(home, purpose)
  if ('refusal' in session) return session
  try {
    return { holder: await session.findHolder(), isReady: await session.databaseExists() }
  } catch (error) {
    return { refusal: (error as Error).message }
  } finally {
    await session.end()
  }
}

/** Stops a postmaster whose owner is gone. Its watcher does the same, if it still runs. */
async function stopOrphan({ onEvent }: Context, postmaster: FoundPostmaster): Promise<void> {
  const { pid } = postmaster
  onEvent({ level: 'warn', what: 'orphan', message: `PostgreSQL (process ${pid}) had lost its owner and was stopped.` })
  const stopped = stopPostmaster(postmaster, orphanSteps)
  // It writes what it has in memory, which takes seconds if there is much.
  onEvent({ level: 'debug', what: 'waiting', message: `PostgreSQL (process ${pid}) is stopping.` })
  await stopped
}

async function stopUnlocked(context: Context, postmaster: FoundPostmaster): Promise<void> {
  const session = await connect(context.home, context.purpose)
  if ('refusal' in session) return
  try {
    if (await session.takeLock()) await stopOrphan(context, postmaster)
  } finally {
    await session.end()
  }
}

// Temporary failures: another process starts it too, or processes of a killed postmaster are still running.
const passing = /lock file ".*" already exists|pre-existing shared memory block|lock file ".*" is empty/

/** Starts PostgreSQL if none runs, and takes the lock. Returns the obstacle, if it may be temporary. */
async function startAndLock(context: Context, onLockLost: () => void): Promise<Owned | { obstacle: string }> {
  const { home, purpose, onEvent } = context
  const begin = performance.now()
  const program = await findProgram(home)
  if (!clusterExists(home)) {
    const creating = createCluster(home, program)
    onEvent({ level: 'debug', what: 'waiting', message: 'initdb was started.' })
    if (await creating) {
      const tookMs = Math.round(performance.now() - begin)
      onEvent({ level: 'info', what: 'created', message: `Created a new database in ${home.path} in ${tookMs} ms.` })
    }
  }
  if (statSync(home.cluster).uid !== home.account.uid) await giveTo(home.account, home.cluster)
  await writeAccess(home)
  sweepPrograms(home, program)
  const startBegin = performance.now()
  const onForced = (message: string): void => onEvent({ level: 'warn', what: 'forced', message })
  const postmaster = await startPostmaster(home, program, context.connectionsMax, onForced, context.settings)
  onEvent({ level: 'debug', what: 'waiting', message: `PostgreSQL (process ${postmaster.pid}) was started.` })
  // No deadline while it is alive: recovery after a crash takes as long as it takes.
  const session = await connectWhenReady(home, purpose, postmaster.isAlive, onLockLost)
  if (!session) {
    const obstacle = `PostgreSQL ${await postmaster.exited}`
    if (/pre-existing shared memory block/.test(obstacle)) await endStrays(home)
    if (passing.test(obstacle)) return { obstacle }
    throw new DatabaseNotStarted(`The PostgreSQL of ${home.dataDir} does not start (see ${home.logFile}): ${obstacle}`)
  }
  try {
    // Of two that start at once, one postmaster finds the folder taken and exits. Until it has, the other one accepts
    // connections, and its lock may be free for another moment: both would have owned the folder, one after the other
    // (once in 30 starts of three at once).
    if ((await session.isOurs()) && (await session.takeLock())) {
      if (!(await session.databaseExists())) await session.createDatabase()
      const tookMs = Math.round(performance.now() - startBegin)
      onEvent({ level: 'info', what: 'started', message: `PostgreSQL (process ${postmaster.pid}) up in ${tookMs} ms.` })
      return { postmaster, session }
    }
  } catch (error) {
    await abandon(home, { postmaster, session })
    return { obstacle: (error as Error).message }
  }
  await abandon(home, { postmaster, session })
  return { obstacle: 'another process was first' }
}

async function abandon(home: Home, { postmaster, session }: Owned): Promise<void> {
  await session.end()
  await postmaster.stop(stopSteps.serve)
  sweepSocketDir(home)
}

/**
 * SIGTERM lets joined commands finish; SIGINT interrupts them; SIGQUIT leaves the rest to recovery. A process that
 * waits for the folder waits for 30 s.
 */
const stopSteps: Record<Purpose, StopSteps> = {
  serve: [
    ['SIGINT', 15_000],
    ['SIGQUIT', 8000],
  ],
  command: [
    ['SIGTERM', 5000],
    ['SIGINT', 10_000],
    ['SIGQUIT', 8000],
  ],
}

/** Keeps PostgreSQL running, and owned by this process, until it is stopped. */
function makeSupervisor(context: Context) {
  const { home, purpose, onEvent } = context
  let current: Owned | undefined
  let stopped: Promise<void> | undefined
  let resuming: Promise<void> | undefined

  const isLost = ({ postmaster, session }: Owned): boolean => !postmaster.isAlive() || !session.isOpen()

  const begin = (owned: Owned): void => {
    current = owned
    void owned.postmaster.exited.then((how) => {
      if (stopped) return
      onEvent({ level: 'error', what: 'exited', message: `PostgreSQL (process ${owned.postmaster.pid}) ${how}` })
      onLockLost()
    })
    if (isLost(owned)) onLockLost()
  }

  function onLockLost(): void {
    if (!current || stopped || resuming) return
    resuming = resume().finally(() => {
      resuming = undefined
      if (current && isLost(current)) onLockLost()
    })
  }

  async function resume(): Promise<void> {
    const beganAt = performance.now()
    for (let delayMs = 100; !stopped; delayMs = Math.min(2000, delayMs * 2)) {
      try {
        if (await isBack()) {
          const tookMs = Math.round(performance.now() - beganAt)
          return onEvent({ level: 'info', what: 'resumed', message: `PostgreSQL is back after ${tookMs} ms.` })
        }
      } catch (error) {
        if (error instanceof DataFolderInUse) {
          current = undefined
          return onEvent({ level: 'error', what: 'lost', message: error.message })
        }
        onEvent({ level: 'warn', what: 'restart-failed', message: (error as Error).message })
      }
      await sleep(delayMs)
    }
  }

  /** One attempt to have a postmaster and its lock again. */
  async function isBack(): Promise<boolean> {
    if (!current) return false
    if (current.postmaster.isAlive()) return isLockedAgain(current)
    await current.session.end()
    if (findPostmaster(home) !== undefined) {
      const { holder } = await look(context)
      if (holder) throw new DataFolderInUse(home.dataDir, holder)
      return false
    }
    const owned = await startAndLock(context, onLockLost)
    if ('obstacle' in owned) throw new Error(owned.obstacle)
    begin(owned)
    return true
  }

  /**
   * The postmaster is alive: one of its other processes died, and it ended all sessions, including the one that holds
   * our lock.
   */
  async function isLockedAgain({ postmaster, session: lost }: Owned): Promise<boolean> {
    await lost.end()
    const session = await connectWhenReady(home, purpose, () => postmaster.isAlive() && !stopped, onLockLost)
    if (!session || !current) return false
    current.session = session
    if (await session.takeLock()) return true
    const holder = await session.findHolder()
    if (holder && holder.pid !== process.pid) throw new DataFolderInUse(home.dataDir, holder)
    return false
  }

  async function stopNow(): Promise<void> {
    await resuming
    if (!current) return
    const { postmaster, session } = current
    await session.end()
    await postmaster.stop(stopSteps[purpose])
    sweepSocketDir(home)
  }

  return {
    begin,
    onLockLost,
    pid: (): number | undefined => current?.postmaster.pid,
    stop(): Promise<void> {
      stopped ??= stopNow()
      return stopped
    },
  }
}
