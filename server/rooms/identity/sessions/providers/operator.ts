import { Refusal } from '#kernel/refusals.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type CauseBy, change, record } from '#rooms/foundation/systemlog/index.ts'
import { sealClientSecret } from './client.ts'
import { deleteProvider, insertProvider, lockProviderRows, type Provider, type ProviderRow } from './store.ts'
import { touchedProvider } from './touched.ts'

export type OidcWanted = {
  issuer: string
  clientId: string
  clientSecret: string | null
  /** None for all addresses. */
  domains?: readonly string[]
}

/** Lets the people of a tenant sign in with this provider, which replaces the one that the operator configured before. */
export async function setOidc(tx: Tx, world: World, cause: CauseBy<'operator'>, wanted: OidcWanted): Promise<void> {
  const { issuer, clientId, clientSecret, domains = [] } = wanted
  const { seals } = world
  const tenantId = cause.tenant.id
  const rows = await lockProviderRows(tx, tenantId)
  const before = rows.find(({ isOfOperator }) => isOfOperator)
  const other = rows.find((row) => row !== before && row.issuer === issuer)
  if (other)
    throw new Refusal('SIGN_IN_PROVIDER_EXISTS', `An administrator configured ${issuer} as ${other.displayName}.`)
  const now = world.now()
  const provider: Provider = {
    id: before?.id ?? world.newId(),
    displayName: URL.parse(issuer)?.host ?? issuer,
    issuer,
    clientId,
    sealedClientSecret: clientSecret === null ? null : sealClientSecret(world, tenantId, wanted, clientSecret),
    domains: [...new Set(domains)].toSorted(),
    isEnabled: true,
    isOfOperator: true,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
  if (before) await deleteProvider(tx, tenantId, before.id)
  await insertProvider(tx, seals, tenantId, provider)
  const message = `Set the OpenID Connect provider to ${issuer}`
  await record(tx, world, cause, change(cause, 'update', message, [touchedProvider(provider)]))
}

/** Whether there was one. */
export async function removeOidc(tx: Tx, world: World, cause: CauseBy<'operator'>): Promise<boolean> {
  const rows: ProviderRow[] = await lockProviderRows(tx, cause.tenant.id)
  const gone = rows.find(({ isOfOperator }) => isOfOperator)
  if (!gone) return false
  await deleteProvider(tx, cause.tenant.id, gone.id)
  const message = `Removed the OpenID Connect provider ${gone.issuer}`
  await record(tx, world, cause, change(cause, 'delete', message, [touchedProvider(gone)]))
  return true
}
