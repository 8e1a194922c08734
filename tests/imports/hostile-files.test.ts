import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FileRefused, loadReader, openConnectorDatabase, unpack } from '#rooms/records/baton/index.ts'
import { readConnectorFile, readerLimits } from '#rooms/records/imports/c1z/read.ts'
import { later } from '../fixture/later.ts'
import { isLong, longTest } from '../fixture/long.ts'
import { connectorFile, databaseOf, type Making, ownTemporaryFolder, packed, people, syncId } from './connector-file.ts'
import { refusalOf } from './support.ts'

// What becomes of the records of a file that is refused is shown in connector-files.test.ts: these are only read.
const leftBehind = ownTemporaryFolder()

/** Why a file is refused when it is only read. */
const reasonOf = async (file: Buffer, limits = readerLimits): Promise<string> =>
  (
    await refusalOf(
      readConnectorFile(
        piecesOf(file),
        () => {},
        async () => {},
        limits,
      ),
    )
  ).message

/** The same without a thread of its own, which takes longer than the file. */
async function whyNotRead(bytes: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bailiwick-test-'))
  later(() => rm(folder, { recursive: true }))
  const { readRecords } = await loadReader()
  try {
    await writeFile(join(folder, 'file'), bytes)
    await unpack(join(folder, 'file'), join(folder, 'database'), readerLimits)
    const database = openConnectorDatabase(join(folder, 'database'))
    try {
      return `read, with ${[...readRecords(database)].length} records`
    } finally {
      database.close()
    }
  } catch (error) {
    if (error instanceof FileRefused) return error.message
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SQLITE_ERROR') throw error
    return `cannot be read: ${(error as Error).message}`
  }
}

