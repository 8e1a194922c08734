import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { Refusal } from '#kernel/refusals.ts'
import { whyUnreadable } from '#kernel/unreadable.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { type Import, importFile, kindNamed, viewImport } from '#rooms/records/imports/index.ts'
import { UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { reportImport } from './import-progress.ts'
import { chooseTenant, operate } from './operate.ts'
import { print, printJson, printTable } from './print.ts'
import { importKinds } from './values.ts'

export const importCommand: Run = async ({ positionals, flags }) => {
  const file = positionals[0] as string
  const kind = flags['kind'] === undefined ? null : kindNamed(flags['kind'])
  if (flags['kind'] !== undefined && !kind) throw new UsageError(`--kind must be one of ${importKinds.join(', ')}`)
  const { source, bytes } = await open(file)
  return operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    const isDryRun = flags['dry-run'] === true
    const reporting = reportImport(process.stderr, bytes)
    const wanted = {
      source,
      format: isNamedC1z(file) ? ('c1z' as const) : null,
      app: typeof flags['app'] === 'string' ? flags['app'] : isNamedC1z(file) ? basename(file).slice(0, -4) : null,
      kind,
      isFull: flags['full'] === true,
      isDryRun,
      isForced: flags['force'] === true,
    }
    try {
      const done = await importFile(world, operatorCause(tenant, 'import'), wanted, reporting.progress)
      reporting.end()
      if (flags['json']) printJson(viewImport(done, isDryRun))
      else printDone(done, isDryRun)
      return 0
    } catch (error) {
      reporting.end()
      if (!(error instanceof Refusal)) throw error
      if (flags['json']) printJson({ reason: error.reason, message: error.message, ...error.detail })
      printRefusal(error)
      return 1
    }
  })
}

const isNamedC1z = (file: string): boolean => /[^/]\.c1z$/i.test(file)

async function open(file: string): Promise<{ source: AsyncIterable<Buffer>; bytes: number | null }> {
  if (file === '-') return { source: process.stdin, bytes: null }
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 })
  try {
    // Reported before a database is started for it.
    await once(stream, 'ready')
    const status = statSync(file)
    if (status.isDirectory()) throw new UsageError(`${file} is a folder`)
    return { source: stream, bytes: status.isFile() ? status.size : null }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(whyUnreadable(file, error as NodeJS.ErrnoException))
  }
}

function printDone(done: Import, isDryRun: boolean): void {
  const cells = done.counts.map(({ kind, added, changed, unchanged, removed }) => [
    kind,
    ...[added, changed, unchanged, removed].map(String),
  ])
  printTable(['KIND', 'ADDED', 'CHANGED', 'UNCHANGED', 'REMOVED'], cells)
  if (done.ignoredFields.length > 0) print(`Ignored unknown fields: ${done.ignoredFields.join(', ')}.`)
  const isC1z = done.format === 'c1z'
  if (isC1z) print(`App: ${done.appId}`)
  for (const note of done.notes) print(note)
  const read = `${done.lineCount} ${isC1z ? 'records' : 'lines'}`
  const seconds = ((done.finishedAt.getTime() - done.startedAt.getTime()) / 1000).toFixed(1)
  print(
    isDryRun
      ? `${read} in ${seconds} s. Dry run: nothing was changed.`
      : `Imported ${read} in ${seconds} s, as ${done.id}.`,
  )
}

function printRefusal({ reason, message, detail }: Refusal): void {
  const say = (text: string): void => void process.stderr.write(`${text}\n`)
  if (reason !== 'IMPORT_REFUSED') return say(`bailiwick: ${message}`)
  const lines = detail.violations ?? []
  for (const { field, description } of lines) say(`${field}: ${description}`)
  const count = Number(detail.metadata?.['refused'])
  const more = count > lines.length ? `; the first ${lines.length} are listed above` : ''
  const noun = lines[0]?.field.startsWith('record') ? 'record' : 'line'
  say(`bailiwick: ${count} ${noun}${count === 1 ? ' was' : 's were'} rejected, and nothing was imported${more}.`)
}
