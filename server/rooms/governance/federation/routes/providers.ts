import { route } from '#authority/route.ts'
import { fieldsToChange, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { empty, listOf, message, text } from '#kernel/wire.ts'
import {
  changeProvider,
  createProvider,
  forgetProvider,
  getProvider,
  type ProviderChange,
  removeProvider,
} from '../providers-actions.ts'
import { listProviders } from '../store.ts'
import { newProviderFields, Provider, viewProvider, wellKnownOf } from '../view.ts'
import { providerReply, providers, request, response, service } from './shared.ts'

export const providerRoutes: Route[] = [
  route({
    id: `${service}.ListProviders`,
    at: `GET ${providers}`,
    summary: 'List the workload federation providers, in order of creation.',
    rule: 'providers.read',
    paged: true,
    reply: message(response('ListProviders'), { list: listOf(Provider), nextPageToken }),
    async handle(call, { page }) {
      return page.cut(await listProviders(call.db, call.tenant.id, page), ({ id }) => [id], viewProvider)
    },
  }),
  route({
    id: `${service}.CreateProvider`,
    at: `POST ${providers}`,
    summary: 'Create a provider: an issuer of tokens that service principals may trust. Nothing is trusted yet.',
    rule: 'providers.change',
    body: message(request('CreateProvider'), newProviderFields),
    reply: providerReply('CreateProvider'),
    async handle(call, { body }) {
      const { displayName, description, issuerUrl, wellKnownProvider, oidc, spiffe } = body
      const wanted = {
        displayName,
        description,
        issuerUrl,
        wellKnown: wellKnownOf(wellKnownProvider),
        isOidc: oidc !== null,
        bundleEndpointUrl: spiffe?.bundleEndpointUrl ?? null,
      }
      return { provider: viewProvider(await transact(call.db, (tx) => createProvider(tx, call, wanted))) }
    },
  }),
  route({
    id: `${service}.GetProvider`,
    at: `GET ${providers}/{id}`,
    summary: 'Get a provider.',
    rule: 'providers.read',
    reply: providerReply('GetProvider'),
    handle: async (call, { path }) => ({ provider: viewProvider(await getProvider(call, path.id)) }),
  }),
  route({
    id: `${service}.UpdateProvider`,
    at: `PATCH ${providers}/{id}`,
    summary: 'Change a provider, or disable it: all access tokens of its trusts expire immediately.',
    rule: 'providers.change',
    body: message(request('UpdateProvider'), { provider: updatable(Provider), updateMask: text() }),
    reply: providerReply('UpdateProvider'),
    async handle(call, { path, body }) {
      const { provider: value, updateMask } = body
      const all = ['displayName', 'description', 'disabled', 'oidc', 'spiffe', 'spiffe.bundleEndpointUrl'] as const
      const fields = fieldsToChange(value, updateMask, all)
      const hasBundle = fields.has('spiffe.bundleEndpointUrl') || (fields.has('spiffe') && value?.spiffe)
      if (fields.has('oidc') && value?.oidc && (await getProvider(call, path.id)).wellKnown === 'SPIFFE')
        throw invalid({ field: 'provider.oidc', description: 'cannot be set for SPIFFE' })
      const wanted: ProviderChange = {
        ...(fields.has('displayName') && { displayName: value?.displayName ?? '' }),
        ...(fields.has('description') && { description: value?.description ?? '' }),
        ...(fields.has('disabled') && { isDisabled: value?.disabled ?? false }),
        ...(hasBundle && { bundleEndpointUrl: value?.spiffe?.bundleEndpointUrl.trim() ?? '' }),
      }
      const changed = await transact(call.db, (tx) => changeProvider(tx, call, path.id, wanted))
      await forgetProvider(call, path.id)
      return { provider: viewProvider(changed) }
    },
  }),
  route({
    id: `${service}.DeleteProvider`,
    at: `DELETE ${providers}/{id}`,
    summary: 'Delete a provider that no trust uses.',
    rule: 'providers.delete',
    body: message(request('DeleteProvider'), {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeProvider(tx, call, path.id))
      return {}
    },
  }),
]
