import { nextPageToken } from '#kernel/pages.ts'
import { route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, int32, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import type { Automation } from '../automation.ts'
import { refuseUnknownEntitlement } from '../explain/actions.ts'
import { getAutomation, switchBreaker } from '../rule/actions.ts'
import { ofRule, RunMessage, refOf, ruleAt, viewRun } from '../view.ts'
import { cancelRun, getRun, releaseRun, startRun, undoRun } from './actions.ts'
import { listRuns } from './store.ts'

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
    breakerOff: described(flag(), 'Its runs are not held, however much they change.'),
    paused: described(oneOf(pauses), 'Why it is paused until it is changed, started or released.'),
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

const runReply = (name: string) => message(name, { run: nested(RunMessage) })
const stateReply = (name: string) => message(name, { state: nested(StateMessage) })

export const runRoutes = [
  route({
    id: 'app.v1.AppEntitlements.GetAutomationState',
    at: `GET ${ruleAt}/state`,
    summary:
      'Get the state of an automation rule: its version, its circuit breaker, whether it is paused and why, and when it runs next.',
    allow: 'automations.read',
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
    allow: 'automations.write',
    about: ofRule,
    body: message('app.v1.SetAutomationBreakerRequestInput', { breakerOff: flag() }),
    reply: stateReply('app.v1.SetAutomationBreakerResponse'),
    async handle(call, { path, body }) {
      const rule = await transact(call.db, (tx) => switchBreaker(tx, call, refOf(path), !body.breakerOff))
      return { state: viewState(rule) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.ListAutomationRuns',
    at: `GET ${ruleAt}/runs`,
    summary: 'List the runs of an automation rule, latest first.',
    allow: 'automations.read',
    about: ofRule,
    paged: true,
    reply: message('app.v1.ListAutomationRunsResponse', { list: listOf(RunMessage), nextPageToken }),
    async handle(call, { path, page }) {
      const rows = await listRuns(call.db, call.tenant.id, refOf(path), page)
      if (rows.length === 0) await refuseUnknownEntitlement(call, refOf(path))
      return page.cut(
        rows,
        (row) => [row.id],
        (row) => viewRun(call, row),
      )
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.RunAutomation',
    at: `POST ${ruleAt}/runs`,
    summary: 'Run an automation rule for everyone now, even if it is paused.',
    allow: 'automations.write',
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
    allow: 'automations.read',
    about: ofRule,
    reply: runReply('app.v1.GetAutomationRunResponse'),
    async handle(call, { path }) {
      await refuseUnknownEntitlement(call, refOf(path))
      return { run: viewRun(call, await getRun(call, refOf(path), path.run_id)) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.UndoAutomationRun',
    at: `POST ${ruleAt}/runs/{run_id}/undo`,
    summary: 'Undo the last run with changes, unless something has changed since. The rule is paused afterwards.',
    allow: 'automations.write',
    about: ofRule,
    body: message('app.v1.UndoAutomationRunRequestInput', {}),
    reply: runReply('app.v1.UndoAutomationRunResponse'),
    async handle(call, { path }) {
      return { run: viewRun(call, await transact(call.db, (tx) => undoRun(tx, call, refOf(path), path.run_id))) }
    },
  }),
  route({
    id: 'app.v1.AppEntitlements.ReleaseAutomationRun',
    at: `POST ${ruleAt}/runs/{run_id}/release`,
    summary: 'Release a run that the circuit breaker holds. A new run follows, which is not held.',
    allow: 'automations.write',
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
    allow: 'automations.write',
    about: ofRule,
    body: message('app.v1.CancelAutomationRunRequestInput', {}),
    reply: runReply('app.v1.CancelAutomationRunResponse'),
    async handle(call, { path }) {
      return { run: viewRun(call, await transact(call.db, (tx) => cancelRun(tx, call, refOf(path), path.run_id))) }
    },
  }),
]
