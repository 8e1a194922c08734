import { beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { run } from '../cli/command.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { byOwners, prepareTasks, target } from '../tasks/scene.ts'
import { askPack, dataOf, fileOf, filesOf, keyOf, makePack, ofEntitlement, verified } from './scene.ts'

/** What evidence packs contain, and who may have one. */

const scene = prepareTasks()
let held: Ref
let ann = ''
let before: Date
const hostile = '=cmd()\u001b[31m"'

beforeAll(async () => {
  ann = await scene.user({ displayName: 'Ann Archer' })
  const eve = await scene.user({ displayName: hostile })
  const appId = await scene.app('Source Code')
  held = await scene.entitlement(appId, 'Admin')
  before = scene.access.world.now()
  const reply = await scene.post(`/api/v1/apps/${appId}/entitlements/${held.id}/add-manual-user`, {
    userIds: [ann, eve],
    reason: 'OPS-17',
  })
  expect(reply.status, reply.text).toBe(200)
})

const own = async (ref: Ref, by: Caller): Promise<void> => {
  const object = { kind: 'entitlement', appId: ref.appId, typeId: '', id: ref.id } as const
  const { world, tenant } = scene.access
  await transact(world.db, (tx) =>
    insertOwners(
      tx,
      operatorCause(tenant, 'test'),
      [{ object, roleSlug: 'primary', id: world.newId(), userId: by.userId }],
      world.now(),
    ),
  )
}

describe('an evidence pack', () => {
  test('of an entitlement says who has it, why and what the app confirmed, with the events of the log', async () => {
    const pack = await makePack(scene, ofEntitlement(held), {}, scene.viewer)
    expect(pack.name).toMatch(/^evidence-members-admin-source-code-\d{4}-\d\d-\d\d\.zip$/)
    expect(filesOf(pack).map(({ name }) => name.replace(/\d{4}-\d\d-\d\d/, 'DATE'))).toEqual([
      'manifest.json',
      'manifest.sig',
      'key.pem',
      'readme.txt',
      'members-admin-source-code-DATE.pdf',
      'members-admin-source-code-DATE.csv',
      'members-admin-source-code-DATE.json',
      'events.jsonl',
      'log.json',
    ])
    const { grants, subject, isNow } = dataOf(pack)
    expect([subject.words, isNow]).toEqual(['the members of Admin (Source Code)', true])
    const grant = grants.find(({ user }) => user?.id === ann)
    expect(grant).toMatchObject({
      user: { name: 'Ann Archer' },
      sources: [{ source: 'manual', reason: 'OPS-17', by: { kind: 'user', id: scene.admin.userId } }],
      inApp: { is: 'recorded only', words: 'Recorded in Bailiwick only; Source Code did not confirm it' },
      enforcement: 'nobody: they are only recorded',
    })
    const [eventId = ''] = grant?.sources[0]?.eventIds ?? []
    const events = fileOf(pack, 'events.jsonl').toString()
    expect(events).toContain(`"uid":"${eventId}"`)
    expect(events).toContain('Granted Admin manually')
    const said = await verified(pack.bytes, '--key', await keyOf(scene))
    expect([said.code, said.stdout]).toEqual([0, expect.stringContaining('1 event')])
    // Of one that is not compared with a known key, nobody knows who signed it.
    expect((await verified(pack.bytes)).code).toBe(3)
    // The log says who took it out, with the digest of what is signed.
    const [logged] = (await scene.logged('bailiwick.v1.Evidence.OfEntitlement')).slice(-1)
    expect(logged?.message).toContain('Created an evidence pack of the members of Admin (Source Code) as of ')
    expect(logged?.resources[0]?.data).toMatchObject({
      grants: 2,
      manifestSha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
  })

  test('can be opened by other programs: the directory of the archive, and the table of objects of the PDF, are right', async () => {
    const { bytes } = await makePack(scene, ofEntitlement(held))
    const end = bytes.length - 22
    expect([bytes.readUInt32LE(end), bytes.readUInt16LE(end + 10)]).toEqual([0x06054b50, 9])
    let at = bytes.readUInt32LE(end + 16)
    for (const { name, content } of filesOf({ bytes })) {
      expect(bytes.readUInt32LE(at)).toBe(0x02014b50)
      expect(bytes.toString('latin1', at + 46, at + 46 + name.length)).toBe(name)
      const local = bytes.readUInt32LE(at + 42)
      const start = local + 30 + name.length
      expect(bytes.subarray(start, start + bytes.readUInt32LE(at + 20)).equals(content)).toBe(true)
      at += 46 + name.length
    }
    expect(at).toBe(end)
    const pdf = fileOf({ bytes }, '.pdf').toString('latin1')
    const xref = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf)?.[1])
    const offsets = [...pdf.slice(xref).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset))
    expect(offsets.length).toBeGreaterThan(6)
    for (const [place, offset] of offsets.entries())
      expect(pdf.slice(offset)).toMatch(new RegExp(`^${place + 1} 0 obj\n`))
    for (const [, length, body] of pdf.matchAll(/<< \/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/g))
      expect(body?.length).toBe(Number(length))
  })

  test('of the past has who had it then, and its file names carry that date', async () => {
    const gone = await scene.entitlement(held.appId, 'Reader')
    const account = await scene.account(held.appId, { displayName: 'Then', userId: ann })
    const began = new Date('2026-07-01T00:00:00Z')
    await scene.grant(gone, account, { source: 'manual', beganAt: began, grantedAt: began })
    await scene.server.db`
      update grants set ended_at = '2026-09-01T00:00:00Z', ended_why = 'revoked' where entitlement_id = ${gone.id}`
    const pack = await makePack(scene, ofEntitlement(gone), { asOf: '2026-08-01T00:00:00Z' })
    expect(pack.name).toBe('evidence-members-reader-source-code-2026-08-01.zip')
    expect(dataOf(pack)).toMatchObject({ asOf: '2026-08-01T00:00:00.000Z', isNow: false })
    expect(dataOf(pack).grants.map(({ user, since }) => [user?.name, since])).toEqual([
      ['Ann Archer', '2026-07-01T00:00:00.000Z'],
    ])
    expect(dataOf(await makePack(scene, ofEntitlement(gone))).grants).toEqual([])
    const later = new Date(Date.now() + 86_400_000).toISOString()
    expect((await askPack(scene, ofEntitlement(gone), { asOf: later })).status).toBe(400)
  })

  test('of a person, of an app and of a list have the grants of each', async () => {
    const keys = (pack: { bytes: Buffer }) =>
      dataOf(pack)
        .grants.map(({ user, entitlement }) => `${user?.name} ${entitlement.name}`)
        .toSorted()
    const person = await makePack(scene, `/users/${ann}/evidence`)
    expect(person.name).toMatch(/^evidence-access-of-ann-archer-/)
    expect(keys(person)).toEqual(['Ann Archer Admin'])
    const app = await makePack(scene, `/apps/${held.appId}/evidence`)
    expect(app.name).toMatch(/^evidence-access-in-source-code-/)
    expect(keys(app)).toEqual(['Ann Archer Admin', `${hostile} Admin`].toSorted())
    const list = await makePack(scene, '/grants/evidence', { appId: held.appId, source: 'GRANT_SOURCE_MANUAL' })
    expect(keys(list)).toEqual(keys(app))
    expect(dataOf(list).notes[0]).toContain('only what these filters select')
    const none = await makePack(scene, '/grants/evidence', { appId: held.appId, source: 'GRANT_SOURCE_IMPORT' })
    expect(dataOf(none).grants).toEqual([])
    expect(dataOf(await makePack(scene, `/users/${ann}/evidence`, { asOf: before.toISOString() })).grants).toEqual([])
  })

  test('of a members list has the members that its filters select', async () => {
    const { grants } = dataOf(await makePack(scene, ofEntitlement(held), { query: 'archer' }))
    expect(grants.map(({ user }) => user?.name)).toEqual(['Ann Archer'])
  })

  test('tells who approved a request, when and as whom, and what a person said about the app', async () => {
    const ref = await scene.target(byOwners)
    const asker = await scene.caller(['system:user'])
    const made = scene.task(
      await scene.post('/api/v1/task/grant', target(ref, { description: 'For the audit' }), asker),
    )
    const approved = await scene.act(
      made.id,
      'approve',
      { policyStepId: made.policy.current?.id, comment: 'Fine' },
      ref.owner,
    )
    expect(approved.status, approved.text).toBe(200)
    const pack = await makePack(scene, ofEntitlement(ref))
    const [request] = dataOf(pack).requests
    expect(request).toMatchObject({ description: 'For the audit', createdBy: { id: asker.userId }, outcome: 'done' })
    expect(request?.decisions.find(({ comment }) => comment === 'Fine')).toMatchObject({
      by: { id: ref.owner.userId },
      what: 'approved as an owner of the app',
      counts: true,
    })
    expect(request?.eventIds.length).toBeGreaterThan(1)
    expect(fileOf(pack, '.csv').toString()).toContain('approved as an owner of the app')
    expect((await verified(pack.bytes, '--key', await keyOf(scene))).code).toBe(0)
  })
})

