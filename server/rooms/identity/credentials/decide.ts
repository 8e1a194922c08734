import { blockOf, liesWithin } from '#kernel/cidrs.ts'
import type { FieldViolation } from '#kernel/refusals.ts'
import type { Actor } from '#kernel/routes.ts'
import { isSingleLine, singleLineHint } from '#kernel/single-line.ts'

const day = 86_400
/** The possible lifespans, in seconds; null never ends. */
export const lifespans = { '30d': 30 * day, '90d': 90 * day, never: null } as const

export const namedLength = 200
const cidrsMax = 100

export function lifespanProblem(seconds: number | null): FieldViolation | null {
  return Object.values<number | null>(lifespans).includes(seconds)
    ? null
    : { field: 'expires', description: 'must be 2592000s (30 days), 7776000s (90 days), or absent for never' }
}

/** A credential of a service principal always ends: there is no person who would notice that it is still in use. */
export const principalLifespan = { defaultSeconds: 90 * day, maxSeconds: 180 * day } as const

export const principalLifespanProblem = (seconds: number | null): FieldViolation | null =>
  seconds !== null && seconds >= 1 && seconds <= principalLifespan.maxSeconds
    ? null
    : { field: 'expires', description: `must be 1s to ${principalLifespan.maxSeconds}s (180 days)` }

/**
 * How long a device that was authorized in the console stays authorized, and the longest life of what it created with
 * its token.
 */
export const deviceLifespanSeconds = 90 * day

export const deviceLifespanProblem = (seconds: number | null): FieldViolation | null =>
  seconds === deviceLifespanSeconds ? null : { field: 'expires', description: `must be ${deviceLifespanSeconds}s` }

/** What requires a proof of possession creates nothing that does not: otherwise the requirement could be bypassed. */
export const possessionProblem = (family: readonly { requireDpop: boolean }[], requireDpop: boolean) =>
  !requireDpop && family.some((each) => each.requireDpop)
    ? { field: 'requireDpop', description: 'must be true: the credential that it is created with requires DPoP' }
    : null

export function nameProblem(name: string): FieldViolation | null {
  if (name.trim() === '') return { field: 'displayName', description: 'must not be empty' }
  if (!isSingleLine(name)) return { field: 'displayName', description: singleLineHint }
  return name.length > namedLength
    ? { field: 'displayName', description: `must have at most ${namedLength} characters` }
    : null
}

export function cidrProblems(cidrs: readonly string[], max: number = cidrsMax): FieldViolation[] {
  if (cidrs.length > max) return [{ field: 'allowSourceCidr', description: `must have at most ${max} blocks` }]
  return cidrs.flatMap((cidr, i) => (blockOf(cidr) ? [] : [{ field: `allowSourceCidr[${i}]`, description: notBlock }]))
}
const notBlock = 'must be a CIDR block or an address, as in 10.0.0.0/8 or 2001:db8::/32'

type Limits = Actor['limits']
type Freedom = { roleIds: readonly string[]; cidrs: readonly string[] }

const isScopeFreer = (roleIds: readonly string[], than: readonly string[]): boolean =>
  than.length > 0 && (roleIds.length === 0 || roleIds.some((id) => !than.includes(id)))
const isSourceFreer = (cidrs: readonly string[], than: readonly string[]): boolean =>
  // Not checked if there are more than allowed: they are refused for that.
  than.length > 0 && (cidrs.length === 0 || (cidrs.length <= cidrsMax && !liesWithin(cidrs, than)))

/** A limited credential creates none that is less restricted than itself: otherwise anyone could bypass the limit. */
export function freedomProblems(limits: Limits, { roleIds, cidrs }: Partial<Freedom>): FieldViolation[] {
  const problems: FieldViolation[] = []
  if (roleIds && isScopeFreer(roleIds, limits.roleIds))
    problems.push({ field: 'scopedRoles', description: 'must be among the roles that this credential is limited to' })
  if (cidrs && isSourceFreer(cidrs, limits.sourceCidrs))
    problems.push({
      field: 'allowSourceCidr',
      description: 'must be within the blocks that this credential is limited to',
    })
  return problems
}

type Lasting = { scopedRoles: readonly string[]; allowSourceCidr: readonly string[]; expiresTime: Date | null }
const outlives = (one: Date | null, other: Date | null): boolean => other !== null && (one === null || one > other)

/** A credential that expires widens none that outlives it: the wider right would remain after its own end. */
export function wideningProblems(by: Lasting, before: Lasting, after: Lasting): FieldViolation[] {
  if (!outlives(before.expiresTime, by.expiresTime)) return []
  const description = 'cannot be widened with an API credential that expires earlier'
  return [
    ...(isScopeFreer(after.scopedRoles, before.scopedRoles) ? [{ field: 'scopedRoles', description }] : []),
    ...(isSourceFreer(after.allowSourceCidr, before.allowSourceCidr)
      ? [{ field: 'allowSourceCidr', description }]
      : []),
  ]
}

/** The same for a change that may or may not widen it, as nobody can tell. */
export const outlivingProblem = (by: Pick<Lasting, 'expiresTime'>, before: Pick<Lasting, 'expiresTime'>) =>
  outlives(before.expiresTime, by.expiresTime)
    ? {
        field: 'conditionExpression',
        description: 'cannot be changed, and the trust cannot be enabled, with an API credential that expires earlier',
      }
    : null

/** When a credential ends: after its lifespan, or with the one that created it if that is sooner. */
export function endOf(createdAt: Date, lifespanSeconds: number | null, parent: { expiresTime: Date | null } | null) {
  const own = lifespanSeconds === null ? null : new Date(createdAt.getTime() + lifespanSeconds * 1000)
  const latest = parent?.expiresTime ?? null
  return outlives(own, latest) ? latest : own
}

type Caller = Pick<Actor, 'credentialId' | 'limits'>

/**
 * Which of its owner's credentials a caller can access: all of them or, with a limited credential, only that credential
 * and what was created with it (then its id).
 */
export const familyOf = ({ credentialId, limits }: Caller): string | null =>
  limits.roleIds.length > 0 || limits.sourceCidrs.length > 0 ? credentialId : null

export const isWithin = (family: string | null, { id, ancestorIds }: { id: string; ancestorIds: readonly string[] }) =>
  family === null || id === family || ancestorIds.includes(family)
