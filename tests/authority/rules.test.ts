import { describe, expect, test } from 'vitest'
import { lacking, lackingEverywhere, may, mayEverywhere, mayOf, mayWithOwned, standingTo } from '#authority/may.ts'
import { permissions as allPermissions } from '#authority/permissions.ts'
import { type Authority, asService, authorise, type By, type May } from '#authority/proof.ts'
import { route } from '#authority/route.ts'
import { type Action, ownable, type Rule, rules } from '#authority/rules.ts'
import { type Actor, anyone, authenticated, type Call, signedIn, stranger } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { empty } from '#kernel/wire.ts'
import type { World } from '#kernel/world.ts'
import { addUserOwners, beginOwned, insertOwners } from '#rooms/foundation/ownership/index.ts'
import { type CauseBy, causeOf } from '#rooms/foundation/systemlog/index.ts'
import { setOrganisation, setPersonal } from '#rooms/governance/notifications/settings/actions.ts'
import { changeOwners } from '#rooms/governance/owners/index.ts'
import { carry } from '#rooms/governance/tasks/carry.ts'
import type { Facts } from '#rooms/governance/tasks/facts/facts.ts'
import { cancelTask, createTask } from '#rooms/governance/tasks/index.ts'
import { createCredential, createOwnCredential } from '#rooms/identity/credentials/actions.ts'
import { createPrincipalCredential } from '#rooms/identity/principals/actions.ts'
import { insertAssignment } from '#rooms/identity/roles/index.ts'
import { endSessionsOf } from '#rooms/identity/sessions/administration/actions.ts'
import { beginSession } from '#rooms/identity/sessions/begin.ts'
import type { Identified } from '#rooms/identity/sessions/identified.ts'
import { unlinkIdentity } from '#rooms/identity/sessions/linked-identities/actions.ts'
import { makeLink } from '#rooms/identity/sessions/links/actions.ts'
import type { Person } from '#rooms/identity/sessions/person.ts'
import { setPolicy } from '#rooms/identity/sessions/policy/actions.ts'
import { setStatus } from '#rooms/identity/users/actions.ts'
import { changeStatus, giveRole } from '#rooms/identity/users/administration/actions.ts'
import { createView } from '#rooms/overview/lists/views/actions.ts'
import { rotateCredential } from '#rooms/records/connectors/credentials/actions.ts'
import { addMembers } from '#rooms/records/grants/actions.ts'
import { endForRestating, endGrants, insertGrants, openGrants } from '#rooms/records/grants/index.ts'
import { importFile } from '#rooms/records/imports/index.ts'
import { putAutomation } from '#rooms/rules/automation/rule/store.ts'
import { termsOf } from '../../scripts/permissions-page.ts'

const actor = (permissions: string[], more: Partial<Actor> = {}): Actor => ({
  ...stranger,
  userId: 'me',
  permissions: new Set(permissions),
  ...more,
})
const callBy = (by: Actor) => ({ actor: by }) as Call

describe('whether a caller may do something', () => {
  test('is whether they have the permission that its rule asks for', () => {
    expect(may(actor(['users.read']), 'users.read')).toBe(true)
    expect(may(actor(['users.write']), 'users.read')).toBe(false)
    expect(lacking(actor(['grants.write']), ['grants.give', 'rules.edit'])).toEqual(['automations.write'])
  })

  test('everywhere is not what they were let in for as an owner', () => {
    const owner = actor(['apps.write'], { permissionsEverywhere: new Set(['apps.read']) })
    expect([may(owner, 'apps.edit'), mayEverywhere(owner, 'apps.edit')]).toEqual([true, false])
    expect(lackingEverywhere(owner, new Set(['apps.read', 'apps.write']))).toEqual(['apps.write'])
    expect(mayWithOwned(actor([], { permissionsOnOwned: new Set(['apps.write']) }), 'apps.edit')).toBe(true)
  })

  test('with what is about themselves is always yes', () => {
    expect(mayOf(actor([]), 'user.read', 'me')).toBe(true)
    expect(mayOf(actor([]), 'user.read', 'another')).toBe(false)
    expect(mayOf(actor(['users.read']), 'user.read', 'another')).toBe(true)
  })
})

describe('a route', () => {
  const at = 'GET /api/v1/apps/{app_id}/things/{id}' as const
  const made = (about?: object) =>
    route({ id: 'a.Thing', at, summary: '.', rule: 'app.edit', ...about, reply: empty, handle: () => ({}) })

  test('has what its rule says', () => {
    const { allow, allowOwners, fromAbove, needsFresh } = made({ about: { app: 'app_id' } })
    expect([allow, allowOwners, fromAbove, needsFresh]).toEqual(['apps.write', 'apps.write', false, false])
  })

  test('whose path does not name what its rule lets owners of in is refused', () => {
    expect(() => made()).toThrow('a.Thing: the rule app.edit is about app')
    expect(() => made({ about: { app: 'app_id', entitlement: 'id' } })).toThrow('is about app')
  })

  test('is open to owners only where their roles permit it with what they own', () => {
    const thing = made({ about: { app: 'app_id' } })
    const nothing = { asCaller: false, asOwner: false }
    expect(standingTo(actor([]), thing)).toEqual(nothing)
    expect(standingTo(actor(['apps.write']), thing)).toEqual({ ...nothing, asCaller: true })
    expect(standingTo(actor([], { permissionsOnOwned: new Set(['apps.write']) }), thing)).toEqual({
      ...nothing,
      asOwner: true,
    })
  })
})

