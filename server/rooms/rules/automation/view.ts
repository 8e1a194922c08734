import type { Call } from '#kernel/routes.ts'
import { described, int32, list, listOf, message, nested, oneOf, readOnly, text, timestamp } from '#kernel/wire.ts'
import { UserMessage } from '#rooms/identity/users/index.ts'
import {
  type Automation,
  type Definition,
  type EntitlementRef,
  type Example,
  type Run,
  runCauses,
  runStatuses,
  type Version,
  writtenRefs,
} from './automation.ts'
import { boundCounts, failuresFor } from './seen.ts'

const idText = () => text({ maxLength: 64 })
const refsMax = 1000
const EntitlementRefMessage = message('app.v1.AppEntitlementRef', { appId: idText(), id: idText() })

/** The definition of a rule: one of the four. */
export const definitionFields = {
  none: nested(message('app.v1.AppEntitlementAutomationRuleNone', {}, 'Nobody.')),
  basic: nested(
    message('app.v1.AppEntitlementAutomationRuleBasic', { expression: text() }, 'Users who match a CEL expression.'),
  ),
  cel: nested(
    message('app.v1.AppEntitlementAutomationRuleCEL', { expression: text() }, 'Users who match a CEL expression.'),
  ),
  entitlements: nested(
    message(
      'app.v1.AppEntitlementAutomationRuleEntitlement',
      { entitlementRefs: listOf(EntitlementRefMessage, refsMax) },
      'Users who have any of these.',
    ),
  ),
}

const published = [
  'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_UNSPECIFIED',
  'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_SUCCESS',
  'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_FAILED',
  'APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_IN_PROGRESS',
] as const

const LastRunStatus = message('app.v1.AppEntitlementAutomationLastRunStatus', {
  status: readOnly(oneOf(published)),
  lastCompletedAt: readOnly(timestamp()),
  errorMessage: readOnly(text()),
})

const examplesMax = 50
const ExamplesMessage = message(
  'app.v1.AutomationExamples',
  {
    mustMatchUserIds: described(list(idText(), examplesMax), 'Users whom the rule must match.'),
    mustNotMatchUserIds: described(list(idText(), examplesMax), 'Users whom the rule must not match.'),
  },
  'Example users. They are checked whenever the rule is saved; if one fails, the save is refused (EXAMPLE_FAILED). Users who were deleted or disabled since are not checked.',
)
export const examplesField = described(
  nested(ExamplesMessage),
  'Examples of the rule. If absent, they are not changed; an empty object removes them.',
)
type ExamplesSent = { mustMatchUserIds: readonly string[]; mustNotMatchUserIds: readonly string[] }

/** The examples that were sent. An empty id is one that the caller was not shown. */
export const examplesIn = ({ mustMatchUserIds, mustNotMatchUserIds }: ExamplesSent): Example[] =>
  [
    ...[...new Set(mustMatchUserIds)].map((userId) => ({ userId, matches: true })),
    ...[...new Set(mustNotMatchUserIds)].map((userId) => ({ userId, matches: false })),
  ].filter(({ userId }) => userId !== '')

const viewExamples = (examples: readonly Example[]): ExamplesSent | null =>
  examples.length === 0
    ? null
    : {
        mustMatchUserIds: examples.filter(({ matches }) => matches).map(({ userId }) => userId),
        mustNotMatchUserIds: examples.filter(({ matches }) => !matches).map(({ userId }) => userId),
      }

const reasonMax = 500
/** Why a change is made, or the number of a ticket: kept with what is changed, and in the system log. */
export const reasonField = (description = 'The reason, or a ticket number; kept with the change.') =>
  described(text({ maxLength: reasonMax }), description)

export const AutomationMessage = message(
  'app.v1.AppEntitlementAutomation',
  {
    appId: readOnly(text()),
    appEntitlementId: readOnly(text()),
    displayName: text({ maxLength: 200 }),
    description: text({ maxLength: 4000 }),
    ...definitionFields,
    examples: examplesField,
    lastRunStatus: readOnly(nested(LastRunStatus)),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
    deletedAt: readOnly(timestamp()),
  },
  'The automation rule of an entitlement: who is granted it. One of none, basic, cel and entitlements is set.',
)

const statusOnWire = (status: Automation['lastRunStatus']): (typeof published)[number] => {
  if (status === null) return published[0]
  if (status === 'running') return published[3]
  return status === 'failed' || status === 'held' ? published[2] : published[1]
}

const definitionOnWire = (ref: EntitlementRef, definition: Definition) => ({
  none: definition.kind === 'none' ? {} : null,
  basic: definition.kind === 'basic' ? { expression: definition.expression } : null,
  cel: definition.kind === 'cel' ? { expression: definition.expression } : null,
  entitlements: definition.kind === 'entitlements' ? { entitlementRefs: writtenRefs(ref, definition) } : null,
})

export const viewAutomation = (automation: Automation) => ({
  appId: automation.appId,
  appEntitlementId: automation.id,
  displayName: automation.displayName,
  description: automation.description,
  ...definitionOnWire(automation, automation.definition),
  examples: viewExamples(automation.examples),
  lastRunStatus: {
    status: statusOnWire(automation.lastRunStatus),
    lastCompletedAt: automation.lastCompletedAt,
    errorMessage: automation.lastRunError,
  },
  createdAt: automation.createdAt,
  updatedAt: automation.updatedAt,
  deletedAt: automation.deletedAt,
})