describe('who may have one:', () => {
  test('whoever may read the list', async () => {
    expect((await askPack(scene, ofEntitlement(held), {}, scene.basic)).status).toBe(403)
    expect((await askPack(scene, `/apps/${held.appId}/evidence`, {}, scene.basic)).status).toBe(403)
    expect((await askPack(scene, `/users/${ann}/evidence`, {}, scene.basic)).status).toBe(404)
    expect((await askPack(scene, `/apps/${scene.access.world.newId()}/evidence`)).status).toBe(404)
    expect((await askPack(scene, ofEntitlement({ appId: held.appId, id: scene.access.world.newId() }))).status).toBe(
      404,
    )
    expect(dataOf(await makePack(scene, '/grants/evidence', {}, scene.basic)).grants).toEqual([])
  })

  test('everyone for themselves, without the log and what they may not know', async () => {
    const asker = await scene.caller(['system:user'])
    const account = await scene.account(held.appId, { displayName: 'Own', userId: asker.userId })
    const ref = await scene.entitlement(held.appId, 'Own')
    await scene.grant(ref, account, { source: 'manual', grantedBy: scene.admin.userId })
    const pack = await makePack(scene, `/users/${asker.userId}/evidence`, {}, asker)
    expect(filesOf(pack).map(({ name }) => name)).not.toContain('events.jsonl')
    const [grant] = dataOf(pack).grants
    expect(grant?.sources[0]).toMatchObject({ source: 'manual', by: null, eventIds: [] })
    expect(pack.bytes.toString()).not.toContain(scene.admin.userId)
    expect(dataOf(pack).notes.join()).toContain('may not read the system log')
    const said = await verified(pack.bytes, '--key', await keyOf(scene))
    expect([said.code, said.stdout]).toEqual([0, expect.stringContaining('so it has none')])
    expect(said.stdout).not.toContain('--head')
  })

  test('owners for what they own, and nothing else', async () => {
    const owner = await scene.caller(['system:application-admin'])
    await own(held, owner)
    const pack = await makePack(scene, ofEntitlement(held), {}, owner)
    expect(dataOf(pack).grants).toHaveLength(2)
    expect(filesOf(pack).map(({ name }) => name)).not.toContain('log.json')
    expect((await askPack(scene, `/apps/${held.appId}/evidence`, {}, owner)).status).toBe(404)
    const other = await scene.entitlement(held.appId, 'Other')
    expect((await askPack(scene, ofEntitlement(other), {}, owner)).status).toBe(404)
    // They see the names of people only as far as the list of members shows them.
    const list = await scene.get(`/api/v1/apps/${held.appId}/entitlements/${held.id}/users`, owner)
    const emails = dataOf(pack).grants.map(({ user }) => user?.email)
    expect(emails.every((email) => !email || list.text.includes(email))).toBe(true)
  })

  test('nobody of another tenant', async () => {
    const reply = await fetch(`${scene.server.url}/api/v1${ofEntitlement(held)}`, { method: 'POST', body: '{}' })
    expect(reply.status).toBe(401)
  })
})

