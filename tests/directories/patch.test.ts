import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Resource } from '#rooms/records/directories/resource.ts'
import { parseFilter, parsePath } from '#rooms/records/directories/scim/filter.ts'
import { patched, readChanges } from '#rooms/records/directories/scim/patch.ts'
import { readResource } from '#rooms/records/directories/scim/reading.ts'
import { userType } from '#rooms/records/directories/scim/schema.ts'
import type { Json } from '../fixture/access.ts'
import { fewOrMany } from '../fixture/long.ts'

const apply = (resource: Resource, ...operations: Json[]): Resource =>
  patched(userType, resource, readChanges(userType, { Operations: operations }))
const person = (rest: Json = {}): Resource => readResource(userType, { userName: 'bjensen', ...rest })

describe('the examples of RFC 7644 section 3.5.2', () => {
  test('add without a path merges attributes', () => {
    const after = apply(person({ name: { givenName: 'Barbara' } }), {
      op: 'add',
      value: { emails: [{ value: 'babs@jensen.org', type: 'home' }], nickname: 'Babs', name: { familyName: 'Jensen' } },
    })
    expect(after).toEqual({
      userName: 'bjensen',
      name: { givenName: 'Barbara', familyName: 'Jensen' },
      emails: [{ value: 'babs@jensen.org', type: 'home' }],
      nickName: 'Babs',
    })
  })
  test('replace of all values, and of one that a filter chooses', () => {
    const before = person({
      addresses: [
        { type: 'work', streetAddress: '1 Old St', locality: 'Here' },
        { type: 'home', streetAddress: '2 Home Rd' },
      ],
    })
    const work = { type: 'work', streetAddress: '911 Universal City Plaza', locality: 'Hollywood', primary: true }
    expect(apply(before, { op: 'replace', path: 'addresses[type eq "work"]', value: work })['addresses']).toEqual([
      work,
      { type: 'home', streetAddress: '2 Home Rd' },
    ])
    const street = { op: 'replace', path: 'addresses[type eq "work"].streetAddress', value: '1010 Broadway Ave' }
    expect(apply(before, street)['addresses']).toEqual([
      { type: 'work', streetAddress: '1010 Broadway Ave', locality: 'Here' },
      { type: 'home', streetAddress: '2 Home Rd' },
    ])
    expect(apply(before, { op: 'replace', path: 'addresses', value: [work] })['addresses']).toEqual([work])
  })
  test('remove by a filter with "and", and of the last value', () => {
    const before = person({
      emails: [
        { type: 'work', value: 'a@example.com' },
        { type: 'work', value: 'a@other.org' },
      ],
    })
    const path = 'emails[type eq "work" and value ew "example.com"]'
    const after = apply(before, { op: 'remove', path })
    expect(after['emails']).toEqual([{ type: 'work', value: 'a@other.org' }])
    expect(apply(after, { op: 'remove', path: 'emails[type eq "work"]' })).toEqual({ userName: 'bjensen' })
  })
  test('a value that becomes the primary one takes that from the others', () => {
    const before = person({ emails: [{ value: 'a', primary: true }, { value: 'b' }] })
    const added = apply(before, { op: 'add', path: 'emails', value: [{ value: 'c', primary: true }] })
    expect(added['emails']).toEqual([{ value: 'a', primary: false }, { value: 'b' }, { value: 'c', primary: true }])
    const chosen = apply(added, { op: 'replace', path: 'emails[value eq "b"].primary', value: 'true' })
    expect(chosen['emails']).toEqual([
      { value: 'a', primary: false },
      { value: 'b', primary: true },
      { value: 'c', primary: false },
    ])
  })
  test('a value that is there already is not added again', () => {
    const before = person({ emails: [{ value: 'a', type: 'work' }] })
    expect(apply(before, { op: 'add', path: 'emails', value: [{ value: 'a', type: 'work' }] })).toEqual(before)
  })
})

