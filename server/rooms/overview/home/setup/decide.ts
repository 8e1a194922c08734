import type { Plain } from '#authority/may.ts'
import type { Facts } from './facts.ts'

/** How the tenant is reached, as the caller reaches it. */
export type Reached = { origin: string; isOnlyHere: boolean }

export const stepNames = [
  'SETUP_STEP_ADDRESS',
  'SETUP_STEP_PASSKEY',
  'SETUP_STEP_PEOPLE',
  'SETUP_STEP_SIGN_IN',
  'SETUP_STEP_MAIL',
  'SETUP_STEP_ADMINISTRATORS',
  'SETUP_STEP_APPS',
  'SETUP_STEP_ACCESS',
  'SETUP_STEP_REQUESTS',
  'SETUP_STEP_RULE',
] as const
export type StepName = (typeof stepNames)[number]

/** Who does a step: whoever is asked, another administrator, or the operator of the server with a command. */
export type Doer = 'you' | 'administrator' | 'operator'
export type Step = { step: StepName; isDone: boolean; doneBy: Doer; command: string; detail: string }

/** What doing a step takes; steps without one are done by everyone for themselves. */
const needs: Partial<Record<StepName, Plain>> = {
  SETUP_STEP_PEOPLE: 'imports.create',
  SETUP_STEP_SIGN_IN: 'invitations.change',
  SETUP_STEP_MAIL: 'notifications.change',
  SETUP_STEP_ADMINISTRATORS: 'roles.assign',
  SETUP_STEP_APPS: 'apps.create',
  SETUP_STEP_ACCESS: 'grants.bulk-change',
  SETUP_STEP_REQUESTS: 'profiles.change',
  SETUP_STEP_RULE: 'entitlements.bulk-edit',
}

const httpsCommand = 'node bin/bailiwick.mjs serve --host 0.0.0.0 --port 443 --tls-cert FILE --tls-key FILE'
const addressCommand = 'node bin/bailiwick.mjs tenant address add https://access.example.com'

/** The steps in the order in which they are of use, each judged by the facts. */
export function stepsOf(
  facts: Facts & { isMailConfirmed: boolean },
  { origin, isOnlyHere }: Reached,
  mayDo: (action: Plain) => boolean,
): Step[] {
  const isHttps = origin.startsWith('https://')
  const done: Record<StepName, boolean> = {
    SETUP_STEP_ADDRESS: isHttps && !isOnlyHere,
    SETUP_STEP_PASSKEY: facts.hasPasskey,
    SETUP_STEP_PEOPLE: facts.hasPeople,
    SETUP_STEP_SIGN_IN: facts.hasSignIns,
    SETUP_STEP_MAIL: facts.isMailConfirmed,
    SETUP_STEP_ADMINISTRATORS: facts.hasAdministrators,
    SETUP_STEP_APPS: facts.hasApps,
    SETUP_STEP_ACCESS: facts.hasAccess,
    SETUP_STEP_REQUESTS: facts.hasRequestable,
    SETUP_STEP_RULE: facts.hasRule,
  }
  return stepNames.map((step) => {
    const of = { step, isDone: done[step], command: '', detail: '' }
    if (step === 'SETUP_STEP_ADDRESS')
      return { ...of, doneBy: 'operator', detail: origin, command: isOnlyHere ? addressCommand : httpsCommand }
    const action = needs[step]
    return { ...of, doneBy: action === undefined || mayDo(action) ? 'you' : 'administrator' }
  })
}
