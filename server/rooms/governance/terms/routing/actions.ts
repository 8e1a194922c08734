import type { May } from '#authority/proof.ts'
import { changeWithinReach } from '#authority/reach/index.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { recordChange, withBefore } from '#rooms/foundation/systemlog/index.ts'
import { checkWritten } from '#rooms/governance/policies/index.ts'
import { appNotFound, durationProblem, refuseUnknownApp } from '#rooms/records/apps/index.ts'
import { ruleNotFound, tooManyRules } from '../refuse.ts'
import { namingProblems, refuseProblems } from '../request-terms.ts'
import { orderProblem, placeOf } from './decide.ts'
import { type RoutingRule, type RuleTerms, rulesMax } from './rule.ts'
import { deleteRule, findRule, insertRule, listRules, lockRulesOf, moveRules, orderRules, updateRule } from './store.ts'

export async function listRulesOf(db: Reads, call: Call, appId: string): Promise<RoutingRule[]> {
  const rules = await listRules(db, call.tenant.id, appId)
  if (rules.length === 0) await refuseUnknownApp(db, call, appId)
  return rules
}

export async function getRule(db: Reads, call: Call, appId: string, id: string): Promise<RoutingRule> {
  const rule = await findRule(db, call.tenant.id, appId, id)
  if (rule) return rule
  await refuseUnknownApp(db, call, appId)
  throw ruleNotFound(appId, id)
}

export async function createRule(
  tx: Tx,
  call: May<'app.change-terms'>,
  appId: string,
  wanted: RuleTerms & { priority: number },
): Promise<RoutingRule> {
  const terms = await checked(tx, call, appId, wanted)
  const rules = await holdRules(tx, call, appId)
  if (rules.length >= rulesMax) throw tooManyRules(appId, rulesMax)
  const place = placeOf(wanted.priority, rules.length)
  if (typeof place !== 'number') throw invalid(place)
  const at = call.now()
  const rule: RoutingRule = { ...terms, id: call.newId(), appId, priority: place, createdAt: at, updatedAt: at }
  await changeWithinReach(tx, call, { appId }, async () => {
    await moveRules(tx, call.tenant.id, appId, place, 1)
    await insertRule(tx, call, rule)
  })
  await recordRuleChange(tx, call, 'create', 'Created', { rule })
  return rule
}

/** There is no mask: a rule becomes what is sent. */
export async function changeRule(
  tx: Tx,
  call: May<'app.change-terms'>,
  appId: string,
  id: string,
  wanted: RuleTerms,
): Promise<RoutingRule> {
  const terms = await checked(tx, call, appId, wanted)
  const before = (await holdRules(tx, call, appId)).find((rule) => rule.id === id)
  if (!before) throw ruleNotFound(appId, id)
  const after: RoutingRule = { ...before, ...terms, updatedAt: call.now() }
  await changeWithinReach(tx, call, { appId }, () => updateRule(tx, call, after))
  await recordRuleChange(tx, call, 'update', 'Changed', { rule: after, before })
  return after
}

export async function removeRule(tx: Tx, call: May<'app.change-terms'>, appId: string, id: string): Promise<void> {
  const rule = (await holdRules(tx, call, appId)).find((each) => each.id === id)
  if (!rule) throw ruleNotFound(appId, id)
  await changeWithinReach(tx, call, { appId }, async () => {
    await deleteRule(tx, call, appId, id)
    await moveRules(tx, call.tenant.id, appId, rule.priority + 1, -1)
  })
  await recordRuleChange(tx, call, 'delete', 'Deleted', { rule })
}

/** Refused unless it names every rule: a client that did not see a new rule would put it in an arbitrary place. */
export async function reorderRules(
  tx: Tx,
  call: May<'app.change-terms'>,
  appId: string,
  ids: readonly string[],
): Promise<RoutingRule[]> {
  const before = await holdRules(tx, call, appId)
  refuseProblems(
    orderProblem(
      ids,
      before.map(({ id }) => id),
    ),
  )
  await changeWithinReach(tx, call, { appId }, () => orderRules(tx, call.tenant.id, appId, ids, call.now()))
  const message = `Changed the order of the routing rules of the app ${appId}`
  const order = { type: 'app', id: appId, data: { routingRuleIds: ids } }
  await recordChange(tx, call, 'update', message, [order])
  return listRules(tx, call.tenant.id, appId)
}

async function holdRules(tx: Tx, call: Call, appId: string): Promise<RoutingRule[]> {
  if (!(await lockRulesOf(tx, call.tenant.id, appId))) throw appNotFound(appId)
  return listRules(tx, call.tenant.id, appId)
}

/**
 * The requested rule, as it is stored; refused with what is wrong with it. Called before the app is locked: see policies
 * named by apps.
 */
async function checked(tx: Tx, call: Call, appId: string, wanted: RuleTerms): Promise<RuleTerms> {
  const { displayName, description, condition, enabled, settings } = wanted
  const duration = { durationGrant: settings.maxGrantDuration, durationUnset: null }
  refuseProblems(
    displayName.trim() === '' ? { field: 'displayName', description: 'must not be empty' } : null,
    durationProblem('settings.maxGrantDuration', duration),
  )
  if (condition.trim() !== '')
    await checkWritten(tx, call, { scope: 'routing', text: condition, field: 'condition', isKept: false })
  refuseProblems(...(await namingProblems(tx, call, appId, settings, 'settings.')))
  return { displayName: displayName.trim(), description, condition: condition.trim(), enabled, settings }
}

const touched = ({ id, appId, priority, displayName, condition, enabled, settings }: RoutingRule) => ({
  type: 'routing_rule',
  id,
  name: displayName,
  data: { appId, priority, condition, enabled, settings },
})

const recordRuleChange = (
  tx: Tx,
  call: Call,
  activity: 'create' | 'update' | 'delete',
  verb: string,
  { rule, before }: { rule: RoutingRule; before?: RoutingRule },
) =>
  recordChange(tx, call, activity, `${verb} the routing rule ${rule.displayName}`, [
    before ? withBefore(touched(rule), touched(before)) : touched(rule),
  ])
