import { breather } from '#kernel/breath.ts'
import { idLength, idPattern } from '#kernel/ids.ts'
import type { Call, Route } from '#kernel/routes.ts'
import type { Fields, Message } from '#kernel/wire.ts'
import { mayEverywhere } from '../may.ts'
import { type Action, type Rule, rules } from '../rules.ts'
import { seesEveryone, sightOf } from '../sight/index.ts'
import { type Kind, markOf, neighbourOf } from './seen.ts'

/**
 * The reply to a caller who may not read everyone is reduced to what they may know, here and for every operation: one
 * that is added later, or that forgets to check, reveals no more than the others (decisions 0038 and 0147).
 * The filter follows the schema of the reply. The definition of a message says which level shows which of its fields
 * (`seen.ts`). A record that the caller does not see is omitted; one that they see in part keeps that part. The id of a
 * user whom they do not see is emptied wherever it occurs.
 */
type Json = { [name: string]: unknown }
type Schema = Message<Fields> | null

/** The message that describes an object: from the schema, or, for a neighbour without one, from its own `@type`. */
const schemaOf = (json: Json, by: Schema): Schema => by ?? neighbourOf(json['@type'])

/** The messages in a field: each value of a map is one. */
const fieldsOf = (json: Json, by: Schema): [name: string, value: unknown, by: Schema, isMap: boolean][] =>
  Object.entries(json).map(([name, value]) => {
    const shape = by && Object.hasOwn(by.fields, name) ? by.fields[name] : undefined
    return [name, value, shape?.within ?? null, shape?.isMap ?? false]
  })

const text = (json: Json, name: string): string => {
  const value = json[name]
  return typeof value === 'string' ? value : ''
}
const refOf = (json: Json): string => `${text(json, 'appId')}/${text(json, 'id')}`
const resourceOf = (json: Json): string =>
  `${text(json, 'appId')}/${text(json, 'appResourceTypeId')}/${text(json, 'id')}`
const typeOf = (json: Json): string => `${text(json, 'appId')}/${text(json, 'id')}/`

type Found = { records: Map<Kind, Json[]>; ids: Set<string> }

function look(value: unknown, by: Schema, isMap: boolean, found: Found): void {
  if (typeof value === 'string') {
    if (value.length === idLength && idPattern.test(value)) found.ids.add(value)
  } else if (Array.isArray(value)) for (const each of value) look(each, by, false, found)
  else if (typeof value !== 'object' || value === null) return
  else if (isMap) for (const each of Object.values(value)) look(each, by, false, found)
  else {
    const json = value as Json
    const schema = schemaOf(json, by)
    const kind = markOf(schema)?.kind
    const known = kind && found.records.get(kind)
    if (known) known.push(json)
    else if (kind) found.records.set(kind, [json])
    for (const [, each, within, isMapOf] of fieldsOf(json, schema)) look(each, within, isMapOf, found)
  }
}

/** How much of a record the caller sees; undefined if nothing. */
type LevelOf = (json: Json) => string | undefined

async function levelsOf(call: Call, { records }: Found): Promise<Record<Kind, LevelOf>> {
  const sight = sightOf(call, call.db)
  const of = (kind: Kind): Json[] => records.get(kind) ?? []
  const seesRecords = mayEverywhere(call.actor, 'entitlements.read') && mayEverywhere(call.actor, 'apps.read')
  const people = await sight.people([...new Set(of('user').map((json) => text(json, 'id')))])
  const entitlements = await sight.entitlements(
    of('entitlement').map((j) => ({ appId: text(j, 'appId'), id: text(j, 'id') })),
  )
  const resources = await sight.resources([
    ...of('resource').map((json) => ({
      appId: text(json, 'appId'),
      typeId: text(json, 'appResourceTypeId'),
      id: text(json, 'id'),
    })),
    ...of('resource type').map((json) => ({ appId: text(json, 'appId'), typeId: text(json, 'id'), id: '' })),
  ])
  const copied = await sight.copied(of('account').map((json) => ({ appId: text(json, 'appId'), id: text(json, 'id') })))
  const apps = await sight.apps(of('app').map((json) => text(json, 'id')))
  const appLevel = (id: string) =>
    apps.owned.has(id) ? 'owned' : apps.seen.has(id) ? 'held' : apps.past.has(id) ? 'named' : undefined
  const orOwned =
    (level: LevelOf): LevelOf =>
    (json) =>
      seesRecords ? 'owned' : level(json)
  return {
    user: (json) => people.get(text(json, 'id')),
    entitlement: orOwned((json) => entitlements.get(refOf(json))),
    app: orOwned((json) => appLevel(text(json, 'id'))),
    resource: orOwned((json) => resources.get(resourceOf(json))),
    'resource type': (json) =>
      seesRecords || apps.owned.has(text(json, 'appId')) || resources.has(typeOf(json)) ? 'seen' : undefined,
    account: (json) =>
      copied.has(refOf(json)) && text(json, 'identityUserId') !== call.actor.userId ? 'not copied' : 'whole',
  }
}

/** A record with only the fields of a level; the others have their values for unset fields. Without a level, all fields. */
function partOf(whole: Json, message: Message<Fields>, level: string | undefined): Json {
  const unset = message.write({})
  const isShown = (field: string): boolean => level !== undefined && markOf(message)?.shows(level, field) === true
  return Object.fromEntries(
    Object.entries(whole).map(([field, value]) => [field, field === '@type' || isShown(field) ? value : unset[field]]),
  )
}

const gone = Symbol('gone')

