import { readFile, stat } from 'node:fs/promises'
import { type Seals, sealsOf, secretKeyBytes } from '#kernel/seals.ts'
import { whyUnreadable } from '#kernel/unreadable.ts'
import { evidenceBytesMax, fingerprintForm, isProven, verifyBundle, wordsOf } from '#rooms/foundation/evidence/index.ts'
import { UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { print, printJson } from './print.ts'

/** Nothing differs, but it is not known who signed it. */
const signerUnknown = 3

/** Needs neither a server nor a database: only the file. */
export const evidenceVerify: Run = async ({ positionals: [file = ''], flags }) => {
  const fingerprint = flags['key'] as string | undefined
  if (fingerprint !== undefined && !fingerprintForm.test(fingerprint))
    throw new UsageError('--key is not the fingerprint of a key: SHA256: and 43 characters')
  const secretFile = flags['secret-key-file'] as string | undefined
  const seals = secretFile === undefined ? undefined : await readSecretKey(secretFile)
  const verdict = verifyBundle(await readPack(file), { fingerprint, seals })
  if (flags['json']) printJson(verdict)
  else for (const line of wordsOf(verdict)) print(line)
  if (verdict.findings.length > 0) return 1
  return isProven(verdict) ? 0 : signerUnknown
}

async function readPack(file: string): Promise<Buffer> {
  const unreadable = (error: NodeJS.ErrnoException): never => {
    throw new UsageError(whyUnreadable(file, error))
  }
  const { size } = await stat(file).catch(unreadable)
  // Not read at all: whoever verifies packs receives files of any size.
  if (size > evidenceBytesMax) throw new UsageError(`${file} is larger than any evidence pack`)
  return readFile(file).catch(unreadable)
}

async function readSecretKey(file: string): Promise<Seals> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--secret-key-file: ${whyUnreadable(file, error)}`)
  })
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== secretKeyBytes) throw new UsageError(`--secret-key-file: ${file} does not contain a secret key`)
  return sealsOf(key)
}
