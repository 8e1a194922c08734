import { transact } from '#kernel/sql.ts'
import { inTurns } from '#kernel/tenants-with.ts'
import type { World } from '#kernel/world.ts'
import { effective } from '../settings/decide.ts'
import { findOrganisation, findPersonal } from '../settings/store.ts'
import { group, hourMs } from './decide.ts'
import { findPace, insertMessage, listReaders, listTenantsToGather, lockDue, postpone, type Reader } from './store.ts'

const readersPerTurn = 50
const notificationsPerMessage = 1_000
const forMs = 2_000

/** Puts what is due into messages. A notification stays in its message: each attempt sends the same message. */
export async function gatherDue(world: World): Promise<void> {
  await inTurns(
    await listTenantsToGather(world.db, world.now()),
    async (tenantId) => {
      const readers = await listReaders(world.db, tenantId, world.now(), readersPerTurn)
      for (const reader of readers) await gatherFor(world, tenantId, reader)
      return readers.length === readersPerTurn
    },
    forMs,
  )
}

const gatherFor = (world: World, tenantId: number, reader: Reader): Promise<void> =>
  transact(world.db, async (tx) => {
    const now = world.now()
    const due = await lockDue(tx, tenantId, reader, now, notificationsPerMessage)
    if (due.length === 0) return
    const [organisation, personal, pace] = await Promise.all([
      findOrganisation(tx, tenantId),
      findPersonal(tx, tenantId, [reader.userId]),
      findPace(tx, tenantId, reader, new Date(now.getTime() - hourMs)),
    ])
    const wantsDigest =
      reader.channel === 'email'
        ? effective(organisation.email, personal.get(reader.userId) ?? {}).digest.enabled
        : organisation[reader.channel].digest.enabled
    const { messages, postponed, until } = group(due, pace, wantsDigest, now)
    if (postponed.length > 0) await postpone(tx, tenantId, postponed, until)
    for (const { form, ids } of messages)
      await insertMessage(tx, tenantId, { ...reader, id: world.newId(), form, at: now }, ids)
  })
