import { createHash, randomBytes } from 'node:crypto'
import { canonicalHost } from '#kernel/hosts.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alert, type CauseBy, record, recordChange } from '#rooms/foundation/systemlog/index.ts'
import {
  claimHost,
  deleteHost,
  isNameOfOther,
  listHosts,
  lockHost,
  lockTenant,
  putCheck,
  type TenantHost,
  takeCheck,
  updateHost,
  updateName,
  usualAddress,
} from '#rooms/foundation/tenants/index.ts'
import { countOwnersAt } from '../uses/store.ts'
import { endProblem, isLoopback, liveMax, newDays, readAddress, stateOf } from './decide.ts'

type Changing = CauseBy<'address.change' | 'operator'>
/** Where the caller opened the console, as browsers write it; null for operators, and for changes that were approved. */
export type Opened = { origin: string } | null

const dayMs = 86_400_000
const touchedTenant = ({ tenant }: Changing, data: object) => ({
  type: 'tenant',
  id: tenant.publicId,
  name: tenant.domain,
  data,
})

const unknown = (host: string): Refusal =>
  new Refusal('ADDRESS_NOT_FOUND', `${host} is not a host name of this tenant.`, { metadata: { host } })
const taken = (domain: string): Refusal =>
  new Refusal('HOST_TAKEN', `${domain} cannot be used: on this server, it belongs to another tenant.`)

async function getHost(tx: Tx, tenantId: number, host: string): Promise<TenantHost> {
  const row = await lockHost(tx, tenantId, canonicalHost(host))
  if (!row || row.endedAt) throw unknown(host)
  return row
}

