import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { slot } from '#kernel/memory.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { isSameMac } from '#kernel/seals.ts'
import { whyUnreadable } from '#kernel/unreadable.ts'
import type { Again } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { ledger, type Standing } from '../chain/ledger.ts'
import { look } from '../chain/look.ts'
import { reportMisplaced, reportMissing } from '../report.ts'
import { findSeals } from '../seals.ts'

/**
 * What is stored in a file beside the secret key, out of reach of anyone who can only write to the database: the end of
 * each tenant's chain, which events were committed and not sealed yet, and when the database was last restored.
 * Processes that share the secret key file share this one too; servers on other machines have their own.
 */
export type Kept = {
  heads: { [tenantId: string]: { number: number; mac: string; at: string } }
  standings: (Standing & { process: string; at: string })[]
  restored: { restoredAt: string; credentialsFloor: string | null } | null
}

/** The file exists and cannot be trusted. */
export class HeadsFileUnusable extends OperatorError {
  override name = 'HeadsFileUnusable'
}

const nothing = (): Kept => ({ heads: {}, standings: [], restored: null })
const macOf = ({ seals }: World, body: string): string => seals.mac('kept heads', '', body).toString('hex')

/** The content of the file; null if there is none. */
export async function readKept(world: World): Promise<Kept | null> {
  const file = world.settings.headsFile
  if (file === undefined) return null
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new HeadsFileUnusable(whyUnreadable(file, error))
  })
  if (text === null) return null
  const [body = '', mac = ''] = text.split('\n')
  if (!isSameMac(Buffer.from(mac), Buffer.from(macOf(world, body))))
    throw new HeadsFileUnusable(
      `${file} was altered, or belongs to another secret key. It contains the last known state of the system log. Restore the correct file; if there is none, move this one away and run bailiwick systemlog verify.`,
    )
  return { ...nothing(), ...(JSON.parse(body) as Kept) }
}

// A process that was killed leaves its lock behind.
const lockStaleMs = 10_000
const lockAttemptsMax = 8
const lockAgainMs = 40

/** Runs `work` while no other process changes the file. Null if another one does: the next time will do. */
async function locked<T>(file: string, work: () => Promise<T>): Promise<T | null> {
  const lock = `${file}.lock`
  for (let attempt = 1; ; attempt++) {
    try {
      await (await open(lock, 'wx', 0o600)).close()
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const age = await stat(lock).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      )
      if (attempt === lockAttemptsMax) return null
      if (age > lockStaleMs) await rm(lock, { force: true })
      else await sleep(lockAgainMs)
    }
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

/** Written to disk completely, or not at all. */
async function write(world: World, file: string, kept: Kept): Promise<void> {
  const body = JSON.stringify(kept)
  const draft = `${file}.${process.pid}.new`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(`${body}\n${macOf(world, body)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  const folder = await open(dirname(file), 'r')
  await folder.sync().catch(() => {})
  await folder.close()
}

const keeping = slot((world) => {
  const self = world.newId()
  let written = -1
  let hasLogged = false

  const merge = async (before: Kept): Promise<Kept> => {
    const known = world.memory(ledger)
    const at = world.now().toISOString()
    const heads = { ...before.heads }
    for (const [tenantId, { sealNumber, mac }] of known.ends())
      if (sealNumber > (heads[tenantId]?.number ?? 0))
        heads[tenantId] = { number: sealNumber, mac: Buffer.from(mac).toString('hex'), at }
    const others = await stillOpen(
      world,
      before.standings.filter(({ process }) => process !== self),
    )
    const own = known.standings().map((standing) => ({ ...standing, process: self, at }))
    return { ...before, heads, standings: [...others, ...own] }
  }

  return {
    /** Writes what has changed; run about once a second. */
    async keep(): Promise<Again | void> {
      const file = world.settings.headsFile
      const changes = world.memory(ledger).changes()
      if (file === undefined || changes === written) return
      try {
        const done = await locked(file, async () => {
          await write(world, file, await merge((await readKept(world)) ?? nothing()))
          return true
        })
        if (done) written = changes
        hasLogged = false
      } catch (error) {
        if (!hasLogged)
          world.log.error(
            { err: error, file },
            'cannot store the state of the system log next to the secret key: loss of events while no server runs would not be detected; set another path with --heads-file',
          )
        hasLogged = true
      }
      if (written !== changes) return 'again'
    },
    /** The database was restored: what was known of its log before is no longer valid. */
    async replace(restored: NonNullable<Kept['restored']>): Promise<void> {
      const file = world.settings.headsFile
      if (file === undefined) return
      const at = world.now().toISOString()
      const heads = Object.fromEntries(
        [...world.memory(ledger).ends()].map(([tenantId, { sealNumber, mac }]) => [
          tenantId,
          { number: sealNumber, mac: Buffer.from(mac).toString('hex'), at },
        ]),
      )
      const deadline = performance.now() + lockStaleMs + 5_000
      while (performance.now() < deadline) {
        const done = await locked(file, async () => {
          await write(world, file, { heads, standings: [], restored })
          return true
        })
        if (done) return
      }
      throw new HeadsFileUnusable(`${file} is being written by another process; try again`)
    },
  }
})

export const keepHeads = (world: World): Promise<Again | void> => world.memory(keeping).keep()
export const replaceKept = (world: World, restored: NonNullable<Kept['restored']>): Promise<void> =>
  world.memory(keeping).replace(restored)

// A running process writes its own every second.
const deadAfterMs = 5_000

type Others = Kept['standings']

/** What ended processes had waiting: by now it is sealed, or missing and then reported. */
async function stillOpen(world: World, others: Others): Promise<Others> {
  const kept: Others = []
  for (const standing of others) {
    if (world.now().getTime() - new Date(standing.at).getTime() < deadAfterMs) {
      kept.push(standing)
      continue
    }
    const { missing, misplaced, unsealed } = await look(world, standing)
    if (missing.length > 0) await reportMissing(world, standing.tenantId, missing)
    if (misplaced.length > 0) await reportMisplaced(world, standing.tenantId, misplaced)
    if (unsealed.length > 0) kept.push({ ...standing, waiting: unsealed })
  }
  return kept
}

/** Tenants whose chain does not contain the link in the file. */
export async function findLostHeads(world: World, kept: Kept): Promise<number[]> {
  const lost: number[] = []
  for (const [tenantId, { number, mac }] of Object.entries(kept.heads)) {
    const [seal] = await findSeals(world.db, Number(tenantId), [number])
    if (!seal || !isSameMac(seal.mac, Buffer.from(mac, 'hex'))) lost.push(Number(tenantId))
  }
  return lost
}

/** Tenants that existed when the file was written. */
export const keptTenantIds = async (world: World): Promise<number[]> =>
  Object.keys((await readKept(world).catch(() => null))?.heads ?? {}).map(Number)
