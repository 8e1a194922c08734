import { route } from '#authority/route.ts'
import { seesEveryone } from '#authority/sight/index.ts'
import { orderByField, orderIn, readApart } from '#kernel/order.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { presenceField, presenceOf } from '#kernel/presence.ts'
import { invalid } from '#kernel/refusals.ts'

import { transact } from '#kernel/sql.ts'
import {
  described,
  flag,
  int32,
  list,
  listOf,
  type MessageOf,
  message,
  nested,
  oneOf,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { findUsers, UserMessage } from '#rooms/identity/users/index.ts'
import { type Automation, runCauses, runStatuses } from '../automation.ts'
import { listRunChanges } from '../giving/changed.ts'
import { getAutomation, refuseUnknownEntitlement, switchBreaker } from '../rule/actions.ts'
import { ofRule, RunMessage, reasonField, refOf, ruleAt, viewRun } from '../view.ts'
import { cancelRun, getRun, releaseRun, startRun } from './actions.ts'
import { countRuns, hiddenOrders, listRuns, type RunFilter, runOrders } from './store.ts'

const pauses = [
  'AUTOMATION_PAUSE_UNSPECIFIED',
  'AUTOMATION_PAUSE_HELD',
  'AUTOMATION_PAUSE_CANCELLED',
  'AUTOMATION_PAUSE_UNDONE',
  'AUTOMATION_PAUSE_COSTLY',
] as const

const StateMessage = message(
  'app.v1.AutomationState',
  {
    ruleVersion: int32(),
    breakerOff: described(flag(), 'Its runs are never held, regardless of how much they change.'),
    paused: described(oneOf(pauses), 'Why it is paused. It stays paused until it is changed, started or released.'),
    heldRunId: described(text(), 'The run that is held.'),
    lastRunId: text(),
    nextRunAt: described(timestamp(), 'When it is next evaluated for everyone; null while it is running or paused.'),
  },
  'The state of an automation rule.',
)
const viewState = (rule: Automation) => ({
  ruleVersion: rule.version,
  breakerOff: !rule.hasBreaker,
  paused: rule.pausedWhy ? (`AUTOMATION_PAUSE_${rule.pausedWhy.toUpperCase()}` as (typeof pauses)[number]) : pauses[0],
  heldRunId: rule.lastRunStatus === 'held' ? rule.lastRunId : '',
  lastRunId: rule.lastRunId,
  nextRunAt: rule.pausedWhy ? null : rule.dueAt,
})

const changed = ['AUTOMATION_OUTCOME_UNSPECIFIED', 'AUTOMATION_OUTCOME_GAIN', 'AUTOMATION_OUTCOME_LOSE'] as const
const RunChange = message('app.v1.AutomationRunChange', {
  userId: described(text(), 'Empty if the account has no user.'),
  user: nested(UserMessage),
  appUserId: described(text(), 'The account to which the entitlement was granted, or from which it was removed.'),
  outcome: oneOf(changed),
  at: timestamp(),
})
const wordsMax = 10
const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax)

const runReply = (name: string) => message(name, { run: nested(RunMessage) })
const stateReply = (name: string) => message(name, { state: nested(StateMessage) })

const listFields = {
  statuses: described(list(oneOf(['unspecified', ...runStatuses]), 10), 'Only runs with one of these statuses.'),
  causes: described(list(oneOf(['unspecified', ...runCauses]), 10), 'Only runs that started for one of these reasons.'),
  changes: presenceField('Only runs that changed who has the entitlement, or only runs that did not.'),
  orderBy: orderByField(runOrders),
}
const filterOf = (query: MessageOf<typeof listFields>): RunFilter => ({
  statuses: query.statuses.filter((status) => status !== 'unspecified'),
  causes: query.causes.filter((cause) => cause !== 'unspecified'),
  hasChanged: presenceOf(query.changes),
})

