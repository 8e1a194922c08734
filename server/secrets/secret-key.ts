import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findKeyFingerprint, insertInstallation } from '#kernel/installation-store.ts'
import { type Seals, sealsOf, secretKeyBytes } from '#kernel/seals.ts'
import type { Db } from '#kernel/sql.ts'
import { whyUnreadable } from '#kernel/unreadable.ts'
import { UsageError } from '#server/settings/config.ts'

/**
 * The seals of this installation, by the secret key in its file. A new database is bound to the key, which is made, for
 * its owner's eyes only, where there is none; from then on no other key will do.
 */
export async function openSeals(db: Db, file: string, now: Date): Promise<Seals> {
  const bound = await findKeyFingerprint(db)
  const text = (await readIfThere(file)) ?? (bound ? null : await makeSecretKey(file))
  if (text === null)
    throw new UsageError(
      `the secret key ${file} is missing, and the database does not open without it: restore it, or set --secret-key-file`,
    )
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== secretKeyBytes) throw new UsageError(`${file} does not contain a secret key`)
  const seals = sealsOf(key)
  if (!bound) await insertInstallation(db, seals.fingerprint, now)
  if ((bound ?? (await findKeyFingerprint(db))) !== seals.fingerprint)
    throw new UsageError(
      `the database belongs to another secret key than ${file}: copy that key here, or set --secret-key-file`,
    )
  return seals
}

const readIfThere = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new UsageError(`the secret key ${whyUnreadable(file, error)}`)
  })

async function makeSecretKey(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  const handle = await open(draft, 'wx', 0o600)
  await handle.writeFile(`${randomBytes(secretKeyBytes).toString('base64')}\n`)
  await handle.sync()
  await handle.close()
  await chmod(draft, 0o600)
  // A link fails if the name exists: of several first starts at once, one creates the key and the others read it.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return readFile(file, 'utf8')
}
