import type { World } from '#kernel/world.ts'
import { findAssignedEmail } from '#rooms/identity/roles/index.ts'

/**
 * Whether a user may be linked with an identity at the provider only because the provider has verified the email
 * address that they have here. That address has no MAC: an attacker who writes to the database could give an
 * administrator their own. So for someone who has more than the role Basic User, it must be the address that was
 * protected by the MAC of that role when it was assigned. Others link the identity themselves, signed in by another
 * method, or an operator does.
 */
export async function mayLinkByEmail(world: World, tenantId: number, userId: string, email: string): Promise<boolean> {
  const assigned = await findAssignedEmail(world, tenantId, userId)
  return assigned === null || (assigned !== '' && assigned.toLowerCase() === email.toLowerCase())
}
