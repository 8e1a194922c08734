import { flag, list, listOf, type MessageOf, message, nested, neverSet, struct, text } from '#kernel/wire.ts'

/** How access is carried out once it was decided: by the records alone, by another entitlement, by people, by a webhook. */

const usersMax = 32
const stepsMax = 16
const textLength = 10_000
const expressionsMax = 8

const byUsers = { allowReassignment: flag(), userIds: list(text(), usersMax) }
const withFallback = { allowReassignment: flag(), fallbackUserIds: list(text(), usersMax) }

const Assignee = message('policy.v1.ManualProvision.Assignee', {
  users: nested(message('policy.v1.UserProvisioner', byUsers)),
  appOwners: nested(message('policy.v1.AppOwnerProvisioner', withFallback)),
  group: nested(message('policy.v1.GroupProvisioner', { appId: text(), appGroupId: text(), ...withFallback })),
  manager: nested(message('policy.v1.ManagerProvisioner', withFallback)),
  expression: nested(
    message('policy.v1.ExpressionProvisioner', {
      expressions: list(text({ maxLength: textLength }), expressionsMax),
      ...withFallback,
    }),
  ),
  entitlementOwners: nested(message('policy.v1.EntitlementOwnerProvisioner', withFallback)),
})
export type ManualAssignee = MessageOf<(typeof Assignee)['fields']>

// Not built yet, and refused by name: external tickets, actions, devices. A connector need not be chosen: where the app has
// one that can, it carries out whatever has no other policy.
const notBuilt = {
  connector: neverSet(
    struct(),
    'If the app has a connector that can provision, it provisions access automatically: omit the policy, or set unconfigured.',
  ),
  externalTicket: neverSet(struct()),
  action: neverSet(struct()),
  devicePlacement: neverSet(struct()),
}

const single = {
  manual: nested(
    message('policy.v1.ManualProvision', {
      instructions: text({ maxLength: textLength }),
      assignee: nested(Assignee),
      userIds: list(text(), usersMax),
    }),
  ),
  delegated: nested(
    message('policy.v1.DelegatedProvision', { appId: text(), entitlementId: text(), implicit: flag() }),
  ),
  unconfigured: nested(message('policy.v1.UnconfiguredProvision', {})),
  webhook: nested(message('policy.v1.WebhookProvision', { webhookId: text() })),
  ...notBuilt,
}

/** One of several steps: they do not nest. */
const StepMessage = message('policy.v1.ProvisionPolicyStep', { ...single, multiStep: neverSet(struct()) })

export const ProvisionPolicyMessage = message('policy.v1.ProvisionPolicy', {
  ...single,
  multiStep: nested(message('policy.v1.MultiStep', { provisionSteps: listOf(StepMessage, stepsMax) })),
})
export type ProvisionPolicy = MessageOf<(typeof ProvisionPolicyMessage)['fields']>
