import type { World } from '#kernel/world.ts'
import { findAssignedEmail } from '#rooms/identity/roles/index.ts'

/**
 * Whether a user may be linked with an identity at the provider only because the provider vouches for the email address that
 * they have here. That address carries no MAC: whoever can write to the database could give an administrator their own.
 * So of someone who has more than the role Basic User, it must be the address that was under the MAC of that role when it
 * was assigned. Others link the identity themselves, signed in by another way, or an operator does.
 */
export async function mayLinkByEmail(world: World, tenantId: number, userId: string, email: string): Promise<boolean> {
  const assigned = await findAssignedEmail(world, tenantId, userId)
  return assigned === null || (assigned !== '' && assigned.toLowerCase() === email.toLowerCase())
}