describe('a hostile file', () => {
  const hostile: [string, Making, RegExp][] = [
    ['a view', { extra: 'drop table v1_grants; create view v1_grants as select 1 as sync_id' }, /has a view v1_grants/],
    ['a trigger', { extra: 'create trigger t after insert on v1_grants begin select 1; end' }, /has a trigger t/],
    ['a virtual table', { extra: 'create virtual table f using fts5(x)' }, /has a virtual table f/],
    [
      'a computed column',
      { extra: 'alter table v1_grants add column more blob as (zeroblob(1000000000)) virtual' },
      /v1_grants in the file has a computed column/,
    ],
    ['a missing table', { extra: 'drop table v1_grants' }, /has no table v1_grants/],
    ['a missing column', { extra: 'alter table v1_entitlements drop column resource_id' }, /no column resource_id/],
    [
      'a huge blob',
      { extra: `update v1_resources set data = zeroblob(5000000)` },
      /cannot be read: string or blob too big/,
    ],
    [
      'text in place of a blob',
      { extra: `update v1_resources set data = 'text'` },
      /resource "user:ada" .* cannot be decoded/,
    ],
    [
      'a blob in place of an id',
      { extra: `update v1_entitlements set external_id = x'00'` },
      /entitlement whose id is empty or not text/,
    ],
    [
      'a message that is broken',
      { extra: `update v1_entitlements set data = x'ffffff'` },
      /entitlement "staff:member" .* cannot be decoded/,
    ],
    [
      'an id that is too long',
      { extra: `update v1_grants set entitlement_id = printf('%.2000c', 'x')` },
      /more than 1024 bytes/,
    ],
    ['no sync', { extra: 'delete from v1_sync_runs' }, /contains no sync/],
    ['a partial sync only', { syncType: 'partial' }, /no complete full sync/],
    ['an unfinished sync', { ended: false }, /no complete full sync/],
    [
      'pages of chance',
      { bend: (bytes) => Buffer.concat([bytes.subarray(0, 4096), randomBytes(bytes.length - 4096)]) },
      /cannot be read|cannot be decoded|not text|has no table|computed|contains no sync|was finished/,
    ],
    ['a cut database', { bend: (bytes) => bytes.subarray(0, 5000) }, /cannot be read/],
    ['no database', { bend: () => randomBytes(10_000) }, /does not contain a SQLite database/],
    ['nothing', { bend: () => Buffer.alloc(0) }, /does not contain a SQLite database/],
  ]
  test.each(hostile)('%s is refused', async (_, making, why) => {
    const file = connectorFile(people, making)
    expect(await (isLong ? reasonOf : whyNotRead)(file)).toMatch(why)
    expect(leftBehind()).toEqual([])
  })

  test('a message nested too deeply is refused, and so is one of the wrong length', async () => {
    const read = isLong ? reasonOf : whyNotRead
    // A Struct in a Value in a Struct, 100,000 times.
    const hex = (extra: string) => ({ extra: `update v1_resources set data = ${extra}` })
    expect(await read(connectorFile(people, hex(`zeroblob(100000)`)))).toMatch(/cannot be decoded/)
    let nested: Buffer = Buffer.alloc(0)
    const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)])
    const inside = (field: number, bytes: Buffer): Buffer =>
      Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(bytes.length)]), bytes])
    for (let i = 0; i < 3000; i++) nested = inside(1, inside(2, inside(5, nested)))
    expect(await read(connectorFile(people, hex(`x'${inside(9, nested).toString('hex')}'`)))).toMatch(
      /cannot be decoded/,
    )
  })
  test('files that are cut off, not zstd, or of another format are refused', async () => {
    const read = isLong ? reasonOf : whyNotRead
    const file = connectorFile(people)
    expect(await reasonOf(file.subarray(0, file.length - 100))).toMatch(/damaged or incomplete/)
    expect(await read(file.subarray(0, 5))).toMatch(/damaged or incomplete|does not contain/)
    expect(await read(Buffer.concat([Buffer.from('C1ZF\0'), randomBytes(1000)]))).toMatch(/damaged or incomplete/)
    expect(await read(Buffer.from('C1Z9\0more'))).toMatch(/unknown format/)
    expect(await read(Buffer.from('{"kind": "user"}'))).toMatch(/not a connector file/)
  })
  test('a bomb is refused before it is unpacked', async () => {
    expect(await reasonOf(packed(Buffer.alloc(100 * 1024 * 1024)))).toMatch(/more than 250 times its size/)
  })
  test('a tree whose pages lead to each other over and over ends by the limit of rows', async () => {
    // An interior page of the table's tree with many cells that all lead to the same page, level upon level.
    const bend = (bytes: Buffer): Buffer => {
      const pageSize = bytes.readUInt16BE(16)
      const pages = bytes.length / pageSize
      const root = rootOf(bytes)
      const levels = 7
      const all = Buffer.concat([bytes, Buffer.alloc(levels * pageSize)])
      const leaf = Buffer.from(all.subarray((root - 1) * pageSize, root * pageSize))
      leaf.copy(all, (pages + levels - 1) * pageSize)
      for (let level = 0; level < levels; level++) {
        const at = level === 0 ? root : pages + level
        const below = pages + level + 1
        const start = (at - 1) * pageSize
        const cells = 300
        all.fill(0, start, start + pageSize)
        all[start] = 5
        all.writeUInt16BE(cells, start + 3)
        all.writeUInt16BE(pageSize - cells * 5, start + 5)
        all.writeUInt32BE(below, start + 8)
        for (let cell = 0; cell < cells; cell++) {
          const place = pageSize - (cell + 1) * 5
          all.writeUInt16BE(place, start + 12 + cell * 2)
          all.writeUInt32BE(below, start + place)
          all[start + place + 4] = 127
        }
      }
      all.writeUInt32BE(pages + levels, 28)
      return all
    }
    const file = connectorFile(people, { bend })
    expect(await (isLong ? reasonOf : whyNotRead)(file)).toMatch(/more rows than fit/)
    expect(leftBehind()).toEqual([])
  })
  longTest('one that needs more memory than allowed is refused, and the server goes on', async () => {
    const types = Array.from({ length: 9000 }, (_, i) => ({ id: `t${i}`.padEnd(1000, 'x'), traits: [] }))
    expect(await reasonOf(connectorFile({ types }), { ...readerLimits, heapMb: 8 })).toMatch(
      /more memory than allowed|its reader ended/,
    )
    expect(leftBehind()).toEqual([])
  })
  test('session secrets are neither read nor kept', async () => {
    const database = databaseOf(people)
    expect(database.includes(`sesame-open-${syncId}`)).toBe(true)
    const rows: string[] = []
    await readConnectorFile(
      piecesOf(packed(database)),
      ({ text }) => rows.push(text),
      async () => {},
    )
    expect(rows.join()).toContain('ada@corp.example')
    expect(rows.join()).not.toContain('sesame')
  })
})

async function* piecesOf(file: Buffer): AsyncGenerator<Uint8Array> {
  yield file
}

/** The page at which the table of grants begins, as the schema on page 1 says. */
function rootOf(bytes: Buffer): number {
  const name = bytes.lastIndexOf('v1_grantsv1_grants')
  // The column behind the two names: one byte, as there are few pages.
  return bytes[name + 'v1_grantsv1_grants'.length] as number
}
