import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '#database/open.ts'
import { openLog } from '#kernel/log.ts'
import { type Reserved, transact } from '#kernel/sql.ts'
import { foundTenant } from '#rooms/identity/users/index.ts'
import { dataSettings, readSettings } from '#server/settings/config.ts'
import { openWorld } from '#server/start/world.ts'
import { unlimited } from './automation.ts'

export type Ground = { folder: string; server: Database; urlOf(database: string): string }

/** A PostgreSQL with a database of one tenant and nothing else: each round begins with a copy of it. */
export async function layGround(): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'bailiwick-bench-'))
  await chmod(folder, 0o755)
  const config = readSettings(dataSettings, { 'data-dir': join(folder, 'data') }, {})
  const { world, close } = await openWorld(config, 'serve', openLog('silent'))
  const founding = { domain: 'bench.example.com', ownerEmail: 'owner@example.com' }
  await transact(world.db, (tx) => foundTenant(tx, world, founding))
  await close()
  const server = await openDatabase({ from: { dataDir: join(folder, 'data'), purpose: 'serve' } })
  const { connection } = server.embedded as NonNullable<Database['embedded']>
  const urlOf = (name: string): string =>
    `postgres://${connection.user}@localhost/${name}?host=${join(connection.path, '..')}`
  // A database with a connection cannot be copied.
  await server.db.end()
  return { folder, server, urlOf }
}

/** A copy of the database, for as long as the work takes. */
export async function withDatabase<T>(ground: Ground, work: (url: string) => Promise<T>): Promise<T> {
  const name = `round_${randomBytes(4).toString('hex')}`
  const admin = async (statement: string): Promise<void> => {
    const { db, close } = await openDatabase({ from: { url: ground.urlOf('postgres') }, connectionsMax: 1 })
    await unlimited(db, (session) => session.unsafe(statement))
    await close()
  }
  // What is kept beside the secret key is of the round before: to the server this one would be a restored backup.
  await rm(join(ground.folder, 'data/secret.key.heads'), { force: true })
  await admin(`create database ${name} template bailiwick`)
  try {
    return await work(ground.urlOf(name))
  } finally {
    await admin(`drop database ${name} with (force)`)
    // What one round left to be written does not weigh on the next.
    await admin('checkpoint')
  }
}

export async function withDb(url: string, work: (session: Reserved) => Promise<unknown>): Promise<void> {
  const { db, close } = await openDatabase({ from: { url }, connectionsMax: 1 })
  try {
    await unlimited(db, work)
  } finally {
    await close()
  }
}
