import type { Fields, Message } from '#kernel/wire.ts'
import type { Level } from '../sight/index.ts'

/** The records of which not every caller sees everything, and how much of each a caller may see. */
type Levels = {
  user: Level
  app: 'owned' | 'held' | 'named'
  entitlement: 'owned' | 'held' | 'named'
  resource: 'owned' | 'held'
  'resource type': 'seen'
  account: 'whole' | 'not copied'
}
export type Kind = keyof Levels

/** Which fields a level shows. */
type Part<F> = 'all' | { readonly only: readonly (keyof F)[] } | { readonly without: readonly (keyof F)[] }
type Parts<K extends Kind, F> = { readonly [L in Levels[K]]: Part<F> }

type Marked = { readonly kind: Kind; readonly shows: (level: string, field: string) => boolean }

const marks = new WeakMap<Message<Fields>, Marked>()
const byName = new Map<string, Message<Fields>>()

/**
 * Defines which fields of a message each level shows; used where the message is defined. Wherever the schema of a reply
 * has such a message, callers who do not see the whole record get only the fields of their level, and the message is
 * omitted for those who do not see the record at all.
 */
export function seenAt<K extends Kind, F extends Fields>(kind: K, of: Message<F>, parts: Parts<K, F>): Message<F> {
  const shown = new Map(Object.entries<Part<F>>(parts).map(([level, part]) => [level, showing(part)]))
  const message = of as unknown as Message<Fields>
  marks.set(message, { kind, shows: (level, field) => shown.get(level)?.(field) ?? false })
  byName.set(of.name, message)
  return of
}

function showing<F>(part: Part<F>): (field: string) => boolean {
  if (part === 'all') return () => true
  if ('only' in part) return (field) => (part.only as readonly string[]).includes(field)
  return (field) => !(part.without as readonly string[]).includes(field)
}

export const markOf = (message: Message<Fields> | null): Marked | null => (message && marks.get(message)) ?? null

const typePrefix = 'type.googleapis.com/c1.api.'

/** The message of a neighbour, by its own `@type`: `expanded` has neighbours of all kinds. */
export const neighbourOf = (type: unknown): Message<Fields> | null =>
  typeof type === 'string' && type.startsWith(typePrefix) ? (byName.get(type.slice(typePrefix.length)) ?? null) : null
