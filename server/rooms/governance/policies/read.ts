import type { FieldViolation } from '#kernel/refusals.ts'
import { readFormBody } from '#rooms/governance/forms/index.ts'
import type { ManualAssignee, ProvisionPolicy } from '#rooms/records/apps/index.ts'
import type { WireStep } from './policy.ts'
import type { ApprovalStep, Approvers, Escalation, Fallback, Step, StepKind, Steps, WaitStep } from './steps.ts'

/**
 * Converts steps from the wire to the program's form. What is wrong with a step is reported field by field, and nothing is
 * guessed.
 */

type WireApproval = NonNullable<WireStep['approval']>
type WireWait = NonNullable<WireStep['wait']>
type Problems = FieldViolation[]

const hour = 3600
const month = 31 * 24 * hour
const year = 366 * 24 * hour

/** The names of the fields that are set, of those that exclude each other. */
const chosen = <T extends object, const N extends keyof T & string>(of: T, names: readonly N[]): N[] =>
  names.filter((name) => of[name] !== null && of[name] !== undefined)

function onlyOne<const N extends string>(
  found: readonly N[],
  names: readonly N[],
  at: string,
  problems: Problems,
): N | null {
  if (found.length === 1) return found[0] as N
  const description =
    found.length === 0 ? `must have one of ${names.join(', ')}` : `must have only one of ${found.join(', ')}`
  problems.push({ field: at, description })
  return null
}

const approverKinds = [
  'users',
  'manager',
  'appOwners',
  'group',
  'self',
  'entitlementOwners',
  'resourceOwners',
  'expression',
  'webhook',
] as const

type Rules<K extends StepKind> = {
  read(wire: NonNullable<WireStep[K]>, at: string, problems: Problems): Steps[K] | null
  /** Whether the step may prevent or delay that access is granted. */
  mayKeepBack: boolean
}

/**
 * The rules for each kind of step when a policy is saved. In messages about a missing step, the first kinds are named first.
 */
export const stepKinds: { readonly [K in StepKind]: Rules<K> } = {
  approval: { mayKeepBack: true, read: readApproval },
  provision: {
    mayKeepBack: false,
    read({ provisionPolicy }, at, problems) {
      if (provisionPolicy) checkProvision(provisionPolicy, `${at}.provisionPolicy`, problems)
      return { kind: 'provision', provision: provisionPolicy }
    },
  },
  accept: { mayKeepBack: false, read: ({ acceptMessage: message }) => ({ kind: 'accept', message }) },
  reject: { mayKeepBack: true, read: ({ rejectMessage: message }) => ({ kind: 'reject', message }) },
  wait: { mayKeepBack: true, read: readWait },
  form: {
    mayKeepBack: true,
    read({ form: sent }, at, problems) {
      const form = sent ? readFormBody(sent, `${at}.form`, problems) : null
      if (!sent) problems.push({ field: `${at}.form`, description: 'must be given' })
      return form && { kind: 'form', form }
    },
  },
}
const kindNames = Object.keys(stepKinds) as StepKind[]

/** Reads a step; null if something is wrong with it. */
export function readStep(wire: WireStep, at: string, problems: Problems): Step | null {
  const before = problems.length
  const kind = onlyOne(chosen(wire, kindNames), kindNames, at, problems)
  const step = kind && readKind(wire, kind, `${at}.${kind}`, problems)
  return problems.length === before ? step : null
}

function readKind(wire: WireStep, kind: StepKind, at: string, problems: Problems): Step | null {
  const sent = wire[kind]
  return sent === null ? null : stepKinds[kind].read(sent as never, at, problems)
}

function readApproval(wire: WireApproval, at: string, problems: Problems): ApprovalStep | null {
  const by = onlyOne(chosen(wire, approverKinds), approverKinds, at, problems)
  if (!by) return null
  const approvers = readApprovers(wire, by, `${at}.${by}`, problems)
  const of = wire[by] as Partial<NonNullable<WireApproval['group']>>
  const escalation = wire.escalationEnabled ? readEscalation(wire.escalation, `${at}.escalation`, problems) : null
  if (!approvers) return null
  return {
    kind: 'approval',
    approvers,
    allowSelfApproval: by === 'self' || (of.allowSelfApproval ?? false),
    requireDistinctApprovers: of.requireDistinctApprovers ?? false,
    fallback: fallbackOf(of),
    allowDelegation: wire.allowDelegation,
    reassignment: {
      isAllowed: wire.allowReassignment,
      to: wire.allowedReassignees,
      needsReason: wire.requireReassignmentReason,
    },
    needsReason: { toApprove: wire.requireApprovalReason, toDeny: wire.requireDenialReason },
    escalation,
  }
}

