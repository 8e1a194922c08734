import { mayEverywhere } from '#authority/may.ts'
import { breather } from '#kernel/breath.ts'
import { idLength, idPattern } from '#kernel/ids.ts'
import type { Call } from '#kernel/routes.ts'
import type { Fields, Message } from '#kernel/wire.ts'
import { atLevel, seesEveryone, sightOf, UserMessage } from '#rooms/identity/users/index.ts'
import { AppUser } from '#rooms/records/accounts/index.ts'
import { AppMessage, EntitlementMessage, ResourceMessage, ResourceTypeMessage } from '#rooms/records/apps/index.ts'

/**
 * What a reply tells a caller who may not read everyone is cut down to what they may know, here and for every operation:
 * one that is added later, or that forgets to ask, tells no more than the others (decision 0038).
 *
 * Records are known by their fields, or by their `@type` where they are somebody's neighbours. One that the caller does
 * not see is left out; one that they see in part keeps that part. The id of a user whom they do not see is emptied,
 * wherever it stands.
 */
type Json = { [name: string]: unknown }

const kinds = {
  user: UserMessage,
  entitlement: EntitlementMessage,
  app: AppMessage,
  resource: ResourceMessage,
  resourceType: ResourceTypeMessage,
  account: AppUser,
} as const
type Kind = keyof typeof kinds

const signatureOf = (names: readonly string[]): string => names.toSorted().join(' ')
const kindBySignature = new Map(
  Object.entries(kinds).map(([kind, { fields }]) => [signatureOf(Object.keys(fields)), kind as Kind]),
)
const fieldCounts = new Set(Object.values(kinds).map(({ fields }) => Object.keys(fields).length))
const kindByName = new Map(Object.entries(kinds).map(([kind, { name }]) => [name, kind as Kind]))
const typePrefix = 'type.googleapis.com/c1.api.'

function kindOf(json: Json): Kind | null {
  const type = json['@type']
  if (typeof type === 'string') return kindByName.get(type.slice(typePrefix.length)) ?? null
  if (!('id' in json && 'displayName' in json)) return null
  const names = Object.keys(json)
  // Counted first: tasks have an id and a name too, and 40 names of each would be sorted for nothing.
  return fieldCounts.has(names.length) ? (kindBySignature.get(signatureOf(names)) ?? null) : null
}

const text = (json: Json, name: string): string => {
  const value = json[name]
  return typeof value === 'string' ? value : ''
}
const refOf = (json: Json): string => `${text(json, 'appId')}/${text(json, 'id')}`
const resourceOf = (json: Json): string =>
  `${text(json, 'appId')}/${text(json, 'appResourceTypeId')}/${text(json, 'id')}`
const typeOf = (json: Json): string => `${text(json, 'appId')}/${text(json, 'id')}/`

/** What someone who only holds something in it does not see of an app, an entitlement or a resource. */
const unseenByHolders: Partial<Record<Kind, readonly string[]>> = {
  app: ['annotations', 'monthlyCostUsd', 'identityMatching', 'userCount'],
  entitlement: ['annotations', 'externalId'],
  resource: ['annotations', 'externalId', 'profile', 'grantCount'],
}
const named = ['id', 'appId', 'displayName']
/** What an account that Bailiwick made was told by nobody but the record of its user. */
const copiedFields = ['email', 'emails', 'username', 'usernames', 'employeeIds', 'profile']

const without = (json: Json, names: readonly string[] = []): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)))
const only = (json: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => names.includes(name)))

type Found = { records: Map<Kind, Json[]>; ids: Set<string> }

function look(value: unknown, found: Found): void {
  if (typeof value === 'string') {
    if (value.length === idLength && idPattern.test(value)) found.ids.add(value)
  } else if (Array.isArray(value)) for (const each of value) look(each, found)
  else if (typeof value === 'object' && value !== null) {
    const kind = kindOf(value as Json)
    if (kind) {
      const known = found.records.get(kind)
      if (known) known.push(value as Json)
      else found.records.set(kind, [value as Json])
    }
    for (const each of Object.values(value)) look(each, found)
  }
}

/** The part of a record that is seen: null where nothing is. */
type Part = (json: Json) => Json | null

async function partsOf(call: Call, { records }: Found): Promise<Record<Kind, Part>> {
  const sight = sightOf(call, call.db)
  const of = (kind: Kind): Json[] => records.get(kind) ?? []
  const everything: Part = (json) => json
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
    ...of('resourceType').map((json) => ({ appId: text(json, 'appId'), typeId: text(json, 'id'), id: '' })),
  ])
  const copied = await sight.copied(of('account').map((json) => ({ appId: text(json, 'appId'), id: text(json, 'id') })))
  const apps = await sight.apps(of('app').map((json) => text(json, 'id')))
  const part = (kind: Kind, level: 'owned' | 'held' | 'named' | undefined, json: Json): Json | null => {
    if (level === undefined) return null
    if (level === 'owned') return json
    return level === 'held' ? without(json, unseenByHolders[kind]) : only(json, named)
  }
  const appLevel = (id: string) =>
    apps.owned.has(id) ? 'owned' : apps.seen.has(id) ? 'held' : apps.past.has(id) ? 'named' : undefined
  return {
    user(json) {
      const level = people.get(text(json, 'id'))
      return level ? atLevel(json, level) : null
    },
    entitlement: seesRecords ? everything : (json) => part('entitlement', entitlements.get(refOf(json)), json),
    app: seesRecords ? everything : (json) => part('app', appLevel(text(json, 'id')), json),
    resource: seesRecords ? everything : (json) => part('resource', resources.get(resourceOf(json)), json),
    resourceType: seesRecords
      ? everything
      : (json) => (apps.owned.has(text(json, 'appId')) || resources.has(typeOf(json)) ? json : null),
    account: (json) =>
      copied.has(refOf(json)) && text(json, 'identityUserId') !== call.actor.userId
        ? without(json, copiedFields)
        : json,
  }
}

