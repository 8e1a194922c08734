import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alert, record, serviceCause } from '#rooms/foundation/systemlog/index.ts'
import {
  deleteHost,
  findNextHostEnd,
  findTenant,
  forgetEndedHosts,
  listDueHosts,
  lockHost,
  lockTenant,
  updateHost,
} from '#rooms/foundation/tenants/index.ts'
import { canSignInAt } from './actions.ts'
import { stateOf } from './decide.ts'

const dayMs = 86_400_000

/** Ends the names whose end is due. One that people still need to sign in stays for another day. */
export async function endDueHosts(world: World): Promise<void> {
  const now = world.now()
  for (const { tenantId, host } of await listDueHosts(world.db, now)) await endOne(world, tenantId, host, now)
  await forgetEndedHosts(world.db, now)
}

export const findNextEndOfHost = findNextHostEnd

function endOne(world: World, tenantId: number, host: string, now: Date): Promise<void> {
  return transact(world.db, async (tx) => {
    const current = await lockTenant(tx, tenantId)
    const row = await lockHost(tx, tenantId, host)
    const tenant = await findTenant(tx, tenantId)
    // Another process was faster, or the name is used again.
    if (!row || !tenant || row.endedAt || !row.endsAt || row.endsAt > now) return
    const cause = serviceCause(tenant, 'end of a host name')
    const say = (message: string) =>
      record(
        tx,
        world,
        cause,
        alert(cause, 'update', message, [
          { type: 'tenant', id: tenant.publicId, name: tenant.domain, data: { host, address: row.origin } },
        ]),
      )
    if (stateOf(row, current.host) === 'NEW') {
      await deleteHost(tx, tenantId, host)
      return say(`Removed the address ${row.origin}, which was not used in time`)
    }
    if (await canSignInAt(tx, tenantId, current.host)) {
      await updateHost(tx, tenantId, host, { ...row, endedAt: now })
      return say(`Ended the address ${row.origin}, as was decided`)
    }
    await updateHost(tx, tenantId, host, { ...row, endsAt: new Date(now.getTime() + dayMs) })
    return say(
      `The address ${row.origin} stays for another day: no Super Administrator can sign in at ${tenant.domain}`,
    )
  })
}
