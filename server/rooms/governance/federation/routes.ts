import { isIP } from 'node:net'
import { route } from '#authority/route.ts'
import { fieldsToChange, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, empty, flag, int32, list, listOf, message, nested, oneOf, required, text } from '#kernel/wire.ts'
import { forgetCredentials, identities } from '#rooms/identity/credentials/index.ts'
import { familyFor, getPrincipal, listOwnedPrincipals } from '#rooms/identity/principals/index.ts'
import { showRecords } from '#rooms/identity/users/index.ts'
import { attemptNotes } from './attempts/notes.ts'
import { keptDays, listAttempts } from './attempts/store.ts'
import { tokenBytesMax } from './checking/jwt.ts'
import { checkToken } from './checking/steps.ts'
import { planCondition } from './plan.ts'
import {
  changeProvider,
  createProvider,
  forgetProvider,
  forgetTrust,
  getProvider,
  type ProviderChange,
  removeProvider,
} from './providers-actions.ts'
import { findProvider, listProviders, searchTrusts } from './store.ts'
import { testCondition } from './test-condition.ts'
import type { Trust } from './trust.ts'
import {
  askerOf,
  changeTrust,
  checkTerms,
  createTrust,
  getTrust,
  prepareCondition,
  removeTrust,
  seesAll,
  type TrustChange,
  trustNotFound,
} from './trusts-actions.ts'
import {
  AttemptMessage,
  conditionLength,
  newProviderFields,
  newTrustFields,
  Provider,
  ReplayedMessage,
  TrustMessage,
  testReplyFields,
  viewAttempt,
  viewProvider,
  viewReplayed,
  viewTrust,
  viewVerdict,
  viewWarning,
  WarningMessage,
  wellKnownOf,
} from './view.ts'
import { warningsOf } from './warnings.ts'

const service = 'workload_federation.v1.WorkloadFederationService'
const providers = '/api/v1/workload_federation/providers'
const trusts = '/api/v1/service_principals/{service_principal_id}/trusts'
const request = (name: string) => `${service}${name}Request`
const response = (name: string) => `${service}${name}Response`
const providerReply = (name: string) => message(response(name), { provider: nested(Provider) })
const trustReply = (name: string) => message(response(name), { trust: nested(TrustMessage) })
const trustPage = (name: string) => message(response(name), { list: listOf(TrustMessage), nextPageToken })
const about = { user: 'service_principal_id' } as const

type TrustPath = { readonly service_principal_id: string; readonly client_id: string }
const refOf = ({ service_principal_id: principalId, client_id: clientId }: TrustPath) => ({ principalId, clientId })

function show(call: Call, trust: Trust) {
  showRecords(call, [trust.terms.principalId])
  return viewTrust(trust)
}

