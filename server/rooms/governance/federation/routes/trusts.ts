import { route } from '#authority/route.ts'
import { fieldsToChange, updatable } from '#kernel/masks.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, empty, message, required, text } from '#kernel/wire.ts'
import { forgetCredentials } from '#rooms/identity/credentials/index.ts'
import { familyFor, getPrincipal, listOwnedPrincipals } from '#rooms/identity/principals/index.ts'
import { forgetTrust } from '../providers-actions.ts'
import { searchTrusts } from '../store.ts'
import {
  changeTrust,
  checkTerms,
  createTrust,
  getTrust,
  removeTrust,
  seesAll,
  type TrustChange,
} from '../trusts-actions.ts'
import { newTrustFields, TrustMessage } from '../view.ts'
import { about, refOf, request, service, show, trustPage, trustReply, trusts } from './shared.ts'

export const trustRoutes: Route[] = [
  route({
    id: `${service}.ListTrusts`,
    at: `GET ${trusts}`,
    summary: 'List the trusts of a service principal, in order of creation.',
    rule: 'trust.read',
    about,
    paged: true,
    reply: trustPage('ListTrusts'),
    async handle(call, { path, page }) {
      const { id: principalId } = await getPrincipal(call, path.service_principal_id)
      const filter = { principalId, among: null, providerId: '', query: '', family: familyFor(call, 'principals.read') }
      const rows = await searchTrusts(call.db, call.tenant.id, filter, page)
      return page.cut(
        rows,
        ({ credential }) => [credential.id],
        (each) => show(call, each),
      )
    },
  }),
  route({
    id: `${service}.CreateTrust`,
    at: `POST ${trusts}`,
    summary:
      'Create a trust: tokens of a provider that meet its condition are exchanged for access tokens of the service principal. A trust that is created with an access token ends with the credential of that token, at the latest.',
    rule: 'trust.change',
    about,
    body: message(request('CreateTrust'), {
      ...newTrustFields,
      conditionExpression: required(newTrustFields.conditionExpression),
    }),
    reply: trustReply('CreateTrust'),
    async handle(call, { path, body }) {
      const principalId = path.service_principal_id
      const { providerId, displayName, description, passthroughClaims } = body
      const wanted = {
        providerId,
        displayName,
        description,
        passthroughClaims,
        condition: body.conditionExpression,
        scopedRoles: body.scopedRoleIds,
        allowSourceCidr: body.allowSourceCidrs,
      }
      const expression = await checkTerms(call, wanted)
      const clientId = await transact(call.db, (tx) => createTrust(tx, call, principalId, wanted, expression))
      return { trust: show(call, await getTrust(call, { principalId, clientId })) }
    },
  }),
  route({
    id: `${service}.GetTrust`,
    at: `GET ${trusts}/{client_id}`,
    summary: 'Get a trust of a service principal by its client id.',
    rule: 'trust.read',
    about,
    reply: trustReply('GetTrust'),
    handle: async (call, { path }) => ({ trust: show(call, await getTrust(call, refOf(path))) }),
  }),
  route({
    id: `${service}.UpdateTrust`,
    at: `PATCH ${trusts}/{client_id}`,
    summary: 'Change a trust, or disable it: its access tokens expire immediately.',
    rule: 'trust.change',
    about,
    body: message(request('UpdateTrust'), { trust: updatable(TrustMessage), updateMask: text() }),
    reply: trustReply('UpdateTrust'),
    async handle(call, { path, body }) {
      const { trust: value, updateMask } = body
      const fields = fieldsToChange(value, updateMask, [
        ...(['displayName', 'description', 'conditionExpression', 'scopedRoleIds', 'allowSourceCidrs'] as const),
        ...(['passthroughClaims', 'disabled'] as const),
      ])
      const before = await getTrust(call, refOf(path), 'principals.edit')
      const wanted: TrustChange = {
        ...(fields.has('displayName') && { displayName: value?.displayName ?? '' }),
        ...(fields.has('description') && { description: value?.description ?? '' }),
        ...(fields.has('conditionExpression') && { condition: value?.conditionExpression ?? '' }),
        ...(fields.has('scopedRoleIds') && { scopedRoles: value?.scopedRoleIds ?? [] }),
        ...(fields.has('allowSourceCidrs') && { allowSourceCidr: value?.allowSourceCidrs ?? [] }),
        ...(fields.has('passthroughClaims') && { passthroughClaims: value?.passthroughClaims ?? [] }),
        ...(fields.has('disabled') && { isDisabled: value?.disabled ?? false }),
      }
      const { condition = before.terms.condition, passthroughClaims = before.terms.passthroughClaims } = wanted
      const checked = await checkTerms(call, { condition, passthroughClaims })
      const expression = wanted.condition === undefined ? null : checked
      const changed = await transact(call.db, (tx) => changeTrust(tx, call, refOf(path), wanted, expression))
      forgetTrust(call, changed)
      return { trust: show(call, await getTrust(call, refOf(path))) }
    },
  }),
  route({
    id: `${service}.DeleteTrust`,
    at: `DELETE ${trusts}/{client_id}`,
    summary: 'Delete a trust. Its access tokens and everything created with them expire immediately.',
    rule: 'trust.delete',
    about,
    body: message(request('DeleteTrust'), {}),
    reply: empty,
    async handle(call, { path }) {
      forgetCredentials(call, await transact(call.db, (tx) => removeTrust(tx, call, refOf(path))))
      return {}
    },
  }),
  route({
    id: `${service}.SearchTrusts`,
    at: 'POST /api/v1/search/workload_federation_trusts',
    summary: 'Search trusts of the service principals that you own, or all trusts if you may see them.',
    rule: 'trusts.list',
    paged: true,
    body: message(request('SearchTrusts'), {
      query: described(text({ maxLength: 1000 }), 'A part of the name, the client id or the description, in any case.'),
      providerId: text({ maxLength: 64 }),
      servicePrincipalId: text({ maxLength: 64 }),
    }),
    reply: trustPage('SearchTrusts'),
    async handle(call, { body, page }) {
      const { query, providerId, servicePrincipalId: principalId } = body
      const among = seesAll(call) ? null : await listOwnedPrincipals(call)
      const family = familyFor(call, 'principals.read')
      const filter = { principalId, among, providerId, query: query.trim(), family }
      const rows = await searchTrusts(call.db, call.tenant.id, filter, page)
      return page.cut(
        rows,
        ({ credential }) => [credential.id],
        (each) => show(call, each),
      )
    },
  }),
]
