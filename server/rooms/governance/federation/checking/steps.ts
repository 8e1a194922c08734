import type { Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import type { Identity, ProvenTrust } from '#rooms/identity/credentials/index.ts'
import { refusalOf } from '#rooms/identity/tokens/index.ts'
import { type Asker, budgetUnits, type Evaluation, evaluateClaims } from '#rooms/rules/expressions/index.ts'
import { keySets } from '../keys/key-sets.ts'
import { type Checked, checkAudience, checkFreshness, checkIssuer, checkSubject, shown } from './claims.ts'
import { conditions } from './conditions.ts'
import { allowedAlgorithms, type Decoded, decodeToken, isSignedBy, keysFor } from './jwt.ts'

/** As published, in their order. */
export const stepNames = [
  'jwtDecode',
  'issuerMatch',
  'signatureValidation',
  'audienceValidation',
  'tokenFreshness',
  'subjectValidation',
  'celEvaluation',
  'cidrCheck',
] as const
export type StepName = (typeof stepNames)[number]
export type Step = Checked & { isSkipped: boolean }

export type Verdict = {
  steps: ReadonlyMap<StepName, Step>
  /** The first step that failed, in the order in which they were made; null for an accepted token. */
  failed: { name: StepName; step: Step } | null
  decoded: Decoded | null
  isSigned: boolean
  /** The keys of the issuer could not be fetched: another attempt may succeed. */
  isUnavailable: boolean
}

type Asking = {
  tenant: Tenancy
  identity: Identity & { trust: ProvenTrust }
  token: string
  /** Empty if the address is not checked. */
  sourceAddress: string
  /** Evaluates the condition alone for this asker; null for the token endpoint, which evaluates many together. */
  asker: Asker | null
  /** Continues after a step that failed, as far as that makes sense. */
  isThorough: boolean
}

const skipped: Step = { isPassed: false, isSkipped: true, reason: '', expected: '', actual: '', detail: '' }
const ok = (expected: string, actual: string, detail = ''): Checked => ({
  isPassed: true,
  reason: '',
  expected,
  actual,
  detail,
})
const no = (reason: string, detail: string, expected = '', actual = ''): Checked => ({
  isPassed: false,
  reason,
  detail,
  expected,
  actual,
})

/**
 * Checks step by step whether a trust accepts a token. Cheap steps come first: a token that is refused anyway must not cause
 * a request to an issuer, or the evaluation of a condition.
 */
export async function checkToken(world: World, asking: Asking): Promise<Verdict> {
  const { tenant, identity, token, isThorough } = asking
  const { terms, provider } = identity.trust
  const isSpiffe = provider.wellKnown === 'SPIFFE'
  const steps = new Map<StepName, Step>(stepNames.map((name) => [name, skipped]))
  let failed: Verdict['failed'] = null
  let isUnavailable = false
  const take = (name: StepName, checked: Checked): void => {
    const step = { ...checked, isSkipped: false }
    steps.set(name, step)
    if (!step.isPassed) failed ??= { name, step }
  }
  const goesOn = (): boolean => isThorough || failed === null

  const decoded = decodeToken(token)
  const verdict = (of: Decoded | null, isSigned: boolean): Verdict => ({
    steps,
    failed,
    decoded: of,
    isSigned,
    isUnavailable,
  })
  if ('problem' in decoded) {
    take('jwtDecode', no('invalid_jwt_format', `The token cannot be read: ${decoded.problem}.`, 'a signed JWT'))
    return verdict(null, false)
  }
  take('jwtDecode', ok('a signed JWT', `alg ${decoded.algorithm}, kid ${decoded.keyId ?? 'missing'}`))
  const { claims } = decoded
  if (provider.isDisabled) take('issuerMatch', no('provider_disabled', 'The provider is disabled.', provider.issuerUrl))
  else if (!isSpiffe) take('issuerMatch', checkIssuer(claims, provider.issuerUrl))
  if (goesOn()) take('audienceValidation', checkAudience(claims, tenant.domain))
  if (goesOn()) take('tokenFreshness', checkFreshness(claims, world.now(), isSpiffe))
  if (goesOn()) take('subjectValidation', standingOf(identity, world.now()) ?? checkSubject(claims, provider.issuerUrl))
  let isSigned = false
  // The keys of another issuer are not fetched: they would be the wrong keys.
  if (goesOn() && (isSpiffe || steps.get('issuerMatch')?.isPassed)) {
    const signature = await checkSignature(world, asking, decoded)
    isUnavailable = signature.reason === 'issuer_unavailable'
    isSigned = signature.isPassed
    take('signatureValidation', signature)
  }
  if (goesOn()) {
    const { condition } = terms
    const told = asking.asker
      ? await evaluateOne(world, asking.asker, condition, decoded.payload)
      : await world.memory(conditions).evaluate(tenant.id, condition, decoded.payload)
    take('celEvaluation', judged(condition, told))
  }
  if (goesOn() && asking.sourceAddress !== '') take('cidrCheck', checkAddress(identity, asking.sourceAddress))
  return verdict(decoded, isSigned)
}

/** Why this trust accepts no token at all, or null. */
export function standingOf(identity: Identity, now: Date): Checked | null {
  const { trust, user } = identity
  if (trust?.terms.isDisabled) return no('trust_disabled', 'The trust is disabled.', 'an enabled trust')
  if (trust?.provider.isDisabled) return no('provider_disabled', 'The provider is disabled.', 'an enabled provider')
  if (!user.isEnabled) return no('sp_disabled', 'The service principal is disabled.', 'an enabled service principal')
  // The remaining reasons: expired, or created before a restore. The source address is checked later.
  const other = refusalOf({ ...identity, isAllowedFrom: () => true }, '', now)
  return other ? no('trust_expired', other.message, 'a trust that has not expired') : null
}

async function checkSignature(world: World, { tenant, identity }: Asking, decoded: Decoded): Promise<Checked> {
  const { provider } = identity.trust
  const expected = `a key of ${provider.issuerUrl}`
  const actual = `alg ${decoded.algorithm}, kid ${shown(decoded.keyId ?? 'missing')}`
  const isEnough = (keys: Parameters<typeof keysFor>[1]): boolean => keysFor(decoded, keys).length > 0
  const { keys, problem } = await world.memory(keySets).find(tenant.id, provider, isEnough)
  if (keys === null)
    return no('issuer_unavailable', `The keys of the issuer could not be read: ${problem}`, expected, actual)
  const fitting = keysFor(decoded, keys)
  if (fitting.length === 0)
    return no(
      // The key may be new, and the issuer slow, or we were too busy to ask it.
      problem === null ? 'key_not_found' : 'issuer_unavailable',
      problem === null
        ? `The issuer publishes ${keys.length} keys, and none that the token can be signed with.`
        : `The token is signed with an unknown key, and the issuer cannot be reached: ${problem}`,
      `${expected}, for one of ${allowedAlgorithms.join(', ')}`,
      actual,
    )
  return (await isSignedBy(decoded, fitting))
    ? ok(expected, actual, problem === null ? '' : `Known from before: ${problem}`)
    : no('signature_invalid', 'The token was not signed with the key in its header.', expected, actual)
}

export const checkCondition = async (world: World, asker: Asker, condition: string, claims: string): Promise<Checked> =>
  judged(condition, await evaluateOne(world, asker, condition, claims))

async function evaluateOne(world: World, asker: Asker, source: string, claims: string): Promise<Evaluation> {
  const [told] = await evaluateClaims(world, asker, [{ source, claims }], budgetUnits)
  return told as Evaluation
}

function judged(condition: string, told: Evaluation): Checked {
  if ('error' in told)
    return no(
      'cel_condition_not_met',
      `The condition cannot be evaluated for these claims: ${told.error}.`,
      condition,
      'error',
    )
  return told.value
    ? ok(condition, 'true')
    : no('cel_condition_not_met', 'The condition is false for these claims.', condition, 'false')
}

function checkAddress({ limits, isAllowedFrom }: Identity, address: string): Checked {
  const expected = limits.sourceCidrs.length > 0 ? limits.sourceCidrs.join(', ') : 'any address'
  return isAllowedFrom(address)
    ? ok(expected, address)
    : no('ip_not_allowed', 'The trust may not be used from this address.', expected, shown(address))
}
