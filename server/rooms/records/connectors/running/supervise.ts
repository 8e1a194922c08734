import type { Tenancy } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { findTenant } from '#rooms/foundation/tenants/index.ts'
import { findProgram } from '../folder/list.ts'
import { places } from '../folder/place.ts'
import { ownUsersOf } from '../folder/users.ts'
import type { WantedProgram } from '../program/program.ts'
import { sealLog } from '../program/seal.ts'
import { listTenantsWithPrograms, listWanted, saveLog, saveState } from '../program/store.ts'
import { type Lines, openLines } from './log.ts'
import { type InsideDoor, openRun, type Run } from './run.ts'

export type SuperviseParts = {
  /** Whether this process is the one, of all servers, that runs connectors. */
  isHeld(): boolean
  certificate(): string
  /** Opens a port on the loopback interface for calls to a tenant. */
  openDoor(host: string): Promise<InsideDoor>
  /** Wakes the periodic work of this process. */
  wake(): void
}

export type Supervisor = {
  /** Starts what has to run, and stops what has not. */
  look(): Promise<void>
  nextDue(before: Date): Promise<Date | null>
  stop(): Promise<void>
}

const runsMax = 200
const logSoonMs = 200
const logEveryMs = 2_000
const heldEveryMs = 1_000

/** Runs the programs of connectors: those of all tenants, in one process of all servers. */
export function superviseConnectors(world: World, parts: SuperviseParts): Supervisor {
  const runs = new Map<string, Run>()
  const logs = openLogs(world)
  let isStopped = false
  let last: Promise<unknown> = Promise.resolve()
  /** One after the other: looking, and stopping everything. */
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    const next = last.then(work, work)
    last = next.catch(() => {})
    return next
  }
  const stopAll = async (): Promise<void> => {
    await Promise.all([...runs.values()].map((run) => run.stop(null).catch(() => {})))
    runs.clear()
  }
  // Another server may run them when the lease has ended: then they must not run here, also if the database is unavailable.
  const timer = setInterval(() => {
    if (runs.size > 0 && !parts.isHeld()) void inOrder(stopAll)
  }, heldEveryMs).unref()

  const lookAtTenant = async (tenantId: number, seen: Set<string>): Promise<void> => {
    const tenant = await findTenant(world.db, tenantId)
    if (!tenant) return
    for (const wanted of await listWanted(world.db, tenantId)) {
      if (isStopped || !parts.isHeld()) return
      const key = `${tenantId} ${wanted.connectorId}`
      seen.add(key)
      await adjust(key, tenant, wanted)
    }
  }

  const adjust = async (key: string, tenant: Tenancy, wanted: WantedProgram): Promise<void> => {
    let run = runs.get(key)
    if (run && (wanted.isPaused || (await isOutdated(world, run, wanted)))) {
      runs.delete(key)
      await run.stop(wanted.isPaused ? paused : null)
      run = undefined
    }
    if (wanted.isPaused) return
    if (!run) {
      const users = world.settings.programs?.users ?? 'same'
      const ownUser = freeUser(ownUsersOf(users), [...runs.values()])
      if (runs.size >= runsMax || ownUser === undefined) return reportFull(world, tenant.id, wanted)
      const lines = logs.of(key, tenant.id, wanted.connectorId)
      const sharedUser = users === 'same' ? null : users.first
      run = openRun({ ...parts, world, tenant, wanted, lines, ownUser, sharedUser, onChange: parts.wake })
      runs.set(key, run)
    }
    if (run.dueMs() === 0) await run.start()
  }

  return {
    look: () =>
      inOrder(async () => {
        if (isStopped) return
        if (!parts.isHeld()) return stopAll()
        const seen = new Set<string>()
        await forEachTenant(await listTenantsWithPrograms(world.db), (tenantId) => lookAtTenant(tenantId, seen))
        if (isStopped || !parts.isHeld()) return
        for (const [key, run] of runs)
          if (!seen.has(key)) {
            runs.delete(key)
            logs.forget(key)
            await run.stop(null)
          }
      }),
    async nextDue(before) {
      const waits = [...runs.values()].map((run) => run.dueMs()).filter((ms) => ms !== null)
      const due = new Date(world.now().getTime() + Math.min(...waits))
      return waits.length > 0 && due <= before ? due : null
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await inOrder(stopAll)
      await logs.stop()
      await world.memory(places).close()
    },
  }
}

const paused = 'The connector is paused.'

/** Whether it has to be started again: its settings, or its program, have changed. */
async function isOutdated(world: World, run: Run, wanted: WantedProgram): Promise<boolean> {
  if (run.wanted.revision !== wanted.revision) return true
  if (!run.isRunning() && !run.hasGivenUp()) return false
  const file = await findProgram(world, wanted.program)
  // A program that was removed continues until it ends.
  return file !== null && file.fingerprint !== run.fingerprint()
}

/** Null if all run as the same user; undefined if each of the users runs one already. */
function freeUser(users: readonly number[], runs: readonly Run[]): number | null | undefined {
  if (users.length === 0) return null
  const taken = new Set(runs.map(({ ownUser }) => ownUser))
  return users.find((user) => !taken.has(user))
}

async function reportFull(world: World, tenantId: number, { connectorId, revision }: WantedProgram): Promise<void> {
  const detail = 'The server runs as many connectors as the operator allows. See --connectors-user.'
  const of = { connectorId, revision, state: 'stopped' as const, detail, stateSince: world.now(), restarts: 0 }
  await transact(world.db, (tx) => saveState(tx, tenantId, of))
}

/** What programs printed: saved soon after it was printed, and then not too often, however much it is. */
function openLogs(world: World) {
  const kept = new Map<string, { lines: Lines; stop(): Promise<void> }>()
  const make = (tenantId: number, connectorId: string) => {
    let timer: NodeJS.Timeout | null = null
    let savedAt = 0
    const save = async (): Promise<void> => {
      timer = null
      savedAt = performance.now()
      const sealed = sealLog(world, tenantId, connectorId, lines.lines())
      await transact(world.db, (tx) => saveLog(tx, tenantId, connectorId, sealed)).catch(() => {})
    }
    const lines = openLines(world.now, () => {
      const waitMs = Math.max(logSoonMs, savedAt + logEveryMs - performance.now())
      timer ??= setTimeout(() => void save(), waitMs).unref()
    })
    return {
      lines,
      async stop(): Promise<void> {
        if (!timer) return
        clearTimeout(timer)
        await save()
      },
    }
  }
  return {
    of(key: string, tenantId: number, connectorId: string): Lines {
      const found = kept.get(key) ?? make(tenantId, connectorId)
      kept.set(key, found)
      return found.lines
    },
    forget: (key: string): void => void kept.delete(key),
    async stop(): Promise<void> {
      await Promise.all([...kept.values()].map((each) => each.stop()))
    },
  }
}
