import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { MetBy } from '#rooms/foundation/systemlog/index.ts'
import { isAuthenticIdentity, listIdentitiesOf } from '../linked-identities/store.ts'
import { chooseByEmail, onlyOne } from './decide.ts'
import { listProviders } from './find.ts'
import type { ProviderRow } from './store.ts'

const identitiesMax = 100

/** Where a user signs in: where they are linked, else by their address. Only for the user: it shows that there is one. */
export async function chooseForUser(
  world: World,
  db: Reads,
  where: MetBy,
  { userId, email }: { userId: string; email: string },
): Promise<ProviderRow | null> {
  const providers = await listProviders(world, db, where)
  const identities = await listIdentitiesOf(db, where.tenant.id, userId, { after: null, limit: identitiesMax })
  const linked = identities.filter((row) => isAuthenticIdentity(world.seals, where.tenant.id, row))
  const known = providers.find(
    ({ isEnabled, issuer }) => isEnabled && linked.some((identity) => identity.issuer === issuer),
  )
  return known ?? chooseByEmail(providers, email)
}

/** For strangers: by the domain of an address, or the only provider. Whether anybody has that address is not looked up. */
export async function chooseForStranger(
  world: World,
  db: Reads,
  where: MetBy,
  email: string,
): Promise<ProviderRow | null> {
  const providers = await listProviders(world, db, where)
  return email === '' ? onlyOne(providers) : chooseByEmail(providers, email)
}
