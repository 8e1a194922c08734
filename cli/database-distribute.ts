import { distribute, type Progress, refuseUnlessCoordinator } from '#database/distribute/index.ts'
import { isHalfDistributed, migrate } from '#database/migrate.ts'
import { openDatabase } from '#database/open.ts'
import { readSettings, UsageError } from '#server/settings/config.ts'
import { assertVerified } from '#server/start/open-data.ts'
import type { Run } from './command.ts'
import { print } from './print.ts'
import { shardsDefault } from './values.ts'

const shardsMax = 1024

export const databaseDistribute: Run = async ({ flags }) => {
  const config = readSettings(['database-url', 'database-without-tls'] as const, flags, process.env)
  if (config.databaseUrl === null)
    throw new UsageError(
      'the embedded PostgreSQL is a single server and cannot be distributed; set --database-url to the coordinator of a Citus cluster',
    )
  assertVerified(config)
  const shards = readShards(flags['shards'] as string | undefined)
  const { db, close } = await openDatabase({
    from: { url: config.databaseUrl },
    applicationName: `bailiwick command ${process.pid}`,
    connectionsMax: 2,
  })
  try {
    // Before anything is created in a database that was named by mistake.
    await refuseUnlessCoordinator(db)
    // What was begun is finished first: it is done with the tables as they are, whichever program began it.
    if (!(await isHalfDistributed(db))) await migrate(db)
    let findings = await distribute(db, { shards, onProgress: printProgress })
    if (findings.length === 0 && (await migrate(db)).length > 0) findings = await distribute(db, { shards })
    for (const finding of findings) print(`  ${finding}`)
    return findings.length === 0 ? 0 : 1
  } finally {
    await close()
  }
}

function readShards(text: string | undefined): number {
  const shards = Number(text ?? shardsDefault)
  if (!/^\d+$/.test(text ?? '1') || shards < 1 || shards > shardsMax)
    throw new UsageError(`--shards ${JSON.stringify(text)} is not a number from 1 to ${shardsMax}`)
  return shards
}

function printProgress(progress: Progress): void {
  if (progress.step === 'begin') {
    const { tables, missing, nodes, isResumed } = progress
    print(
      missing === 0
        ? `All ${tables} tables are distributed over ${nodes} nodes.`
        : `Distributing ${missing} of ${tables} tables over ${nodes} nodes.${isResumed ? ' Continuing where it was interrupted.' : ''}`,
    )
  } else if (progress.step === 'table') {
    const { number, of, table, place, rows, ms } = progress
    const how = place === 'reference' ? 'on every node' : 'by tenant'
    print(`  ${String(number).padStart(String(of).length)} of ${of}  ${table}: ${rows} rows, ${how}, ${seconds(ms)}`)
  } else if (progress.step === 'foreign key') {
    const { number, of } = progress
    if (number === of) print(`Added ${of} foreign keys again, and checked all rows against them.`)
  } else if (progress.step === 'settings') {
    for (const failure of progress.failures)
      print(`A setting is missing on a worker node. Set it there as its administrator. ${failure}`)
  } else if (progress.findings.length === 0) {
    print(
      `Verified ${progress.distributed} tables of ${progress.shards} shards each: all foreign keys and triggers exist, and ` +
        'the append-only tables refuse changes on every shard.',
    )
  } else print('Problems found:')
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
