import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { Terms } from '#rooms/governance/terms/index.ts'
import { type RuleAbout, ruleAbout } from '#rooms/rules/automation/index.ts'
import { newTask } from '../../new-task.ts'
import { fingerprintOfRequest } from '../../planning/fingerprint.ts'
import { type Rehearsed, rehearse, stateAfter } from '../../planning/rehearse.ts'
import type { Task } from '../../record.ts'
import type { Routed } from '../../route.ts'
import { findOpenTwin } from '../../store.ts'
import { type Asked, prepareTask } from '../actions.ts'
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
 * What would become of a request, with every refusal that there would be, except that one is open already: that is told. It is
 * prepared and routed by what makes requests, and writes nothing.
 */
export async function planRequest(tx: Tx, call: Call, asked: Asked): Promise<RequestPlan> {
  const { born, terms, route, answersTo } = await prepareTask(tx, call, asked)
  const task = newTask(call, { ...born, number: 0 })
  const routed = await route(task)
  const { durationSeconds, isEmergency, settings } = born
  const created = { is: 'created', durationSeconds, answers: await answersTo(routed), isEmergency } as const
  const events = [created, ...(settings ? [settings] : []), routed]
  const state = stateAfter(events, call.actor.userId, call.now())
  const rehearsed = await rehearse(tx, call, task, state)
  const ref = { appId: task.appId, id: task.entitlementId }
  return {
    task,
    terms,
    routed,
    rehearsed,
    held: await listHeldReasons(tx, call.tenant.id, task, call.now()),
    rule: await ruleAbout(tx, call, ref, task.subjectUserId),
    twin: await findOpenTwin(tx, call.tenant.id, task),
    fingerprint: fingerprintOfRequest(call, task, routed, rehearsed),
  }
}
