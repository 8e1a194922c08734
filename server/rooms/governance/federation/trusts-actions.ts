import { mayEverywhere } from '#authority/may.ts'
import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { isSameMac } from '#kernel/seals.ts'
import type { Tx } from '#kernel/sql.ts'
import { causeOf, recordChange, reportForged } from '#rooms/foundation/systemlog/index.ts'
import {
  changeTrustCredential,
  createCredential,
  credentialWords,
  dropCredential,
  findTrust,
  isWithin,
  lockCredential,
  type TrustTerms,
  trustMac,
} from '#rooms/identity/credentials/index.ts'
import { familyFor, lockPrincipal, ownsPrincipal, refuseBeyondPrincipal } from '#rooms/identity/principals/index.ts'
import { type ClaimsExpression, prepareClaims } from '#rooms/rules/expressions/index.ts'
import { trustProblems } from './decide.ts'
import { providerNotFound } from './providers-actions.ts'
import { deleteTerms, findTrustByClient, insertTerms, type KeptTerms, shareProvider, updateTerms } from './store.ts'
import type { Trust } from './trust.ts'
import { warningsOf } from './warnings.ts'

export type Ref = { principalId: string; clientId: string }

export const trustNotFound = (clientId: string): Refusal =>
  new Refusal('FEDERATION_TRUST_NOT_FOUND', 'There is no such workload federation trust.', {
    metadata: { clientId: clientId.slice(0, 300) },
  })

export const askerOf = ({ tenant, signal }: Call) => ({ lane: `calls ${tenant.id}`, signal })

/** Compiles a condition; refused if it is not valid. */
export const prepareCondition = (call: Call, condition: string): Promise<ClaimsExpression> =>
  prepareClaims(call, askerOf(call), condition, 'conditionExpression')

const sealed = ({ seals, tenant }: Call, terms: TrustTerms): KeptTerms => ({
  ...terms,
  mac: trustMac(seals, tenant.id, terms),
})

/** A trust of a principal; a limited credential of an owner sees only itself and what was created with it. */
export async function getTrust(
  call: Call,
  ref: Ref,
  action: 'principals.read' | 'principals.edit' = 'principals.read',
): Promise<Trust> {
  const found = /^[\x20-\x7e]{1,300}$/.test(ref.clientId)
    ? await findTrustByClient(call.db, call.tenant.id, ref.clientId)
    : null
  const isSeen = found?.terms.principalId === ref.principalId && isWithin(familyFor(call, action), found.credential)
  if (!found || !isSeen) throw trustNotFound(ref.clientId)
  return found
}

export type NewTrust = {
  providerId: string
  displayName: string
  description: string
  condition: string
  passthroughClaims: readonly string[]
  scopedRoles: readonly string[]
  allowSourceCidr: readonly string[]
}

/** Refuses invalid terms before anything is locked: compiling a condition takes time. */
export async function checkTerms(
  call: Call,
  { condition, passthroughClaims: passthrough }: Pick<NewTrust, 'condition' | 'passthroughClaims'>,
): Promise<ClaimsExpression> {
  const [first, ...others] = trustProblems({ condition, passthrough })
  if (first) throw invalid(first, ...others)
  return prepareCondition(call, condition)
}

/**
 * Creates a trust, for owners of the principal and for callers who may do everything that it permits. It is a credential:
 * like others, one that is created with a token ends with the credential of that token, and is at least as restricted.
 */
export async function createTrust(
  tx: Tx,
  call: May<'trust.change'>,
  principalId: string,
  wanted: NewTrust,
  { pins }: ClaimsExpression,
): Promise<string> {
  const principal = await lockPrincipal(tx, call, principalId)
  if (principal.status !== 'ENABLED')
    throw new Refusal(
      'SERVICE_PRINCIPAL_DISABLED',
      `The service principal ${principal.displayName} is disabled: enable it before creating trusts.`,
    )
  if (!(await ownsPrincipal(call, principalId))) await refuseBeyondPrincipal(call, principalId, wanted.scopedRoles)
  const provider = await shareProvider(tx, call.tenant.id, wanted.providerId)
  if (!provider) throw providerNotFound(wanted.providerId)
  const { displayName, allowSourceCidr, scopedRoles, description, condition, passthroughClaims } = wanted
  const warnings = warningsOf(provider.wellKnown, pins).map(({ code }) => code)
  const data = { providerId: provider.id, condition, passthroughClaims, ...(warnings.length > 0 && { warnings }) }
  const { credential } = await createCredential(tx, call, causeOf(call), {
    userId: principalId,
    kind: 'wfe',
    displayName,
    allowSourceCidr,
    scopedRoles,
    data,
    lifespanSeconds: null,
  })
  await insertTerms(
    tx,
    call,
    sealed(call, {
      credentialId: credential.id,
      principalId,
      providerId: provider.id,
      description,
      condition,
      passthroughClaims: [...new Set(passthroughClaims)],
      isDisabled: false,
      updatedAt: call.now(),
    }),
  )
  return credential.clientId
}

