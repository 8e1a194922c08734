/** Runs in a separate thread: unpacks, opens and decodes one file of a connector. Sends what it finds as rows of COPY. */
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import {
  type ConnectorDatabase,
  type FileRecord,
  FileRefused,
  loadReader,
  openConnectorDatabase,
  unpack,
} from '#rooms/records/baton/index.ts'
import { columnsOf, type KindName, kindNames, kinds, type StagedColumn } from '../kinds.ts'
import { copyRow, copyText } from '../reading/copy-text.ts'
import { type Known, openKnown } from './known.ts'
import {
  type FromReader,
  type Leftovers,
  noSpace,
  type StagedTable,
  type ToReader,
  type ToReaderMessage,
} from './messages.ts'
import { accountKey, stagedOf } from './values.ts'

const port = parentPort
if (!port) throw new Error('not a worker thread')
const { file, database, limits, isTold } = workerData as ToReader
const { readRecords } = await loadReader()
const say = (message: FromReader): void => port.postMessage(message)

// Sent in batches: large enough that the cost per message does not matter, small enough to have two in memory.
const textLengthMin = 512 * 1024
const sentAheadMax = 2

// Limits of the objects that are kept as a connector wrote them: real ones have some hundred bytes.
const objectBytesMax = 64 * 1024
const objectsBytesMax = 512 * 1024 ** 2
const bytea = (data: Uint8Array): string =>
  `\\x${Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('hex')}`

const columns = Object.fromEntries(kindNames.map((kind) => [kind, columnsOf(kinds[kind])])) as Record<
  KindName,
  StagedColumn[]
>

type Found = { records: number; knownGrants: number; left: Leftovers }
type RowSender = ReturnType<typeof rowSender>

try {
  await read()
} catch (error) {
  const message = refusalOf(error as Error)
  if (message === null) throw error
  say({ is: 'refused', message })
}

/** The message for the sender of the file; null if the file is not at fault. */
function refusalOf(error: NodeJS.ErrnoException): string | null {
  if (error instanceof FileRefused) return error.message
  if (error.code === 'ENOSPC') return noSpace
  // What SQLite reports about a database that is damaged, too large for its limits, or reads what it may not.
  return error.code === 'ERR_SQLITE_ERROR' ? `The database in the file cannot be read: ${error.message}.` : null
}

async function read(): Promise<void> {
  const known: Known | null = isTold ? openKnown() : null
  const found: Found = {
    records: 0,
    knownGrants: 0,
    left: { nestedGrants: 0, grantsToNobody: 0, profiles: 0, objects: 0 },
  }
  const rows = rowSender(found)
  const { promise: allKnown, resolve: haveAll } = Promise.withResolvers<void>()
  port?.on('message', (told: ToReaderMessage) => {
    if (told.is === 'taken') rows.taken()
    else if (told.is === 'known') known?.add(told.part, told.bytes)
    else haveAll()
  })
  // Both at once: the database sends the known grants while the file is unpacked.
  await unpack(file, database, limits)
  if (known) {
    await allKnown
    known.end()
  }
  const db = openConnectorDatabase(database)
  try {
    await sendRecords(db, known, rows, found)
    if (known) await sendMissing(known, rows)
    await rows.sendRest()
  } finally {
    db.close()
  }
  say({ is: 'done', ...found })
}

/** Gathers rows by their tables, and sends them in batches. */
function rowSender(found: Found) {
  const gathered = new Map<StagedTable, { text: string; count: number }>()
  let ahead = 0

  const send = async (table: StagedTable): Promise<void> => {
    const { text, count } = gathered.get(table) as { text: string; count: number }
    gathered.delete(table)
    say({ is: 'rows', table, text, count, records: found.records })
    ahead++
    while (ahead >= sentAheadMax) await once(port as NonNullable<typeof port>, 'message')
  }

  return {
    /** Whether those of this table are now enough to be sent. */
    gather(table: StagedTable, row: string): boolean {
      const held = gathered.get(table)
      if (!held) gathered.set(table, { text: row, count: 1 })
      else {
        held.text += row
        held.count++
        return held.text.length >= textLengthMin
      }
      return false
    },
    send,
    async sendRest(): Promise<void> {
      for (const table of gathered.keys()) await send(table)
    },
    /** To be called when a batch was taken. */
    taken(): void {
      ahead--
    },
  }
}

/** Sends the records of the file, except for grants that are known. */
async function sendRecords(
  db: ConnectorDatabase,
  known: Known | null,
  { gather, send }: RowSender,
  found: Found,
): Promise<void> {
  const { left } = found
  const mayKeep = objectsWithinLimits()
  for (const record of readRecords(db)) {
    if (record.is === 'object') {
      const { kind, key, typeId, data } = record
      if (!mayKeep(data)) left.objects++
      else if (gather('object', copyText(0, kind, key, typeId, bytea(data)))) await send('object')
      continue
    }
    found.records++
    if (known && !isNews(record, known, found)) continue
    if (record.is === 'nestedGrant') left.nestedGrants++
    if (record.is === 'grantToNobody') left.grantsToNobody++
    const staged = stagedOf(record)
    if (!staged) continue
    if (staged.lostProfile) left.profiles++
    if (gather(staged.kind, copyRow(columns[staged.kind], found.records, staged.values))) await send(staged.kind)
    if (record.is !== 'grant') continue
    for (const source of record.sources) {
      const row = copyText(found.records, record.entitlementId, accountKey(record.principal), source)
      if (gather('source', row)) await send('source')
    }
    const { kept } = record
    if (!kept) continue
    if (!mayKeep(kept.data)) left.objects++
    else if (gather('kept_grant', copyText(found.records, String(kept.isFixed), bytea(kept.data))))
      await send('kept_grant')
  }
}

/** Compares a record with what is known: false for a grant that need not be passed on. */
function isNews(record: FileRecord, known: Known, found: Found): boolean {
  if (record.is === 'account') known.noteAccount(accountKey(record))
  if (record.is === 'entitlement') known.noteEntitlement(record.id)
  if (record.is !== 'grant') return true
  const taken = known.take(record.entitlementId, accountKey(record.principal), record.sources)
  // One that now needs more than its entitlement and account to be revoked is passed on.
  const isSame = taken === 'same' && record.kept === null
  if (isSame) found.knownGrants++
  return !isSame && taken !== 'again'
}

/** Counts the objects of a file. */
function objectsWithinLimits(): (data: Uint8Array) => boolean {
  let bytes = 0
  return ({ length }) => {
    bytes += length
    return length <= objectBytesMax && bytes <= objectsBytesMax
  }
}

/** Sends what the file does not have. */
async function sendMissing(known: Known, { gather, send }: RowSender): Promise<void> {
  for (const [entitlement, account] of known.untold())
    if (gather('untold', `${entitlement}\t${account}\n`)) await send('untold')
  for (const id of known.others) if (gather('other', `${id}\n`)) await send('other')
}
port.close()
