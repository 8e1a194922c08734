import { type FieldViolation, Refusal } from '#kernel/refusals.ts'
import { notUndoable } from '#rooms/foundation/plans/index.ts'
import type { EntitlementRef } from './automation.ts'

const of = ({ appId, id }: EntitlementRef) => ({ appId, appEntitlementId: id })

export const automationNotFound = (ref: EntitlementRef): Refusal =>
  new Refusal('AUTOMATION_NOT_FOUND', `The entitlement ${ref.id} has no automation rule.`, { metadata: of(ref) })

export const automationExists = (ref: EntitlementRef): Refusal =>
  new Refusal('AUTOMATION_EXISTS', `The entitlement ${ref.id} already has an automation rule; change that one.`, {
    metadata: of(ref),
  })

export const automationCircle = (ref: EntitlementRef, way: readonly EntitlementRef[]): Refusal =>
  new Refusal(
    'AUTOMATION_CIRCLE',
    `The rule would depend on the entitlement that it grants${way.length > 0 ? `: ${way.map(({ id }) => id).join(' <- ')}` : ''}. ` +
      'Such rules would run endlessly.',
    {
      metadata: {
        ...of(ref),
        ...(way.length > 0 && { circle: way.map(({ appId, id }) => `${appId}/${id}`).join(',') }),
      },
    },
  )

export const runNotFound = (ref: EntitlementRef, runId: string): Refusal =>
  new Refusal('RUN_NOT_FOUND', `The automation rule of the entitlement ${ref.id} has no run ${runId}.`, {
    metadata: { ...of(ref), runId },
  })

export const runUnderWay = (ref: EntitlementRef, runId: string): Refusal =>
  new Refusal('RUN_UNDER_WAY', `The run ${runId} of this rule is running or held; wait for it, or cancel it.`, {
    metadata: { ...of(ref), runId },
  })

export const runNotHeld = (ref: EntitlementRef, runId: string): Refusal =>
  new Refusal('RUN_NOT_HELD', `The run ${runId} is not held by the circuit breaker.`, {
    metadata: { ...of(ref), runId },
  })

export const runNotUndoable = (ref: EntitlementRef, runId: string, why: string): Refusal =>
  notUndoable(`The run ${runId} cannot be undone: ${why}.`, { ...of(ref), runId })

export const versionNotFound = (ref: EntitlementRef, version: number): Refusal =>
  new Refusal('RULE_VERSION_NOT_FOUND', `The automation rule of the entitlement ${ref.id} has no version ${version}.`, {
    metadata: { ...of(ref), version: String(version) },
  })

/** An example of a rule fails. */
export const exampleFailed = (
  ref: EntitlementRef,
  violations: readonly FieldViolation[],
  { userIds, hidden }: { userIds: readonly string[]; hidden: number },
): Refusal =>
  new Refusal(
    'EXAMPLE_FAILED',
    `The rule was not saved, because one of its examples fails: ${[
      ...violations.map(({ description }) => description),
      ...(hidden > 0 ? [`${hidden} that you may not see`] : []),
    ].join('; ')}. Change the rule or its examples.`,
    { metadata: { ...of(ref), userIds: userIds.join(',') }, violations },
  )

export const runNotRestorable = (ref: EntitlementRef, runId: string, why: string): Refusal =>
  notUndoable(
    `The rule cannot be restored to the version before the run ${runId}: ${why}. Undo the run without restoring the rule.`,
    { ...of(ref), runId, field: 'restoreRule' },
  )

/** Adding so many is confirmed by someone who may change every rule, not by the owner of one. */
export const gainTooLarge = (ref: EntitlementRef, toGain: number): Refusal =>
  new Refusal(
    'GAIN_TOO_LARGE',
    `This would grant the entitlement to ${toGain} people, which is too many in one run or within a day. Someone with the permission automations.write for all apps must confirm it.`,
    { metadata: { ...of(ref), permission: 'automations.write' } },
  )

export const outdated = (ref: EntitlementRef, fingerprint: string) => ({
  metadata: { ...of(ref), ...(fingerprint !== '' && { fingerprint }) },
})