/** What PATCH does to title, name and emails, said another way: emails as a map from type to address. */
type Model = { title?: string; name: Map<string, string>; emails: Map<string, string> }
const types = ['work', 'home', 'other'] as const
const word = fc.constantFrom('a', 'b', 'c"d', 'é', 'x y')
const casing = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => `${text[0]?.toUpperCase()}${text.slice(1)}`,
)
type Step = { operation: Json; model(of: Model): void }
const step: fc.Arbitrary<Step> = fc
  .record({
    op: fc.constantFrom('add', 'replace', 'remove'),
    type: fc.constantFrom(...types),
    value: word,
    sub: fc.constantFrom('familyName', 'givenName'),
    as: casing,
    kind: fc.constantFrom('title', 'name', 'names', 'email', 'emails', 'pathless'),
  })
  .map(({ op, type, value, sub, as, kind }): Step => {
    const isRemoved = op === 'remove'
    const given = isRemoved ? {} : { value }
    // Addresses have neither quotes nor spaces.
    const address = value.replaceAll(/[" ]/g, '+')
    const steps: Record<typeof kind, Step> = {
      title: {
        operation: { op: as(op), path: as('title'), ...given },
        model: (of) => (isRemoved ? delete of.title : (of.title = value)),
      },
      name: {
        operation: { op: as(op), path: as(`name.${sub}`), ...given },
        model: ({ name }) => (isRemoved ? name.delete(sub) : name.set(sub, value)),
      },
      names: {
        operation: { op: as(op), path: as('name'), ...(isRemoved ? {} : { value: { [as(sub)]: value } }) },
        model: ({ name }) => (isRemoved ? name.clear() : name.set(sub, value)),
      },
      email: {
        operation: {
          op: as(op),
          path: `${as('emails')}[type eq "${type}"]${isRemoved ? '' : '.value'}`,
          ...(!isRemoved && { value: address }),
        },
        model: ({ emails }) => (isRemoved ? emails.delete(type) : emails.set(type, address)),
      },
      emails: {
        operation: {
          op: as(isRemoved ? 'remove' : 'replace'),
          path: as('emails'),
          ...(isRemoved ? {} : { value: [{ type, value: address }] }),
        },
        model: ({ emails }) => {
          emails.clear()
          if (!isRemoved) emails.set(type, address)
        },
      },
      pathless: {
        operation: { op: as(isRemoved ? 'add' : op), value: { [as('title')]: value, [`name.${sub}`]: value } },
        model: (of) => {
          of.title = value
          of.name.set(sub, value)
        },
      },
    }
    return steps[kind]
  })

test('any sequence of operations does what the model says, in one request or in several', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const model: Model = { name: new Map(), emails: new Map() }
      for (const each of steps) each.model(model)
      const expected = {
        userName: 'bjensen',
        ...(model.title !== undefined && { title: model.title }),
        ...(model.name.size > 0 && { name: Object.fromEntries(model.name) }),
      }
      const atOnce = apply(person(), ...steps.map(({ operation }) => operation))
      const oneByOne = steps.reduce((resource, { operation }) => apply(resource, operation), person())
      expect(oneByOne).toEqual(atOnce)
      const { emails = [], ...rest } = atOnce
      expect(rest).toEqual(expected)
      const found = new Map((emails as { type: string; value: string }[]).map(({ type, value }) => [type, value]))
      expect(found).toEqual(model.emails)
    }),
    { numRuns: fewOrMany(200, 20_000) },
  )
})

test('nothing that is sent as a filter, a path or a body does more than be refused', () => {
  const junk = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc
      .array(
        fc.constantFrom(
          '(',
          ')',
          '[',
          ']',
          '"',
          ' ',
          'eq',
          'and',
          'not',
          'emails',
          '.',
          'value',
          '\\',
          'pr',
          '__proto__',
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join('')),
  )
  /** What it threw, other than refusals. */
  const thrownBy = (work: () => unknown): unknown => {
    try {
      work()
    } catch (error) {
      return (error as Error).name === 'Refusal' ? null : error
    }
    return null
  }
  fc.assert(
    fc.property(junk, fc.jsonValue(), (text, value) => {
      const works = [
        () => parseFilter(text),
        () => parsePath(text),
        () => apply(person(), { op: 'add', path: text, value }),
        () => apply(person(), { op: 'replace', value }),
        () => readResource(userType, value),
        () => readChanges(userType, value),
      ]
      expect(works.map(thrownBy)).toEqual(works.map(() => null))
    }),
    { numRuns: fewOrMany(200, 50_000) },
  )
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('the worst filters are refused', () => {
  const worst = [
    '('.repeat(4_000),
    '['.repeat(4_000),
    `a eq "${'\\'.repeat(4_000)}`,
    `${'urn:'.repeat(1_000)} pr`,
    'a pr and '.repeat(400),
    'not ('.repeat(800),
    '"'.repeat(4_000),
  ]
  for (const filter of worst) expect(() => parseFilter(filter)).toThrow(/filter is not valid|filter is longer/)
})

test('the largest bodies of PATCH are refused or applied', () => {
  const values = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => String(from + i))
  const add = (from: number): Json => ({ op: 'add', path: 'phoneNumbers', value: values(200, from) })
  const full = person({ phoneNumbers: values(200) })
  const terms = values(90).map((each) => `value eq "${each}"`)
  const named = Object.fromEntries(values(5_000).map((each) => [`emails[type eq "${each}"].value`, 'a']))
  // 200,000 values in all: each of them against each took minutes.
  expect(() => apply(person(), ...values(1_000).map((_, i) => add(i * 200)))).toThrow('at most 200 values')
  expect(apply(full, ...values(700).map(() => add(0)))).toEqual(full)
  expect(apply(full, ...values(700).map(() => ({ ...add(200), op: 'remove' })))).toEqual(full)
  const path = `phoneNumbers[${terms.join(' or ')}]`
  expect(() => apply(full, ...values(500).map(() => ({ op: 'remove', path })))).toThrow('more than 2000 comparisons')
  expect(() => apply(full, { op: 'add', value: named })).toThrow('more than 2000')
})

test('a list of values to remove that is empty removes none', () => {
  const full = person({ phoneNumbers: ['1', '2'] })
  expect(apply(full, { op: 'remove', path: 'phoneNumbers', value: [] })).toEqual(full)
  expect(apply(full, { op: 'remove', path: 'phoneNumbers' })).toEqual(person())
})
