import { route } from '#authority/route.ts'
import { seesEveryone, sightOf } from '#authority/sight/index.ts'
import { nextPageToken } from '#kernel/pages.ts'

import {
  described,
  flag,
  int32,
  list,
  listOf,
  message,
  nested,
  oneOf,
  required,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { findUsers, UserMessage } from '#rooms/identity/users/index.ts'
import { enabledToCount } from '../decide.ts'
import { checkExamples } from '../examples/examples.ts'
import { explain } from '../explain/actions.ts'
import { askingIn, inTurn } from '../matching/asking.ts'
import { countEnabled } from '../matching/store/difference.ts'
import { definitionIn, termsIn } from '../saving/routes.ts'
import { boundCounts, failuresFor, namedInPlan } from '../seen.ts'
import {
  AutomationMessage,
  examplesIn,
  failuresField,
  ofRule,
  RunMessage,
  reasonField,
  refOf,
  ruleAt,
  viewRun,
} from '../view.ts'
import { applyPlan, type Counts, listPlan, makePlan, planned } from './actions.ts'

const outcomes = [
  'AUTOMATION_OUTCOME_UNSPECIFIED',
  'AUTOMATION_OUTCOME_GAIN',
  'AUTOMATION_OUTCOME_LOSE',
  'AUTOMATION_OUTCOME_STAY',
  'AUTOMATION_OUTCOME_EXCLUDED',
] as const
type OutcomeOnWire = (typeof outcomes)[number]
const onWire = (outcome: string | null): OutcomeOnWire =>
  outcome === null ? outcomes[0] : (`AUTOMATION_OUTCOME_${outcome.toUpperCase()}` as OutcomeOnWire)
const namesOf = (asked: readonly OutcomeOnWire[]): string[] =>
  (asked.length > 0 ? asked : outcomes.slice(1)).map((name) => name.slice('AUTOMATION_OUTCOME_'.length).toLowerCase())

const proposed = described(nested(AutomationMessage), 'A proposed rule; the saved one by default.')

const PlanCounts = message('app.v1.AutomationPlanCounts', {
  matched: described(int32(), 'Users whom the rule matches, excluded or not.'),
  gain: int32(),
  lose: int32(),
  stay: described(int32(), 'They match, and already have it.'),
  excluded: described(int32(), 'Excluded: they match, or have a grant from the rule.'),
  failed: described(int32(), 'Users for whom the rule fails: it does not match them.'),
})
const PlanItem = message('app.v1.AutomationPlanItem', {
  userId: text(),
  outcome: oneOf(outcomes),
  user: described(nested(UserMessage), 'The record for callers who may see everyone, otherwise the name.'),
})

const exampleStatuses = [
  'AUTOMATION_EXAMPLE_STATUS_UNSPECIFIED',
  'AUTOMATION_EXAMPLE_STATUS_HOLDS',
  'AUTOMATION_EXAMPLE_STATUS_FAILS',
  'AUTOMATION_EXAMPLE_STATUS_UNCHECKED',
] as const
const ExampleMessage = message('app.v1.AutomationExample', {
  userId: text(),
  user: described(nested(UserMessage), 'Null if the user was deleted, or the caller may not see them.'),
  mustMatch: described(flag(), 'Whether the rule must match them, or must not.'),
  status: described(
    oneOf(exampleStatuses),
    'If one fails, the save is refused. Users who are not enabled are not checked.',
  ),
  error: described(text(), 'Why the rule fails for them, if it does.'),
})

/** What the token of later pages carries: counting again would cost as much as the first page did. */
type Told = readonly [userId: string, fingerprint: string, massGain: number, massLoss: number, ...counts: number[]]
const countsIn = ([, , , , matched = 0, gain = 0, lose = 0, stay = 0, excluded = 0, failed = 0]: Told): Counts => ({
  matched,
  gain,
  lose,
  stay,
  excluded,
  failed,
})

const Looked = message('app.v1.AutomationLookedAt', {
  path: described(text(), 'As written in the expression.'),
  value: described(text(), 'The value as JSON; empty if it is missing.'),
  isMissing: flag(),
})
const Reason = message('app.v1.AutomationExplainedGrant', {
  id: text(),
  appUserId: text(),
  source: described(text(), 'manual, import, rule or request.'),
  grantedBy: described(text(), 'The id of a user, an import or a run.'),
  grantedAt: timestamp(),
  expiresAt: timestamp(),
  reason: described(text(), 'The reason of the grant.'),
})
const verdicts = [
  'AUTOMATION_VERDICT_UNSPECIFIED',
  'AUTOMATION_VERDICT_MATCHES',
  'AUTOMATION_VERDICT_DOES_NOT_MATCH',
  'AUTOMATION_VERDICT_FAILED',
] as const

export const planRoutes = [
  route({
    id: 'app.v1.AppEntitlements.PlanAutomation',
    at: `POST ${ruleAt}/plan`,
    summary:
      'Plan what an automation rule, saved or proposed, would change now: who is added, removed, unchanged or excluded.',
    rule: 'entitlement.read-rule',
    about: ofRule,
    paged: true,
    body: message('app.v1.PlanAutomationRequestInput', {
      automation: proposed,
      outcomes: described(list(oneOf(outcomes), 10), 'Only users with these outcomes; all by default.'),
    }),
    reply: message('app.v1.PlanAutomationResponse', {
      list: listOf(PlanItem),
      counts: nested(PlanCounts),
      failures: failuresField,
      boundedCounts: described(
        list(text()),
        'The counts that are upper bounds: for callers who may not see everyone, counts below 5 are shown as 4.',
      ),
      hiddenCount: described(int32(), 'How many were omitted from this page because the caller may not see them.'),
      fingerprint: described(text(), 'Identifies the rule and everything that it would do: for ApplyAutomationPlan.'),
      isMassGain: described(
        flag(),
        'A run would add so many people that the circuit breaker would hold it. Show this before you apply the plan.',
      ),
      isMassLoss: described(
        flag(),
        'A run would remove so many people that the circuit breaker would hold it. Show this before you apply the plan.',
      ),
      examples: described(
        listOf(ExampleMessage),
        'The examples of the rule, proposed or saved, and whether it fails them; on the first page only.',
      ),
      nextPageToken,
    }),
    async handle(call, { path, body, page }) {
      const ref = refOf(path)
      const asked = body.automation ? definitionIn(body.automation, 'automation.', refOf(path)) : null
      const told = page.after as Told | null
      // Callers who may not see everyone get only the number of users who would not change.
      const isAll = seesEveryone(call.actor)
      const { counts, failures, fingerprint, mass, examples, rows } = await inTurn(call, async (tx, effort) => {
        const rule = await planned(tx, call, ref, asked, effort)
        const plan = told
          ? {
              counts: countsIn(told),
              failures: [],
              fingerprint: told[1],
              mass: { gain: told[2] === 1, loss: told[3] === 1 },
            }
          : await makePlan(tx, call, ref, rule, effort)
        const from = { after: told?.[0] ?? '', limit: page.limit }
        const about = { ref, matcher: rule.matcher }
        const wanted = namesOf(body.outcomes).filter((name) => isAll || name === 'gain' || name === 'lose')
        const sent = body.automation?.examples ? examplesIn(body.automation.examples) : (rule.saved?.examples ?? [])
        const checked = told ? [] : await checkExamples(askingIn(tx, call, effort), rule.matcher, sent)
        return {
          ...plan,
          examples: checked,
          rows: await listPlan(tx, call, about, effort, { outcomes: wanted, page: from }),
        }
      })
      const ids = rows.map(({ userId }) => userId)
      const enabled = isAll ? 0 : await countEnabled(call.db, call.tenant.id, enabledToCount(counts.gain))
      const named = isAll ? new Set(ids) : await namedInPlan(call.db, call, ids, { gain: counts.gain, enabled })
      // Whether the rule matches an example is shown only if the caller sees the person: the sieve would remove only who
      // they are.
      const unseen = isAll
        ? new Set<string>()
        : await sightOf(call, call.db).hidden(examples.map(({ userId }) => userId))
      const shownExamples = examples.filter(({ userId }) => !unseen.has(userId))
      const wantedIds = [...named, ...shownExamples.map(({ userId }) => userId)]
      const users = await findUsers(call.db, call.tenant.id, wantedIds, call.now())
      const userOf = new Map(users.map((user) => [user.id, user]))
      const { matched, gain, lose, stay, excluded, failed } = counts
      const cut = page.cut(
        rows,
        (row): Told => [
          row.userId,
          fingerprint,
          mass.gain ? 1 : 0,
          mass.loss ? 1 : 0,
          matched,
          gain,
          lose,
          stay,
          excluded,
          failed,
        ],
        ({ userId, outcome }) => ({ userId, outcome: onWire(outcome), user: userOf.get(userId) ?? null }),
      )
      const shown = cut.list.filter(({ userId }) => named.has(userId))
      const hiddenCount = cut.list.length - shown.length
      const bounded = boundCounts(call, counts, [
        ...(['matched', 'stay', 'excluded', 'failed'] as const),
        ...(hiddenCount > 0 ? (['gain'] as const) : []),
      ])
      return {
        ...cut,
        list: shown,
        hiddenCount,
        ...bounded,
        failures: failuresFor(call, failures),
        fingerprint,
        isMassGain: mass.gain,
        isMassLoss: mass.loss,
        examples: shownExamples.map(({ userId, matches: mustMatch, status, error }) => ({
          userId,
          mustMatch,
          error: isAll ? error : '',
          user: userOf.get(userId) ?? null,
          status: `AUTOMATION_EXAMPLE_STATUS_${status.toUpperCase() as Uppercase<typeof status>}` as const,
        })),
      }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.ApplyAutomationPlan',
    at: `POST ${ruleAt}/apply`,
    summary: 'Apply a plan exactly, and save its rule if it was proposed. Fails if anything has changed.',
    rule: 'entitlement.change-rule',
    about: ofRule,
    body: message('app.v1.ApplyAutomationPlanRequestInput', {
      fingerprint: required(text(), 'must be the fingerprint of a plan'),
      automation: proposed,
      reason: reasonField('The reason, or a ticket number; kept with the version if the rule was proposed.'),
    }),
    reply: message('app.v1.ApplyAutomationPlanResponse', { run: nested(RunMessage) }),
    async handle(call, { path, body }) {
      const wanted = {
        fingerprint: body.fingerprint,
        proposed: body.automation ? termsIn(body.automation, 'automation.', refOf(path)) : null,
        reason: body.reason,
      }
      const run = await inTurn(call, (tx, effort) => applyPlan(tx, call, refOf(path), wanted, effort))
      return { run: viewRun(call, run) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.ExplainAutomation',
    at: `GET ${ruleAt}/explain/{user_id}`,
    summary: 'Explain whether a user has the entitlement and why, and how the automation rule evaluates for them.',
    rule: 'entitlement.read-rule',
    about: ofRule,
    reply: message('app.v1.ExplainAutomationResponse', {
      userId: text(),
      appId: text(),
      appEntitlementId: text(),
      holds: flag(),
      heldSince: timestamp(),
      grants: listOf(Reason),
      lastEndedAt: described(timestamp(), 'When their last grant ended, if they do not have it.'),
      lastEndedBy: described(text(), 'The id of the user, import or run that ended it.'),
      isExcluded: flag(),
      excludedAt: timestamp(),
      excludedByUserId: text(),
      excludedReason: described(text(), 'The reason of the exclusion.'),
      hasRule: flag(),
      ruleVersion: int32(),
      verdict: oneOf(verdicts),
      error: described(text(), 'Why the rule fails for them, if it does.'),
      lookedAt: described(listOf(Looked), 'The fields that the rule reads, with their values for this user.'),
      outcome: described(oneOf(outcomes), 'What a run would do for them now; unspecified means nothing.'),
    }),
    async handle(call, { path }) {
      const ref = refOf(path)
      const { user, grants, lastEnded, exclusion, rule, verdict, looked, outcome } = await explain(
        call,
        ref,
        path.user_id,
      )
      const verdictName = verdict?.error ? verdicts[3] : verdict?.matches ? verdicts[1] : verdicts[2]
      return {
        userId: user.id,
        appId: ref.appId,
        appEntitlementId: ref.id,
        holds: grants.length > 0,
        heldSince: grants[0]?.grantedAt ?? null,
        grants: grants.map(({ accountId, ...grant }) => ({ ...grant, appUserId: accountId })),
        lastEndedAt: lastEnded?.endedAt ?? null,
        lastEndedBy: lastEnded?.endedBy ?? '',
        isExcluded: exclusion !== null,
        excludedAt: exclusion?.addedAt ?? null,
        excludedByUserId: exclusion?.addedBy ?? '',
        excludedReason: exclusion?.reason ?? '',
        hasRule: rule !== null,
        ruleVersion: rule?.version ?? 0,
        verdict: verdict ? verdictName : verdicts[0],
        error: verdict?.error ?? '',
        lookedAt: looked.map(({ path: name, value, isMissing }) => ({
          path: name,
          value: isMissing ? '' : (JSON.stringify(value) ?? ''),
          isMissing,
        })),
        outcome: onWire(outcome),
      }
    },
  }),
]
