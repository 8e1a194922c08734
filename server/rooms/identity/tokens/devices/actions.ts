import type { May } from '#authority/proof.ts'
import { slot } from '#kernel/memory.ts'
import { networkOf } from '#kernel/networks.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { sharedBudget } from '#kernel/shared-budget.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { causeOf, isFromBeforeRestore, recordChange, reportForged } from '#rooms/foundation/systemlog/index.ts'
import {
  credentialKind,
  dropCredential,
  forgetCredentials,
  isWithin,
  lockCredential,
} from '#rooms/identity/credentials/index.ts'
import { userCodeMac } from './begin.ts'
import { clientName, shownCode, typedCode } from './decide.ts'
import { type DeviceRow, findByUserCode, isAuthenticRequest, lockRequest, updateRequest } from './store.ts'

/**
 * RFC 8628 section 5.1: each look-up counts, found or not, so that nobody can try codes. With 100 requests that wait, a
 * user who tries all day finds one with a chance of 1 in 59,000.
 */
const lookups = slot((world) => sharedBudget(world, 'device codes typed', { burst: 20, perSecond: 1 / 20 }))

const notThere = (): Refusal =>
  new Refusal(
    'DEVICE_REQUEST_NOT_FOUND',
    'No request is waiting for this code. A code is valid for 15 minutes and works once: check it, or start again on the device.',
  )

/** A person, in the console: a token must not authorize another one. */
function requireSession({ actor }: Call): void {
  if (actor.sessionId === '')
    throw new Refusal('SESSION_REQUIRED', 'This requires a session of the console; an access token is not accepted.')
}

/** The request that waits for a code, if this user may decide it. */
async function findWaiting(call: Call, typed: string): Promise<{ row: DeviceRow; code: string }> {
  const code = typedCode(typed)
  if (typed.trim() === '') throw invalid({ field: 'userCode', description: 'must not be empty' })
  requireSession(call)
  const budget = call.memory(lookups)
  const key = `${call.tenant.id} ${call.actor.userId}`
  if ((await budget.take(key)) === null)
    throw new Refusal('TOO_MANY_FAILURES', 'Too many codes were tried; try again later.', {
      retryAfterSeconds: budget.waitSeconds(key),
    })
  const row = code && (await findByUserCode(call.db, call.tenant.id, userCodeMac(call.seals, call.tenant.id, code)))
  if (!row || !(await isWaiting(call, row))) throw notThere()
  return { row, code }
}

async function isWaiting(call: Call, row: DeviceRow): Promise<boolean> {
  if (!isAuthenticRequest(call.seals, call.tenant.id, row)) {
    await reportForged(call, call, { type: 'device request', id: row.id })
    return false
  }
  return row.state === 'waiting' && row.expiresAt > call.now() && !isFromBeforeRestore(call, row.createdAt)
}

/** What is shown before the user decides. */
export async function showRequest(call: Call, typed: string) {
  const { row, code } = await findWaiting(call, typed)
  return {
    ...row,
    userCode: shownCode(code),
    clientName: clientName(row.clientId),
    isFromYourNetwork: networkOf(row.sourceAddress) === networkOf(call.sourceAddress),
  }
}

export const approveRequest = (call: May<'own-credentials.create'>, typed: string): Promise<void> =>
  decideRequest(call, typed, 'approved')

export const denyRequest = (call: May<'own-credentials.revoke'>, typed: string): Promise<void> =>
  decideRequest(call, typed, 'denied')

async function decideRequest(call: Call, typed: string, state: 'approved' | 'denied'): Promise<void> {
  const { row: found } = await findWaiting(call, typed)
  await transact(call.db, async (tx) => {
    const row = await lockRequest(tx, call.tenant.id, found.id)
    if (!row || !(await isWaiting(call, row))) throw notThere()
    await updateRequest(tx, call.seals, call.tenant.id, {
      ...row,
      state,
      userId: call.actor.userId,
      decidedAt: call.now(),
    })
    const { id, clientId, scopedRoles, sourceAddress, userAgent } = row
    const touched = {
      type: 'device request',
      id,
      name: clientName(clientId),
      data: { clientId, scopedRoles, sourceAddress, userAgent },
    }
    const verb = state === 'approved' ? 'Approved' : 'Denied'
    const message = `${verb} the request of the device ${clientName(clientId)} from ${sourceAddress}`
    await recordChange(tx, call, 'update', message, [touched])
  })
}

const noDevice = (id: string): Refusal =>
  new Refusal('DEVICE_NOT_FOUND', `There is no authorized device ${id}.`, { metadata: { id } })

/** Ends the authorization of a device, and deletes the API credentials that were created with its token. */
export async function revokeDevice(
  call: May<'own-credentials.revoke' | 'credentials.revoke'>,
  { userId, id, family }: { userId: string; id: string; family: string | null },
): Promise<void> {
  const gone = await transact(call.db, async (tx: Tx) => {
    const credential = await lockCredential(tx, call.tenant.id, id)
    const isDevice = credential?.userId === userId && credentialKind(credential.clientId) === 'device'
    if (!isDevice || !isWithin(family, credential)) throw noDevice(id)
    return dropCredential(tx, call, causeOf(call), credential)
  })
  forgetCredentials(call, gone)
}
