import { described, flag, int64, leftOut, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import { EntitlementRef } from '#rooms/records/apps/index.ts'
import { type Automation, writtenRefs } from '#rooms/rules/automation/index.ts'
import { enrollmentOf } from '../profile.ts'
import type { BundleAutomation } from './automation.ts'

const refsMax = 1000
export const settingShapes = {
  entitlements: nested(
    message(
      'requestcatalog.v1.BundleAutomationRuleEntitlement',
      { entitlementRefs: listOf(EntitlementRef, refsMax) },
      'People with any of these are enrolled.',
    ),
  ),
  cel: nested(
    message('requestcatalog.v1.BundleAutomationRuleCEL', { expression: text() }, 'People who match are enrolled.'),
  ),
  enabled: flag(),
  createTasks: described(flag(), 'Whether the enrollment is requested under its policy, instead of granted.'),
  disableCircuitBreaker: described(flag(), 'Whether runs are never held, however many they enroll or unenroll.'),
  removedMembersThresholdPercent: described(
    int64(),
    'A run that would unenroll a larger percentage of the members is held; 0 means 20 percent.',
  ),
  enforceOnSmallProfiles: described(
    flag(),
    'Whether the threshold also applies to profiles with fewer than 20 members.',
  ),
}

const runStatuses = [
  'BUNDLE_AUTOMATION_RUN_STATUS_UNSPECIFIED',
  'BUNDLE_AUTOMATION_RUN_STATUS_SUCCESS',
  'BUNDLE_AUTOMATION_RUN_STATUS_FAILURE',
  'BUNDLE_AUTOMATION_RUN_STATUS_IN_PROGRESS',
  'BUNDLE_AUTOMATION_RUN_STATUS_WAITING_FOR_APPROVAL',
] as const
const breakerStates = [
  'CIRCUIT_BREAKER_STATE_UNSPECIFIED',
  'CIRCUIT_BREAKER_STATE_TRIGGERED',
  'CIRCUIT_BREAKER_STATE_BYPASS',
  'CIRCUIT_BREAKER_STATE_SUPPORT_DISABLED',
] as const

export const BundleAutomationMessage = message(
  'requestcatalog.v1.BundleAutomation',
  {
    requestCatalogId: text(),
    tenantId: text(),
    ...settingShapes,
    state: nested(
      message('requestcatalog.v1.BundleAutomationLastRunState', {
        status: oneOf(runStatuses),
        errorMessage: text(),
        lastRunAt: timestamp(),
        celEvaluation: leftOut(
          nested(
            message('requestcatalog.v1.BundleAutomationCelEvaluationState', {
              status: oneOf(runStatuses),
              errorMessage: text(),
              lastEvaluatedAt: leftOut(timestamp()),
              matchedUsers: int64(),
            }),
          ),
        ),
      }),
    ),
    circuitBreaker: nested(
      message('requestcatalog.v1.BundleAutomationCircuitBreaker', {
        state: oneOf(breakerStates),
        removedMembersThresholdPercentage: int64(),
        updatedAt: timestamp(),
        userRef: nested(message('user.v1.UserRef', { id: text() })),
      }),
    ),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    deletedAt: timestamp(),
  },
  'The automation of an access profile, which enrolls people automatically: the automation rule of its enrollment.',
)

function statusOf({ lastRunStatus, dueAt, pausedWhy }: Automation): (typeof runStatuses)[number] {
  if (lastRunStatus === 'held') return 'BUNDLE_AUTOMATION_RUN_STATUS_WAITING_FOR_APPROVAL'
  if (lastRunStatus === 'running') return 'BUNDLE_AUTOMATION_RUN_STATUS_IN_PROGRESS'
  if (lastRunStatus === 'failed' || pausedWhy === 'costly') return 'BUNDLE_AUTOMATION_RUN_STATUS_FAILURE'
  if (lastRunStatus === null)
    return dueAt === null || pausedWhy !== null
      ? 'BUNDLE_AUTOMATION_RUN_STATUS_UNSPECIFIED'
      : 'BUNDLE_AUTOMATION_RUN_STATUS_IN_PROGRESS'
  return 'BUNDLE_AUTOMATION_RUN_STATUS_SUCCESS'
}

const usualPercent = 20

export const viewBundleAutomation = (
  tenantPublicId: string,
  profileId: string,
  { rule, settings, lastRun }: BundleAutomation,
) => {
  const { definition, lastRunError: errorMessage } = rule
  const status = statusOf(rule)
  const isCel = definition.kind === 'cel' || definition.kind === 'basic'
  const removedPercent = settings.removedPercent || (rule.lossPercentMax ?? 0)
  return {
    requestCatalogId: profileId,
    tenantId: tenantPublicId,
    entitlements:
      definition.kind === 'entitlements'
        ? { entitlementRefs: writtenRefs(enrollmentOf(profileId), definition).map(({ appId, id }) => ({ appId, id })) }
        : null,
    cel: isCel ? { expression: definition.expression } : null,
    enabled: settings.isEnabled,
    createTasks: settings.createsTasks,
    disableCircuitBreaker: !rule.hasBreaker,
    removedMembersThresholdPercent: removedPercent,
    enforceOnSmallProfiles: rule.holdsFew,
    state: {
      status,
      errorMessage,
      lastRunAt: lastRun?.startedAt ?? null,
      celEvaluation:
        isCel && lastRun
          ? {
              status,
              errorMessage,
              lastEvaluatedAt: lastRun.finishedAt ?? lastRun.startedAt,
              matchedUsers: lastRun.matched,
            }
          : null,
    },
    circuitBreaker: {
      state:
        rule.pausedWhy === 'held'
          ? ('CIRCUIT_BREAKER_STATE_TRIGGERED' as const)
          : rule.hasBreaker
            ? ('CIRCUIT_BREAKER_STATE_UNSPECIFIED' as const)
            : ('CIRCUIT_BREAKER_STATE_BYPASS' as const),
      removedMembersThresholdPercentage: removedPercent || usualPercent,
      updatedAt: rule.updatedAt,
      userRef: lastRun?.isReleased && lastRun.startedBy !== '' ? { id: lastRun.startedBy } : null,
    },
    createdAt: rule.createdAt,
    updatedAt: rule.updatedAt,
    deletedAt: null,
  }
}
