import { createHash } from 'node:crypto'
import { type Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Place, SealedRow } from '#rooms/foundation/systemlog/index.ts'
import { decompress } from '../compress.ts'
import type { Format } from '../exporter.ts'
import { fileBytesMax } from '../targets/target.ts'
import { type ChainFile, chainFormat } from '../work/pack.ts'

const named =
  /^(?<first>\d{12}\.\d{4,10})-(?<last>\d{12}\.\d{4,10})-[0-9a-f]{8}\.(?<what>ocsf|chain)\.json\.(?<extension>gz|zst)$/

/** One file of an archive: its events, and the chain file that proves them. */
export type ArchivedFile = { chain: string; events: string; first: Place; last: Place; format: Format }
export type Archived = {
  files: ArchivedFile[]
  /** Names of files of either kind that lack the other. */
  alone: string[]
}

const placeOf = (text: string): Place => {
  const [seal, position] = text.split('.').map(Number) as [number, number]
  return [seal, position]
}

/** Lists the files of an archive below a folder, of one tenant, in the order of the chain. Other files are ignored. */
export async function listArchive(folder: string, tenantPublicId: string): Promise<Archived> {
  const byKey = new Map<string, { chain?: string; events?: string; first: Place; last: Place; format: Format }>()
  for await (const path of pathsBelow(folder)) {
    const { first, last, what, extension } = named.exec(path.slice(path.lastIndexOf('/') + 1))?.groups ?? {}
    if (!first || !last || !isOf(relative(folder, path), folder, tenantPublicId)) continue
    const key = path.replace(/\.(ocsf|chain)\.json\.(gz|zst)$/, ` $2`)
    const file = byKey.get(key) ?? {
      first: placeOf(first),
      last: placeOf(last),
      format: extension === 'gz' ? ('gzip' as const) : ('zstd' as const),
    }
    byKey.set(key, { ...file, ...(what === 'chain' ? { chain: path } : { events: path }) })
  }
  const files: ArchivedFile[] = []
  const alone: string[] = []
  for (const { chain, events, ...file } of byKey.values())
    if (chain !== undefined && events !== undefined) files.push({ ...file, chain, events })
    else alone.push(chain ?? events ?? '')
  return { files: files.toSorted(inOrder), alone: alone.toSorted() }
}

/** Each tenant's files are in a folder named after the tenant. `folder` can also be a folder within that. */
function isOf(path: string, folder: string, tenantPublicId: string): boolean {
  const parts = [...folder.split('/'), ...path.split('/')]
  const tenants = parts.filter((part) => /^[0-9A-Za-z]{27}$/.test(part))
  return tenants.length < 2 || tenants.includes(tenantPublicId)
}

export const comparePlaces = (a: Place, b: Place): number => a[0] - b[0] || a[1] - b[1]
const inOrder = (a: ArchivedFile, b: ArchivedFile): number =>
  comparePlaces(a.first, b.first) || comparePlaces(a.last, b.last) || (a.chain < b.chain ? -1 : 1)

async function* pathsBelow(folder: string): AsyncGenerator<string> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* pathsBelow(path)
    else if (entry.isFile()) yield path
  }
}

export type Opened = { chain: ChainFile; rows: SealedRow[] }

/** Why a file of an archive cannot be trusted. */
export class NotAsWritten extends Error {
  override name = 'NotAsWritten'
}

const readBounded = async (path: string): Promise<Buffer> => {
  if ((await stat(path)).size > fileBytesMax) throw new NotAsWritten('is larger than any file that was exported')
  return readFile(path)
}

/** Reads a file of an archive; throws `NotAsWritten` if its two parts do not match. */
export async function openFile({ chain, events, format }: ArchivedFile): Promise<Opened> {
  return parse(events, await plain(format, await readBounded(chain)), await plain(format, await readBounded(events)))
}

export const plain = (format: Format, bytes: Buffer): Promise<Buffer> =>
  decompress(format, bytes).catch(() => {
    throw new NotAsWritten('cannot be decompressed')
  })

/** The events of a file as rows of the system log. Altered events are detected by their MACs. */
export function parse(name: string, chainText: Buffer, content: Buffer): Opened {
  const chain = readChain(chainText)
  const base = name.slice(name.lastIndexOf('/') + 1)
  const lines = content.toString('utf8').split('\n')
  if (lines.pop() !== '') throw new NotAsWritten('does not end with a line')
  if (chain.file !== base) throw new NotAsWritten(`has the name ${base} and was written as ${chain.file}`)
  if (createHash('sha256').update(content).digest('hex') !== chain.sha256 || lines.length !== chain.rows.length)
    throw new NotAsWritten('does not contain the events that were written to it')
  const rows = lines.map((event, i) => {
    const [sealNumber, position, mac, trail] = chain.rows[i] as ChainFile['rows'][0]
    return { ...identityOf(event), event, trail, mac: Buffer.from(mac, 'base64'), sealNumber, position }
  })
  const [start, end] = [rows[0], rows.at(-1)]
  if (!start || comparePlaces([start.sealNumber, start.position], chain.first) !== 0)
    throw new NotAsWritten('does not begin with the event that its name says')
  if (!end || comparePlaces([end.sealNumber, end.position], chain.last) !== 0)
    throw new NotAsWritten('does not end with the event that its name says')
  return { chain, rows }
}

function identityOf(event: string): { eventId: string; occurredAt: Date } {
  try {
    const { time, metadata } = JSON.parse(event) as { time?: number; metadata?: { uid?: string } }
    const occurredAt = new Date(Number(time))
    if (!Number.isNaN(occurredAt.getTime())) return { eventId: String(metadata?.uid), occurredAt }
  } catch {
    // Handled below.
  }
  throw new NotAsWritten('has a line that is not an event')
}

function readChain(text: Buffer): ChainFile {
  let chain: Partial<ChainFile>
  try {
    chain = JSON.parse(text.toString('utf8')) as Partial<ChainFile>
  } catch {
    throw new NotAsWritten('has a chain file that is not JSON')
  }
  const isWhole =
    chain.format === chainFormat &&
    typeof chain.file === 'string' &&
    typeof chain.sha256 === 'string' &&
    isPlace(chain.first) &&
    isPlace(chain.last) &&
    Array.isArray(chain.links) &&
    chain.links.every(isLink) &&
    Array.isArray(chain.rows) &&
    chain.rows.every(isRow)
  if (!isWhole) throw new NotAsWritten('has a chain file with an unknown format')
  return chain as ChainFile
}

const isPlace = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((each) => Number.isSafeInteger(each))
const isDate = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value))
const isLink = (value: unknown): boolean => {
  const link = value as ChainFile['links'][0] | null
  return (
    typeof link === 'object' &&
    link !== null &&
    Number.isSafeInteger(link.number) &&
    Number.isSafeInteger(link.eventCount) &&
    [link.sealedAt, link.earliestAt, link.latestAt].every(isDate) &&
    typeof link.comesLate === 'boolean' &&
    typeof link.mac === 'string'
  )
}
const isRow = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 4 &&
  Number.isSafeInteger(value[0]) &&
  Number.isSafeInteger(value[1]) &&
  typeof value[2] === 'string' &&
  (value[3] === null || typeof value[3] === 'string')