/** A record with only a part of its fields: the others as they are where nobody set them. */
function rewrite(kind: Kind, whole: Json, part: Json): Json {
  const unset = (kinds[kind] as unknown as Message<Fields>).write({})
  const fields = Object.keys(whole).filter((name) => name !== '@type')
  return {
    ...('@type' in whole && { '@type': whole['@type'] }),
    ...Object.fromEntries(fields.map((name) => [name, name in part ? part[name] : unset[name]])),
  }
}

const gone = Symbol('gone')

// A set has to read the whole of a text to look for it: of texts that are no ids that took longer than all the rest.
const isHidden = (each: string, hidden: ReadonlySet<string>): boolean => each.length === idLength && hidden.has(each)

const cutItem = (item: unknown, parts: Record<Kind, Part>, hidden: ReadonlySet<string>): unknown =>
  typeof item === 'string' && isHidden(item, hidden) ? gone : cut(item, parts, hidden)

function cut(value: unknown, parts: Record<Kind, Part>, hidden: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return isHidden(value, hidden) ? '' : value
  if (Array.isArray(value))
    return value.map((each: unknown) => cutItem(each, parts, hidden)).filter((each) => each !== gone)
  if (typeof value !== 'object' || value === null) return value
  const whole = value as Json
  const kind = kindOf(whole)
  const part = kind ? parts[kind](whole) : whole
  // Others point at a neighbour by its place: one that is not seen stays there, empty.
  if (part === null && !('@type' in whole)) return gone
  const shown = kind && part !== whole ? rewrite(kind, whole, part ?? {}) : whole
  return Object.fromEntries(
    Object.entries(shown).map(([name, each]) => {
      const kept = cut(each, parts, hidden)
      return [name, kept === gone ? null : kept]
    }),
  )
}

/** Who may read the log, or what there is of imports, reads it whole: that is what the permission is for. */
const whole = new Set(['systemlog.read', 'imports.read'])

export const sieve = {
  /** Whether the caller may know all of any reply: most who ask for long ones may. */
  passes: ({ actor }: Pick<Call, 'actor'>, allow: string): boolean =>
    seesEveryone(actor) || actor.userId === '' || whole.has(allow),
  isPlain,
  passesText,
  sift,
}

/** Of each kind of record one field that all of them have, and hardly anything else. */
const marks: Record<Kind, string> = {
  user: 'directoryStatus',
  account: 'appUserType',
  app: 'monthlyCostUsd',
  entitlement: 'matchBatonId',
  resource: 'matchBatonId',
  resourceType: 'traitIds',
}
const marksInText = [...new Set(['@type', ...Object.values(marks)])].map((name) => `"${name}"`)
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

/** Whether a reply holds no records as such, but perhaps ids of people: a page of tasks without neighbours. */
function isPlain(of: Message<Fields>, reply: Readonly<Json>): boolean {
  const { expanded } = reply
  if (Array.isArray(expanded) && expanded.length > 0) return false
  const known = plainOnes.get(of)
  if (known !== undefined) return known
  const isOne = ![of, ...of.messages].some(({ name }) => kindByName.has(name))
  plainOnes.set(of, isOne)
  return isOne
}

/**
 * Whether a reply that was written as text tells nothing that the caller may not know: no record is in it, not even in what
 * people typed, and no id of a user whom they do not see. It need not be written as objects then, which are looked through
 * one by one: that took more than half of the server's time for a page of an inbox.
 */
async function passesText(call: Call, json: string): Promise<boolean> {
  if (marksInText.some((mark) => json.includes(mark))) return false
  const ids = idsIn(json)
  return ids.size === 0 || (await sightOf(call, call.db).hidden([...ids])).size === 0
}

async function sift(call: Call, reply: Readonly<Json>): Promise<Readonly<Json>> {
  if (kindOf(reply)) return ((await sift(call, { reply }))['reply'] ?? {}) as Json
  const found: Found = { records: new Map(), ids: new Set() }
  // Records can be large, and there are up to hundreds in a reply: others have their turn between two of them.
  const breathe = breather()
  for (const each of Object.values(reply).flat()) {
    look(each, found)
    await breathe()
  }
  if (found.records.size === 0 && found.ids.size === 0) return reply
  const hidden = await sightOf(call, call.db).hidden([...found.ids])
  if (found.records.size === 0 && hidden.size === 0) return reply
  const parts = await partsOf(call, found)
  const out: Json = {}
  for (const [name, value] of Object.entries(reply)) {
    if (!Array.isArray(value)) {
      const kept = cut(value, parts, hidden)
      out[name] = kept === gone ? null : kept
      continue
    }
    const items: unknown[] = []
    for (const each of value) {
      const kept = cutItem(each, parts, hidden)
      if (kept !== gone) items.push(kept)
      await breathe()
    }
    out[name] = items
  }
  return out
}