describe('proof', () => {
  const write = (call: May<'policies.change' | 'forms.change'>): string => call.actor.userId

  test('is given to those who may, everywhere', () => {
    expect(write(authorise(callBy(actor(['policies.write'])), 'policies.change'))).toBe('me')
    const owner = actor(['policies.write'], { permissionsEverywhere: new Set() })
    for (const by of [actor([]), owner])
      expect(() => authorise(callBy(by), 'policies.change')).toThrow('This needs the permission policies.write.')
  })

  test('is what a write takes: without it, and with proof of something else, nothing compiles', () => {
    const call = callBy(actor([]))
    // @ts-expect-error A call proves nothing by itself.
    write(call)
    // @ts-expect-error Proof of another action.
    write(asService(call, 'apps.create', 'a test'))
    expect(write(asService(call, 'forms.change', 'a test'))).toBe('me')
    const at = 'POST /api/v1/things' as const
    const ofForms = { id: 'a.Thing', at, summary: '.', rule: 'forms.change', reply: empty } as const
    route({ ...ofForms, handle: (by) => ({ told: write(by) }) })
    // @ts-expect-error The route is for everyone who may read forms.
    route({ ...ofForms, rule: 'forms.read', handle: (by) => ({ told: write(by) }) })
  })

  // The compiler is what fails here: the second line of each pair must not compile, and the first one must.
  test('is what real writers take, so that they cannot be called by a route with another rule', () => {
    const reach = <A extends Action>(rule: A, writer: (tx: Tx, call: May<A>, ...others: never[]) => unknown) => ({
      rule,
      writer,
    })
    const reached = [
      reach('roles.assign', giveRole),
      // @ts-expect-error Whoever may read roles may not grant them.
      reach('roles.read', giveRole),
      reach('roles.assign', insertAssignment),
      // @ts-expect-error Nor by the store.
      reach('roles.read', insertAssignment),
      reach('users.change-status', changeStatus),
      // @ts-expect-error A plan changes nobody.
      reach('users.plan-status', changeStatus),
      reach('own-credentials.create', createOwnCredential),
      // @ts-expect-error To revoke takes no recent sign-in.
      reach('own-credentials.revoke', createOwnCredential),
      reach('principal.create-credential', createPrincipalCredential),
      // @ts-expect-error Nor does it to rename a service principal.
      reach('principal.edit', createPrincipalCredential),
      reach('entitlement.owners.change', changeOwners),
      // @ts-expect-error Owners of an entitlement edit it, and do not choose its owners.
      reach('entitlement.edit', changeOwners),
      reach('views.use', createView),
      // @ts-expect-error Nor may whoever may see a list save views of it.
      reach('everything.find', createView),
      reach('own-notifications.use', setPersonal),
      // @ts-expect-error Everyone chooses their own notifications, and not those of the organization.
      reach('own-notifications.use', setOrganisation),
      reach('tasks.act', createTask),
      // @ts-expect-error Whoever may see their tasks may not open one.
      reach('own-tasks.read', createTask),
      reach('drift.resolve', cancelTask),
      // @ts-expect-error What was opened for someone is closed for those who may open it.
      reach('drift.read', cancelTask),
      reach('entitlement.give', addMembers),
      // @ts-expect-error Nor is it to grant it.
      reach('entitlement.edit', addMembers),
    ]
    expect(reached).toHaveLength(22)
  })

  // What callers share with operators, imports and jobs: their causes are proof as well.
  test('is what causes contain, for writers that take no call', () => {
    const reach = <A extends Action | Authority>(
      by: A,
      writer: (tx: Tx, world: World, cause: CauseBy<A>, ...others: never[]) => unknown,
    ) => ({ by, writer })
    const reached = [
      reach('sessions.end', endSessionsOf),
      // @ts-expect-error Whoever may see sessions may not end them.
      reach('sessions.read', endSessionsOf),
      reach('sign-in-policy.change', setPolicy),
      // @ts-expect-error Nor does reading the policy change it.
      reach('sign-in-policy.read', setPolicy),
      reach('own-sign-in.change', unlinkIdentity),
      // @ts-expect-error To rename a passkey takes no recent sign-in.
      reach('own-sign-in.rename', unlinkIdentity),
      reach('operator', makeLink),
      // @ts-expect-error No caller creates sign-in links.
      reach('sessions.end', makeLink),
      reach('users.change-status', setStatus),
      // @ts-expect-error A plan disables nobody.
      reach('users.plan-status', setStatus),
      reach('own-credentials.create', createCredential),
      // @ts-expect-error To revoke a credential creates none.
      reach('own-credentials.revoke', createCredential),
      reach('connectors.rotate-credential', rotateCredential),
      // @ts-expect-error Owners of a connector edit it, and get no credential.
      reach('connector.edit', rotateCredential),
    ]
    expect(reached).toHaveLength(14)
    const ofFile = (world: World, call: May<'imports.create'>) => importFile(world, causeOf(call), {} as never)
    // @ts-expect-error Whoever may see imports may not import.
    const ofReader = (world: World, call: May<'imports.read'>) => importFile(world, causeOf(call), {} as never)
    // @ts-expect-error A call proves nothing by itself, and neither does its cause.
    const ofAnyone = (world: World, call: Call) => importFile(world, causeOf(call), {} as never)
    expect(new Set([ofFile, ofReader, ofAnyone]).size).toBe(3)
  })

  test('is what stores take in place of the tenant, for grants, owners and rules', () => {
    const reach = <A extends Action | Authority>(
      by: A,
      writer: (tx: Tx, by: By<A>, ...others: never[]) => unknown,
    ) => ({ by, writer })
    const reached = [
      reach('entitlement.give', insertGrants),
      // @ts-expect-error Whoever may see grants may not grant.
      reach('entitlement.list-grants', insertGrants),
      reach('task machine', openGrants),
      // @ts-expect-error To act on tasks is not to grant what they are about.
      reach('tasks.act', openGrants),
      reach('service', endGrants),
      // @ts-expect-error A plan of what a removal ends does not end it.
      reach('access-removals.plan', endGrants),
      reach('grants.bulk-change', endForRestating),
      // @ts-expect-error Nor do owners of an entitlement, by editing it.
      reach('entitlement.edit', endForRestating),
      reach('app.owners.change', addUserOwners),
      // @ts-expect-error To edit an app is not to choose its owners.
      reach('app.edit', addUserOwners),
      reach('users.merge', beginOwned),
      // @ts-expect-error A plan of merging moves nothing.
      reach('users.plan-merge', beginOwned),
      reach('operator', insertOwners),
      // @ts-expect-error Only a tenant's first day has owners whom nobody chose.
      reach('app.owners.change', insertOwners),
      reach('entitlement.change-rule', putAutomation),
      // @ts-expect-error Whoever may read a rule may not save it.
      reach('entitlement.read-rule', putAutomation),
    ]
    expect(reached).toHaveLength(16)
    // @ts-expect-error A tenant proves nothing about who acts in it.
    const ofTenant = (tx: Tx, { tenant }: Call) => endGrants(tx, { tenant }, [], {} as never)
    expect(ofTenant).toBeTypeOf('function')
  })

  test('that the task machine allows it is what a change of a task takes', () => {
    const ofAllowed = (facts: Facts, cause: CauseBy<'task machine'>) => carry(facts, cause, {} as never, {} as never)
    // @ts-expect-error That everyone may act on tasks does not say what they may do with this one.
    const ofActing = (facts: Facts, cause: CauseBy<'tasks.act'>) => carry(facts, cause, {} as never, {} as never)
    expect(ofAllowed).not.toBe(ofActing)
  })

  test('of who someone is, where nobody has called yet, is what a session takes', () => {
    const ofVerified = (tx: Tx, call: Call, who: Identified) => beginSession(tx, call, who)
    // @ts-expect-error That a user exists proves nothing about who is asking.
    const ofFound = (tx: Tx, call: Call, user: Person) => beginSession(tx, call, { user, method: 'link' })
    expect(ofVerified).not.toBe(ofFound)
  })
})

describe('docs/permissions.md', () => {
  /** A rule with one part changed, in every way that there is. */
  function* changed(rule: Rule): Generator<Rule> {
    for (const needs of [...Object.keys(allPermissions), anyone, authenticated, signedIn] as Rule['needs'][])
      if (needs !== rule.needs) yield { ...rule, needs }
    for (const ownersNeed of [undefined, ...Object.keys(allPermissions)])
      if (ownersNeed !== rule.ownersNeed) yield { ...rule, ownersNeed } as Rule
    for (const kind of [undefined, ...Object.keys(ownable)])
      for (const part of ['owners', 'ownersAbove'] as const) if (kind !== rule[part]) yield { ...rule, [part]: kind }
    for (const part of ['self', 'recentSignIn', 'repliesWhole'] as const)
      yield { ...rule, [part]: rule[part] ? undefined : true }
  }

  // That the page is what is made of the rules: tests/sweep/permissions.test.ts.
  test('has another line for a rule whenever any part of it is changed', () => {
    const unseen = Object.entries(rules).flatMap(([action, rule]) =>
      [...changed(rule)].filter((other) => termsOf(other) === termsOf(rule)).map(() => action),
    )
    expect(unseen).toEqual([])
  })
})
