import type { Tx } from '#kernel/sql.ts'
import { tooMuchGoing } from './decide.ts'
import { type Importing, idPrefixOf } from './importing.ts'
import { refusedLines, removesTooMuch } from './refuse.ts'
import type { Staged } from './stage.ts'
import { listRefused, type RefusedLines, refuseDuplicates, refuseOrphans } from './store/checking.ts'
import { dropLoose, dropRepeatedGrants, type Loose, leaveInDoubt, resolveAppOfFile } from './store/connector-files.ts'
import { createGoneTables, findGone } from './store/going.ts'
import { countGoing } from './store/removing.ts'
import { createResolvedTables, resolve } from './store/resolving.ts'

/** Resolves the lines to rows, and refuses the file if any line is wrong, or if too much would be removed. */
export async function check(importing: Importing, { present, counts, read, file }: Staged): Promise<Loose> {
  const { tx, tenantId, wanted, origin, progress } = importing
  const appId = file?.app.appId ?? null
  const noun = file ? 'record' : 'line'
  progress({ ...read, phase: 'check', linesWritten: 0 })
  if (file) counts.grant -= await dropRepeatedGrants(tx)
  let duplicates = 0
  for (const kind of present) duplicates += await refuseDuplicates(tx, kind)
  // If a thousand lines share a key, and each is the parent of a thousand others, they must not be joined.
  if (duplicates > 0 || present.length === 0) await refuseRefused(tx, noun)
  if (present.length === 0) throw refusedLines(emptyFile, noun)
  await createResolvedTables(tx)
  await createGoneTables(tx)
  if (appId !== null) await resolveAppOfFile(tx, appId)
  for (const kind of present) await resolve({ tx, tenantId, idPrefix: idPrefixOf(importing) }, kind)
  if (wanted.isFull) await findGone(tx, tenantId, counts, { appId, isDifference: file?.isDifference ?? false, origin })
  if (wanted.findInDoubt) await leaveInDoubt(tx, await wanted.findInDoubt(tx))
  const loose = file ? await dropLoose(tx) : { grants: 0, entitlements: 0, parents: 0 }
  counts.grant -= loose.grants
  for (const kind of present) await refuseOrphans(tx, tenantId, kind, wanted.isFull)
  await refuseRefused(tx, noun)
  const tooMuch = wanted.isFull && !wanted.isForced ? tooMuchGoing(await countGoing(tx, tenantId, origin)) : []
  if (tooMuch.length > 0) throw removesTooMuch(tooMuch)
  return loose
}

const namedMax = 1000
const emptyFile: RefusedLines = {
  count: 1,
  byKind: {},
  first: [{ line: 1, kind: null, reason: 'there are no records in the file' }],
}

async function refuseRefused(tx: Tx, noun: 'line' | 'record'): Promise<void> {
  const refused = await listRefused(tx, namedMax)
  if (refused.count > 0) throw refusedLines(refused, noun)
}
