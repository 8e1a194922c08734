import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { empty, int32, list, listOf, type MessageOf, message, nested, required, text } from '#kernel/wire.ts'
import { changeRule, createRule, getRule, listRulesOf, removeRule, reorderRules } from './actions.ts'
import { noSettings, type RoutingRule, RuleMessage, type RuleTerms, rulesMax, ruleTermShapes } from './rule.ts'

const service = 'app.v1.AppEntitlementRoutingRuleService'
const path = '/api/v1/apps/{app_id}/entitlement_configuration_rules' as const
const about = { app: 'app_id' } as const
const ruleReply = (name: string) => message(`app.v1.${name}Response`, { routingRule: nested(RuleMessage) })

const onWire = (rule: RoutingRule) => ({ ...rule, deletedAt: null })
const termsIn = (body: MessageOf<typeof ruleTermShapes>): RuleTerms => ({
  ...body,
  settings: body.settings ?? noSettings,
})

export const routingRoutes: readonly Route[] = [
  route({
    id: `${service}.ListAppEntitlementRoutingRules`,
    at: `GET ${path}`,
    summary: 'List the routing rules of an app, in the order in which they are evaluated.',
    rule: 'app.read-terms',
    about,
    reply: message('app.v1.ListAppEntitlementRoutingRulesResponse', {
      list: listOf(RuleMessage),
      nextPageToken: text(),
    }),
    handle: async (call, { path: { app_id } }) => ({
      list: (await listRulesOf(call.db, call, app_id)).map(onWire),
      nextPageToken: '',
    }),
  }),
  route({
    id: `${service}.CreateAppEntitlementRoutingRule`,
    at: `POST ${path}`,
    summary: 'Create a routing rule. Priority 1 is tried first; without one it is tried last.',
    rule: 'app.change-terms',
    about,
    body: message('app.v1.CreateAppEntitlementRoutingRuleRequestInput', {
      ...ruleTermShapes,
      displayName: required(ruleTermShapes.displayName),
      priority: int32(),
    }),
    reply: ruleReply('CreateAppEntitlementRoutingRule'),
    async handle(call, { path: { app_id }, body }) {
      const wanted = { ...termsIn(body), priority: body.priority }
      return { routingRule: onWire(await transact(call.db, (tx) => createRule(tx, call, app_id, wanted))) }
    },
  }),
  route({
    id: `${service}.ReorderAppEntitlementRoutingRules`,
    at: `POST ${path}/reorder`,
    summary: 'Change the order of the routing rules of an app: ruleIds contains each of them once.',
    rule: 'app.change-terms',
    about,
    body: message('app.v1.ReorderAppEntitlementRoutingRulesRequestInput', { ruleIds: list(text(), rulesMax) }),
    reply: message('app.v1.ReorderAppEntitlementRoutingRulesResponse', { list: listOf(RuleMessage) }),
    async handle(call, { path: { app_id }, body }) {
      const rules = await transact(call.db, (tx) => reorderRules(tx, call, app_id, body.ruleIds))
      return { list: rules.map(onWire) }
    },
  }),
  route({
    id: `${service}.GetAppEntitlementRoutingRule`,
    at: `GET ${path}/{id}`,
    summary: 'Get a routing rule.',
    rule: 'app.read-terms',
    about,
    reply: ruleReply('GetAppEntitlementRoutingRule'),
    handle: async (call, { path: { app_id, id } }) => ({
      routingRule: onWire(await getRule(call.db, call, app_id, id)),
    }),
  }),
  route({
    id: `${service}.UpdateAppEntitlementRoutingRule`,
    at: `POST ${path}/{id}`,
    summary: 'Replace a routing rule, which keeps its position. Omitted fields are unset.',
    rule: 'app.change-terms',
    about,
    body: message('app.v1.UpdateAppEntitlementRoutingRuleRequestInput', {
      ...ruleTermShapes,
      displayName: required(ruleTermShapes.displayName),
    }),
    reply: ruleReply('UpdateAppEntitlementRoutingRule'),
    async handle(call, { path: { app_id, id }, body }) {
      const changed = await transact(call.db, (tx) => changeRule(tx, call, app_id, id, termsIn(body)))
      return { routingRule: onWire(changed) }
    },
  }),
  route({
    id: `${service}.DeleteAppEntitlementRoutingRule`,
    at: `DELETE ${path}/{id}`,
    summary: 'Delete a routing rule.',
    rule: 'app.change-terms',
    about,
    body: message('app.v1.DeleteAppEntitlementRoutingRuleRequestInput', {}),
    reply: empty,
    async handle(call, { path: { app_id, id } }) {
      await transact(call.db, (tx) => removeRule(tx, call, app_id, id))
      return {}
    },
  }),
]