// A set has to hash the whole of a text to look it up: for texts that are not ids, that took longer than everything
// else.
const isHidden = (each: string, hidden: ReadonlySet<string>): boolean => each.length === idLength && hidden.has(each)

type Cutting = { levels: Record<Kind, LevelOf>; hidden: ReadonlySet<string> }

const cutItem = (item: unknown, by: Schema, cutting: Cutting): unknown =>
  typeof item === 'string' && isHidden(item, cutting.hidden) ? gone : cut(item, by, false, cutting)

function cut(value: unknown, by: Schema, isMap: boolean, cutting: Cutting): unknown {
  if (typeof value === 'string') return isHidden(value, cutting.hidden) ? '' : value
  if (Array.isArray(value))
    return value.map((each: unknown) => cutItem(each, by, cutting)).filter((each) => each !== gone)
  if (typeof value !== 'object' || value === null) return value
  const whole = value as Json
  if (isMap)
    return Object.fromEntries(
      Object.entries(whole).flatMap(([name, each]) => {
        const kept = cut(each, by, false, cutting)
        return kept === gone ? [] : [[name, kept]]
      }),
    )
  const schema = schemaOf(whole, by)
  const kind = markOf(schema)?.kind
  const level = kind && cutting.levels[kind](whole)
  // Others refer to a neighbour by its position: one that the caller does not see stays there, empty.
  if (kind && level === undefined && !('@type' in whole)) return gone
  const shown = kind && schema ? partOf(whole, schema, level) : whole
  return Object.fromEntries(
    fieldsOf(shown, schema).map(([name, each, within, isMapOf]) => {
      const kept = cut(each, within, isMapOf, cutting)
      return [name, kept === gone ? null : kept]
    }),
  )
}

/** The rule of a route may say that its replies are not filtered. */
const isWhole = (rule: string): boolean => {
  const known: Rule | undefined = Object.hasOwn(rules, rule) ? rules[rule as Action] : undefined
  return known?.repliesWhole === true
}

export const sieve = {
  /** Whether the caller may know all of any reply. Most callers who request long replies may. */
  passes: ({ actor }: Pick<Call, 'actor'>, { rule }: Pick<Route, 'rule'>): boolean =>
    seesEveryone(actor) || actor.userId === '' || isWhole(rule),
  isPlain,
  passesText,
  sift,
}

const backslash = 92

/** The texts of a JSON text that look like ids. From quote to quote: a regular expression took three times as long. */
function idsIn(json: string): Set<string> {
  const ids = new Set<string>()
  for (let begin = json.indexOf('"'); begin >= 0; ) {
    let end = json.indexOf('"', begin + 1)
    while (json.charCodeAt(end - 1) === backslash && isEscaped(json, end)) end = json.indexOf('"', end + 1)
    if (end - begin - 1 === idLength) {
      const id = json.slice(begin + 1, end)
      if (idPattern.test(id)) ids.add(id)
    }
    begin = json.indexOf('"', end + 1)
  }
  return ids
}

/** Whether an odd number of backslashes is before a quote. */
function isEscaped(json: string, at: number): boolean {
  let before = at - 1
  while (json.charCodeAt(before) === backslash) before--
  return (at - before) % 2 === 0
}

const plainOnes = new WeakMap<Message<Fields>, boolean>()

/** Whether a reply has no records, but may have ids of people: a page of tasks without neighbours. */
function isPlain(of: Message<Fields>, reply: Readonly<Json>): boolean {
  const { expanded } = reply
  if (Array.isArray(expanded) && expanded.length > 0) return false
  const known = plainOnes.get(of)
  if (known !== undefined) return known
  const isOne = ![of, ...of.messages].some((each) => markOf(each) !== null)
  plainOnes.set(of, isOne)
  return isOne
}

/**
 * Whether a plain reply that was written as text reveals nothing that the caller may not know: it has no neighbour and
 * no id of a user whom they do not see. Then it need not be built as objects and searched one by one, which took more
 * than half of the server's time for a page of an inbox.
 */
async function passesText(call: Call, json: string): Promise<boolean> {
  if (json.includes('"@type"')) return false
  const ids = idsIn(json)
  return ids.size === 0 || (await sightOf(call, call.db).hidden([...ids])).size === 0
}

/** Reduces a reply with this message to what the caller may know. */
async function sift(call: Call, of: Message<Fields>, reply: Readonly<Json>): Promise<Readonly<Json>> {
  const found: Found = { records: new Map(), ids: new Set() }
  const fields = fieldsOf(reply, of)
  const kind = markOf(of)?.kind
  if (kind) found.records.set(kind, [reply])
  // Records can be large, and a reply can have hundreds: other requests run between two of them.
  const breathe = breather()
  for (const [, value, within, isMap] of fields)
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      look(each, within, isMap, found)
      await breathe()
    }
  if (found.records.size === 0 && found.ids.size === 0) return reply
  const hidden = await sightOf(call, call.db).hidden([...found.ids])
  if (found.records.size === 0 && hidden.size === 0) return reply
  const cutting: Cutting = { levels: await levelsOf(call, found), hidden }
  if (kind) {
    const kept = cut(reply, of, false, cutting)
    return kept === gone ? {} : (kept as Json)
  }
  const out: Json = {}
  for (const [name, value, within, isMap] of fields) {
    if (!Array.isArray(value)) {
      const kept = cut(value, within, isMap, cutting)
      out[name] = kept === gone ? null : kept
      continue
    }
    const items: unknown[] = []
    for (const each of value as unknown[]) {
      const kept = cutItem(each, within, cutting)
      if (kept !== gone) items.push(kept)
      await breathe()
    }
    out[name] = items
  }
  return out
}
