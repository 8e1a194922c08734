import {
  described,
  flag,
  leftOut,
  list,
  listOf,
  type MessageOf,
  message,
  nested,
  neverSet,
  struct,
  text,
} from '#kernel/wire.ts'

/**
 * How access is provisioned once it is approved: by recording it only, by a connector, through another entitlement, by
 * people, by a webhook.
 */

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

const Connector = message('policy.v1.ConnectorProvision', {
  defaultBehavior: nested(
    message('policy.v1.ConnectorProvision.DefaultBehavior', {
      connectorId: described(
        text(),
        'A connector of the app; by default, one of those that report the entitlement and can provision it.',
      ),
    }),
  ),
  account: neverSet(
    struct(),
    'Accounts are created as needed. Set accountProfile in the provisioning settings of the connector.',
  ),
  deleteAccount: neverSet(struct(), 'Set deletesAccounts in the provisioning settings of the connector.'),
})

// Not built yet, and refused by name: external tickets, actions, devices.
const notBuilt = {
  externalTicket: neverSet(struct()),
  action: neverSet(struct()),
  devicePlacement: neverSet(struct()),
}

const single = {
  manual: nested(
    message('policy.v1.ManualProvision', {
      instructions: text({ maxLength: textLength }),
      assignee: leftOut(nested(Assignee)),
      userIds: list(text(), usersMax),
    }),
  ),
  delegated: nested(
    message('policy.v1.DelegatedProvision', { appId: text(), entitlementId: text(), implicit: flag() }),
  ),
  unconfigured: nested(message('policy.v1.UnconfiguredProvision', {})),
  webhook: nested(message('policy.v1.WebhookProvision', { webhookId: text() })),
  connector: described(
    nested(Connector),
    'The connector of the app provisions it. Without a policy it does so too if it can, and the grant is only recorded if the app has none.',
  ),
  ...notBuilt,
}

/** One of several steps: they do not nest. */
const StepMessage = message('policy.v1.ProvisionPolicyStep', { ...single, multiStep: neverSet(struct()) })

export const ProvisionPolicyMessage = message('policy.v1.ProvisionPolicy', {
  ...single,
  multiStep: nested(message('policy.v1.MultiStep', { provisionSteps: listOf(StepMessage, stepsMax) })),
})
export type ProvisionPolicy = MessageOf<(typeof ProvisionPolicyMessage)['fields']>

/** Whether access is provisioned without asking anyone: by the connector of the app, or only recorded if it has none. */
export const isAutomatic = (policy: ProvisionPolicy | null): boolean =>
  policy === null || policy.unconfigured !== null || isByConnector(policy)

/**
 * Whether the connector of the app has to provision it: recording it is not enough. Older policies do not have this field.
 */
const isByConnector = (policy: ProvisionPolicy | null): boolean => Boolean(policy?.connector)
