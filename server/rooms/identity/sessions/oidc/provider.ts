import type { Configuration } from 'openid-client'
import { slot } from '#kernel/memory.ts'
import { remember } from '#kernel/remember.ts'
import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type MetBy, reportForged } from '#rooms/foundation/systemlog/index.ts'
import { findOidcRow, isAuthenticProvider, type OidcRow } from './store.ts'

/** The provider of a tenant, if this program wrote its row. */
export async function findOidc(world: World, db: Reads, where: MetBy): Promise<OidcRow | null> {
  const row = await findOidcRow(db, where.tenant.id)
  if (!row || isAuthenticProvider(world.seals, where.tenant.id, row)) return row
  await reportForged(world, where, { type: 'OpenID Connect provider', id: where.tenant.publicId })
  return null
}

/** Loaded at the first such sign-in. */
export const openid = () => import('openid-client')

const purpose = 'oidc client secret'
// Sealed for one issuer and client: it cannot be opened in another row.
const contextOf = ({ issuer, clientId }: Pick<OidcRow, 'issuer' | 'clientId'>): string =>
  JSON.stringify([issuer, clientId])

export const sealClientSecret = (
  { seals }: World,
  tenantId: number,
  row: Pick<OidcRow, 'issuer' | 'clientId'>,
  secret: string,
): Buffer => seals.seal(purpose, String(tenantId), Buffer.from(secret), contextOf(row))

function openClientSecret({ seals }: World, tenantId: number, row: OidcRow): string | null {
  if (!row.sealedClientSecret) return null
  const plain = seals.open(purpose, String(tenantId), row.sealedClientSecret, contextOf(row))
  if (!plain)
    throw new Error(`the OpenID Connect client secret of ${row.issuer} cannot be decrypted with this secret key`)
  return plain.toString()
}

const timeoutSeconds = 10

/** The provider's metadata, and our client settings. */
async function discover(
  row: Pick<OidcRow, 'issuer' | 'clientId'>,
  clientSecret: string | null,
): Promise<Configuration> {
  // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out; `issuerProblem` keeps it to the machine itself
  const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, discovery, enableNonRepudiationChecks, None } =
    await openid()
  const issuer = new URL(row.issuer)
  const options = {
    timeout: timeoutSeconds,
    // Core section 3.1.3.7, step 6 accepts TLS in place of the signature of an ID token: the signature is checked too.
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  }
  if (clientSecret === null) return discovery(issuer, row.clientId, undefined, None(), options)
  const known = await discovery(issuer, row.clientId, clientSecret, ClientSecretBasic(clientSecret), options)
  // Discovery section 3: a provider that does not list its methods takes HTTP Basic.
  const methods = known.serverMetadata().token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  if (methods.includes('client_secret_basic')) return known
  return discovery(issuer, row.clientId, clientSecret, ClientSecretPost(clientSecret), options)
}

/** What is wrong with a provider, checked now; null if nothing is. */
export async function checkProvider(wanted: {
  issuer: string
  clientId: string
  clientSecret: string | null
}): Promise<string | null> {
  return discover(wanted, wanted.clientSecret).then(
    () => null,
    (error: Error) => error.message,
  )
}

// A provider hardly ever changes its addresses; its keys are fetched again whenever one is unknown.
const ageMs = 10 * 60_000

/** The metadata of a tenant's provider, at most some minutes old, and our client settings. */
export const providers = slot((world) => {
  const rows = new Map<number, OidcRow>()
  const known = remember(
    () => world.now().getTime(),
    ageMs,
    async (key) => {
      const [tenantId] = JSON.parse(key) as [number, string]
      const row = rows.get(tenantId) as OidcRow
      return discover(row, openClientSecret(world, tenantId, row))
    },
  )
  return {
    /** For a row that was checked. By its MAC: with other settings it is another provider. */
    of(tenantId: number, row: OidcRow): Configuration | Promise<Configuration> {
      rows.set(tenantId, row)
      return known.get(JSON.stringify([tenantId, row.mac?.toString('hex')]))
    },
  }
})
