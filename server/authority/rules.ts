import { anyone, authenticated, signedIn } from '#kernel/routes.ts'
import type { Permission } from './permissions.ts'

/** What can be owned, where rules admit owners, by the parts of its key that a path names. */
export const ownable = {
  app: [['app']],
  'resource type': [['app', 'resourceType']],
  resource: [['app', 'resourceType', 'resource']],
  entitlement: [['app', 'entitlement']],
  'both entitlements': [
    ['app', 'entitlement'],
    ['app', 'entitlement'],
  ],
  account: [['app', 'account']],
  connector: [['app', 'connector']],
  principal: [['user']],
} as const
type Ownable = keyof typeof ownable

export type Rule = {
  /** What every caller needs: a permission, or a token or a session, or a session of the console, or nothing. */
  readonly needs: Permission | typeof anyone | typeof authenticated | typeof signedIn
  /** Owners of this, or of what contains it, may too, if their roles permit it for what they own. */
  readonly owners?: Ownable
  /** Owners of what contains this may: nobody deletes, or chooses the owners of, what they own themselves. */
  readonly ownersAbove?: Ownable
  /** What the roles of owners have to permit, if that is more than `needs`: others see only what belongs to them. */
  readonly ownersNeed?: Permission
  /** Its replies are not filtered, whomever they are about: showing them is what the permission is for. */
  readonly repliesWhole?: true
  /** The person concerned may too. */
  readonly self?: true
  /** In the console, requires a recent sign-in: a copied cookie is not enough. */
  readonly recentSignIn?: true
}

/**
 * Every action, and who may do it. Routes name theirs (`route.ts`), and code checks by name whether a caller may
 * (`may.ts`): no other file reads a caller's permissions. Which changes also need a second person is chosen by each
 * tenant: `governance/four-eyes`.
 */
