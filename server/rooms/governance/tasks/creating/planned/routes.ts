import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { message, nested } from '#kernel/wire.ts'
import { grantAsked, grantFields, refuseUnnamed } from '../asked.ts'
import { planRequest } from './actions.ts'
import { RequestPlanMessage, requestPlanOnWire } from './present.ts'

export const requestPlanRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.RequestPlans.Plan',
    at: 'POST /api/v1/task/plan',
    summary:
      'Plan a request for access without creating it: the settings that apply, every step with its people, and what prevents it.',
    rule: 'tasks.act',
    body: message('bailiwick.v1.PlanRequestRequest', grantFields),
    reply: message('bailiwick.v1.PlanRequestResponse', { plan: nested(RequestPlanMessage) }),
    async handle(call, { body }) {
      const asked = grantAsked(body)
      refuseUnnamed(asked)
      const plan = await transact(call.db, async (tx) =>
        requestPlanOnWire(tx, call, await planRequest(tx, call, asked)),
      )
      return { plan }
    },
  }),
]
