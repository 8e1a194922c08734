import type { Entry } from '../archive/write.ts'
import { type Manifest, type Role, sha256 } from '../manifest.ts'
import type { Finding } from './verdict.ts'

/** A file that the manifest lists; `content` is null if the archive lacks it. */
export type CheckedFile = { name: string; role: Role; content: Buffer | null; isAsSigned: boolean; sha256: string }

const inWords: Record<Role, string> = {
  data: 'The data',
  table: 'The table',
  document: 'The document',
  events: 'The file of the events',
  log: 'The proof of the log',
  readme: 'The text about the pack',
}

/** The files of a pack against its manifest: all of them, in its order, and no others. */
export function checkFiles(
  manifest: Manifest,
  entries: readonly Entry[],
): { files: CheckedFile[]; findings: Finding[] } {
  const findings: Finding[] = []
  const find = (what: string): void => void findings.push({ what, details: [] })
  const files = manifest.files.map(({ name, role, bytes, sha256: signed }): CheckedFile => {
    const content = entries.find((entry) => entry.name === name)?.content ?? null
    const isAsSigned = content !== null && content.length === bytes && sha256(content) === signed
    if (content === null) find(`${inWords[role]}, ${name}, is missing.`)
    else if (!isAsSigned) find(`${inWords[role]}, ${name}, was altered.`)
    return { name, role, content, isAsSigned, sha256: signed }
  })
  const listed = new Set(manifest.files.map(({ name }) => name))
  for (const { name } of entries) if (!listed.has(name)) find(`${name} is not a file of this pack: it was added.`)
  if (listed.size < manifest.files.length) find('The manifest lists a file twice.')
  const isInOrder = entries.map(({ name }) => name).join() === manifest.files.map(({ name }) => name).join()
  if (findings.length === 0 && !isInOrder) find('The files are in another order than in the manifest.')
  return { files, findings }
}
