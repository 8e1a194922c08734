import { type FieldViolation, Refusal } from '#kernel/refusals.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'
import { freedomProblems } from './decide.ts'
import type { CredentialKind } from './kinds.ts'
import { isCredentialProven } from './proof.ts'
import { revoked } from './refuse.ts'
import { type Credential, type KeptCredential, shareCredentials } from './store.ts'

/** How many ancestors of a credential are looked up at once, where one was created with another, and so on. */
const ancestorsMax = 10

/**
 * The credential whose token is used and those that it was created by, beginning with the first; none in the console
 * and for an operator. They are locked: what is created now is deleted with them.
 */
export async function holdFamily(
  tx: Tx,
  world: World,
  cause: Cause,
  userId: string,
  kind: CredentialKind,
): Promise<KeptCredential[]> {
  const { tenant, actor } = cause
  if (actor.credentialId === '') return []
  const [parent] = await shareCredentials(tx, tenant.id, [actor.credentialId])
  if (!parent) throw revoked()
  if (parent.ancestorIds.length >= ancestorsMax)
    throw new Refusal(
      'CREDENTIALS_TOO_MANY',
      `An API credential was created with one that was itself created with another one, ${ancestorsMax} times in a row; create it with an earlier one.`,
    )
  const ancestors = await shareCredentials(tx, tenant.id, parent.ancestorIds)
  const byId = new Map([...ancestors, parent].map((each) => [each.id, each]))
  return [...parent.ancestorIds, parent.id].map((id) => {
    const each = byId.get(id)
    const isAlive = each && each.deletedAt === null && (each.expiresTime === null || each.expiresTime > world.now())
    // A credential of a service principal is mostly created with a credential of a person.
    const isRelated = kind !== 'pcc' || each?.userId === userId
    if (!isAlive || !isRelated || !isCredentialProven(world.seals, tenant.id, each)) throw revoked()
    return each
  })
}

/** Nothing is less restricted than any of those it was created by. */
export function freedomWithin(
  family: readonly Credential[],
  wanted: { roleIds?: readonly string[]; cidrs?: readonly string[] },
): FieldViolation[] {
  const problems = family.flatMap(({ scopedRoles, allowSourceCidr }) =>
    freedomProblems({ roleIds: scopedRoles, sourceCidrs: allowSourceCidr }, wanted),
  )
  return [...new Map(problems.map((problem) => [problem.field, problem])).values()]
}
