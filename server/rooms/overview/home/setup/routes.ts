import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { flag, listOf, message, oneOf } from '#kernel/wire.ts'
import { findFacts } from './store.ts'

const steps = [
  'SETUP_STEP_UNSPECIFIED',
  'SETUP_STEP_PASSKEY',
  'SETUP_STEP_PEOPLE',
  'SETUP_STEP_APPS',
  'SETUP_STEP_ACCESS',
  'SETUP_STEP_RULE',
  'SETUP_STEP_REQUESTS',
  'SETUP_STEP_ADMINISTRATORS',
  'SETUP_STEP_MAIL',
] as const

export const setupRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.Home.GetSetup',
    at: 'GET /api/v1/home/setup',
    summary: 'List the steps to set up an organization, and whether each is done. This is determined from the data.',
    rule: 'setup.read',
    reply: message('bailiwick.v1.GetSetupResponse', {
      list: listOf(message('bailiwick.v1.SetupStep', { step: oneOf(steps), isDone: flag() })),
    }),
    async handle({ db, tenant, actor, settings }) {
      const facts = await findFacts(db, tenant.id, actor.userId)
      return {
        list: [
          { step: 'SETUP_STEP_PASSKEY' as const, isDone: facts.hasPasskey },
          { step: 'SETUP_STEP_PEOPLE' as const, isDone: facts.hasPeople },
          { step: 'SETUP_STEP_APPS' as const, isDone: facts.hasApps },
          { step: 'SETUP_STEP_ACCESS' as const, isDone: facts.hasAccess },
          { step: 'SETUP_STEP_RULE' as const, isDone: facts.hasRule },
          { step: 'SETUP_STEP_REQUESTS' as const, isDone: facts.hasRequestable },
          { step: 'SETUP_STEP_ADMINISTRATORS' as const, isDone: facts.hasAdministrators },
          { step: 'SETUP_STEP_MAIL' as const, isDone: settings.mail !== undefined },
        ],
      }
    },
  }),
]
