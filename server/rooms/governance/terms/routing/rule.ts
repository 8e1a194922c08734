import { flag, int32, type MessageOf, message, nested, readOnly, text, timestamp } from '#kernel/wire.ts'
import { maxDurationShape, requestTermShapes } from '../request-terms.ts'

/** Limits the work: each may be evaluated for a request. */
export const rulesMax = 100
const nameLength = 200
const textLength = 10_000

const SettingsMessage = message('app.v1.AppEntitlementRoutingRuleSettings', {
  ...requestTermShapes,
  maxGrantDuration: maxDurationShape,
})

export const ruleTermShapes = {
  displayName: text({ maxLength: nameLength }),
  description: text({ maxLength: textLength }),
  condition: text({ maxLength: textLength }),
  enabled: flag(),
  settings: nested(SettingsMessage),
}

export const RuleMessage = message(
  'app.v1.AppEntitlementRoutingRule',
  {
    id: readOnly(text()),
    appId: readOnly(text()),
    ...ruleTermShapes,
    priority: int32(),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
    deletedAt: readOnly(timestamp()),
  },
  'The settings for requests of entitlements of an app that match a condition.',
)

export type RuleSettings = MessageOf<(typeof SettingsMessage)['fields']>
export type RuleTerms = {
  displayName: string
  description: string
  /** An expression about `entitlement`; empty for all. */
  condition: string
  enabled: boolean
  settings: RuleSettings
}
/** `priority` is its place among the rules of the app, from 1. */
export type RoutingRule = RuleTerms & { id: string; appId: string; priority: number; createdAt: Date; updatedAt: Date }

export const noSettings: RuleSettings = SettingsMessage.read({}, '', [])
