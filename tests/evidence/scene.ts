import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readArchive } from '#rooms/foundation/evidence/archive/read.ts'
import { type Entry, writeArchive } from '#rooms/foundation/evidence/archive/write.ts'
import type { AccessData } from '#rooms/foundation/evidence/index.ts'
import { type Ran, run } from '../cli/command.ts'
import type { Caller, Ref, Scene } from '../grants/scene.ts'

export type Pack = { status: number; name: string; bytes: Buffer; text: string }

/** An evidence pack, or why there is none. */
export async function askPack(scene: Scene, path: string, body: object = {}, by: Caller = scene.admin): Promise<Pack> {
  const reply = await fetch(`${scene.server.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  const [, name = ''] = /filename="(.*)"/.exec(reply.headers.get('content-disposition') ?? '') ?? []
  return { status: reply.status, name, bytes, text: reply.status === 200 ? '' : bytes.toString() }
}

export async function makePack(scene: Scene, path: string, body: object = {}, by?: Caller): Promise<Pack> {
  const pack = await askPack(scene, path, body, by)
  expect(pack.status, pack.text).toBe(200)
  return pack
}

export const ofEntitlement = ({ appId, id }: Ref): string => `/apps/${appId}/entitlements/${id}/evidence`

export const filesOf = ({ bytes }: Pick<Pack, 'bytes'>): Entry[] => readArchive(bytes)

export const fileOf = (pack: Pick<Pack, 'bytes'>, ending: string): Buffer => {
  const found = filesOf(pack).find(({ name }) => name.endsWith(ending))
  if (!found) throw new Error(`the pack has no ${ending}`)
  return found.content
}

export const dataOf = (pack: Pick<Pack, 'bytes'>): AccessData => {
  const json = filesOf(pack).findLast(({ name }) => /-\d{4}-\d\d-\d\d\.json$/.test(name))
  return JSON.parse(json?.content.toString() ?? '{}') as AccessData
}

/** The same archive with another content of one file, written as our writer does. */
export const withFile = (pack: Pick<Pack, 'bytes'>, ending: string, edit: (content: Buffer) => Buffer): Buffer =>
  writeArchive(
    filesOf(pack).map(({ name, content }) => ({ name, content: name.endsWith(ending) ? edit(content) : content })),
  )

export const replacing =
  (from: string, to: string) =>
  (content: Buffer): Buffer => {
    expect(content.toString()).toContain(from)
    return Buffer.from(content.toString().replaceAll(from, to))
  }

/** What the command says of a pack. */
export async function verified(bytes: Buffer, ...flags: string[]): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), 'evidence-'))
  try {
    const file = join(folder, 'pack.zip')
    await writeFile(file, bytes)
    return await run(['evidence', 'verify', file, ...flags])
  } finally {
    await rm(folder, { recursive: true })
  }
}

export async function keyOf(scene: Scene): Promise<string> {
  const reply = await scene.get('/api/v1/evidence/key', scene.basic)
  expect(reply.status, reply.text).toBe(200)
  return String(reply.json['fingerprint'])
}