function readApprovers(
  wire: WireApproval,
  by: (typeof approverKinds)[number],
  at: string,
  problems: Problems,
): Approvers | null {
  if (by === 'users') {
    const userIds = [...new Set(wire.users?.userIds)].filter((id) => id !== '')
    if (userIds.length === 0) problems.push({ field: `${at}.userIds`, description: 'must name at least one user' })
    return { by, userIds }
  }
  if (by === 'group') {
    const { appId = '', appGroupId = '' } = wire.group ?? {}
    if (appId === '') problems.push({ field: `${at}.appId`, description: 'must be given' })
    if (appGroupId === '') problems.push({ field: `${at}.appGroupId`, description: 'must be given' })
    return { by, entitlement: { appId, id: appGroupId } }
  }
  if (by === 'webhook') {
    const { webhookId = '' } = wire.webhook ?? {}
    if (webhookId === '') problems.push({ field: `${at}.webhookId`, description: 'must be given' })
    return { by, webhookId }
  }
  if (by === 'expression') {
    const expressions = wire.expression?.expressions ?? []
    checkExpressions(expressions, at, problems)
    return { by, expressions }
  }
  return { by }
}

function fallbackOf(of: Partial<NonNullable<WireApproval['group']>>): Fallback | null {
  if (!of.fallback) return null
  const groups = of.isGroupFallbackEnabled ? (of.fallbackGroupIds ?? []) : []
  return {
    userIds: of.fallbackUserIds ?? [],
    groups: groups.map(({ appId, appEntitlementId: id }) => ({ appId, id })),
  }
}

const escalations = ['replacePolicy', 'reassignToApprovers', 'cancelTicket', 'skipStep'] as const

function readEscalation(wire: WireApproval['escalation'], at: string, problems: Problems): Escalation | null {
  if (!wire) {
    problems.push({ field: at, description: 'must be given where escalationEnabled is true' })
    return null
  }
  const which = onlyOne(chosen(wire, escalations), escalations, at, problems)
  if (wire.expiration <= 0 || wire.expiration > year)
    problems.push({ field: `${at}.expiration`, description: `must be between 1 and ${year} seconds` })
  const response = which && escalationOf(wire, which, at, problems)
  return response && { afterSeconds: wire.expiration, comment: wire.escalationComment, response }
}

function escalationOf(
  wire: NonNullable<WireApproval['escalation']>,
  which: (typeof escalations)[number],
  at: string,
  problems: Problems,
): Escalation['response'] {
  if (which === 'cancelTicket') return { do: 'cancel' }
  if (which === 'skipStep') return { do: 'skip' }
  if (which === 'replacePolicy') {
    const policyId = wire.replacePolicy?.policyId ?? ''
    if (policyId === '') problems.push({ field: `${at}.replacePolicy.policyId`, description: 'must be given' })
    return { do: 'replacePolicy', policyId }
  }
  const userIds = wire.reassignToApprovers?.approverIds ?? []
  if (userIds.length === 0)
    problems.push({ field: `${at}.reassignToApprovers.approverIds`, description: 'must name at least one user' })
  return { do: 'reassign', userIds }
}

const waits = ['condition', 'duration', 'untilTime'] as const

function readWait(wire: WireWait, at: string, problems: Problems): WaitStep | null {
  const { name, commentOnFirstWait, commentOnTimeout, timeoutDuration: timeoutSeconds } = wire
  const which = onlyOne(chosen(wire, waits), waits, at, problems)
  if (timeoutSeconds !== null && (timeoutSeconds < hour || timeoutSeconds > month))
    problems.push({
      field: `${at}.timeoutDuration`,
      description: `must be between ${hour}s (1 hour) and ${month}s (31 days)`,
    })
  const until = which && untilOf(wire, which, at, problems)
  return until && { kind: 'wait', name, commentOnFirstWait, commentOnTimeout, timeoutSeconds, until }
}

