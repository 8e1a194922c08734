import { isIP } from 'node:net'
import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, int32, list, listOf, message, oneOf, text } from '#kernel/wire.ts'
import { identities } from '#rooms/identity/credentials/index.ts'
import { attemptNotes } from '../attempts/notes.ts'
import { keptDays, listAttempts } from '../attempts/store.ts'
import { tokenBytesMax } from '../checking/jwt.ts'
import { checkToken } from '../checking/steps.ts'
import { planCondition } from '../plan.ts'
import { findProvider } from '../store.ts'
import { testCondition } from '../test-condition.ts'
import { askerOf, getTrust, prepareCondition, trustNotFound } from '../trusts-actions.ts'
import {
  AttemptMessage,
  conditionLength,
  ReplayedMessage,
  testReplyFields,
  viewAttempt,
  viewReplayed,
  viewVerdict,
  viewWarning,
  WarningMessage,
} from '../view.ts'
import { warningsOf } from '../warnings.ts'
import { about, refOf, request, response, service, trusts } from './shared.ts'

export const testRoutes: Route[] = [
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
