import type { FieldViolation } from '#kernel/refusals.ts'
import type { Actor } from '#kernel/routes.ts'
import { blockOf, liesWithin } from './addresses.ts'

const day = 86_400
/** The lifespans there are, in seconds; null never ends. */
export const lifespans = { '30d': 30 * day, '90d': 90 * day, never: null } as const

export const namedLength = 200
const cidrsMax = 100

export function lifespanProblem(seconds: number | null): FieldViolation | null {
  return Object.values<number | null>(lifespans).includes(seconds)
    ? null
    : { field: 'expires', description: 'must be 2592000s (30 days), 7776000s (90 days), or absent for never' }
}

export function nameProblem(name: string): FieldViolation | null {
  if (name.trim() === '') return { field: 'displayName', description: 'must not be empty' }
  return name.length > namedLength
    ? { field: 'displayName', description: `must have at most ${namedLength} characters` }
    : null
}

export function cidrProblems(cidrs: readonly string[]): FieldViolation[] {
  if (cidrs.length > cidrsMax)
    return [{ field: 'allowSourceCidr', description: `must have at most ${cidrsMax} blocks` }]
  return cidrs.flatMap((cidr, i) => (blockOf(cidr) ? [] : [{ field: `allowSourceCidr[${i}]`, description: notBlock }]))
}
const notBlock = 'must be a CIDR block or an address, as in 10.0.0.0/8 or 2001:db8::/32'

/**
 * A credential that is limited makes none that is freer than itself: else a limit would hold only for those who do not
 * want to get around it.
 */
export function freedomProblems(
  { limits }: Pick<Actor, 'limits'>,
  wanted: { roleIds: readonly string[]; cidrs: readonly string[] },
): FieldViolation[] {
  const problems: FieldViolation[] = []
  const isScopeFreer = wanted.roleIds.length === 0 || wanted.roleIds.some((id) => !limits.roleIds.includes(id))
  if (limits.roleIds.length > 0 && isScopeFreer)
    problems.push({ field: 'scopedRoles', description: 'must be some of the roles that this credential is limited to' })
  // Of more than there may be it is not asked: they are refused for that.
  const isSourceFreer =
    wanted.cidrs.length === 0 || (wanted.cidrs.length <= cidrsMax && !liesWithin(wanted.cidrs, limits.sourceCidrs))
  if (limits.sourceCidrs.length > 0 && isSourceFreer)
    problems.push({
      field: 'allowSourceCidr',
      description: 'must lie within the blocks that this credential is limited to',
    })
  return problems
}