describe('what people wrote', () => {
  test('is no formula in the table, and reaches neither the PDF nor a terminal as it is', async () => {
    const pack = await makePack(scene, ofEntitlement(held))
    expect(fileOf(pack, '.csv').toString()).toContain(`"'=cmd()`)
    const pdf = fileOf(pack, '.pdf').toString('latin1')
    expect(pdf).not.toContain('=cmd')
    const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex')
    expect(pdf).toContain(hex('{U+001B}'))
    expect(dataOf(pack).grants.map(({ user }) => user?.name)).toContain(hostile)
    const ref = await scene.entitlement(held.appId, `Evil\u001b]0;title\u0007\u202e`)
    const said = await verified((await makePack(scene, ofEntitlement(ref))).bytes)
    // oxlint-disable-next-line no-control-regex -- None of these may be printed.
    expect(said.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(said.stdout).toContain('Evil\\u{1b}]0;title\\u{7}\\u{202e}')
  })
})

test('the command prints the same key as the API', async () => {
  const ran = await run([
    'evidence',
    'key',
    '--database-url',
    scene.server.databaseUrl,
    '--data-dir',
    scene.server.config.dataDir,
  ])
  expect([ran.code, ran.stdout.trim()]).toEqual([0, await keyOf(scene)])
})
