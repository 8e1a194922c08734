import type { May } from '#authority/proof.ts'
import { strictRules } from '#kernel/outgoing/addresses.ts'
import { urlProblem } from '#kernel/outgoing/send.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { isSameMac } from '#kernel/seals.ts'
import type { Tx } from '#kernel/sql.ts'
import { alert, causeOf, record, recordChange, reportForged, withBefore } from '#rooms/foundation/systemlog/index.ts'
import { identities, providerMac, type TrustProvider } from '#rooms/identity/credentials/index.ts'
import { refuseBeyondPrincipal } from '#rooms/identity/principals/index.ts'
import { bundleProblem, type ProviderWanted, providerKind } from './decide.ts'
import {
  countProvidersAlone,
  countTrustsOf,
  deleteProvider,
  findProvider,
  insertProvider,
  type KeptProvider,
  listClientsOf,
  listPrincipalsOf,
  lockProvider,
  updateProvider,
} from './store.ts'

const providersMax = 200

export const providerNotFound = (id: string): Refusal =>
  new Refusal('FEDERATION_PROVIDER_NOT_FOUND', `There is no workload federation provider ${id}.`, {
    metadata: { providerId: id },
  })

const urlProblemOf =
  ({ settings }: Pick<Call, 'settings'>) =>
  (url: string): string | null =>
    urlProblem(url, settings.outgoing ?? strictRules)

const sealed = ({ seals, tenant }: Call, provider: TrustProvider): KeptProvider => ({
  ...provider,
  mac: providerMac(seals, tenant.id, provider),
})

/** Refuses a row that someone else wrote into the database: saving it would add a valid MAC. */
async function proven(call: Call, provider: KeptProvider | null, id: string): Promise<KeptProvider> {
  if (!provider) throw providerNotFound(id)
  if (isSameMac(provider.mac, providerMac(call.seals, call.tenant.id, provider))) return provider
  await reportForged(call, call.tenant.id, { type: 'federation provider', id })
  throw providerNotFound(id)
}

const touched = ({ id, displayName, wellKnown, issuerUrl, bundleEndpointUrl, isDisabled }: TrustProvider) => ({
  type: 'workload federation provider',
  id,
  name: displayName,
  data: { wellKnown, issuerUrl, ...(bundleEndpointUrl && { bundleEndpointUrl }), isDisabled },
})

function nameOf(displayName: string): string {
  const name = displayName.trim()
  if (name === '') throw invalid({ field: 'displayName', description: 'must not be empty' })
  return name
}

export async function getProvider(call: Call, id: string): Promise<TrustProvider> {
  const found = await findProvider(call.db, call.tenant.id, id)
  if (!found) throw providerNotFound(id)
  return found
}

export type NewProvider = ProviderWanted & { displayName: string; description: string }

export async function createProvider(
  tx: Tx,
  call: May<'providers.change'>,
  wanted: NewProvider,
): Promise<TrustProvider> {
  const kind = providerKind(wanted, urlProblemOf(call))
  if (Array.isArray(kind)) throw invalid(...(kind as [(typeof kind)[number]]))
  const displayName = nameOf(wanted.displayName)
  if ((await countProvidersAlone(tx, call.tenant.id)) >= providersMax)
    throw new Refusal('FEDERATION_PROVIDERS_TOO_MANY', `There are at most ${providersMax} providers; delete some.`)
  const at = call.now()
  const { description } = wanted
  const provider = sealed(call, {
    id: call.newId(),
    displayName,
    description,
    ...kind,
    isDisabled: false,
    createdAt: at,
    updatedAt: at,
  })
  await insertProvider(tx, call, provider)
  const message = `Created the workload federation provider ${displayName} (${provider.issuerUrl})`
  await recordChange(tx, call, 'create', message, [touched(provider)])
  return provider
}

export type ProviderChange = Partial<
  Pick<TrustProvider, 'displayName' | 'description' | 'isDisabled' | 'bundleEndpointUrl'>
>

export async function changeProvider(
  tx: Tx,
  call: May<'providers.change'>,
  id: string,
  wanted: ProviderChange,
): Promise<TrustProvider> {
  const before = await proven(call, await lockProvider(tx, call.tenant.id, id), id)
  const isSpiffe = before.wellKnown === 'SPIFFE'
  if (wanted.bundleEndpointUrl !== undefined) {
    const problem = isSpiffe ? bundleProblem(wanted.bundleEndpointUrl, urlProblemOf(call)) : 'is for SPIFFE only'
    if (problem !== null) throw invalid({ field: 'provider.spiffe.bundleEndpointUrl', description: problem })
  }
  const displayName = wanted.displayName === undefined ? before.displayName : nameOf(wanted.displayName)
  const after = sealed(call, { ...before, ...wanted, displayName, updatedAt: call.now() })
  const changed = (['displayName', 'description', 'isDisabled', 'bundleEndpointUrl'] as const).filter(
    (name) => before[name] !== after[name],
  )
  if (changed.length === 0) return before
  // Whoever chooses the keys can act as every principal that trusts them.
  if (changed.includes('bundleEndpointUrl') || (before.isDisabled && !after.isDisabled))
    for (const principalId of await listPrincipalsOf(tx, call.tenant.id, id))
      await refuseBeyondPrincipal(call, principalId)
  await updateProvider(tx, call, after)
  const verb = changed.includes('isDisabled') ? (after.isDisabled ? 'Disabled' : 'Enabled') : 'Changed'
  const message = `${verb} the workload federation provider ${after.displayName}`
  await recordChange(tx, call, 'update', message, [withBefore(touched(after), touched(before))])
  return after
}

export async function removeProvider(tx: Tx, call: May<'providers.delete'>, id: string): Promise<void> {
  const before = await lockProvider(tx, call.tenant.id, id)
  if (!before) throw providerNotFound(id)
  const trusts = await countTrustsOf(tx, call.tenant.id, id)
  if (trusts > 0)
    throw new Refusal(
      'FEDERATION_PROVIDER_IN_USE',
      `The provider ${before.displayName} has ${trusts} trusts; delete them first, or disable the provider.`,
      { metadata: { providerId: id } },
    )
  await deleteProvider(tx, call, id)
  const message = `Deleted the workload federation provider ${before.displayName}`
  await record(tx, call, call, alert(causeOf(call), 'delete', message, [touched(before)]))
}

/** Call after the commit: its tokens, and what was created with them, are checked again at once. */
export function forgetTrust(call: Call, { id, clientId }: { id: string; clientId: string }): void {
  call.memory(identities).forget(call.tenant.id, clientId)
  call.memory(identities).forgetDescendants(call.tenant.id, id)
}

/** Call after the commit: tokens of its trusts are checked again at once. */
export async function forgetProvider(call: Call, id: string): Promise<void> {
  for (const client of await listClientsOf(call.db, call.tenant.id, id)) forgetTrust(call, client)
}
