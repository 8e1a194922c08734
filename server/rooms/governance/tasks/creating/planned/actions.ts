import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { Terms } from '#rooms/governance/terms/index.ts'
import { type RuleAbout, ruleAbout } from '#rooms/rules/automation/index.ts'
import { Facts } from '../../facts/facts.ts'
import type { Task } from '../../machine/record.ts'
import { fingerprintOfRequest } from '../../planning/fingerprint.ts'
import { type Rehearsed, rehearse, stateAfter } from '../../planning/rehearse.ts'
import type { Routed } from '../../route.ts'
import { type Asked, prepareTask } from '../actions.ts'
import { firstEvents } from '../open.ts'
import { type HeldReason, listHeldReasons } from './store.ts'

export type RequestPlan = {
  task: Task
  terms: Terms
  routed: Routed
  rehearsed: Rehearsed
  held: readonly HeldReason[]
  rule: RuleAbout
  twin: Task | null
  fingerprint: string
}

/**
 * What would happen to a request, with every refusal that there would be; but if one is open already, that is part of the
 * plan. Uses the same code that prepares and routes requests, and writes nothing.
 */
export async function planRequest(tx: Tx, call: Call, asked: Asked): Promise<RequestPlan> {
  const facts = new Facts(tx, call)
  const { opening, terms } = await prepareTask(facts, call, asked)
  const { task, routed, events, twin } = await firstEvents(facts, opening)
  const state = stateAfter(events, call.actor.userId, call.now())
  const rehearsed = await rehearse(facts, { task, state })
  const ref = { appId: task.appId, id: task.entitlementId }
  return {
    task,
    terms,
    routed,
    rehearsed,
    held: await listHeldReasons(tx, call.tenant.id, task, call.now()),
    rule: await ruleAbout(tx, call, ref, task.subjectUserId),
    twin,
    fingerprint: fingerprintOfRequest(call, task, routed, rehearsed),
  }
}
