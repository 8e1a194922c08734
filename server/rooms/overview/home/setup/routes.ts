import { may } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { canonicalHost } from '#kernel/hosts.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, listOf, message, oneOf, text } from '#kernel/wire.ts'
import { isChannelConfirmed } from '#rooms/governance/notifications/index.ts'
import { stepNames, stepsOf } from './decide.ts'
import { findFacts } from './store.ts'

export const setupRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.Home.GetSetup',
    at: 'GET /api/v1/home/setup',
    summary:
      'List the steps to set up an organization, whether each is done, and who can do it. This is determined from the data.',
    rule: 'setup.read',
    reply: message('bailiwick.v1.GetSetupResponse', {
      list: listOf(
        message('bailiwick.v1.SetupStep', {
          step: oneOf(['SETUP_STEP_UNSPECIFIED', ...stepNames]),
          isDone: flag(),
          doneBy: described(
            oneOf(['', 'you', 'administrator', 'operator']),
            'Who can do it: you, an administrator with more permissions, or the operator of the server.',
          ),
          command: described(text(), "The operator's command; empty if there is none."),
          detail: described(text(), 'What it was judged by, where that can be shown.'),
        }),
      ),
    }),
    async handle(call) {
      const { db, tenant, actor, origin } = call
      const [facts, isMailConfirmed] = await Promise.all([
        findFacts(db, tenant.id, actor.userId),
        isChannelConfirmed(call, tenant.id),
      ])
      const isOnlyHere = canonicalHost(tenant.domain) === 'localhost'
      return {
        list: stepsOf({ ...facts, isMailConfirmed }, { origin, isOnlyHere }, (action) => may(actor, action)),
      }
    },
  }),
]
