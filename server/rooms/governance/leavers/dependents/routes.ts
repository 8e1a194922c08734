import { may, type Plain, permissionFor } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { described, flag, int32, list, listOf, message, text, timestamp } from '#kernel/wire.ts'
import { getUser } from '#rooms/identity/users/index.ts'
import {
  countCredentials,
  countOpenSteps,
  listDelegations,
  listExclusions,
  listManaged,
  listOwned,
  listPoliciesNaming,
  listProfilesBy,
  listProvisioned,
  listRulesNaming,
} from './store.ts'

/** The maximum number that is listed of each kind. */
const listedMax = 100
const countedMax = 10_000
const first = `The first ${listedMax}.`

const ofEntitlement = {
  appId: text(),
  appDisplayName: text(),
  appEntitlementId: text(),
  entitlementDisplayName: text(),
}

const reply = message('bailiwick.v1.GetDependentsResponse', {
  owned: described(
    listOf(
      message('bailiwick.v1.OwnedObject', {
        kind: described(text(), 'app, entitlement, resource, account, connector or user (a service principal).'),
        appId: text(),
        appDisplayName: text(),
        appResourceTypeId: text(),
        id: text(),
        displayName: text(),
        roleSlug: text(),
        isOnlyOwner: described(flag(), 'No other enabled user owns it in this role.'),
      }),
    ),
    `What names this person as an owner. ${first}`,
  ),
  rules: described(
    listOf(message('bailiwick.v1.NamingRule', { ...ofEntitlement, displayName: text(), expression: text() })),
    `Automation rules whose expressions contain the id, an address or a username of this person. ${first}`,
  ),
  exclusions: described(
    listOf(message('bailiwick.v1.ExcludingRule', ofEntitlement)),
    `Rules from which this person is excluded. ${first}`,
  ),
  policies: described(
    listOf(message('bailiwick.v1.NamingPolicy', { id: text(), displayName: text() })),
    `Policies that name this person. ${first}`,
  ),
  provisioners: described(
    listOf(message('bailiwick.v1.NamingEntitlement', ofEntitlement)),
    `Entitlements that name this person to carry out requests. ${first}`,
  ),
  delegations: described(
    listOf(
      message('bailiwick.v1.DependentDelegation', {
        userId: text(),
        delegatedUserId: text(),
        startAt: timestamp(),
        expirationAt: timestamp(),
      }),
    ),
    'The delegate of this person, and the people whose delegate this person is.',
  ),
  managed: described(
    listOf(
      message('bailiwick.v1.ManagedPerson', {
        id: text(),
        displayName: text(),
        jobTitle: text(),
        hasOtherManager: flag(),
      }),
    ),
    `Enabled people whom this person manages. ${first}`,
  ),
  profiles: described(
    listOf(message('bailiwick.v1.CreatedProfile', { id: text(), displayName: text() })),
    `Access profiles that this person created. ${first}`,
  ),
  openStepsCount: described(int32(), `Steps of requests that wait for this person; counted up to ${countedMax}.`),
  credentialsCount: described(int32(), `API credentials that work; counted up to ${countedMax}.`),
  cutParts: described(list(text()), `Parts of which there are more than the ${listedMax} that are listed.`),
  hiddenParts: described(list(text()), 'Permissions that you do not have: the parts that need them are omitted.'),
})

const longEnough = 4

/** The names by which rules can identify someone: short usernames would be found in half of all expressions. */
const namesOf = (user: {
  id: string
  email: string
  emails: readonly string[]
  username: string
  usernames: readonly string[]
}): string[] =>
  [...new Set([user.id, user.email, ...user.emails, user.username, ...user.usernames])].filter(
    (name) => name.length >= longEnough,
  )

const entitlementView = (each: { appId: string; appName: string; id: string }, entitlementName: string) => ({
  appId: each.appId,
  appDisplayName: each.appName,
  appEntitlementId: each.id,
  entitlementDisplayName: entitlementName,
})

async function dependentsOf(call: Call, userId: string) {
  const user = await getUser(call, userId)
  const { db, tenant } = call
  const at = call.now()
  const hidden = new Set<string>()
  const cut = new Set<string>()
  const when = async <T>(action: Plain, part: string, find: () => Promise<T[]>): Promise<T[]> => {
    if (!may(call.actor, action)) {
      hidden.add(permissionFor(action))
      return []
    }
    const rows = await find()
    if (rows.length > listedMax) cut.add(part)
    return rows.slice(0, listedMax)
  }
  const count = async (action: Plain, find: () => Promise<number>): Promise<number> => {
    if (may(call.actor, action)) return find()
    hidden.add(permissionFor(action))
    return 0
  }
  const of = { userId, limit: listedMax + 1 }
  const counted = { userId, limit: countedMax }
  const [owned, rules, exclusions, policies, provisioners, delegations, managed, profiles, steps, credentials] =
    await Promise.all([
      when('owners.read', 'owned', () => listOwned(db, tenant.id, of)),
      when('rules.read', 'rules', () => listRulesNaming(db, tenant.id, { names: namesOf(user), limit: of.limit })),
      when('rules.read', 'exclusions', () => listExclusions(db, tenant.id, of)),
      when('policies.read', 'policies', () => listPoliciesNaming(db, tenant.id, of)),
      when('entitlements.read', 'provisioners', () => listProvisioned(db, tenant.id, of)),
      when('users.read', 'delegations', () => listDelegations(db, tenant.id, { ...of, at })),
      when('users.read', 'managed', () => listManaged(db, tenant.id, of)),
      when('profiles.read', 'profiles', () => listProfilesBy(db, tenant.id, of)),
      count('tasks.read', () => countOpenSteps(db, tenant.id, counted)),
      count('credentials.read', () => countCredentials(db, tenant.id, { ...counted, at })),
    ])
  return {
    owned: owned.map(({ typeId, name, appName, ...each }) => ({
      ...each,
      appResourceTypeId: typeId,
      displayName: name,
      appDisplayName: appName,
    })),
    rules: rules.map((rule) => ({
      ...entitlementView(rule, rule.entitlementName),
      displayName: rule.name,
      expression: rule.expression,
    })),
    exclusions: exclusions.map((each) => entitlementView(each, each.entitlementName)),
    policies: policies.map(({ id, name }) => ({ id, displayName: name })),
    provisioners: provisioners.map((each) => entitlementView(each, each.name)),
    delegations,
    managed: managed.map(({ name, ...each }) => ({ ...each, displayName: name })),
    profiles: profiles.map(({ id, name }) => ({ id, displayName: name })),
    openStepsCount: steps,
    credentialsCount: credentials,
    cutParts: [...cut],
    hiddenParts: [...hidden].toSorted(),
  }
}

export const dependentRoutes: Route[] = [
  route({
    id: 'bailiwick.v1.Dependents.Get',
    at: 'GET /api/v1/users/{user_id}/dependents',
    summary:
      'List what depends on a person: objects that they own, rules and policies that name them, delegates, and people whom they manage.',
    rule: 'leavers.read',
    reply,
    handle: (call, { path }) => dependentsOf(call, path.user_id),
  }),
]