function untilOf(wire: WireWait, which: (typeof waits)[number], at: string, problems: Problems): WaitStep['until'] {
  if (which === 'condition') {
    const condition = wire.condition?.condition ?? ''
    if (condition.trim() === '') problems.push({ field: `${at}.condition.condition`, description: 'must not be empty' })
    // Without an end it could wait forever, and nobody would notice.
    if (wire.timeoutDuration === null)
      problems.push({ field: `${at}.timeoutDuration`, description: 'is required for a wait with a condition' })
    return { by: 'condition', condition }
  }
  if (which === 'duration') {
    const seconds = wire.duration?.duration ?? 0
    if (seconds < hour || seconds > month)
      problems.push({
        field: `${at}.duration.duration`,
        description: `must be between ${hour}s (1 hour) and ${month}s (31 days)`,
      })
    return { by: 'duration', seconds }
  }
  const { hours = 0, minutes = 0, timezone = '' } = wire.untilTime ?? {}
  if (hours < 0 || hours > 23)
    problems.push({ field: `${at}.untilTime.hours`, description: 'must be between 0 and 23' })
  if (minutes < 0 || minutes > 59)
    problems.push({ field: `${at}.untilTime.minutes`, description: 'must be between 0 and 59' })
  if (!isTimezone(timezone))
    problems.push({ field: `${at}.untilTime.timezone`, description: 'must be a time zone, as in Europe/Berlin' })
  return { by: 'time', hours, minutes, timezone }
}

function isTimezone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const provisions = ['manual', 'delegated', 'multiStep', 'unconfigured', 'webhook', 'connector'] as const
const assignees = ['users', 'appOwners', 'group', 'manager', 'expression', 'entitlementOwners'] as const

/** What is wrong with a provision policy; an entitlement's own provisioner is checked by the same rules. */
export function checkProvision(policy: ProvisionPolicy, at: string, problems: Problems): void {
  const which = onlyOne(chosen(policy, provisions), provisions, at, problems)
  if (which === 'manual' && policy.manual) {
    const { assignee, userIds } = policy.manual
    if (assignee) checkAssignee(assignee, `${at}.manual.assignee`, problems)
    if (assignee && userIds.length > 0)
      problems.push({ field: `${at}.manual.userIds`, description: 'must be absent if assignee is set' })
  }
  if (which === 'delegated' && policy.delegated) {
    const { appId, entitlementId } = policy.delegated
    if ((appId === '') !== (entitlementId === ''))
      problems.push({
        field: `${at}.delegated`,
        description: 'must name an entitlement by appId and entitlementId together',
      })
  }
  if (which === 'webhook' && policy.webhook?.webhookId === '')
    problems.push({ field: `${at}.webhook.webhookId`, description: 'must be given' })
  if (which === 'connector' && !policy.connector?.defaultBehavior)
    problems.push({ field: `${at}.connector.defaultBehavior`, description: 'must be given' })
  if (which === 'multiStep' && policy.multiStep) {
    const { provisionSteps } = policy.multiStep
    if (provisionSteps.length === 0)
      problems.push({ field: `${at}.multiStep.provisionSteps`, description: 'must not be empty' })
    for (const [place, step] of provisionSteps.entries())
      checkProvision({ ...step, multiStep: null }, `${at}.multiStep.provisionSteps[${place}]`, problems)
  }
}

function checkAssignee(assignee: ManualAssignee, at: string, problems: Problems): void {
  const which = onlyOne(chosen(assignee, assignees), assignees, at, problems)
  if (which === 'users' && assignee.users?.userIds.length === 0)
    problems.push({ field: `${at}.users.userIds`, description: 'must name at least one user' })
  if (which === 'group' && assignee.group && (assignee.group.appId === '' || assignee.group.appGroupId === ''))
    problems.push({ field: `${at}.group`, description: 'must name an entitlement by appId and appGroupId' })
  if (which === 'expression') checkExpressions(assignee.expression?.expressions ?? [], `${at}.expression`, problems)
}

function checkExpressions(expressions: readonly string[], at: string, problems: Problems): void {
  if (expressions.length === 0)
    problems.push({ field: `${at}.expressions`, description: 'must contain at least one expression' })
  for (const [place, text] of expressions.entries())
    if (text.trim() === '') problems.push({ field: `${at}.expressions[${place}]`, description: 'must not be empty' })
}
