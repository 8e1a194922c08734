import { route } from '#authority/route.ts'

import { message, nested } from '#kernel/wire.ts'
import { AutomationMessage, ofRule, refOf, ruleAt, viewAutomation } from '../view.ts'
import { getAutomation, refuseUnknownEntitlement } from './actions.ts'

export const ruleRoutes = [
  route({
    id: 'app.v1.AppEntitlements.GetAutomation',
    at: `GET ${ruleAt}`,
    summary: 'Get the automation rule of an entitlement.',
    rule: 'entitlement.read-rule',
    about: ofRule,
    reply: message('app.v1.GetAutomationResponse', { AppEntitlementAutomation: nested(AutomationMessage) }),
    async handle(call, { path }) {
      await refuseUnknownEntitlement(call, refOf(path))
      return { AppEntitlementAutomation: viewAutomation(await getAutomation(call.db, call, refOf(path))) }
    },
  }),
]