export const rules = {
  // For objects of every kind, checked in code: `may`, `mayEverywhere`, `mayWithOwned`
  'users.edit': { needs: 'users.write' },
  'principals.edit': { needs: 'principals.write' },
  'apps.edit': { needs: 'apps.write' },
  'entitlements.read': { needs: 'entitlements.read' },
  'entitlements.edit': { needs: 'entitlements.write' },
  'accounts.read': { needs: 'accounts.read' },
  'grants.read': { needs: 'grants.read' },
  'grants.give': { needs: 'grants.write' },
  'owners.read': { needs: 'owners.read' },
  'owners.change': { needs: 'owners.write' },
  'rules.read': { needs: 'automations.read' },
  'rules.edit': { needs: 'automations.write' },
  'tasks.read': { needs: 'tasks.read' },
  'tasks.request-for-others': { needs: 'tasks.others' },
  'tasks.manage': { needs: 'tasks.manage' },
  'views.share': { needs: 'views.share' },

  // For what belongs to one person, who may do it too: `mayOf`
  'user.read': { needs: 'users.read', self: true },
  'user.read-grants': { needs: 'grants.read', self: true },
  'user.read-accounts': { needs: 'accounts.read', self: true },

  // Tokens and sign-in
  'token.use': { needs: anyone },
  'console.sign-in': { needs: anyone },
  'self.introspect': { needs: authenticated },
  'own-sessions.read': { needs: signedIn },
  'own-sessions.end': { needs: signedIn },
  'own-sign-in.read': { needs: signedIn },
  'own-sign-in.rename': { needs: signedIn },
  'own-sign-in.change': { needs: signedIn, recentSignIn: true },
  'sessions.read': { needs: 'sessions.read' },
  'sessions.end': { needs: 'sessions.write', recentSignIn: true },
  'sign-in-policy.read': { needs: 'sign-in.read' },
  'sign-in-policy.change': { needs: 'sign-in.write', recentSignIn: true },
  'invitations.read': { needs: 'sign-in.read' },
  'invitations.change': { needs: 'sign-in.write', recentSignIn: true },

  // API credentials, devices and service principals
  'own-credentials.read': { needs: 'credentials.own.read' },
  'own-credentials.create': { needs: 'credentials.own.write', recentSignIn: true },
  'own-credentials.revoke': { needs: 'credentials.own.write' },
  'credentials.read': { needs: 'credentials.read' },
  'credentials.revoke': { needs: 'credentials.write' },
  'principals.list': { needs: 'owners.own.read' },
  'principals.create': { needs: 'principals.write' },
  'principals.delete': { needs: 'principals.write', recentSignIn: true },
  'principals.read': { needs: 'principals.read' },
  'principals.change-bindings': { needs: 'principals.write' },
  'principal.read': { needs: 'principals.read', owners: 'principal' },
  'principal.edit': { needs: 'principals.write', owners: 'principal' },
  'principal.create-credential': { needs: 'principals.write', owners: 'principal', recentSignIn: true },
  'providers.read': { needs: 'owners.own.read' },
  'providers.change': { needs: 'principals.write', recentSignIn: true },
  'providers.delete': { needs: 'principals.write' },
  'trusts.list': { needs: 'owners.own.read' },
  'trust.read': { needs: 'principals.read', owners: 'principal' },
  'trust.change': { needs: 'principals.write', owners: 'principal', recentSignIn: true },
  'trust.delete': { needs: 'principals.write', owners: 'principal' },

  // Users and roles
  'self.read': { needs: 'users.own.read' },
  'self.delegate': { needs: 'users.own.delegate', recentSignIn: true },
  'users.read': { needs: 'users.read' },
  'users.find': { needs: 'users.names.read' },
  'users.set-delegate': { needs: 'users.write', recentSignIn: true },
  'users.change-status': { needs: 'users.write', recentSignIn: true },
  'users.plan-status': { needs: 'users.write' },
  'users.list-merges': { needs: 'users.read' },
  'users.plan-merge': { needs: 'users.write' },
  'users.merge': { needs: 'users.write', recentSignIn: true },
  'leavers.read': { needs: 'users.read' },
  'roles.read': { needs: 'roles.read' },
  'roles.edit': { needs: 'roles.write' },
  'roles.assign': { needs: 'roles.assign', recentSignIn: true },
  'directories.read': { needs: 'directories.read' },
  'directories.plan': { needs: 'directories.write' },
  'directories.change': { needs: 'directories.write', recentSignIn: true },

  // Apps and what they contain
  'apps.list': { needs: 'entitlements.own.read' },
  'apps.read': { needs: 'apps.read' },
  'coverage.read': { needs: 'apps.read' },
  'apps.create': { needs: 'apps.write' },
  'apps.delete': { needs: 'apps.write' },
  'app.read': { needs: 'entitlements.own.read', owners: 'app', ownersNeed: 'apps.read' },
  'app.read-settings': { needs: 'apps.read', owners: 'app' },
  'app.edit': { needs: 'apps.write', owners: 'app' },
  'resource-type.read': { needs: 'entitlements.own.read', owners: 'resource type', ownersNeed: 'apps.read' },
  'resource-type.list-resources': { needs: 'apps.read', owners: 'resource type' },
  'resource-type.edit': { needs: 'apps.write', owners: 'resource type' },
  'resource.read': { needs: 'entitlements.own.read', owners: 'resource', ownersNeed: 'apps.read' },
  'resource.list-entitlements': { needs: 'entitlements.read', owners: 'resource' },
  'resource.edit': { needs: 'apps.write', owners: 'resource' },
  'resource.delete': { needs: 'apps.write', ownersAbove: 'resource' },
  'entitlements.list': { needs: 'entitlements.own.read' },
  'entitlements.bulk-edit': { needs: 'entitlements.write' },
  'app.list-entitlements': { needs: 'entitlements.own.read', owners: 'app', ownersNeed: 'entitlements.read' },
  'app.create-entitlement': { needs: 'entitlements.write', owners: 'app' },
  'entitlement.read': { needs: 'entitlements.own.read', owners: 'entitlement', ownersNeed: 'entitlements.read' },
  'entitlement.edit': { needs: 'entitlements.write', owners: 'entitlement' },
  'entitlement.delete': { needs: 'entitlements.write', ownersAbove: 'entitlement' },
  'entitlements.read-link': { needs: 'entitlements.read', owners: 'both entitlements' },
  'entitlements.link': { needs: 'entitlements.write', owners: 'both entitlements' },
  'attributes.read': { needs: 'attributes.read' },
  'attributes.change': { needs: 'attributes.write' },
  'accounts.list': { needs: 'accounts.own.read' },
  'app.list-accounts': { needs: 'accounts.own.read', owners: 'app', ownersNeed: 'accounts.read' },
  'account.list-credentials': { needs: 'accounts.own.read', owners: 'account', ownersNeed: 'accounts.read' },
  'account.edit': { needs: 'accounts.write', owners: 'account' },

  // Access
  'grants.list': { needs: 'grants.own.read' },
  'account.list-grants': { needs: 'grants.own.read', owners: 'account', ownersNeed: 'grants.read' },
  'entitlement.list-accounts': { needs: 'grants.own.read', owners: 'entitlement', ownersNeed: 'grants.read' },
  'entitlement.list-grants': { needs: 'grants.read', owners: 'entitlement' },
  'entitlement.give': { needs: 'grants.write', owners: 'entitlement' },
  'grants.read-bulk': { needs: 'grants.read' },
  'grants.bulk-change': { needs: 'grants.write' },
  'drift.read': { needs: 'grants.read' },
  'drift.resolve': { needs: 'grants.write' },
  'access-removals.read': { needs: 'grants.read' },
  'access-removals.plan': { needs: 'grants.write' },
  'access-removals.run': { needs: 'grants.write', recentSignIn: true },
  'changes.list': { needs: 'grants.read' },
  'user.list-changes': { needs: 'grants.own.read' },
  'app.list-changes': { needs: 'grants.read', owners: 'app' },
  'entitlement.list-changes': { needs: 'grants.read', owners: 'entitlement' },

  // Owners
  'owned.list': { needs: 'owners.own.read' },
  'owners.list-of-entitlements': { needs: 'owners.read' },
  'owners.bulk-change': { needs: 'owners.write' },
  'app.owners.read': { needs: 'entitlements.own.read', owners: 'app', ownersNeed: 'owners.read' },
  'app.owners.change': { needs: 'owners.write' },
  'resource.owners.read': { needs: 'entitlements.own.read', owners: 'resource', ownersNeed: 'owners.read' },
  'resource.owners.change': { needs: 'owners.write', ownersAbove: 'resource' },
  'entitlement.owners.read': { needs: 'entitlements.own.read', owners: 'entitlement', ownersNeed: 'owners.read' },
  'entitlement.owners.change': { needs: 'owners.write', ownersAbove: 'entitlement' },
  'account.owners.read': { needs: 'owners.read', owners: 'account' },
  'account.owners.change': { needs: 'owners.write', ownersAbove: 'account' },
  'connector.owners.read': { needs: 'owners.read', owners: 'connector' },
  'connector.owners.change': { needs: 'owners.write', ownersAbove: 'connector' },
  'user.owners.read': { needs: 'owners.read' },
  'user.owners.remove': { needs: 'owners.write' },
  'user.owners.change': { needs: 'owners.write', recentSignIn: true },

  // Imports and connectors
  'imports.read': { needs: 'imports.read', repliesWhole: true },
  'imports.create': { needs: 'imports.write' },
  'connectors.list': { needs: 'apps.read' },
  'app.list-connectors': { needs: 'apps.read', owners: 'app' },
  'app.change-provisioning-tasks': { needs: 'apps.write', owners: 'app' },
  'connector.read': { needs: 'apps.read', owners: 'connector' },
  'connector.edit': { needs: 'apps.write', owners: 'connector' },
  'connector.confirm-sync': { needs: 'imports.write', owners: 'connector', ownersNeed: 'apps.write' },
  'connectors.rotate-credential': { needs: 'imports.write', recentSignIn: true },
  'connectors.set-provisioning': { needs: 'imports.write' },
  'connectors.change': { needs: 'imports.write' },

  // Rules
  'rules.list': { needs: 'grants.own.read' },
  'entitlement.read-rule': { needs: 'automations.read', owners: 'entitlement' },
  'entitlement.change-rule': { needs: 'automations.write', owners: 'entitlement' },

  // Requests and their settings
  'policies.read': { needs: 'policies.read' },
  'policies.change': { needs: 'policies.write' },
  'forms.read-for-request': { needs: 'terms.own.read' },
  'forms.read': { needs: 'forms.read' },
  'forms.change': { needs: 'forms.write' },
  'terms.read': { needs: 'terms.read' },
  'terms.change': { needs: 'terms.write' },
  'app.read-terms': { needs: 'terms.read', owners: 'app' },
  'app.change-terms': { needs: 'terms.write', owners: 'app' },
  'entitlement.read-terms': { needs: 'terms.own.read', owners: 'entitlement', ownersNeed: 'terms.read' },
  'profiles.browse': { needs: 'profiles.own.read' },
  'profiles.read': { needs: 'profiles.read' },
  'profiles.change': { needs: 'profiles.write' },
  'own-tasks.read': { needs: 'tasks.own.read' },
  'tasks.act': { needs: 'tasks.own' },
  'tasks.offboard': { needs: 'tasks.manage' },
  'four-eyes.read': { needs: 'four-eyes.read' },
  'four-eyes.change': { needs: 'four-eyes.write', recentSignIn: true },

  // Events
  'webhooks.answer': { needs: anyone },
  'webhooks.read': { needs: 'webhooks.read' },
  'webhooks.create': { needs: 'webhooks.write', recentSignIn: true },
  'webhooks.use': { needs: 'webhooks.write' },
  'subscriptions.read': { needs: 'subscriptions.read' },
  'subscriptions.create': { needs: 'subscriptions.write', recentSignIn: true },
  'subscriptions.use': { needs: 'subscriptions.write' },
  'systemlog.read': { needs: 'systemlog.read', repliesWhole: true },
  'systemlog.verify': { needs: 'systemlog.verify' },
  'exports.read': { needs: 'exports.read' },
  'exports.change': { needs: 'exports.write' },

  // Settings, background work and the console
  'organization.read': { needs: 'organization.read' },
  'organization.change-contacts': { needs: 'organization.write', recentSignIn: true },
  'organization.change-domains': { needs: 'organization.write' },
  'own-notifications.use': { needs: 'notifications.own' },
  'notifications.read': { needs: 'notifications.read' },
  'notifications.set-chat': { needs: 'notifications.write', recentSignIn: true },
  'notifications.change': { needs: 'notifications.write' },
  'jobs.read': { needs: 'jobs.read' },
  'jobs.manage': { needs: 'jobs.manage' },
  'views.use': { needs: 'views.own' },
  'setup.read': { needs: 'apps.write' },
  'everything.find': { needs: 'users.own.read' },
} as const satisfies { readonly [action: string]: Rule }

export type Action = keyof typeof rules