export type TrustChange = Partial<
  Pick<
    NewTrust,
    'displayName' | 'description' | 'condition' | 'passthroughClaims' | 'scopedRoles' | 'allowSourceCidr'
  > & {
    isDisabled: boolean
  }
>

/** For callers who are not owners: whether a change cannot add permissions. Disabling never does. */
const isOnlyLess = (wanted: TrustChange): boolean =>
  Object.keys(wanted).every((name) => ['displayName', 'description'].includes(name) || wanted.isDisabled === true)

export async function changeTrust(
  tx: Tx,
  call: May<'trust.change'>,
  ref: Ref,
  wanted: TrustChange,
  expression: ClaimsExpression | null,
): Promise<Trust['credential']> {
  await lockPrincipal(tx, call, ref.principalId)
  const { credential, terms: before, provider } = await lockTrust(tx, call, ref)
  const scopedRoles = wanted.scopedRoles ?? credential.scopedRoles
  if (!isOnlyLess(wanted) && !(await ownsPrincipal(call, ref.principalId)))
    await refuseBeyondPrincipal(call, ref.principalId, scopedRoles)
  const after: TrustTerms = {
    ...before,
    description: wanted.description ?? before.description,
    condition: wanted.condition ?? before.condition,
    passthroughClaims: [...new Set(wanted.passthroughClaims ?? before.passthroughClaims)],
    isDisabled: wanted.isDisabled ?? before.isDisabled,
    updatedAt: call.now(),
  }
  const isEnabled = before.isDisabled && !after.isDisabled
  const changed = await changeTrustCredential(tx, call, credential, {
    ...(wanted.displayName !== undefined && { displayName: wanted.displayName }),
    ...(wanted.scopedRoles && { scopedRoles: [...wanted.scopedRoles] }),
    ...(wanted.allowSourceCidr && { allowSourceCidr: [...wanted.allowSourceCidr] }),
    isWider: isEnabled || after.condition !== before.condition,
  })
  await updateTerms(tx, call, sealed(call, after))
  const warnings = expression ? warningsOf(provider.wellKnown, expression.pins).map(({ code }) => code) : []
  const verb = after.isDisabled === before.isDisabled ? 'Changed' : after.isDisabled ? 'Disabled' : 'Enabled'
  const words = await credentialWords(tx, call.tenant.id, credential)
  const message = `${verb} ${Object.keys(wanted).map(onWire).join(', ') || 'nothing'} of the ${words}`
  const data = {
    clientId: changed.clientId,
    providerId: after.providerId,
    condition: after.condition,
    ...(after.condition !== before.condition && { conditionBefore: before.condition }),
    scopedRoles: changed.scopedRoles,
    allowSourceCidr: changed.allowSourceCidr,
    isDisabled: after.isDisabled,
    ...(warnings.length > 0 && { warnings }),
  }
  const touched = { type: 'credential', id: changed.id, name: changed.displayName, data }
  await recordChange(tx, call, 'update', message, [touched])
  return changed
}

const onWire = (name: string): string =>
  ({ condition: 'conditionExpression', isDisabled: 'disabled', scopedRoles: 'scopedRoleIds' })[name] ?? name

/** Locks a trust until the transaction ends, and verifies that this program wrote it. */
async function lockTrust(tx: Tx, call: Call, ref: Ref) {
  const { credential: seen } = await getTrust(call, ref, 'principals.edit')
  const credential = await lockCredential(tx, call.tenant.id, seen.id)
  const found = credential && (await findTrust(tx, call.tenant.id, credential.id))
  if (!credential || !found) throw trustNotFound(ref.clientId)
  if (!isSameMac(found.macs.terms, trustMac(call.seals, call.tenant.id, found.terms))) {
    await reportForged(call, call.tenant.id, { type: 'federation trust', id: credential.id })
    throw trustNotFound(ref.clientId)
  }
  return { credential, terms: found.terms, provider: found.provider }
}

/** Deletes a trust and ends its tokens, with everything that was created with them. */
export async function removeTrust(tx: Tx, call: May<'trust.delete'>, ref: Ref) {
  await lockPrincipal(tx, call, ref.principalId)
  const { credential: seen } = await getTrust(call, ref, 'principals.edit')
  const credential = await lockCredential(tx, call.tenant.id, seen.id)
  if (!credential) throw trustNotFound(ref.clientId)
  await deleteTerms(tx, call, credential.id)
  return dropCredential(tx, call, causeOf(call), credential)
}

/** Whether a caller can see the trusts of all principals. */
export const seesAll = ({ actor }: Call): boolean => mayEverywhere(actor, 'principals.read')
