import type { GrantSource } from '#rooms/records/grants/index.ts'
import { type Drift, type DriftKind, type Remedy, remedies } from './drift.ts'

const remediesOf: { readonly [K in DriftKind]: readonly Remedy[] } = {
  unexplained: ['keep', 'revoke'],
  missing: ['provision', 'remove'],
}

/** The sources of grants that a person may remove; a rule or an access profile would only grant it again. */
const removable: readonly GrantSource[] = ['manual', 'request']

/** Why a remedy cannot be applied to a difference; null if it can. */
export function whyNot(remedy: Remedy, { kind, sources, isUnderWay, isUserAble }: Drift): string | null {
  if (!remediesOf[kind].includes(remedy)) return `"${remedy}" does not apply to access that is ${kind}.`
  if (isUnderWay) return 'A task or a connector is already processing it.'
  if (remedy === 'provision' && !isUserAble) return 'Access cannot be granted to someone who is disabled or deleted.'
  const others = remedy === 'remove' ? sources.filter((source) => !removable.includes(source)) : []
  if (others.length > 0)
    return `A ${others.join(' and a ')} grants this access. Change that, or exclude the person there.`
  return null
}

export const remediesFor = (drift: Drift): Remedy[] => remedies.filter((remedy) => whyNot(remedy, drift) === null)

export const happenings = ['record', 'end record', 'task', 'connector', 'people'] as const
/**
 * What applying a remedy does: change the record, open a task that revokes, or provision in the app, by its connector or by
 * people.
 */
export type Happening = (typeof happenings)[number]

export const happeningOf = (remedy: Remedy, carrier: 'connector' | 'people'): Happening =>
  (({ keep: 'record', remove: 'end record', revoke: 'task', provision: carrier }) as const)[remedy]

const shareMax = 0.2
const fromHolders = 20

/** How many grants of an app have to be counted to know whether removing this many is too much. */
export const countedFor = (count: number): number => Math.max(fromHolders, Math.ceil(count / shareMax)) + 1

/** As for syncs: removing more than a fifth of an app's access, if there are at least 20 grants, needs confirmation. */
export const isTooMuch = (remedy: Remedy, count: number, held: number): boolean =>
  (remedy === 'revoke' || remedy === 'remove') && held >= fromHolders && count > held * shareMax
