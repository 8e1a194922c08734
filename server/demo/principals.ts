import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { insertOwners } from '#rooms/foundation/ownership/index.ts'
import type { CauseBy } from '#rooms/foundation/systemlog/index.ts'
import { sealOwners } from '#rooms/identity/principals/index.ts'
import { assignRole } from '#rooms/identity/roles/index.ts'
import { insertUsers, type NewUser } from '#rooms/identity/users/index.ts'

const programs = [
  { displayName: 'Nightly access report', role: 'system:viewer' },
  { displayName: 'Log forwarder', role: 'system:system-logs-reader' },
] as const

/** Two identities for programs, each with an owner and without credentials. Answers how many. */
export async function loadPrincipals(
  tx: Tx,
  world: World,
  first: CauseBy<'operator'>,
  people: readonly NewUser[],
): Promise<number> {
  const at = world.now()
  const tenantId = first.tenant.id
  const owner = people.find(({ status = 'ENABLED' }) => status === 'ENABLED')
  for (const { displayName, role } of programs) {
    const principalId = world.newId()
    const principal = { id: principalId, displayName, email: '', type: 'USER_TYPE_SERVICE' } as const
    await insertUsers(tx, tenantId, [{ ...principal, origin: 'USER_ORIGIN_LOCAL' }], at)
    await assignRole(tx, world, tenantId, [principal], role)
    if (!owner) continue
    const object = { kind: 'user', appId: '', typeId: '', id: principalId } as const
    const roleSlug = 'primary'
    await insertOwners(tx, first, [{ id: world.newId(), object, roleSlug, userId: owner.id }], at)
    await sealOwners(tx, world, tenantId, { principalId, roleSlug, userIds: [owner.id] })
  }
  return programs.length
}