const providerRoutes: Route[] = [
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

const trustRoutes: Route[] = [
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

const testRoutes: Route[] = [
  route({
    id: `${service}.TestToken`,
    at: `POST ${trusts}/{client_id}/test`,
    summary: 'Check a token against a trust, step by step. No access token is issued, and nothing is kept.',
    rule: 'trust.read',
    about,
    body: message(request('TestToken'), {
      subjectToken: described(text({ maxLength: 4 * tokenBytesMax }), 'The JWT of the other issuer.'),
      sourceIp: described(text({ maxLength: 64 }), 'The IP address of the workload; if absent, it is not checked.'),
    }),
    reply: message(response('TestToken'), testReplyFields),
    async handle(call, { path, body }) {
      const { clientId } = (await getTrust(call, refOf(path))).credential
      const sourceAddress = body.sourceIp.trim()
      if (sourceAddress !== '' && isIP(sourceAddress) === 0)
        throw invalid({ field: 'sourceIp', description: 'must be an IP address' })
      call.memory(identities).forget(call.tenant.id, clientId)
      const identity = await call.memory(identities).find(call.tenant.id, clientId)
      if (!identity?.trust) throw trustNotFound(clientId)
      const asking = { tenant: call.tenant, token: body.subjectToken.trim(), sourceAddress, asker: askerOf(call) }
      const { trust } = identity
      return viewVerdict(await checkToken(call, { ...asking, identity: { ...identity, trust }, isThorough: true }))
    },
  }),
  route({
    id: `${service}.TestCEL`,
    at: 'POST /api/v1/workload_federation/test-cel',
    summary: 'Evaluate a condition about claims. error contains any problem with the condition or the claims.',
    rule: 'providers.read',
    body: message(request('TestCEL'), {
      expression: text({ maxLength: conditionLength }),
      claimsJson: described(text(), 'The claims of a token, as a JSON object.'),
    }),
    reply: message(response('TestCEL'), { matched: flag(), error: text(), expression: text() }),
    handle: (call, { body }) => testCondition(call, body),
  }),
  route({
    id: 'bailiwick.v1.FederationConditions.Check',
    at: 'POST /api/v1/workload_federation/check-condition',
    summary: 'Check a condition before you create a trust with it: which claims it reads, and its risks.',
    rule: 'providers.read',
    body: message('bailiwick.v1.CheckFederationConditionRequest', {
      conditionExpression: text({ maxLength: conditionLength }),
      providerId: text({ maxLength: 64 }),
    }),
    reply: message('bailiwick.v1.CheckFederationConditionResponse', {
      warnings: listOf(WarningMessage),
      readsClaims: described(list(text()), 'The claims that it reads.'),
      readsAnyClaim: flag(),
    }),
    async handle(call, { body }) {
      const { pins, reads } = await prepareCondition(call, body.conditionExpression)
      const provider = await findProvider(call.db, call.tenant.id, body.providerId)
      const warnings = warningsOf(provider?.wellKnown ?? 'CUSTOM', pins).map(viewWarning)
      return { warnings, readsClaims: reads ?? [], readsAnyClaim: reads === null }
    },
  }),
  route({
    id: 'bailiwick.v1.FederationTrustPlans.Plan',
    at: `POST ${trusts}/{client_id}/plan`,
    summary:
      'Replay a condition with the tokens of the last days before it is saved: which tokens would be refused, which would be accepted, and its risks.',
    rule: 'trust.read',
    about,
    body: message('bailiwick.v1.PlanFederationTrustRequest', {
      conditionExpression: text({ maxLength: conditionLength }),
      days: described(
        int32({ least: 1, most: keptDays }),
        `How many days back: 1 to ${keptDays}, which is the default.`,
      ),
    }),
    reply: message('bailiwick.v1.PlanFederationTrustResponse', {
      warnings: listOf(WarningMessage),
      replayedCount: described(int32(), 'How many different sets of claims were replayed.'),
      unchangedCount: int32(),
      refusedCount: described(int32(), 'Accepted before, refused with the new condition.'),
      admittedCount: described(int32(), 'Refused before, accepted with the new condition.'),
      unknownCount: described(int32(), 'Unknown, because the condition reads claims that are not stored.'),
      changes: listOf(ReplayedMessage),
    }),
    async handle(call, { path, body }) {
      const trust = await getTrust(call, refOf(path))
      const days = body.days === 0 ? keptDays : body.days
      const plan = await planCondition(call, trust, body.conditionExpression, days)
      const provider = await findProvider(call.db, call.tenant.id, trust.terms.providerId)
      const count = (outcome: string): number => plan.changes.filter(({ becomes }) => becomes === outcome).length
      return {
        warnings: warningsOf(provider?.wellKnown ?? 'CUSTOM', plan.expression.pins).map(viewWarning),
        replayedCount: plan.replayed,
        unchangedCount: plan.unchanged,
        refusedCount: count('refused'),
        admittedCount: count('admitted'),
        unknownCount: count('unknown'),
        changes: plan.changes.map(viewReplayed),
      }
    },
  }),
  route({
    id: 'bailiwick.v1.FederationAttempts.List',
    at: `GET ${trusts}/{client_id}/attempts`,
    summary:
      'List the tokens that a trust received in the last two weeks, newest first: accepted, or refused, with the step and the reason.',
    rule: 'trust.read',
    about,
    paged: true,
    query: message('bailiwick.v1.ListFederationAttemptsQuery', {
      outcome: described(oneOf(['', 'ADMITTED', 'REFUSED']), 'Only these.'),
    }),
    reply: message('bailiwick.v1.ListFederationAttemptsResponse', { list: listOf(AttemptMessage), nextPageToken }),
    async handle(call, { path, query, page }) {
      const { credential } = await getTrust(call, refOf(path))
      await call.memory(attemptNotes).write()
      const isAdmitted = query.outcome === '' ? null : query.outcome === 'ADMITTED'
      const rows = await listAttempts(call.db, call.tenant.id, { credentialId: credential.id, isAdmitted }, page)
      return page.cut(rows, ({ id }) => [id], viewAttempt)
    },
  }),
]

export const federationRoutes: readonly Route[] = [...providerRoutes, ...trustRoutes, ...testRoutes]
