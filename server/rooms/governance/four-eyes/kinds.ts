/** The kinds of change for which administrators can require approval. */
export const changeKinds = ['automations', 'policies', 'owners', 'roles'] as const
export type ChangeKind = (typeof changeKinds)[number]

export const isChangeKind = (kind: string): kind is ChangeKind => (changeKinds as readonly string[]).includes(kind)

/** The requirement that a kind of change is approved, and by which policy. */
export type Rule = { kind: ChangeKind; policyId: string; changedBy: string; changedAt: Date }

export type Choosing = 'apps' | 'entitlements' | 'profiles' | 'connectors' | 'rules'

const connectors = 'app.v1.ConnectorService'
/** Operations that also change the owners of a connector. */
const owning = [`${connectors}.Update`, `${connectors}.UpdateDelegated`]

const undoing = 'app.v1.AppEntitlements.UndoAutomationRun'

/**
 * Operations that may also choose which policy decides access, who owns something, or the content of a rule: covered if they
 * do.
 */
export const choosing: { readonly [operation: string]: Choosing } = {
  'app.v1.Apps.Update': 'apps',
  'app.v1.AppEntitlements.Update': 'entitlements',
  'requestcatalog.v1.RequestCatalogManagementService.Update': 'profiles',
  ...Object.fromEntries(owning.map((id) => [id, 'connectors' as const])),
  // Undoing a run must not wait; restoring the rule with it is a change like any other.
  [undoing]: 'rules',
}

const catalogs = 'requestcatalog.v1.RequestCatalogManagementService'
const routing = 'app.v1.AppEntitlementRoutingRuleService'
const defaults = 'app.v1.AppAccessRequestsDefaultsService'

// An access profile can grant its entitlements to members without their policies, however they were enrolled: its contents
// are as much a matter of policies as of rules.
const contents = [
  `${catalogs}.Delete`,
  `${catalogs}.Update`,
  `${catalogs}.AddAppEntitlements`,
  `${catalogs}.RemoveAppEntitlements`,
  `${catalogs}.UpdateAppEntitlements`,
  `${catalogs}.CreateRequestableEntry`,
  `${catalogs}.DeleteRequestableEntry`,
]

// The objects that a user owns move with the user, and back.
const merging = ['user.v1.UserMerges.Create', 'user.v1.UserMerges.Split']

/**
 * These operations choose who approves, regardless of what: they name a delegate, move one person's access and reports to
 * another, or enable someone who could approve.
 */
const choosingApprovers = [
  'user.v1.UserService.SetExpiringUserDelegationBindingByAdmin',
  ...merging,
  'bailiwick.v1.BulkUsers.Enable',
  // It may enable users whom a bulk change disabled.
  'bailiwick.v1.BulkUsers.Undo',
]

/**
 * Every operation that makes changes of a kind. `tests/four-eyes/kinds.test.ts` walks the route table: it fails for an
 * operation with one of these permissions that is neither here nor listed there as exempt.
 */
const operations: Record<ChangeKind, readonly (string | RegExp)[]> = {
  automations: [
    'app.v1.AppEntitlements.CreateAutomation',
    'app.v1.AppEntitlements.UpdateAutomation',
    'app.v1.AppEntitlements.DeleteAutomation',
    'app.v1.AppEntitlements.ApplyAutomationPlan',
    'app.v1.AppEntitlements.RestoreAutomationVersion',
    undoing,
    'app.v1.AppEntitlements.SetAutomationBreaker',
    'app.v1.AppEntitlements.AddAutomationExclusion',
    'app.v1.AppEntitlements.RemoveAutomationExclusion',
    // Removing access must not wait; excluding someone from rules, and including them again, does.
    'bailiwick.v1.AccessRemovals.CreateExcluding',
    'bailiwick.v1.AccessRemovals.Undo',
    `${catalogs}.CreateBundleAutomation`,
    `${catalogs}.SetBundleAutomation`,
    `${catalogs}.DeleteBundleAutomation`,
    ...contents,
  ],
  policies: [
    'policy.v1.Policies.Create',
    'policy.v1.Policies.Update',
    'policy.v1.Policies.Delete',
    // Another address is another receiver, which decides.
    'webhooks.v1.WebhooksService.Update',
    ...Object.keys(choosing).filter((id) => !owning.includes(id) && id !== undoing),
    `${routing}.CreateAppEntitlementRoutingRule`,
    `${routing}.UpdateAppEntitlementRoutingRule`,
    `${routing}.ReorderAppEntitlementRoutingRules`,
    `${routing}.DeleteAppEntitlementRoutingRule`,
    `${defaults}.CreateAppAccessRequestsDefaults`,
    'settings.v1.RequestSettingsService.Update',
    ...contents,
  ],
  owners: [
    /Owners(?:V2)?\.(?:Set|Add|Remove|Delete|(?:Create|Delete)(?:User|Entitlement)Owner)$/,
    'bailiwick.v1.BulkOwners.Undo',
    ...owning,
  ],
  // A user who is enabled again has their roles again.
  roles: ['user.v1.UserRoles.Add', 'user.v1.UserRoles.Remove', 'user.v1.UserStatus.Enable'],
}

/** The kinds of change that an operation makes: it waits if any of them needs approval. */
export const kindsOfOperation = (id: string): ChangeKind[] =>
  changeKinds.filter((kind) =>
    [...operations[kind], ...choosingApprovers].some((each) =>
      typeof each === 'string' ? each === id : each.test(id),
    ),
  )

export const titles: Record<ChangeKind, string> = {
  automations: 'Automation rules',
  policies: 'Policies',
  owners: 'Owners',
  roles: 'Roles of users',
}
