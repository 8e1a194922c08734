import { launch, type Program } from '#kernel/programs/launch.ts'
import { formsOf } from '#kernel/programs/output.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { connectorCause } from '../cause.ts'
import { issueForProgram, type NewCredential } from '../credentials/actions.ts'
import { writeCertificates } from '../folder/certificates.ts'
import { findProgram, mayRun } from '../folder/list.ts'
import { places } from '../folder/place.ts'
import type { ProgramState, WantedProgram } from '../program/program.ts'
import { openSettings } from '../program/seal.ts'
import { saveState } from '../program/store.ts'
import { afterEnd, failuresMax } from './decide.ts'
import { environmentFor } from './environment.ts'
import type { Lines } from './log.ts'

export type InsideDoor = { port: number; close(): Promise<void> }

export type RunParts = {
  world: World
  tenant: Tenancy
  wanted: WantedProgram
  lines: Lines
  /** The user that nothing else runs as; null if it is shared with others, or is that of the server. */
  ownUser: number | null
  sharedUser: number | null
  certificate(): string
  openDoor(host: string): Promise<InsideDoor>
  /** Something has changed that no statement announces. */
  onChange(): void
}

/** Why a program is not started now; it is tried again when that may have changed. */
class NotNow extends Error {}

const graceMs = 5_000

/** What is kept from one start to the next. */
type Held = { door: InsideDoor | null; credential: NewCredential | null; fingerprint: string }

/** Starts the program with all that it needs, or says why it cannot be started now. */
async function begin(parts: RunParts, held: Held): Promise<Program> {
  const { world, tenant, wanted, lines } = parts
  if (!mayRun(world, tenant)) throw new NotNow('The operator does not let this server run connectors for this tenant.')
  const file = await findProgram(world, wanted.program)
  if (!file) throw new NotNow(`The program ${wanted.program} is not in the folder of the server.`)
  held.fingerprint = file.fingerprint
  if (file.problem !== '') throw new NotNow(file.problem)
  const settings = openSettings(world, tenant.id, wanted)
  if (!settings)
    throw new NotNow('Its settings cannot be read: they were stored with another secret key. Set them again.')
  held.credential ??= await issue(parts)
  const { clientId, clientSecret } = held.credential
  const secrets = [clientSecret, ...settings.flatMap(({ value, isSecret }) => (isSecret ? [value] : []))]
  lines.hide(secrets.flatMap(formsOf).toSorted((a, b) => b.length - a.length))
  const { base, watching } = await world.memory(places).open()
  const certificateFile = await writeCertificates(base, parts.certificate(), world.settings.outgoing?.ca)
  held.door ??= await parts.openDoor(tenant.domain)
  const { port } = held.door
  const { isProvisioning } = wanted
  return launch({
    file: file.path,
    args: [],
    env: environmentFor(settings, { clientId, clientSecret, port, certificateFile, isProvisioning }),
    user: parts.ownUser ?? parts.sharedUser,
    isUserOwn: parts.ownUser !== null,
    base,
    watching,
    onLine: (line) => lines.take(line),
  })
}

function issue({ world, tenant, wanted }: RunParts): Promise<NewCredential> {
  const cause = connectorCause(tenant, wanted, 'run connectors')
  return transact(world.db, (tx) => issueForProgram(tx, world, cause, wanted.connectorId, wanted.program))
}

/** The program of one connector: started, and started again, until it is stopped. */
export function openRun(parts: RunParts) {
  const { world, tenant, wanted, lines } = parts
  let program: Program | null = null
  const held: Held = { door: null, credential: null, fingerprint: '' }
  let failures = 0
  let restarts = -1
  let state: ProgramState = 'waiting'
  let startAt: number | null = 0
  let isStopped = false
  /** Continues what follows the end of a program, so that stopping waits for it. */
  let after: Promise<void> = Promise.resolve()

  const report = async (next: ProgramState, detail: string): Promise<void> => {
    state = next
    const { connectorId, revision } = wanted
    const shown = { connectorId, revision, state, detail, stateSince: world.now(), restarts: Math.max(restarts, 0) }
    await transact(world.db, (tx) => saveState(tx, tenant.id, shown)).catch((error: unknown) =>
      world.log.warn({ err: error, connectorId }, 'the state of a connector could not be saved'),
    )
  }

  const ended = async (how: string, ranMs: number): Promise<void> => {
    program = null
    if (isStopped) return
    const next = afterEnd(failures, ranMs)
    failures = next.failures
    startAt = next.waitMs === null ? null : performance.now() + next.waitMs
    lines.note(how)
    if (next.waitMs === null)
      await report('failed', `${how} It failed ${failuresMax} times in a row and is not started again.`)
    else await report('restarting', how)
    parts.onChange()
  }

  return {
    wanted,
    ownUser: parts.ownUser,
    /** After how many milliseconds it has something to do; null if never. */
    dueMs: (): number | null => (program || startAt === null ? null : Math.max(0, startAt - performance.now())),
    fingerprint: (): string => held.fingerprint,
    isRunning: (): boolean => program !== null,
    hasGivenUp: (): boolean => state === 'failed',
    started: () => program?.started ?? null,
    async start(): Promise<void> {
      const begunAt = performance.now()
      try {
        program = await begin(parts, held)
      } catch (error) {
        if (!(error instanceof NotNow)) throw error
        // The folder and the settings are looked at again: none of this is a failure of the program.
        startAt = performance.now() + 10_000
        if (state !== 'stopped') lines.note(error.message)
        await report('stopped', error.message)
        return
      }
      restarts++
      lines.note(`Started ${wanted.program}.`)
      await report('running', '')
      after = program.ended.then((how) => ended(how, performance.now() - begunAt)).catch(() => {})
    },
    async stop(why: string | null): Promise<void> {
      isStopped = true
      await program?.stop(graceMs)
      await after
      await held.door?.close()
      if (why !== null) {
        lines.note(why)
        await report('stopped', why)
      }
    },
  }
}

export type Run = ReturnType<typeof openRun>
