import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FolderSource } from '../datasources/datasource.ts'
import { type ArchiveTarget, fileBytesMax, TargetFailed } from './target.ts'

const advice: Record<string, string> = {
  ENOSPC: 'the disk is full. Ask the operator of this server to free space on it.',
  EDQUOT: 'the disk quota is used up. Ask the operator of this server to raise it.',
  EACCES: 'the server may not write there. Ask the operator of this server to change the permissions.',
  EPERM: 'the server may not write there. Ask the operator of this server to change the permissions.',
  EROFS: 'the disk is read-only. Ask the operator of this server to mount it for writing.',
  ENOENT: 'the folder does not exist. Ask the operator of this server whether its disk is mounted.',
  ENOTDIR: 'its path is not a folder. Ask the operator of this server to correct the setting.',
}

/**
 * Files in a folder of the server. The folder must exist: nothing is written to the mount point of a disk that is not
 * mounted.
 */
export function folderTarget(source: FolderSource): ArchiveTarget {
  const failed = (error: unknown): TargetFailed => {
    if (error instanceof TargetFailed) return error
    const code = (error as NodeJS.ErrnoException).code ?? ''
    const why =
      advice[code] ?? `the file could not be written (${code || 'unknown error'}). Ask the operator of this server.`
    return new TargetFailed(`Datasource ${source.id}: ${why}`, { cause: error })
  }
  return {
    isArchive: true,
    async store(name, bytes, isSame) {
      try {
        if (!(await stat(source.path)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
        const file = join(source.path, name)
        const found = await readIfThere(file)
        if (found && (found.equals(bytes) || (await isSame(found)))) return
        if (found) throw otherFile(source.id, name)
        await writeWhole(source.path, file, bytes)
      } catch (error) {
        throw failed(error)
      }
    },
    async read(name) {
      try {
        return await readIfThere(join(source.path, name))
      } catch (error) {
        throw failed(error)
      }
    },
    close() {},
  }
}

export const otherFile = (id: string, name: string): TargetFailed =>
  new TargetFailed(
    `Datasource ${id}: another file is at ${name}, with different content. It was changed there, or another installation writes to the same place. Move it away, and check the log with bailiwick systemlog verify.`,
  )

async function readIfThere(file: string): Promise<Buffer | null> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!handle) return null
  try {
    const { size } = await handle.stat()
    if (size > fileBytesMax) return Buffer.alloc(0)
    return await readFile(handle)
  } finally {
    await handle.close()
  }
}

/**
 * Written under a temporary name, and flushed to disk before it is renamed: neither a reader nor a crash sees half a file.
 */
async function writeWhole(root: string, file: string, bytes: Buffer): Promise<void> {
  const folder = dirname(file)
  const made = await mkdir(folder, { recursive: true, mode: 0o750 })
  const draft = join(folder, `.${randomBytes(8).toString('hex')}.part`)
  try {
    const handle = await open(draft, 'wx', 0o640)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
  await syncFolder(folder)
  // A new folder is durable only once its parent is flushed as well.
  if (made !== undefined) for (let at = folder; at.length > root.length; at = dirname(at)) await syncFolder(dirname(at))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().catch(() => {})
  await folder.close()
}
