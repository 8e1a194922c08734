import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, int32, list, listOf, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import { insteads, problemReasons } from './decide.ts'
import { countUnanswerable, findRound, listUnanswerable } from './store.ts'

const ProblemMessage = message('bailiwick.v1.UnanswerableProblem', {
  policyId: text(),
  policyName: text(),
  stepKey: described(text(), 'The key of the list of steps in the policy.'),
  place: described(int32(), 'The position of the step in its list, starting at 1; 0 for the whole policy.'),
  conditions: described(list(text()), 'The conditions under which these steps apply.'),
  emergency: described(flag(), 'Whether it is about emergency access.'),
  reason: oneOf(problemReasons),
  why: text(),
  instead: described(oneOf(insteads), 'What happens instead when it is requested.'),
  peopleAffected: described(int32(), 'For manager steps: how many people have no manager who can decide.'),
})
const UnanswerableMessage = message('bailiwick.v1.UnanswerableEntitlement', {
  appId: text(),
  appDisplayName: text(),
  appEntitlementId: text(),
  entitlementDisplayName: text(),
  problems: listOf(ProblemMessage),
  checkedAt: timestamp(),
})

const countMax = 1000

export const answerableRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.Unanswerable.List',
    at: 'GET /api/v1/requests/unanswerable',
    summary:
      'List requestable entitlements for which a step of the policy has no approver who can decide, with the reason and what happens instead.',
    rule: 'policies.read',
    paged: true,
    reply: message('bailiwick.v1.ListUnanswerableResponse', {
      list: listOf(UnanswerableMessage),
      nextPageToken,
      checkedAt: described(timestamp(), 'When the last complete check began; unset until the first one has finished.'),
      checking: described(flag(), 'Whether a check is in progress.'),
      entitlementsChecked: int32(),
      total: described(int32(), `How many entitlements are listed on all pages; at most ${countMax} are counted.`),
      totalForEveryone: described(
        int32(),
        'How many of them have the problem for every requester. The others have it only for people without a manager.',
      ),
    }),
    async handle(call, { page }) {
      const [rows, round, { total, forEveryone }] = await Promise.all([
        listUnanswerable(call.db, call.tenant.id, page),
        findRound(call.db, call.tenant.id),
        countUnanswerable(call.db, call.tenant.id, countMax),
      ])
      const cut = page.cut(
        rows,
        ({ appId, entitlementId }) => [appId, entitlementId],
        (each) => ({
          appId: each.appId,
          appDisplayName: each.appName,
          appEntitlementId: each.entitlementId,
          entitlementDisplayName: each.name,
          problems: each.problems.map(({ when, isEmergency, people, ...problem }) => ({
            ...problem,
            conditions: when,
            emergency: isEmergency,
            peopleAffected: people,
          })),
          checkedAt: each.checkedAt,
        }),
      )
      return {
        ...cut,
        checkedAt: round?.finishedAt ? round.startedAt : null,
        checking: round !== null && round.finishedAt === null,
        entitlementsChecked: round?.checked ?? 0,
        total,
        totalForEveryone: forEveryone,
      }
    },
  }),
]
