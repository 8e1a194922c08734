import type { May } from '#authority/proof.ts'
import { urlProblem } from '#kernel/outgoing/send.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { alarm, causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { findPolicy } from '../current-policy.ts'
import { refuseLockingOut } from '../locking-out.ts'
import { rulesOf, sealClientSecret } from './client.ts'
import { domainOf, providersMax, settingsProblems } from './decide.ts'
import { keepAuthentic } from './find.ts'
import {
  deleteProvider,
  insertProvider,
  lockProviderRows,
  type Provider,
  type ProviderRow,
  updateProvider,
} from './store.ts'
import { touchedProvider } from './touched.ts'

type Changing = May<'sign-in-providers.change'>

export type Wanted = {
  displayName: string
  issuer: string
  clientId: string
  domains: readonly string[]
  /** Empty to keep the present one, if there is one. */
  clientSecret: string
}

/** A new provider signs in nobody: it is enabled separately. */
export async function createProvider(call: Changing, wanted: Wanted): Promise<ProviderRow> {
  const settings = checked(call, wanted)
  return transact(call.db, async (tx) => {
    if ((await lockProviderRows(tx, call.tenant.id)).length >= providersMax)
      throw new Refusal('SIGN_IN_PROVIDERS_TOO_MANY', `A tenant has at most ${providersMax} providers; delete one.`)
    const sealedClientSecret =
      wanted.clientSecret === '' ? null : sealClientSecret(call, call.tenant.id, settings, wanted.clientSecret)
    const provider: Provider = {
      ...settings,
      id: call.newId(),
      sealedClientSecret,
      isEnabled: false,
      isOfOperator: false,
      createdAt: call.now(),
      updatedAt: call.now(),
    }
    if (!(await insertProvider(tx, call.seals, call.tenant.id, provider))) throw exists(provider.issuer)
    const cause = causeOf(call)
    const message = `Created the OpenID Connect provider ${provider.displayName}, disabled`
    await record(tx, call, cause, change(cause, 'create', message, [touchedProvider(provider)]))
    return getLocked(tx, call, provider.id)
  })
}

const exists = (issuer: string): Refusal =>
  new Refusal('SIGN_IN_PROVIDER_EXISTS', `There is a provider with the issuer ${issuer}.`)

/** While it is enabled, only its name and its secret can be changed: nobody's way to sign in changes unnoticed. */
export async function changeProvider(call: Changing, id: string, wanted: Wanted): Promise<ProviderRow> {
  const settings = checked(call, wanted)
  return transact(call.db, async (tx) => {
    const before = await getOwn(tx, call, id)
    const { issuer, clientId } = settings
    const isSameClient = issuer === before.issuer && clientId === before.clientId
    const isSame = isSameClient && JSON.stringify(settings.domains) === JSON.stringify(before.domains)
    if (before.isEnabled && !isSame)
      throw new Refusal(
        'SIGN_IN_PROVIDER_ENABLED',
        'The issuer, the client ID and the domains of a provider can be changed only while it is disabled.',
      )
    // Otherwise the secret of one issuer could be sent to another.
    if (!isSameClient && before.sealedClientSecret && wanted.clientSecret === '')
      throw invalid({ field: 'clientSecret', description: 'must be entered again for another issuer or client ID' })
    const sealedClientSecret =
      wanted.clientSecret === ''
        ? before.sealedClientSecret
        : sealClientSecret(call, call.tenant.id, settings, wanted.clientSecret)
    const isTestKept = isSame && wanted.clientSecret === ''
    if (issuer !== before.issuer && (await listLocked(tx, call)).some((other) => other.issuer === issuer))
      throw exists(issuer)
    const provider: Provider = { ...before, ...settings, sealedClientSecret, updatedAt: call.now() }
    await updateProvider(tx, call.seals, call.tenant.id, provider, isTestKept)
    const secret = wanted.clientSecret === '' ? '' : ', with a new client secret'
    const message = `Changed the OpenID Connect provider ${provider.displayName}${secret}`
    const cause = causeOf(call)
    const event = change(cause, 'update', message, [touchedProvider(provider)])
    await record(tx, call, cause, provider.isEnabled ? alarm(event) : event)
    return getLocked(tx, call, id)
  })
}

