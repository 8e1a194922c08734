import type { homeGetSetup } from '#client/api/operations.ts'
import type { ReplyOf } from '#client/operation.ts'

export type SetupStep = ReplyOf<typeof homeGetSetup>['list'][number]

type Way = { label: string; to: string }
export type SetupWords = {
  title: string
  /** What doing it changes. */
  about: string
  /** How it is known to be done. */
  judged: string
  ways: readonly [Way, ...Way[]]
}

/** What each step changes, where it is done, and how it is known to be done. */
export const setupWords: Readonly<Record<SetupStep['step'], SetupWords | null>> = {
  SETUP_STEP_UNSPECIFIED: null,
  SETUP_STEP_ADDRESS: {
    title: 'Choose the address, with HTTPS',
    about:
      'Others can only open this console, and the links in messages, at a host name that leads to this server. Passkeys and cookies belong to that name: choose it before people sign in.',
    judged: 'Done when you open the console with https:// at a name other than localhost.',
    ways: [
      { label: 'Address', to: '/settings/address' },
      { label: 'How to serve HTTPS', to: '/docs/guides/operations#https' },
    ],
  },
  SETUP_STEP_PASSKEY: {
    title: 'Add a passkey',
    about: 'You sign in without a one-time link, and confirm sensitive changes with it.',
    judged: 'Done when you have a passkey, or signed in with your identity provider.',
    ways: [{ label: 'Add a passkey', to: '/settings/passkeys' }],
  },
  SETUP_STEP_PEOPLE: {
    title: 'Add your people',
    about: 'People appear as users. Nobody is notified, and nobody gets access.',
    judged: 'Done when there is another person.',
    ways: [
      { label: 'Add people', to: '/users/add' },
      { label: 'Directories', to: '/directories' },
    ],
  },
  SETUP_STEP_SIGN_IN: {
    title: 'Let your people sign in',
    about:
      'Each invited person gets a link for the first sign-in, and adds a passkey. Or they sign in with your identity provider.',
    judged: 'Done when another person has signed in.',
    ways: [
      { label: 'Choose whom to invite', to: '/users' },
      { label: 'Sign-in policy', to: '/settings/sign-in' },
    ],
  },
  SETUP_STEP_MAIL: {
    title: 'Set up email or chat',
    about:
      'People are notified about approvals, and about access that ends. Until then, nobody is notified of anything.',
    judged: 'Done when a test message has arrived, confirmed with the code in it.',
    ways: [{ label: 'Set up and test', to: '/settings/organisation-notifications' }],
  },
  SETUP_STEP_ADMINISTRATORS: {
    title: 'Add a second administrator',
    about:
      'You are not locked out if one of you is unavailable, and can require that a second person approves changes.',
    judged: 'Done when two enabled people are Super Administrators.',
    ways: [{ label: 'Choose a person', to: '/users' }],
  },
  SETUP_STEP_APPS: {
    title: 'Add an app and its entitlements',
    about:
      'A connector reads the app and changes access in it. Without one, people are asked to change it, and confirm that they did.',
    judged: 'Done when an app has an entitlement.',
    ways: [
      { label: 'Connect an app', to: '/connectors/new' },
      { label: 'Create an app', to: '/apps#create' },
    ],
  },
  SETUP_STEP_ACCESS: {
    title: 'Record who has access',
    about: 'A sync or an import records who has what today. It changes nothing in the apps.',
    judged: 'Done when somebody has an entitlement.',
    ways: [
      { label: 'Import access', to: '/imports' },
      { label: 'Open an app', to: '/apps' },
    ],
  },
  SETUP_STEP_REQUESTS: {
    title: 'Let people request access',
    about: 'A published access profile shows people what they can request. A policy says who approves.',
    judged: 'Done when an access profile with an entitlement is published.',
    ways: [
      { label: 'Create an access profile', to: '/profiles#create' },
      { label: 'Policies', to: '/policies' },
    ],
  },
  SETUP_STEP_RULE: {
    title: 'Create the first rule',
    about:
      'It grants an entitlement to everyone who matches, and removes it from those who no longer do. A plan shows whom, before anything changes.',
    judged: 'Done when there is a rule.',
    ways: [{ label: 'Create a rule', to: '/rules#create' }],
  },
}
