import { may } from '#authority/may.ts'
import { asService } from '#authority/proof.ts'
import { slot } from '#kernel/memory.ts'
import { networkOf } from '#kernel/networks.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { looseBudget, sharedBudget } from '#kernel/shared-budget.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import {
  alert,
  causeOf,
  grouped,
  isFromBeforeRestore,
  issuedEvents,
  record,
  reportForged,
} from '#rooms/foundation/systemlog/index.ts'
import {
  type Credential,
  createCredential,
  deviceLifespanSeconds,
  dropCredential,
  forgetCredentials,
  lockCredential,
} from '#rooms/identity/credentials/index.ts'
import { listRolesOfUser, permitted } from '#rooms/identity/roles/index.ts'
import { findPerson, type Person } from '#rooms/identity/users/index.ts'
import { issueToken } from '../access-token.ts'
import { refuseScope, scopeReply } from '../asked-for.ts'
import { checkProof } from '../dpop/check.ts'
import { proofAtTokenEndpoint } from '../dpop/token-endpoint.ts'
import { sha256Of } from './begin.ts'
import { clientName, deviceTokenSeconds, isTooSoon, slower } from './decide.ts'
import {
  type DeviceRow,
  findByDeviceCode,
  isAuthenticRequest,
  lockRequest,
  updatePolled,
  updateRequest,
} from './store.ts'

export type RedeemForm = {
  readonly client_id: string
  readonly client_secret: string
  readonly client_assertion: string
  readonly device_code: string
  readonly scope: string
}

const badCode = (): Refusal =>
  new Refusal('DEVICE_CODE_INVALID', 'The device code is unknown, was used before, or was issued to another client.')
const denied = (): Refusal => new Refusal('DEVICE_DENIED', 'The request was denied.')
const tooSoon = (): Refusal =>
  new Refusal('DEVICE_POLLED_TOO_SOON', 'Poll less often: wait 5 seconds longer between requests.')

/** For each code: a program that polls without a pause gets `slow_down` without a statement. */
const polls = slot((world) => looseBudget(world, 'device polls', { burst: 20, perSecond: 1 }))
const failuresFromAddress = slot((world) =>
  sharedBudget(world, 'device code failures from an address', { burst: 100, perSecond: 1 }),
)

/** A program polls for the token that was approved: RFC 8628 sections 3.4 and 3.5. */
export async function grantDeviceToken(call: Call, form: RedeemForm) {
  refuseMalformed(form)
  refuseScope(form.scope, 'is set at the device authorization endpoint')
  const sha256 = sha256Of(form.device_code)
  if (call.memory(polls).take(`${call.tenant.id} ${sha256.toString('base64')}`) === null) throw tooSoon()
  const row = await findByDeviceCode(call.db, call.tenant.id, sha256)
  if (!row || row.clientId !== form.client_id || !(await isOurs(call, row))) throw await countFailure(call)
  if (row.state === 'redeemed') return endReused(call, row)
  if (row.state === 'denied') throw denied()
  if (row.expiresAt <= call.now()) throw new Refusal('DEVICE_CODE_EXPIRED', 'The device code has expired; start again.')
  if (row.state === 'waiting') return refusePending(call, row)
  return redeem(call, row)
}

function refuseMalformed({ client_id, client_secret, client_assertion, device_code }: RedeemForm): void {
  const malformed = (message: string): Refusal => new Refusal('REQUEST_MALFORMED', message)
  if (client_id === '') throw malformed('client_id is missing.')
  if (device_code === '') throw malformed('device_code is missing.')
  if (client_secret !== '' || client_assertion !== '')
    throw malformed('A device code is redeemed with client_id only, without client_secret and client_assertion.')
}

async function isOurs(call: Call, row: DeviceRow): Promise<boolean> {
  if (isAuthenticRequest(call.seals, call.tenant.id, row)) return !isFromBeforeRestore(call, row.createdAt)
  await reportForged(call, call, { type: 'device request', id: row.id })
  return false
}

async function countFailure(call: Call): Promise<Refusal> {
  const failures = call.memory(failuresFromAddress)
  const network = networkOf(call.sourceAddress)
  if ((await failures.take(network)) !== null) return badCode()
  return new Refusal('TOO_MANY_FAILURES', 'Too many failures; try again later.', {
    retryAfterSeconds: failures.waitSeconds(network),
  })
}

