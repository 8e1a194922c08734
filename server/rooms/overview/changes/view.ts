import { expandedField } from '#kernel/expand.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { described, flag, int32, list, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import type { CauseKind, ChangeKind, Subject } from './change.ts'
import type { Buckets } from './decide.ts'

export const subjectNames = [
  'CHANGE_SUBJECT_UNSPECIFIED',
  'CHANGE_SUBJECT_GRANT',
  'CHANGE_SUBJECT_USER',
  'CHANGE_SUBJECT_APP',
  'CHANGE_SUBJECT_ACCOUNT',
  'CHANGE_SUBJECT_ENTITLEMENT',
  'CHANGE_SUBJECT_OWNER',
  'CHANGE_SUBJECT_RULE',
] as const
export const kindNames = [
  'CHANGE_KIND_UNSPECIFIED',
  'CHANGE_KIND_ADDED',
  'CHANGE_KIND_REMOVED',
  'CHANGE_KIND_CHANGED',
] as const
export const causeNames = [
  'CHANGE_CAUSE_UNSPECIFIED',
  'CHANGE_CAUSE_USER',
  'CHANGE_CAUSE_IMPORT',
  'CHANGE_CAUSE_RULE',
  'CHANGE_CAUSE_TASK',
  'CHANGE_CAUSE_PROFILE',
  'CHANGE_CAUSE_CONNECTOR',
  'CHANGE_CAUSE_DIRECTORY',
  'CHANGE_CAUSE_EXPIRY',
] as const
const unitNames = [
  'CHANGE_UNIT_UNSPECIFIED',
  'CHANGE_UNIT_HOUR',
  'CHANGE_UNIT_DAY',
  'CHANGE_UNIT_WEEK',
  'CHANGE_UNIT_FOUR_WEEKS',
  'CHANGE_UNIT_YEAR',
] as const

const upper = (word: string): string => word.toUpperCase().replaceAll(' ', '_')
export const subjectOnWire = (subject: Subject): (typeof subjectNames)[number] =>
  `CHANGE_SUBJECT_${upper(subject)}` as (typeof subjectNames)[number]
export const kindOnWire = (kind: ChangeKind): (typeof kindNames)[number] =>
  `CHANGE_KIND_${upper(kind)}` as (typeof kindNames)[number]
export const causeOnWire = (kind: CauseKind): (typeof causeNames)[number] =>
  `CHANGE_CAUSE_${upper(kind)}` as (typeof causeNames)[number]
export const unitOnWire = (unit: Buckets['unit']): (typeof unitNames)[number] =>
  `CHANGE_UNIT_${upper(unit)}` as (typeof unitNames)[number]

export const spanFields = {
  from: described(timestamp(), 'The first moment; 7 days before the second by default.'),
  to: described(timestamp(), 'The second moment; the current time by default.'),
}

const ChangeReason = message(
  'bailiwick.v1.ChangeReason',
  {
    source: described(text(), 'manual, import, rule, request, profile or directory.'),
    grantedBy: described(text(), 'The id of the user, import, run, task or access profile that granted it.'),
    grantedAt: timestamp(),
    expiresAt: described(timestamp(), 'Null if it does not expire.'),
  },
  'A source because of which an account had an entitlement.',
)

export const ChangeCause = message(
  'bailiwick.v1.ChangeCause',
  {
    kind: oneOf(causeNames),
    id: described(text(), 'Empty if it is not known.'),
    appId: described(text(), 'The app of a rule, a connector or a directory.'),
    appEntitlementId: described(text(), 'The entitlement whose rule it is.'),
    connectorId: text(),
    displayName: described(text(), 'Empty if the caller may not see it.'),
    isDeleted: flag(),
    ruleVersion: int32(),
    ruleExpression: described(text(), 'The expression of the version of the rule that applied, if it is known.'),
  },
  'Who or what caused a change.',
)

const Change = message(
  'bailiwick.v1.Difference',
  {
    id: text(),
    subject: oneOf(subjectNames),
    kind: oneOf(kindNames),
    changedAt: described(timestamp(), 'The last time it changed between the two moments.'),
    appId: text(),
    appEntitlementId: text(),
    appUserId: text(),
    userId: text(),
    objectKind: described(
      text(),
      'For an owner, the type of the owned object: app, entitlement, resource, account, user or connector.',
    ),
    objectAppId: text(),
    objectTypeId: text(),
    objectId: text(),
    objectDisplayName: described(text(), 'For an owned resource.'),
    roleSlug: described(text(), 'The role of an owner.'),
    displayName: described(text(), 'The name of a rule.'),
    before: described(listOf(ChangeReason), 'Why the account had the entitlement at the first moment.'),
    after: described(listOf(ChangeReason), 'Why it had the entitlement at the second moment.'),
    cause: nested(ChangeCause),
  },
  'One difference between two moments.',
)

export const changeList = (name: string) =>
  message(name, {
    list: listOf(Change),
    expanded: expandedField,
    nextPageToken,
  })

export const changeSummary = (name: string) =>
  message(name, {
    from: timestamp(),
    to: timestamp(),
    counts: listOf(
      message('bailiwick.v1.ChangeCount', {
        subject: oneOf(subjectNames),
        kind: oneOf(kindNames),
        count: int32(),
        isMore: described(flag(), 'There are more: only this many are counted.'),
      }),
    ),
    unit: described(oneOf(unitNames), 'The length of each period of `periods`.'),
    periods: described(
      listOf(
        message('bailiwick.v1.ChangePeriod', {
          beginsAt: timestamp(),
          added: int32(),
          removed: int32(),
          changed: int32(),
        }),
      ),
      'Changes of grants over time, in UTC. If there are more than are counted, of the latest ones.',
    ),
    withoutHistory: described(list(text()), 'What is not compared, because only its current state is kept.'),
  })
