import { describe, expect, test } from 'vitest'
import { lacking, lackingEverywhere, may, mayEverywhere, mayOf, mayWithOwned, standingTo } from '#authority/may.ts'
import { asService, authorise, type May } from '#authority/proof.ts'
import { route } from '#authority/route.ts'
import { type Actor, type Call, stranger } from '#kernel/routes.ts'
import { empty } from '#kernel/wire.ts'

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
})