export const VersionMessage = message(
  'app.v1.AutomationVersion',
  {
    appId: text(),
    appEntitlementId: text(),
    version: int32(),
    displayName: text(),
    description: text(),
    ...definitionFields,
    examples: nested(ExamplesMessage),
    reason: described(text(), 'The reason that its author gave.'),
    restoresVersion: described(int32(), 'The version that it restored; 0 if it did not restore one.'),
    savedByUserId: described(text(), 'Who saved it; empty if that is not known.'),
    savedAt: timestamp(),
  },
  'An automation rule as one save wrote it.',
)

export const viewVersion = (version: Version) => ({
  appId: version.appId,
  appEntitlementId: version.id,
  version: version.version,
  displayName: version.displayName,
  description: version.description,
  ...definitionOnWire(version, version.definition),
  examples: viewExamples(version.examples),
  reason: version.reason,
  restoresVersion: version.restores ?? 0,
  savedByUserId: version.savedBy,
  savedAt: version.savedAt,
})

export const ExclusionView = message('app.v1.AutomationExclusionView', {
  appId: text(),
  appEntitlementId: text(),
  appUserId: described(text(), "The user's account in the app; empty if there is none."),
  user: nested(UserMessage),
  addedAt: timestamp(),
  addedByUserId: described(text(), 'Who excluded them; empty if that is not known.'),
  reason: described(text(), 'The reason of the exclusion.'),
})

type Upper<S extends string> = Uppercase<S>
const prefixed = <const P extends string, const N extends readonly string[]>(prefix: P, names: N) =>
  [`${prefix}UNSPECIFIED`, ...names.map((name) => `${prefix}${name.toUpperCase()}`)] as unknown as readonly [
    `${P}UNSPECIFIED`,
    ...`${P}${Upper<N[number]>}`[],
  ]

const causePrefix = 'AUTOMATION_RUN_CAUSE_'
const statusPrefix = 'AUTOMATION_RUN_STATUS_'

const Failure = message('app.v1.AutomationFailure', { userId: text(), error: text() })
export const failuresField = described(listOf(Failure), 'Some of those for whom the rule failed, and why.')

export const RunMessage = message(
  'app.v1.AutomationRun',
  {
    id: text(),
    appId: text(),
    appEntitlementId: text(),
    ruleVersion: described(int32(), 'The version of the rule, which increases with every save.'),
    cause: oneOf(prefixed(causePrefix, runCauses)),
    startedByUserId: described(text(), 'Who caused it; empty if nobody did.'),
    status: oneOf(prefixed(statusPrefix, runStatuses)),
    matchedCount: int32(),
    excludedCount: described(int32(), 'Excluded: they match, or have a grant from the rule.'),
    memberCount: described(int32(), 'How many had it by the rule when the run began.'),
    toGainCount: described(int32(), 'How many people it found to be added.'),
    toLoseCount: described(int32(), 'How many people it found to be removed.'),
    gainedCount: int32(),
    lostCount: int32(),
    failedCount: int32(),
    boundedCounts: described(
      list(text()),
      'The counts that are upper bounds: for callers who may not see everyone, counts below 5 are shown as 4.',
    ),
    failures: failuresField,
    undoesRunId: described(text(), 'For an undo: the run that it undid.'),
    undoneByRunId: text(),
    leftAloneCount: described(int32(), 'For an undo: how many were not undone because they had been changed since.'),
    errorMessage: text(),
    startedAt: timestamp(),
    finishedAt: timestamp(),
  },
  'A run of an automation rule.',
)

export const viewRun = (call: Call, run: Run) => {
  const { matched: matchedCount, excluded: excludedCount, failed: failedCount } = run
  const { counts, boundedCounts } = boundCounts(call, { matchedCount, excludedCount, failedCount }, [
    'matchedCount',
    'excludedCount',
    'failedCount',
  ])
  return { ...plainRun(run), ...counts, boundedCounts, failures: failuresFor(call, run.failures) }
}

const plainRun = (run: Run) => ({
  id: run.id,
  appId: run.appId,
  appEntitlementId: run.entitlementId,
  ruleVersion: run.version,
  cause: `${causePrefix}${run.cause.toUpperCase() as Upper<Run['cause']>}` as const,
  startedByUserId: run.startedBy,
  status: `${statusPrefix}${run.status.toUpperCase() as Upper<Run['status']>}` as const,
  memberCount: run.members,
  toGainCount: run.toGain,
  toLoseCount: run.toLose,
  gainedCount: run.gained,
  lostCount: run.lost,
  undoesRunId: run.undoes,
  undoneByRunId: run.undoneBy,
  leftAloneCount: run.leftAlone,
  errorMessage: run.error,
  startedAt: run.startedAt,
  finishedAt: run.finishedAt,
})

/** The path of an entitlement's rule, and the objects that its routes are about. */
export const ruleAt = '/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation'
export const ofRule = { app: 'app_id', entitlement: 'app_entitlement_id' } as const
export const refOf = (path: { app_id: string; app_entitlement_id: string }): EntitlementRef => ({
  appId: path.app_id,
  id: path.app_entitlement_id,
})