export const runRoutes = [
  route({
    id: 'app.v1.AppEntitlements.GetAutomationState',
    at: `GET ${ruleAt}/state`,
    summary:
      'Get the state of an automation rule: its version, its circuit breaker, whether it is paused and why, and when it runs next.',
    rule: 'entitlement.read-rule',
    about: ofRule,
    reply: stateReply('app.v1.GetAutomationStateResponse'),
    async handle(call, { path }) {
      await refuseUnknownEntitlement(call, refOf(path))
      return { state: viewState(await getAutomation(call.db, call, refOf(path))) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.SetAutomationBreaker',
    at: `POST ${ruleAt}/breaker`,
    summary: 'Turn the circuit breaker of an automation rule off or on.',
    rule: 'entitlement.change-rule',
    about: ofRule,
    body: message('app.v1.SetAutomationBreakerRequestInput', { breakerOff: flag(), reason: reasonField() }),
    reply: stateReply('app.v1.SetAutomationBreakerResponse'),
    async handle(call, { path, body }) {
      const rule = await transact(call.db, (tx) => switchBreaker(tx, call, refOf(path), !body.breakerOff, body.reason))
      return { state: viewState(rule) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.ListAutomationRuns',
    at: `GET ${ruleAt}/runs`,
    summary: 'List the runs of an automation rule, latest first by default.',
    rule: 'entitlement.read-rule',
    about: ofRule,
    paged: true,
    query: message('app.v1.ListAutomationRunsRequest', listFields),
    reply: message('app.v1.ListAutomationRunsResponse', { list: listOf(RunMessage), nextPageToken }),
    async handle(call, { path, query, page }) {
      const order = orderIn(runOrders, query.orderBy)
      if (order && hiddenOrders.includes(order.key) && !seesEveryone(call.actor))
        throw invalid({ field: 'orderBy', description: 'needs the permission users.read for this key' })
      const rows = await readApart(call.db, order !== null, (db) =>
        listRuns(db, call.tenant.id, refOf(path), page, { filter: filterOf(query), order }),
      )
      if (rows.length === 0) await refuseUnknownEntitlement(call, refOf(path))
      return page.cut(
        rows,
        ({ key, id }) => (key === undefined ? [id] : [key, id]),
        (row) => viewRun(call, row),
      )
    },
    async count(call, { path, query }, limit) {
      const count = await countRuns(call.db, call.tenant.id, refOf(path), filterOf(query), limit)
      if (count === 0) await refuseUnknownEntitlement(call, refOf(path))
      return count
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.RunAutomation',
    at: `POST ${ruleAt}/runs`,
    summary: 'Run an automation rule for everyone now, even if it is paused.',
    rule: 'entitlement.change-rule',
    about: ofRule,
    body: message('app.v1.RunAutomationRequestInput', {}),
    reply: stateReply('app.v1.RunAutomationResponse'),
    async handle(call, { path }) {
      return { state: viewState(await transact(call.db, (tx) => startRun(tx, call, refOf(path)))) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.GetAutomationRun',
    at: `GET ${ruleAt}/runs/{run_id}`,
    summary: 'Get a run of an automation rule.',
    rule: 'entitlement.read-rule',
    about: ofRule,
    reply: runReply('app.v1.GetAutomationRunResponse'),
    async handle(call, { path }) {
      await refuseUnknownEntitlement(call, refOf(path))
      return { run: viewRun(call, await getRun(call, refOf(path), path.run_id)) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.ListAutomationRunChanges',
    at: `GET ${ruleAt}/runs/{run_id}/changes`,
    summary: 'List the users whom a run of the rule added or removed.',
    rule: 'entitlement.read-rule',
    about: ofRule,
    paged: true,
    query: message('', {
      outcome: described(oneOf(changed), 'Only additions, or only removals.'),
      query: described(text({ maxLength: 200 }), 'Words that their names or email addresses contain.'),
    }),
    reply: message('app.v1.ListAutomationRunChangesResponse', { list: listOf(RunChange), nextPageToken }),
    async handle(call, { path, query, page }) {
      const ref = refOf(path)
      await refuseUnknownEntitlement(call, ref)
      const run = await getRun(call, ref, path.run_id)
      const rows = await listRunChanges(call.db, call.tenant.id, ref, {
        runId: run.id,
        span: { from: run.startedAt, to: run.finishedAt ?? call.now() },
        outcome: query.outcome === changed[0] ? null : query.outcome === changed[1] ? 'gain' : 'lose',
        words: wordsOf(query.query),
        // By a part of an email address that they do not see, a caller could find out whose it is.
        countsEmails: seesEveryone(call.actor),
        page,
      })
      const ids = [...new Set(rows.map(({ userId }) => userId).filter((id) => id !== ''))]
      const users = await findUsers(call.db, call.tenant.id, ids, call.now())
      const userOf = new Map(users.map((user) => [user.id, user]))
      return page.cut(
        rows,
        (row) => [row.outcome, row.accountId],
        ({ outcome, userId, accountId, at }) => ({
          userId,
          appUserId: accountId,
          at,
          user: userOf.get(userId) ?? null,
          outcome: outcome === 'gain' ? changed[1] : changed[2],
        }),
      )
    },
  }),
]

/** For a run that the circuit breaker holds. */
export const heldRunRoutes = [
  route({
    id: 'app.v1.AppEntitlements.ReleaseAutomationRun',
    at: `POST ${ruleAt}/runs/{run_id}/release`,
    summary: 'Release a run that the circuit breaker holds. A new run follows, which is not held.',
    rule: 'entitlement.change-rule',
    about: ofRule,
    body: message('app.v1.ReleaseAutomationRunRequestInput', {}),
    reply: runReply('app.v1.ReleaseAutomationRunResponse'),
    async handle(call, { path }) {
      return { run: viewRun(call, await transact(call.db, (tx) => releaseRun(tx, call, refOf(path), path.run_id))) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.CancelAutomationRun',
    at: `POST ${ruleAt}/runs/{run_id}/cancel`,
    summary: 'Cancel a run that the circuit breaker holds. The rule is paused until it is changed or started.',
    rule: 'entitlement.change-rule',
    about: ofRule,
    body: message('app.v1.CancelAutomationRunRequestInput', {}),
    reply: runReply('app.v1.CancelAutomationRunResponse'),
    async handle(call, { path }) {
      return { run: viewRun(call, await transact(call.db, (tx) => cancelRun(tx, call, refOf(path), path.run_id))) }
    },
  }),
]