/** From now on it may sign in people whose address is in its domains. */
export async function enableProvider(call: Changing, id: string): Promise<ProviderRow> {
  return transact(call.db, async (tx) => {
    const before = await getOwn(tx, call, id)
    if (before.isEnabled) return before
    for (const other of await listLocked(tx, call)) {
      const domain = other.isEnabled && other.domains.find((each) => before.domains.includes(each))
      if (domain)
        throw new Refusal(
          'SIGN_IN_DOMAIN_TAKEN',
          `People of ${domain} sign in with ${other.displayName}; disable it first.`,
        )
    }
    const provider = { ...before, isEnabled: true, updatedAt: call.now() }
    await updateProvider(tx, call.seals, call.tenant.id, provider, true)
    const cause = causeOf(call)
    const message = `Enabled the OpenID Connect provider ${provider.displayName} for ${provider.domains.join(', ')}`
    await record(tx, call, cause, alarm(change(cause, 'update', message, [touchedProvider(provider)])))
    return getLocked(tx, call, id)
  })
}

/** Nobody signs in with it any more; those who are signed in stay so. */
export async function disableProvider(call: Changing, id: string): Promise<ProviderRow> {
  return transact(call.db, async (tx) => {
    const before = await getOwn(tx, call, id)
    if (!before.isEnabled) return before
    const provider = { ...before, isEnabled: false, updatedAt: call.now() }
    await updateProvider(tx, call.seals, call.tenant.id, provider, true)
    await refuseLockingOut(tx, call, (await findPolicy(call, tx, call)).methods)
    const cause = causeOf(call)
    const message = `Disabled the OpenID Connect provider ${provider.displayName}`
    await record(tx, call, cause, alarm(change(cause, 'update', message, [touchedProvider(provider)])))
    return getLocked(tx, call, id)
  })
}

export async function removeProvider(call: Changing, id: string): Promise<void> {
  await transact(call.db, async (tx) => {
    const provider = await getOwn(tx, call, id)
    if (provider.isEnabled)
      throw new Refusal('SIGN_IN_PROVIDER_ENABLED', 'A provider can be deleted only while it is disabled.')
    await deleteProvider(tx, call.tenant.id, id)
    const cause = causeOf(call)
    const message = `Deleted the OpenID Connect provider ${provider.displayName}`
    await record(tx, call, cause, change(cause, 'delete', message, [touchedProvider(provider)]))
  })
}

function checked(call: Changing, wanted: Wanted): Omit<Wanted, 'clientSecret'> {
  const { issuer } = wanted
  const url = URL.parse(issuer)
  const wrong =
    urlProblem(issuer, rulesOf(call)) ??
    // Core section 2.
    (url?.search || url?.hash ? 'must have neither query nor fragment' : null)
  const [first, ...others] = [
    ...(wrong === null ? [] : [{ field: 'issuer', description: wrong }]),
    ...settingsProblems(wanted),
  ]
  if (first) throw invalid(first, ...others)
  return {
    displayName: wanted.displayName.trim(),
    issuer,
    clientId: wanted.clientId.trim(),
    domains: [...new Set(wanted.domains.map(domainOf))].toSorted(),
  }
}

const listLocked = async (tx: Tx, call: Changing): Promise<ProviderRow[]> =>
  keepAuthentic(call, call, await lockProviderRows(tx, call.tenant.id))

async function getLocked(tx: Tx, call: Changing, id: string): Promise<ProviderRow> {
  const found = (await listLocked(tx, call)).find((row) => row.id === id)
  if (!found) throw providerNotFound(id)
  return found
}

export const providerNotFound = (id: string): Refusal =>
  new Refusal('SIGN_IN_PROVIDER_NOT_FOUND', `There is no provider ${id}.`, { metadata: { id } })

/** One that administrators may change. */
async function getOwn(tx: Tx, call: Changing, id: string): Promise<ProviderRow> {
  const found = await getLocked(tx, call, id)
  if (!found.isOfOperator) return found
  throw new Refusal(
    'SIGN_IN_PROVIDER_OF_OPERATOR',
    'The operator of the server configured this provider, and changes it with bailiwick tenant oidc.',
  )
}
