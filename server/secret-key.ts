import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Seals, sealsOf, secretKeyBytes } from '#kernel/seals.ts'
import type { Db } from '#kernel/sql.ts'
import { UsageError } from './config.ts'

/** The installation's secret key, from its file; made there, for its owner's eyes only, when there is none. */
export async function openSecretKey(file: string): Promise<Seals> {
  const text = (await readIfThere(file)) ?? (await makeSecretKey(file))
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== secretKeyBytes) throw new UsageError(`${file} does not hold a secret key`)
  return sealsOf(key)
}

const readIfThere = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new UsageError(`cannot read the secret key ${file}: ${error.code}`)
  })

async function makeSecretKey(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  const handle = await open(draft, 'wx', 0o600)
  await handle.writeFile(`${randomBytes(secretKeyBytes).toString('base64')}\n`)
  await handle.sync()
  await handle.close()
  await chmod(draft, 0o600)
  // A link fails where the name is taken: of several first starts at once, one makes the key and the others read it.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return readFile(file, 'utf8')
}

/** Binds the database to the secret key on first sight, and refuses another key from then on. */
export async function claimDatabase(db: Db, seals: Seals, now: Date, file: string): Promise<void> {
  await db`
    insert into installation (secret_key_fingerprint, created_at) values (${seals.fingerprint}, ${now})
    on conflict do nothing`
  const [row] = await db<{ fingerprint: string }[]>`
    select secret_key_fingerprint as fingerprint from installation`
  if (row?.fingerprint !== seals.fingerprint)
    throw new UsageError(
      `the database belongs to another secret key than ${file}: copy that key here, or name it with --secret-key-file`,
    )
}
