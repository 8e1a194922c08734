import { Refusal } from '#kernel/refusals.ts'

export const ruleNotFound = (appId: string, id: string): Refusal =>
  new Refusal('ROUTING_RULE_NOT_FOUND', `The app ${appId} has no routing rule ${id}.`, {
    metadata: { appId, routingRuleId: id },
  })

export const tooManyRules = (appId: string, most: number): Refusal =>
  new Refusal('ROUTING_RULES_TOO_MANY', `An app has at most ${most} routing rules.`, { metadata: { appId } })

export const defaultsNotFound = (appId: string): Refusal =>
  new Refusal('REQUEST_DEFAULTS_NOT_FOUND', `The app ${appId} has no defaults for access requests.`, {
    metadata: { appId },
  })

/** No other rule is tried: it may be less strict. */
export const routingFailed = (
  rule: { id: string; appId: string; priority: number; displayName: string },
  error: string,
): Refusal =>
  new Refusal(
    'ROUTING_CONDITION_FAILED',
    `The condition of routing rule ${rule.priority} (${rule.displayName}) fails, so no request can be created: ${error}. ` +
      'An administrator of the app has to correct the rule.',
    { metadata: { appId: rule.appId, routingRuleId: rule.id } },
  )

export const justificationMissing = (): Refusal =>
  new Refusal('JUSTIFICATION_REQUIRED', 'A request needs a justification.', {
    violations: [{ field: 'description', description: 'must not be empty' }],
  })