async function refusePending(call: Call, row: DeviceRow): Promise<never> {
  const at = call.now()
  const isSoon = isTooSoon(row, at)
  const intervalSeconds = isSoon ? slower(row.intervalSeconds) : row.intervalSeconds
  await updatePolled(call.db, call.tenant.id, { id: row.id, intervalSeconds }, at)
  if (isSoon) throw tooSoon()
  throw new Refusal('DEVICE_PENDING', 'The request is waiting for approval in the console.')
}

/** Two parties have the code: what it granted is ended for both, as RFC 6749 section 4.1.2 says of codes. */
async function endReused(call: Call, { id, credentialId, clientId, userId }: DeviceRow): Promise<never> {
  const gone = await transact(call.db, async (tx) => {
    const credential = await lockCredential(tx, call.tenant.id, credentialId)
    if (!credential) return []
    const ending = asService(call, 'own-credentials.revoke', 'two parties have what was granted')
    const cause = causeOf(ending)
    const touched = { type: 'device request', id, name: clientName(clientId), data: { clientId, userId } }
    const message = `A device code was redeemed twice: revoked the authorized device ${credential.clientId}`
    await record(tx, call, call, alert(cause, 'delete', message, [touched]))
    return dropCredential(tx, call, cause, credential)
  })
  forgetCredentials(call, gone)
  throw badCode()
}

type Given = { credential: Credential; person: Person }

async function redeem(call: Call, { id }: DeviceRow) {
  const dpop = proofAtTokenEndpoint(call)
  const jkt =
    dpop.proof === undefined ? null : await checkProof(call, dpop, { holderId: id, accessToken: null, jkt: null })
  const given = await transact(call.db, (tx) => give(tx, call, id))
  if (given === 'denied') throw denied()
  // Another request with the same code was faster.
  if (given === 'gone') return grantAgain(call, id)
  const { credential, person } = given
  const user = { id: person.id, name: person.displayName, email: person.email }
  const holder = { clientId: credential.clientId, user }
  const lifetimeSeconds = deviceTokenSeconds
  const { token, tokenId, expiresAt } = await issueToken(call, call.tenant, holder, { lifetimeSeconds, jkt })
  const { tenant, sourceAddress, requestId } = call
  const event = issuedEvents({ tenant, sourceAddress, clientId: credential.clientId, method: 'device_code', user })
  const [signed] = await Promise.all([
    token,
    call.memory(grouped).record(tenant.id, event({ requestId, tokenId, expiresAt })),
  ])
  return {
    access_token: signed,
    token_type: jkt === null ? ('Bearer' as const) : ('DPoP' as const),
    expires_in: lifetimeSeconds,
    ...scopeReply(null, credential.scopedRoles),
  }
}

async function grantAgain(call: Call, id: string): Promise<never> {
  const row = await transact(call.db, (tx) => lockRequest(tx, call.tenant.id, id))
  if (row?.state === 'redeemed' && (await isOurs(call, row))) return endReused(call, row)
  throw badCode()
}

/** In one transaction: the request is used, and its credential is created. */
async function give(tx: Tx, call: Call, id: string): Promise<Given | 'denied' | 'gone'> {
  const row = await lockRequest(tx, call.tenant.id, id)
  if (row?.state !== 'approved' || !(await isOurs(call, row))) return 'gone'
  const person = await findPerson(tx, call.tenant.id, row.userId)
  const roles = person ? await listRolesOfUser(call, call.tenant.id, person.id) : []
  // The person may have lost the permission since they approved it, up to a quarter of an hour ago.
  const mayCreate = may(permitted(roles, null), 'own-credentials.create')
  if (person?.status !== 'ENABLED' || person.isPrincipal || !mayCreate) return 'denied'
  const actor = { userId: person.id, name: person.displayName, email: person.email, credentialId: '', tokenId: '' }
  const approved = asService(call, 'own-credentials.create', 'the person has approved this device')
  const cause = { ...causeOf(approved), actor }
  const { credential } = await createCredential(tx, call, cause, {
    userId: person.id,
    displayName: clientName(row.clientId),
    lifespanSeconds: deviceLifespanSeconds,
    allowSourceCidr: [],
    scopedRoles: row.scopedRoles,
    kind: 'device',
  })
  const forgetAt = credential.expiresTime ?? row.forgetAt
  await updateRequest(tx, call.seals, call.tenant.id, {
    ...row,
    state: 'redeemed',
    credentialId: credential.id,
    forgetAt,
  })
  return { credential, person }
}
