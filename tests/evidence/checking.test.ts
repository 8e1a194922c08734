import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeArchive } from '#rooms/foundation/evidence/archive/write.ts'
import { writeBundle } from '#rooms/foundation/evidence/bundle.ts'
import { fingerprintOf } from '#rooms/foundation/evidence/key.ts'
import type { LogProof } from '#rooms/foundation/evidence/log-proof.ts'
import { canonical, type Manifest, sha256 } from '#rooms/foundation/evidence/manifest.ts'
import { prepare, type Ref } from '../grants/scene.ts'
import { fileOf, filesOf, keyOf, makePack, ofEntitlement, type Pack, replacing, verified, withFile } from './scene.ts'

/** What verifying a pack finds, and what it does not believe. */

const scene = prepare()
let held: Ref
let pack: Pack
let key = ''
let secretKeyFile = ''

beforeAll(async () => {
  const people = await Promise.all(['Ann Archer', 'Bo Baker'].map((displayName) => scene.user({ displayName })))
  const appId = await scene.app('Source Code')
  held = await scene.entitlement(appId, 'Admin')
  const reply = await scene.post(`/api/v1/apps/${appId}/entitlements/${held.id}/add-manual-user`, { userIds: people })
  expect(reply.status, reply.text).toBe(200)
  pack = await makePack(scene, ofEntitlement(held))
  key = await keyOf(scene)
  secretKeyFile = join(scene.server.config.dataDir, 'secret.key')
})

const checked = (bytes: Buffer) => verified(bytes, '--key', key)
const manifestOf = ({ bytes }: Pick<Pack, 'bytes'>): Manifest =>
  JSON.parse(fileOf({ bytes }, 'manifest.json').toString()) as Manifest

describe('verifying tells what differs', () => {
  test('in the table, by the data', async () => {
    const ran = await checked(withFile(pack, '.csv', replacing('Bo Baker', 'Bo Barker')))
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain('The table, members-admin-source-code-')
    expect(ran.stdout).toContain('By the data, which is as it was signed, the table differs:')
    expect(ran.stdout).toMatch(/line \d was: Bo Baker,/)
    expect(ran.stdout).toMatch(/line \d is: {2}Bo Barker,/)
    expect(ran.stdout).toContain('Anything in the pack, because something in it differs.')
    expect(ran.stdout).not.toContain('Proven\n  No file')
  })

  test('in the data, by the table', async () => {
    const ran = await checked(
      withFile(pack, `${new Date().toISOString().slice(0, 10)}.json`, replacing('Bo Baker', 'Bo Barker')),
    )
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain('By the table, which is as it was signed, the data differs:')
    expect(ran.stdout).toContain('Bo Barker')
  })

  test('if a line of the table is gone', async () => {
    const ran = await checked(
      withFile(pack, '.csv', (content) => Buffer.from(content.toString().split('\r\n').toSpliced(1, 1).join('\r\n'))),
    )
    expect(ran.stdout.match(/line \d+ (?:was|is): /g)).toHaveLength(1)
  })

  test('in the document, the events, the proof of the log and the text about it', async () => {
    for (const [ending, what] of [
      ['.pdf', 'The document'],
      ['events.jsonl', 'The file of the events'],
      ['log.json', 'The proof of the log'],
      ['readme.txt', 'The text about the pack'],
    ] as const) {
      const ran = await checked(withFile(pack, ending, (content) => Buffer.concat([content, Buffer.from('\n')])))
      expect([ran.code, ran.stdout]).toEqual([1, expect.stringMatching(new RegExp(`${what}, .* was altered`))])
    }
    const other = await checked(withFile(pack, 'events.jsonl', replacing('Granted Admin', 'Granted Reader')))
    expect(other.stdout).toMatch(/The event \w{27} was altered\./)
    const document = await checked(withFile(pack, '.pdf', replacing('%%EOF', '%%eof')))
    expect(document.stdout).toContain('what the document said can be read there and in the table')
  })

  test('in the manifest, and in the files that it lists', async () => {
    const renamed = await checked(withFile(pack, 'manifest.json', replacing('(Source Code)', '(Another app)')))
    expect([renamed.code, renamed.stdout]).toEqual([
      1,
      expect.stringContaining('The signature does not fit the manifest'),
    ])
    const files = filesOf(pack)
    const without = await checked(writeArchive(files.filter(({ name }) => !name.endsWith('.pdf'))))
    expect(without.stdout).toMatch(/The document, .* is missing\./)
    const more = await checked(writeArchive([...files, { name: 'more.txt', content: Buffer.from('more') }]))
    expect(more.stdout).toContain('more.txt is not a file of this pack: it was added.')
    const [a, b, c, first, second, ...rest] = files
    const order = await checked(writeArchive([a, b, c, second, first, ...rest].filter((each) => each !== undefined)))
    expect(order.stdout).toContain('The files are in another order than in the manifest.')
  })
})

