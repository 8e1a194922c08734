import { randomBytes } from 'node:crypto'
import type { MailSettings } from '#kernel/mail-settings.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { placeOf } from '../place.ts'
import type { Notice } from '../templates/notice.ts'
import { type Address, compose } from './compose.ts'
import { letterTo } from './letter.ts'
import type { Sender } from './sender.ts'
import { asMailFailure, openMailDoor } from './smtp.ts'

/** What the mail server did with a message. `reply`: its own words, empty if there were none. */
export type Delivered = { isSent: boolean; message: string; reply: string }

/** Sends one message at once, over its own connection. */
export async function deliver(
  mail: MailSettings,
  { sender, tenant, now }: { sender: Sender | null; tenant: Pick<Tenancy, 'domain' | 'origin'>; now: Date },
  to: Address,
  notice: Notice,
): Promise<Delivered> {
  const place = placeOf(tenant)
  const id = `test.${randomBytes(12).toString('hex')}`
  const door = openMailDoor(mail)
  try {
    const letter = await compose(letterTo({ mail, sender, tenant, place }, to, { id, taskId: '', at: now, notice }))
    const reply = await door.send({ from: mail.from.address, to: to.address }, letter)
    return { isSent: true, message: `${mail.host} accepted a message to ${to.address}.`, reply }
  } catch (error) {
    return { isSent: false, message: asMailFailure(error).message, reply: '' }
  } finally {
    door.close()
  }
}
