import {
  type CelFunc,
  type CelInput,
  type CelMap,
  CelScalar,
  type CelValue,
  celFunc,
  celList,
  celMap,
  isCelList,
  isCelMap,
} from '@bufbuild/cel'
import { costs, iterableMax, spend } from '../budget.ts'
import {
  type Answer,
  type LookedUp,
  type Need,
  needKey,
  type Subject,
  type SubjectRow,
  subjectFields,
} from '../expression.ts'
import { type LookupName, lookupNames, lookups } from '../scope.ts'
import { subjectOf } from '../store.ts'
import { findField } from '../subject.ts'
import { celOf } from './values.ts'

/** Users as values, and the functions that look things up. What they need and do not have yet is noted, and requested. */

const { DYN } = CelScalar

/** Only values created here are users: a map that looks like one is not. */
const idOf = new WeakMap<object, string>()

export const userIdOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null ? (idOf.get(value) ?? null) : null

type Asking = {
  answers: ReadonlyMap<string, Answer>
  rows: ReadonlyMap<string, SubjectRow>
  users: Map<string, CelMap>
  lists: Map<string, CelValue>
  needs: Map<string, Need>
}
const nothing = (): Asking => ({
  answers: new Map(),
  rows: new Map(),
  users: new Map(),
  lists: new Map(),
  needs: new Map(),
})

// Evaluation is synchronous, so one for the whole program is enough.
let asking = nothing()

export function beginAsking({ answers, users }: LookedUp): void {
  asking = { ...nothing(), answers: new Map(answers), rows: new Map(users.map((row) => [row.id, row])) }
}

/** What was requested and is not known. */
export function endAsking(): Need[] {
  const needs = [...asking.needs.values()]
  asking = nothing()
  return needs
}

/** One value for each user, so that they are equal to themselves at no cost. */
export function userValue(id: string): CelMap {
  const known = asking.users.get(id)
  if (known) return known
  const row = asking.rows.get(id)
  // All users named in answers are sent along, so this one was deleted in between.
  if (!row) throw new Error(`the user ${id} does not exist`)
  const map = celMap(new UserView(subjectOf(row), row.profile !== undefined))
  Object.defineProperty(map, 'has', { value: (key: unknown) => typeof key === 'string' && findField(key) !== null })
  idOf.set(map, id)
  asking.users.set(id, map)
  return map
}

export function userList(ids: readonly string[]): CelValue {
  spend(ids.length * costs.element)
  return celList(ids.map((id) => userValue(id)))
}

/** A user in place of a Map, with both spellings of the fields. */
class UserView implements ReadonlyMap<string, CelInput> {
  readonly #user: Subject
  readonly #hasProfile: boolean
  constructor(user: Subject, hasProfile: boolean) {
    this.#user = user
    this.#hasProfile = hasProfile
  }
  get size(): number {
    return subjectFields.length
  }
  get(key: unknown): CelInput | undefined {
    const field = typeof key === 'string' ? findField(key) : null
    if (!field) return undefined
    const value = this.#user[field]
    if (typeof value === 'string') return value
    if (field !== 'profile') return celList(value as readonly string[])
    // Fetched only if the expression names it: a profile has up to 64 KiB.
    if (!this.#hasProfile) throw new Error('the field profile must be a literal')
    return celOf(this.#user.profile)
  }
  has(key: unknown): boolean {
    return typeof key === 'string' && findField(key) !== null
  }
  keys(): MapIterator<string> {
    return subjectFields.values()
  }
  *values(): MapIterator<CelInput> {
    for (const [, value] of this.entries()) yield value
  }
  *entries(): MapIterator<[string, CelInput]> {
    for (const field of subjectFields)
      yield [field, field === 'profile' && !this.#hasProfile ? celOf({}) : (this.get(field) as CelInput)]
  }
  forEach(callback: (value: CelInput, key: string, map: ReadonlyMap<string, CelInput>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this)
  }
  [Symbol.iterator](): MapIterator<[string, CelInput]> {
    return this.entries()
  }
}

const lookupCost = 20

/** Throws if it is not known yet: the expression then fails, and is evaluated again with the answer. */
function answerTo(need: Need): CelValue {
  spend(lookupCost)
  const key = needKey(need)
  const answer = asking.answers.get(key)
  if (!answer) {
    asking.needs.set(key, need)
    throw new Error('not known yet')
  }
  if ('error' in answer) throw new Error(answer.error)
  if ('value' in answer) return answer.value
  if ('userId' in answer) return userValue(answer.userId)
  const known = asking.lists.get(key)
  if (known) return known
  const made = userList(answer.userIds)
  asking.lists.set(key, made)
  return made
}

function textIn(name: LookupName, value: CelValue): string {
  if (typeof value !== 'string') throw new Error(`${name} takes a string here`)
  // PostgreSQL's text has no U+0000, so nothing can be found by it.
  if (value.includes('\0') || value.length > textMax)
    throw new Error(`${name} takes a string of at most ${textMax} characters`)
  return value
}
const textMax = 1000

function userIn(name: LookupName, value: CelValue): string {
  const id = userIdOf(value)
  if (id === null) throw new Error(`${name} takes a user here`)
  return id
}

/** All of them are requested before the first missing one fails. */
function ofEach(name: LookupName, value: CelValue): CelValue {
  if (isCelMap(value)) return answerTo({ of: name, userId: userIn(name, value), texts: [] })
  if (!isCelList(value)) throw new Error(`${name} takes a user or a list of users`)
  if (value.size > iterableMax) throw new Error(`a list of more than ${iterableMax} elements`)
  const found = new Map<string, CelValue>()
  let failure: Error | null = null
  for (const each of value)
    try {
      for (const user of answerTo({ of: name, userId: userIn(name, each), texts: [] }) as Iterable<CelValue>)
        found.set(userIn(name, user), user)
    } catch (error) {
      failure ??= error as Error
    }
  if (failure !== null) throw failure
  return celList([...found.values()])
}

const takesOf = (name: LookupName) => [...lookups.values()].find((each) => each.name === name)?.takes ?? []

export const lookupFunctions: readonly CelFunc[] = lookupNames.map((name) => {
  const takes = takesOf(name)
  const look = (...given: CelValue[]): CelValue => {
    if (takes[0] === 'users') return ofEach(name, given[0] as CelValue)
    const isAbout = takes[0] === 'user'
    const texts = given.slice(isAbout ? 1 : 0).map((each) => textIn(name, each))
    return answerTo({ of: name, userId: isAbout ? userIn(name, given[0] as CelValue) : '', texts })
  }
  return celFunc(
    `@${name}`,
    takes.map(() => DYN),
    DYN,
    look as never,
  )
})