describe('verifying does not believe', () => {
  test('a pack that somebody else signed, with a key of their own', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const { files, key: _, ...about } = manifestOf(pack)
    const forged = writeBundle(
      about,
      files.map(({ name, role }) => ({ name, role, content: forgedFile(role, fileOf(pack, name)) })),
      { publicKey, privateKey, fingerprint: fingerprintOf(publicKey) },
    ).bytes
    const ran = await checked(forged)
    expect([ran.code, ran.stdout]).toEqual([1, expect.stringContaining('by somebody else')])
    const unknown = await verified(forged)
    expect([unknown.code, unknown.stdout]).toEqual([
      3,
      expect.stringContaining('Who signed it: anybody can create a key.'),
    ])
    // Its events are not those of the log, either: but that takes the secret key.
    const secret = await verified(forged, '--secret-key-file', secretKeyFile)
    expect([secret.code, secret.stdout]).toEqual([1, expect.stringContaining('was not written by this installation')])
  })

  const replaced = (content: Buffer): Buffer =>
    Buffer.from(content.toString().replaceAll('Bo Baker', 'Bo Barker').replaceAll('Granted Admin', 'Granted Basic'))

  function forgedFile(role: string, content: Buffer): Buffer {
    if (role === 'document') return content
    if (role !== 'log') return replaced(content)
    const lines = replaced(fileOf(pack, 'events.jsonl')).toString().split('\n')
    const proof = JSON.parse(content.toString()) as LogProof
    const events = proof.events.map((event, i) => ({ ...event, sha256: sha256(Buffer.from(lines[i] ?? '')) }))
    return canonical({ ...proof, events })
  }

  test('a manifest in another form, or with a name twice', async () => {
    const twice = (content: Buffer): Buffer =>
      Buffer.from(content.toString().replace('"subject":', '"subject": "Nothing",\n "subject":'))
    for (const edit of [
      twice,
      (content: Buffer) => Buffer.concat([content, Buffer.from(' ')]),
      (content: Buffer) => Buffer.from(JSON.stringify(JSON.parse(content.toString()))),
      () => canonical({ format: 'bailiwick-evidence', version: 2 }),
      () => Buffer.from('[]\n'),
    ]) {
      const ran = await checked(withFile(pack, 'manifest.json', edit))
      expect([ran.code, ran.stdout]).toEqual([
        1,
        expect.stringContaining('The manifest is not one that this version reads.'),
      ])
    }
  })

  test('another key in the pack than the manifest names', async () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
    const ran = await checked(withFile(pack, 'key.pem', () => Buffer.from(pem)))
    expect(ran.stdout).toContain('The signature does not fit the manifest')
    expect(ran.stdout).toContain('and the pack has another one')
    const junk = await checked(
      withFile(pack, 'key.pem', (content) => Buffer.concat([content, Buffer.from('# more\n')])),
    )
    expect(junk.stdout).toContain('key.pem is not a key as Bailiwick writes it.')
  })

  test('an archive with anything that its writer does not write', async () => {
    const { bytes } = pack
    const end = bytes.length - 22
    const edited = (at: number, value: number): Buffer => {
      const copy = Buffer.from(bytes)
      copy[at] = value
      return copy
    }
    const directory = bytes.readUInt32LE(end + 16)
    const named = filesOf(pack)
    const twice = writeArchive([...named, { name: 'readme.txt', content: Buffer.from('Another') }])
    for (const [what, wrong] of [
      ['something after its end', Buffer.concat([bytes, Buffer.from([0])])],
      ['something before it', Buffer.concat([Buffer.from([0]), bytes])],
      ['a comment', Buffer.concat([edited(end + 20, 1), Buffer.from('x')])],
      ['another date of a file', edited(12, 0x22)],
      ['flags', edited(6, 1)],
      ['a method of compression', edited(8, 8)],
      ['another size in the directory', edited(directory + 24, 1)],
      ['another name in the directory', edited(directory + 46, 0x6e)],
      ['another offset in the directory', edited(directory + 42, 7)],
      ['attributes', edited(directory + 38, 1)],
      ['a wrong checksum', edited(14, (bytes[14] ?? 0) ^ 1)],
      ['a file twice', twice],
      ['half of it', bytes.subarray(0, bytes.length / 2)],
      ['nothing', Buffer.alloc(0)],
      ['a folder', writeArchive([{ name: '../evil', content: Buffer.alloc(0) }, ...named])],
      ['many files', writeArchive(Array.from({ length: 20 }, (_, i) => ({ name: `f${i}`, content: Buffer.alloc(0) })))],
    ] as const) {
      const ran = await checked(wrong)
      expect([what, ran.code]).toEqual([what, 1])
      expect(ran.stdout).toContain('This is not an evidence pack that can be verified.')
    }
  })

  test('a compressed archive, however small: nothing is decompressed', async () => {
    const bomb = deflateRawSync(Buffer.alloc(8 * 1024 * 1024))
    const archive = writeArchive([{ name: 'manifest.json', content: bomb }])
    archive.writeUInt16LE(8, 8)
    expect((await checked(archive)).code).toBe(1)
  })

  test('data that cannot be written as a table', async () => {
    const { files, key: _, ...about } = manifestOf(pack)
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    for (const data of [
      { kind: 'access', grants: [null], requests: [] },
      { kind: 'access', grants: 7 },
      null,
      [[[]]],
    ]) {
      const { bytes } = writeBundle(
        about,
        files.map(({ name, role }) => ({
          name,
          role,
          content: role === 'data' ? canonical(data) : fileOf(pack, name),
        })),
        { publicKey, privateKey, fingerprint: fingerprintOf(publicKey) },
      )
      const ran = await verified(bytes)
      expect([ran.code, ran.stdout]).toEqual([1, expect.stringContaining('.json cannot be read.')])
    }
    const other = writeBundle({ ...about, kind: 'unheard of' }, [], {
      publicKey,
      privateKey,
      fingerprint: fingerprintOf(publicKey),
    })
    expect((await verified(other.bytes)).stdout).toContain('does not know packs of the kind unheard of')
  })
})

