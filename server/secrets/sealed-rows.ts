import { access, constants, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { lockSealedRowsMac, setSealedRowsMac } from '#kernel/installation-store.ts'
import { isSameMac } from '#kernel/seals.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'

/** Adds MACs to rows of one kind that have none, and returns how many there were. */
export type SealRows = (tx: Tx, world: World) => Promise<number>

/** Rolls back the sealing; its message is logged for the operator. */
class NotBelieved extends Error {}

/**
 * Rows of a database that is older than their MACs get them at the first start after the migration: they are trusted as
 * they are, once. That this was done is stored in the database, under a MAC, and in a file on the machine (`files`: the
 * first that can be written). The file with the end of the system log proves it too: servers that write it seal first. An
 * attacker who can write to the database, but not to the machine, can remove the record in the database but not the files:
 * so rows that are inserted later without a MAC are never trusted.
 */
export async function sealExistingRows(
  world: World,
  files: readonly string[],
  kinds: () => Promise<readonly SealRows[]>,
): Promise<void> {
  const { headsFile } = world.settings
  const remembered = await findFiles([...files, ...(headsFile === undefined ? [] : [headsFile])])
  try {
    await transact(world.db, (tx) => sealOnce(tx, world, kinds, remembered, files))
    // After the commit. If the server stops before this, the next start finds the record in the database.
    if (!files.some((file) => remembered.includes(file))) await writeFirst(files)
  } catch (error) {
    if (!(error instanceof NotBelieved)) throw error
    world.log.error(error.message)
  }
}

async function sealOnce(
  tx: Tx,
  world: World,
  kinds: () => Promise<readonly SealRows[]>,
  remembered: readonly string[],
  files: readonly string[],
): Promise<void> {
  // If several servers start for the first time at once, one of them does it.
  const sealedMac = await lockSealedRowsMac(tx)
  const mac = world.seals.mac('sealed rows', 'installation')
  if (isSameMac(sealedMac, mac)) return
  let count = 0
  for (const seal of await kinds()) count += await seal(tx, world)
  if (count > 0 && remembered.length > 0)
    throw new NotBelieved(
      `The database does not say that its rows were sealed, but there is ${remembered.join(' and ')}. ${count} rows without a MAC are ignored. If you restored a backup from before the upgrade, stop the server, move ${remembered.length === 1 ? 'that file' : 'those files'} away and start again. Otherwise someone has changed the database.`,
    )
  if (count > 0 && !(await canWriteAny(files)))
    throw new NotBelieved(
      `Cannot write ${files.join(' or ')}: the existing roles, API credentials, passkeys and provider settings are not sealed, and are ignored. Let the server write one of these files.`,
    )
  await setSealedRowsMac(tx, mac)
  if (count > 0) world.log.info({ count }, 'sealed the existing roles, API credentials, passkeys and provider settings')
}

async function findFiles(files: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const file of new Set(files)) if (await stat(file).catch(() => null)) found.push(file)
  return found
}

async function canWriteAny(files: readonly string[]): Promise<boolean> {
  for (const file of files) {
    const problem = await access(dirname(file), constants.W_OK).catch((error: unknown) => error)
    if (!problem) return true
  }
  return false
}

const note = 'The rows of this database carry MACs since this was written. Rows without one are ignored.\n'

async function writeFirst(files: readonly string[]): Promise<void> {
  for (const file of files) {
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, note, { mode: 0o600 })
      return
    } catch {
      // Perhaps a read-only mount: the next file is tried.
    }
  }
}
