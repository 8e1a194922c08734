import type { Configuration, CustomFetch } from 'openid-client'
import { slot } from '#kernel/memory.ts'
import { type OutgoingRules, strictRules } from '#kernel/outgoing/addresses.ts'
import { type Outgoing, openOutgoing } from '#kernel/outgoing/send.ts'
import { remember } from '#kernel/remember.ts'
import type { World } from '#kernel/world.ts'
import type { Provider, ProviderRow } from './store.ts'

/** Loaded at the first such sign-in. */
export const openid = () => import('openid-client')

const purpose = 'oidc client secret'
// Sealed for one issuer and client: it cannot be opened in another row, and is never sent to another issuer.
const contextOf = ({ issuer, clientId }: Pick<Provider, 'issuer' | 'clientId'>): string =>
  JSON.stringify([issuer, clientId])

export const sealClientSecret = (
  { seals }: World,
  tenantId: number,
  row: Pick<Provider, 'issuer' | 'clientId'>,
  secret: string,
): Buffer => seals.seal(purpose, String(tenantId), Buffer.from(secret), contextOf(row))

function openClientSecret({ seals }: World, tenantId: number, row: Provider): string | null {
  if (!row.sealedClientSecret) return null
  const plain = seals.open(purpose, String(tenantId), row.sealedClientSecret, contextOf(row))
  if (!plain)
    throw new Error(`the OpenID Connect client secret of ${row.issuer} cannot be decrypted with this secret key`)
  return plain.toString()
}

const timeoutSeconds = 10
const replyBytesMax = 256 * 1024

/** Requests to a provider that an administrator configured go where the operator allows the server to call. */
const guardedFetch =
  (outgoing: Outgoing): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const reply = await outgoing.send({
      method: method as 'GET' | 'POST',
      url,
      headers,
      ...(body !== undefined && body !== null && { body: String(body as string | URLSearchParams) }),
      timeoutMs: timeoutSeconds * 1000,
      replyBytesMax,
      signal,
    })
    const sent = Object.entries(reply.headers).filter(([, value]) => typeof value === 'string') as [string, string][]
    return new Response(new Uint8Array(reply.body), { status: reply.status, headers: sent })
  }

type Known = { issuer: string; clientId: string; clientSecret: string | null }

/** The provider's metadata, and our client settings. */
async function discover(
  { issuer, clientId, clientSecret }: Known,
  calling: CustomFetch | null,
): Promise<Configuration> {
  const {
    // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out; `issuerProblem`, or the rules for outgoing requests, keep it to where that is allowed
    allowInsecureRequests,
    ClientSecretBasic,
    ClientSecretPost,
    customFetch,
    discovery,
    enableNonRepudiationChecks,
    None,
  } = await openid()
  const url = new URL(issuer)
  const options = {
    timeout: timeoutSeconds,
    // Core section 3.1.3.7, step 6 accepts TLS in place of the signature of an ID token: the signature is checked too.
    execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
    ...(calling && { [customFetch]: calling }),
  }
  if (clientSecret === null) return discovery(url, clientId, undefined, None(), options)
  const known = await discovery(url, clientId, clientSecret, ClientSecretBasic(clientSecret), options)
  // Discovery section 3: a provider that does not list its methods takes HTTP Basic.
  const methods = known.serverMetadata().token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  if (methods.includes('client_secret_basic')) return known
  return discovery(url, clientId, clientSecret, ClientSecretPost(clientSecret), options)
}

/** What is wrong with a provider of the operator's, checked now; null if nothing is. */
export async function checkProvider(wanted: Known): Promise<string | null> {
  return discover(wanted, null).then(
    () => null,
    (error: Error) => error.message,
  )
}

export const rulesOf = ({ settings }: World): OutgoingRules => settings.outgoing ?? strictRules

// A provider hardly ever changes its addresses; its keys are fetched again whenever one is unknown.
const ageMs = 10 * 60_000

/** The metadata of a tenant's provider, at most some minutes old, and our client settings. */
export const configurations = slot((world) => {
  const outgoing = openOutgoing(rulesOf(world))
  const rows = new Map<string, [tenantId: number, row: ProviderRow]>()
  const known = remember(
    () => world.now().getTime(),
    ageMs,
    async (key) => {
      const [tenantId, row] = rows.get(key) as [number, ProviderRow]
      rows.delete(key)
      const { issuer, clientId } = row
      const clientSecret = openClientSecret(world, tenantId, row)
      return discover({ issuer, clientId, clientSecret }, row.isOfOperator ? null : guardedFetch(outgoing))
    },
  )
  return {
    /** For a row that was checked. By its MAC: with other settings it is another provider. */
    of(tenantId: number, row: ProviderRow): Configuration | Promise<Configuration> {
      const key = JSON.stringify([tenantId, row.mac.toString('hex')])
      rows.set(key, [tenantId, row])
      return known.get(key)
    },
  }
})