/** Adds a host name at which the tenant is served from now on, beside the current one. */
export async function addHost(tx: Tx, world: World, cause: Changing, given: string): Promise<TenantHost> {
  const wanted = readAddress(given)
  if (typeof wanted === 'string') throw invalid({ field: 'address', description: wanted })
  if (isLoopback(wanted) && !cause.operator)
    throw invalid({ field: 'address', description: 'must not be this machine itself; its operator can choose that' })
  const { id } = cause.tenant
  const current = await lockTenant(tx, id)
  if (current.host === wanted.host)
    throw invalid({ field: 'address', description: 'must have another host name than the current address' })
  const now = world.now()
  // A tenant that an earlier version created.
  await claimHost(tx, id, { ...current, origin: '' }, current.createdAt)
  const rows = (await listHosts(tx, id)).filter(({ endedAt }) => endedAt === null)
  if (rows.some(({ host }) => host === wanted.host))
    throw new Refusal('ADDRESS_EXISTS', `${wanted.domain} is already an address of this tenant.`)
  if (rows.length >= liveMax)
    throw new Refusal('ADDRESSES_TOO_MANY', `A tenant has at most ${liveMax} addresses at once; end one of them.`)
  if (!(await claimHost(tx, id, wanted, now)) || (await isNameOfOther(tx, id, wanted.host))) throw taken(wanted.domain)
  const endsAt = new Date(now.getTime() + newDays * dayMs)
  await updateHost(tx, id, wanted.host, { origin: wanted.origin, replacedAt: null, endsAt, endedAt: null })
  const data = { host: wanted.host, address: wanted.origin, endsAt }
  await record(
    tx,
    world,
    cause,
    alert(cause, 'create', `Added the address ${wanted.origin}`, [touchedTenant(cause, data)]),
  )
  return getHost(tx, id, wanted.host)
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
export const checkPath = '/auth/v1/addresses/'

/** A one-time address, by which a browser shows that the name leads to this server. */
export async function beginCheck(tx: Tx, cause: Changing, host: string): Promise<string> {
  const row = await getHost(tx, cause.tenant.id, host)
  const token = randomBytes(32).toString('base64url')
  await putCheck(tx, cause.tenant.id, row.host, hashOf(token))
  return `${row.origin || usualAddress(row)}${checkPath}${token}`
}

/** A browser has opened the one-time address of the name by which it called. */
export async function noteReached(call: Call, token: string): Promise<void> {
  const { tenant, origin } = call
  const host = canonicalHost(URL.parse(origin)?.host ?? '')
  await transact(call.db, async (tx) => {
    const isOurs = await takeCheck(tx, tenant.id, host, { sha256: hashOf(token), origin, at: call.now() })
    if (!isOurs)
      throw new Refusal(
        'ADDRESS_CHECK_INVALID',
        'This address is not valid: it works once. Open the settings of the address to create another one.',
      )
    const touched = { type: 'tenant', id: tenant.publicId, name: tenant.domain, data: { host, seenAs: origin } }
    await recordChange(tx, call, 'update', `The address ${host} was reached`, [touched])
  })
}

const openedElsewhere = (where: string, then: string): Refusal =>
  new Refusal('ADDRESS_OPENED_ELSEWHERE', `Sign in at ${where}, and ${then} there: that shows that it works.`)

/** Makes a name the current one. The one before works beside it until someone ends it. */
export async function useHost(
  tx: Tx,
  world: World,
  cause: Changing,
  given: string,
  opened: Opened,
): Promise<TenantHost> {
  const { id } = cause.tenant
  const before = await lockTenant(tx, id)
  const row = await getHost(tx, id, given)
  if (row.host === before.host) throw new Refusal('ADDRESS_CURRENT', `${row.domain} is the current address.`)
  const origin = row.origin || usualAddress(row)
  if (opened && opened.origin !== origin) throw openedElsewhere(origin, 'start to use it')
  if (opened && !cause.actor.sessionId) throw openedElsewhere(origin, 'start to use it in the console')
  const now = world.now()
  const old = await getHost(tx, id, before.host)
  const address = old.origin || usualAddress(old)
  await updateName(tx, id, row)
  await updateHost(tx, id, row.host, { origin, replacedAt: null, endsAt: null, endedAt: null })
  await updateHost(tx, id, old.host, { origin: address, replacedAt: now, endsAt: null, endedAt: null })
  const data = { host: row.host, address: origin, before: { host: old.host, address } }
  const message = `Changed the address from ${address} to ${origin}`
  await record(tx, world, cause, alert(cause, 'update', message, [touchedTenant(cause, data)]))
  return getHost(tx, id, row.host)
}

/** Ends a name, at a time or now. One that was never used is removed, and free for others. */
export async function endHost(
  tx: Tx,
  world: World,
  cause: Changing,
  given: string,
  { at, opened, isForced = false }: { at: Date | null; opened: Opened; isForced?: boolean },
): Promise<TenantHost | null> {
  const { id } = cause.tenant
  const current = await lockTenant(tx, id)
  const row = await getHost(tx, id, given)
  const state = stateOf(row, current.host)
  if (state === 'CURRENT')
    throw new Refusal('ADDRESS_CURRENT', `${row.domain} is the current address: start to use another one first.`)
  const now = world.now()
  const problem = at && endProblem(at, now)
  if (problem) throw invalid({ field: 'endsAt', description: problem })
  const data = { host: row.host, address: row.origin, endsAt: at ?? now }
  if (state === 'NEW') {
    await deleteHost(tx, id, row.host)
    await record(
      tx,
      world,
      cause,
      alert(cause, 'delete', `Removed the address ${row.origin}`, [touchedTenant(cause, data)]),
    )
    return null
  }
  if (opened && canonicalHost(URL.parse(opened.origin)?.host ?? '') !== current.host)
    throw openedElsewhere(current.domain, `end ${row.domain}`)
  if (!isForced) await refuseLockOut(tx, id, current, row)
  await updateHost(tx, id, row.host, { ...row, endsAt: at ?? now, endedAt: at ? null : now })
  const message = at ? `The address ${row.origin} ends at ${at.toISOString()}` : `Ended the address ${row.origin}`
  await record(tx, world, cause, alert(cause, 'update', message, [touchedTenant(cause, data)]))
  return at ? getHost(tx, id, row.host) : { ...row, endsAt: now, endedAt: now }
}

/** Whether a Super Administrator has signed in at the current name, and can again. */
export async function canSignInAt(tx: Tx, tenantId: number, host: string): Promise<boolean> {
  const row = await lockHost(tx, tenantId, host)
  return row !== null && row.signedInAt !== null && (await countOwnersAt(tx, tenantId, host)) > 0
}

async function refuseLockOut(
  tx: Tx,
  tenantId: number,
  current: { host: string; domain: string },
  { domain }: TenantHost,
): Promise<void> {
  if (await canSignInAt(tx, tenantId, current.host)) return
  throw new Refusal(
    'ADDRESS_LOCKS_OUT',
    `No Super Administrator has signed in at ${current.domain} with a passkey or the identity provider yet: without ${domain}, nobody might get in. Add a passkey at ${current.domain}, and sign in with it once.`,
  )
}
