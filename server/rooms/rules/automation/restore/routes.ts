import { route } from '#authority/route.ts'

import { transact } from '#kernel/sql.ts'
import { described, flag, message, nested, text } from '#kernel/wire.ts'
import { inTurn } from '../matching/asking.ts'
import { getAutomation, refuseUnknownEntitlement } from '../rule/actions.ts'
import { tryDefinition } from '../saving/check.ts'
import { getVersion } from '../versions/actions.ts'
import { numberIn } from '../versions/routes.ts'
import { AutomationMessage, ofRule, RunMessage, reasonField, refOf, ruleAt, viewAutomation, viewRun } from '../view.ts'
import { undoRun } from './undo.ts'
import { applyVersion, restoreVersion } from './version.ts'

export const undoRoutes = [
  route({
    id: 'app.v1.AppEntitlements.UndoAutomationRun',
    at: `POST ${ruleAt}/runs/{run_id}/undo`,
    summary:
      'Undo the last run with changes, unless something has changed since. The rule is paused afterwards, or restored to the version before.',
    rule: 'entitlement.change-rule',
    about: ofRule,
    body: message('app.v1.UndoAutomationRunRequestInput', {
      restoreRule: described(
        flag(),
        'Also restores the version of the rule before the one that ran, so that the next run does not make the same changes.',
      ),
      reason: reasonField(),
    }),
    reply: message('app.v1.UndoAutomationRunResponse', { run: nested(RunMessage) }),
    async handle(call, { path, body: { restoreRule: restoresRule, reason } }) {
      const run = await transact(call.db, (tx) => undoRun(tx, call, refOf(path), path.run_id, { restoresRule, reason }))
      return { run: viewRun(call, run) }
    },
  }),
]

export const restoreRoutes = [
  route({
    id: 'app.v1.AppEntitlements.RestoreAutomationVersion',
    at: `POST ${ruleAt}/versions/{version}/restore`,
    summary:
      'Save a version of an automation rule again, as a new version; it runs immediately. Also restores a deleted rule.',
    rule: 'entitlement.change-rule',
    about: ofRule,
    body: message('app.v1.RestoreAutomationVersionRequestInput', {
      fingerprint: described(
        text(),
        'The fingerprint of a plan of the version: exactly that plan is applied, or the request is refused. Without it, the rule runs, and the circuit breaker may hold the run.',
      ),
      reason: reasonField(),
    }),
    reply: message('app.v1.RestoreAutomationVersionResponse', {
      automation: nested(AutomationMessage),
      run: described(nested(RunMessage), 'The result, if a plan was applied; otherwise null.'),
    }),
    async handle(call, { path, body }) {
      const ref = refOf(path)
      const { fingerprint, reason } = body
      const number = numberIn(path)
      await refuseUnknownEntitlement(call, ref)
      const { definition } = await getVersion(call.db, call, ref, number)
      if (fingerprint !== '') {
        const run = await inTurn(call, (tx, effort) =>
          applyVersion(tx, call, ref, { number, reason, fingerprint }, effort),
        )
        return { automation: viewAutomation(await getAutomation(call.db, call, ref)), run: viewRun(call, run) }
      }
      await tryDefinition(call, definition, '')
      const restored = await transact(call.db, (tx) => restoreVersion(tx, call, ref, number, reason))
      return { automation: viewAutomation(restored), run: null }
    },
  }),
]
