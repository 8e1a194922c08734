import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isMailAddress } from '#kernel/mail-settings.ts'
import { findSender, previewFiles, sendTest } from '#rooms/governance/notifications/index.ts'
import { assertMailFits, mailSettings, readSettings, UsageError } from '#server/settings/config.ts'
import { readMailSettings } from '#server/settings/mail-settings.ts'
import type { Run } from './command.ts'
import { chooseTenant, operate } from './operate.ts'
import { print } from './print.ts'

/** Sends one message with the settings that the server would be started with. */
export const mailTest: Run = async ({ flags, positionals: [address = ''] }) => {
  if (!isMailAddress(address)) throw new UsageError(`${JSON.stringify(address)} is not an email address`)
  const config = readSettings(mailSettings, flags, process.env)
  assertMailFits(config)
  const mail = await readMailSettings(config)
  if (!mail) throw new UsageError('no mail server is configured: set --smtp-host and --mail-from')
  const { isSent, message } = await operate(flags, async (world) => {
    const tenant = await chooseTenant(world, flags)
    return sendTest(mail, await findSender(world.db, tenant.id), tenant, address, world.now())
  })
  print(message)
  return isSent ? 0 : 1
}

export const mailPreview: Run = async ({ positionals: [folder = ''] }) => {
  const path = resolve(folder)
  await mkdir(path, { recursive: true })
  const files = previewFiles({ origin: 'http://localhost:8080', organisation: 'localhost:8080' })
  for (const { name, content } of files) await writeFile(join(path, name), content)
  print(`Wrote ${files.length} files to ${path}.`)
  return 0
}