describe('with the secret key of the installation, verifying', () => {
  test('proves the events and their places in the log', async () => {
    const ran = await verified(pack.bytes, '--key', key, '--secret-key-file', secretKeyFile)
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('By the secret key: the events')])
    const json = await verified(pack.bytes, '--key', key, '--secret-key-file', secretKeyFile, '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ areEventsVerified: true, signer: 'known', findings: [] })
  })

  test('finds an event that was moved to another link, though everything was signed again', async () => {
    const { files, key: _, ...about } = manifestOf(pack)
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const moved = (content: Buffer): Buffer => {
      const proof = JSON.parse(content.toString()) as LogProof
      const links = proof.links.map((link) => ({ ...link, eventMacs: [...link.eventMacs, ...link.eventMacs] }))
      return canonical({ ...proof, links })
    }
    const { bytes } = writeBundle(
      about,
      files.map(({ name, role }) => ({
        name,
        role,
        content: role === 'log' ? moved(fileOf(pack, name)) : fileOf(pack, name),
      })),
      { publicKey, privateKey, fingerprint: fingerprintOf(publicKey) },
    )
    expect((await verified(bytes, '--secret-key-file', secretKeyFile)).stdout).toMatch(
      /Link \d+ of the log does not match/,
    )
  })

  test('is refused with something else, and so is a file that is not there', async () => {
    expect((await verified(pack.bytes, '--key', 'SHA256:short')).code).toBe(2)
    expect((await verified(pack.bytes, '--secret-key-file', '/nowhere')).stderr).toContain('there is no file /nowhere')
    expect((await verified(pack.bytes, '--secret-key-file', '/etc/hostname')).stderr).toContain(
      'does not contain a secret key',
    )
  })
})
