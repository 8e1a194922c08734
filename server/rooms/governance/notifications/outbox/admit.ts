import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { listWebhooks } from '../chat/store.ts'
import type { Channel } from '../kinds.ts'
import type { Noticed } from '../noticed.ts'
import { effective, isInChat, nextDigest } from '../settings/decide.ts'
import { findOrganisation, findPersonal } from '../settings/store.ts'
import { insertNotifications, type NewNotification } from './store.ts'

/** How long a notification waits for others of the same time, to be sent in one message. */
const settleMs = 4_000

/**
 * Adds notifications for everyone who wants them, on the channels that exist. If the organization has a chat, a notification
 * for several people is posted there once.
 */
export async function admit(tx: Tx, world: World, tenantId: number, noticed: readonly Noticed[]): Promise<void> {
  if (noticed.length === 0) return
  const [organisation, webhooks, personal] = await Promise.all([
    findOrganisation(tx, tenantId),
    listWebhooks(tx, tenantId),
    findPersonal(tx, tenantId, [...new Set(noticed.map(({ userId }) => userId))]),
  ])
  const now = world.now()
  const soon = new Date(now.getTime() + settleMs)
  const rows: NewNotification[] = []
  const add = (channel: Channel, { dueAt, ...of }: Noticed, digest: Parameters<typeof nextDigest>[0] | null): void => {
    const at = dueAt ?? soon
    rows.push({ ...of, id: world.newId(), channel, createdAt: now, dueAt: digest ? nextDigest(digest, at) : at })
  }
  if (world.settings.mail)
    for (const each of noticed) {
      const wanted = effective(organisation.email, personal.get(each.userId) ?? {})
      if (!wanted.kinds[each.kind]) continue
      add('email', each, wanted.digest.enabled && each.kind !== 'system' ? wanted.digest : null)
    }
  for (const { channel } of webhooks) {
    const chosen = organisation[channel]
    for (const each of noticed)
      if (isInChat(chosen, each.kind))
        add(channel, { ...each, userId: '' }, chosen.digest.enabled && each.kind !== 'system' ? chosen.digest : null)
  }
  await insertNotifications(tx, tenantId, rows)
}
