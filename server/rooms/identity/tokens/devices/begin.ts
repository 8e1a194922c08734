import { hash } from 'node:crypto'
import { slot } from '#kernel/memory.ts'
import { networkOf } from '#kernel/networks.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Seals } from '#kernel/seals.ts'
import { looseBudget } from '#kernel/shared-budget.ts'
import { findRoles } from '#rooms/identity/roles/index.ts'
import {
  firstIntervalSeconds,
  isClientId,
  newDeviceCode,
  newUserCode,
  rememberedMs,
  requestSeconds,
  scopesIn,
  scopesMax,
  shownCode,
  userAgentIn,
} from './decide.ts'
import { countWaiting, insertRequest } from './store.ts'

export type DeviceForm = { readonly client_id: string; readonly scope: string }

export const sha256Of = (deviceCode: string): Buffer => hash('sha256', deviceCode, 'buffer')
export const userCodeMac = (seals: Seals, tenantId: number, code: string): Buffer =>
  seals.mac('device user code', String(tenantId), code)

/** Anyone may send such a request, and each is a row for an hour: their number is limited by network and by tenant. */
const askedFromAddress = slot((world) => looseBudget(world, 'device requests', { burst: 30, perSecond: 0.2 }))
const waitingMax = 10_000
const codesTried = 5

const tooMany = (retryAfterSeconds: number): Refusal =>
  new Refusal('TOO_MANY_FAILURES', 'Too many device authorization requests; try again later.', { retryAfterSeconds })

/** The device authorization endpoint, RFC 8628 sections 3.1 and 3.2. */
export async function beginDevice(call: Call, { client_id: clientId, scope }: DeviceForm) {
  if (!isClientId(clientId))
    throw new Refusal('REQUEST_MALFORMED', 'client_id is required: 1 to 200 visible ASCII characters.')
  const asked = call.memory(askedFromAddress)
  const network = `${call.tenant.id} ${networkOf(call.sourceAddress)}`
  if (asked.take(network) === null) throw tooMany(asked.waitSeconds(network))
  const scopedRoles = await rolesIn(call, scope)
  const now = call.now()
  if ((await countWaiting(call.db, call.tenant.id, now, waitingMax)) >= waitingMax) throw tooMany(60)
  const codes = await keepRequest(call, { clientId, scopedRoles, now })
  const page = `${call.origin}/device`
  return {
    device_code: codes.deviceCode,
    user_code: shownCode(codes.userCode),
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${shownCode(codes.userCode)}`,
    expires_in: requestSeconds,
    interval: firstIntervalSeconds,
  }
}

async function rolesIn(call: Call, scope: string): Promise<string[]> {
  const ids = scopesIn(scope)
  if (ids.length > scopesMax) throw new Refusal('SCOPE_INVALID', `scope must name at most ${scopesMax} roles.`)
  const found = ids.length === 0 ? [] : await findRoles(call.db, call.tenant.id, ids)
  const known = new Set(found.map(({ id }) => id))
  if (ids.some((id) => !known.has(id)))
    throw new Refusal('SCOPE_INVALID', 'scope must be ids of roles, to limit the token to; omit it for full access.')
  return ids
}

async function keepRequest(
  call: Call,
  { clientId, scopedRoles, now }: { clientId: string; scopedRoles: string[]; now: Date },
): Promise<{ deviceCode: string; userCode: string }> {
  const expiresAt = new Date(now.getTime() + requestSeconds * 1000)
  for (let tried = 0; tried < codesTried; tried++) {
    const [deviceCode, userCode] = [newDeviceCode(), newUserCode()]
    const request = {
      id: call.newId(),
      deviceCodeSha256: sha256Of(deviceCode),
      userCodeMac: userCodeMac(call.seals, call.tenant.id, userCode),
      clientId,
      scopedRoles,
      sourceAddress: call.sourceAddress,
      userAgent: userAgentIn(call.headers['user-agent']),
      createdAt: now,
      expiresAt,
      state: 'waiting',
      userId: '',
      decidedAt: null,
      credentialId: '',
      forgetAt: new Date(expiresAt.getTime() + rememberedMs),
    } as const
    if (await insertRequest(call.db, call.seals, call.tenant.id, { ...request, scopedRoles }, firstIntervalSeconds))
      return { deviceCode, userCode }
  }
  throw new Error('no free user code was found')
}
