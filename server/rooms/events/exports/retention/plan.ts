import type { Tenancy } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import { steadyNow, type World } from '#kernel/world.ts'
import { findSeam, type Place, type Seam } from '#rooms/foundation/systemlog/index.ts'
import { isArchive } from '../datasources/datasource.ts'
import { datasourcesOf } from '../datasources/read.ts'
import { type DoneFile, listFilesBehind } from '../files-store.ts'
import { type Hold, type HoldBy, roomsThatHold } from './holds.ts'
import { countBetween, lastLinkBefore, listProgress } from './store.ts'

const dayMs = 86_400_000

export type RetentionPlan = {
  /** Null if events are kept forever. */
  days: number | null
  seam: Seam | null
  /** How many are older than that, and how many of those can be removed now. */
  older: number
  removable: number
  upTo: number
  /** Why no more are removed. */
  reasons: string[]
}

/** Plans which events to remove from the database, and what keeps the others. The files themselves are read on removal. */
export async function planRetention(
  world: World,
  tenant: Tenancy,
  holds: readonly HoldBy[] = roomsThatHold,
): Promise<RetentionPlan> {
  const { db } = world
  const days = world.settings.systemlogRetentionDays ?? null
  const seam = await findSeam(world, db, tenant.id)
  const from = seam?.sealNumber ?? 0
  if (days === null)
    return {
      days,
      seam,
      older: 0,
      removable: 0,
      upTo: from,
      reasons: [
        'No retention is configured: events are kept in the database. To configure it, set --systemlog-retention.',
      ],
    }
  const byAge = await lastLinkBefore(db, tenant.id, new Date(steadyNow(world).getTime() - days * dayMs))
  const older = await countBetween(db, tenant.id, from, byAge)
  const all: Hold[] = [await byArchive(world, tenant, from, byAge), ...(await byExports(db, tenant.id))]
  for (const holdBy of holds) {
    const hold = await holdBy(db, tenant.id)
    if (hold) all.push(hold)
  }
  const binding = all.filter(({ upTo }) => upTo < byAge)
  const upTo = Math.max(from, Math.min(byAge, ...binding.map((hold) => hold.upTo)))
  const removable = await countBetween(db, tenant.id, from, upTo)
  const reasons =
    older === 0 ? [`No events in the database are older than ${days} days.`] : binding.map(({ why }) => why)
  return { days, seam, older, removable, upTo, reasons }
}

/** An export that has not sent them yet holds events, regardless of its target. */
async function byExports(db: Reads, tenantId: number): Promise<Hold[]> {
  return (await listProgress(db, tenantId)).map(({ displayName, state, error, sealNumber }) => ({
    upTo: sealNumber,
    why: `The export ${displayName} has sent events up to link ${sealNumber}${state === 'error' ? ` and fails: ${error}` : ''}`,
  }))
}

async function byArchive(world: World, tenant: Tenancy, from: number, wanted: number): Promise<Hold> {
  const upTo = await archivedUpTo(world, tenant, from, wanted)
  return {
    upTo,
    why:
      upTo === from
        ? 'No export to a folder or to S3-compatible storage contains the oldest events. Create one.'
        : `Exports to folders and S3-compatible storage contain events up to link ${upTo}.`,
  }
}

const filesAtOnce = 500

/** The last link up to which archived files contain all events after a link; at most `wanted`. */
async function archivedUpTo(world: World, tenant: Tenancy, from: number, wanted: number): Promise<number> {
  let reached = from
  while (reached < wanted) {
    const files = await listFilesBehind(world.db, tenant.id, reached, filesAtOnce)
    const next = await extend(world, tenant, reached, archivedFiles(world, files))
    if (next === reached || files.length < filesAtOnce) return next
    reached = next
  }
  return reached
}

/** The files that can be read again. */
export const archivedFiles = (world: World, files: readonly DoneFile[]): DoneFile[] =>
  files.filter(({ datasourceId }) => {
    const source = datasourcesOf(world).get(datasourceId)
    return source !== undefined && isArchive(source)
  })

async function extend(world: World, tenant: Tenancy, from: number, files: readonly DoneFile[]): Promise<number> {
  let reached = from
  /** Part of a link, up to this event. */
  let within: Place | null = null
  for (const { first, last, endsLink } of files) {
    const isNext: boolean =
      within !== null && first[0] === within[0]
        ? first[1] <= within[1] + 1
        : first[0] <= reached || (await isFirstAfter(world, tenant, reached, first))
    if (!isNext || last[0] <= reached) continue
    within = endsLink ? null : last
    reached = endsLink ? last[0] : Math.max(reached, last[0] - 1)
  }
  return reached
}

/** Link numbers are skipped where the end of the chain was found to be changed. */
const isFirstAfter = async (
  world: World,
  tenant: Tenancy,
  reached: number,
  [seal, position]: Place,
): Promise<boolean> =>
  position === 1 && (seal === reached + 1 || (await countBetween(world.db, tenant.id, reached, seal - 1)) === 0)
