import type { Confirmation } from '#rooms/foundation/evidence/index.ts'
import type { Carried, HistoryRow, Read } from './facts.ts'

/** The rows of a holding that were in force at a moment. */
export const inForce = (rows: readonly HistoryRow[], at: Date): HistoryRow[] =>
  rows.filter(
    ({ beganAt, endedAt, expiresAt }) =>
      beganAt <= at && (endedAt === null || endedAt > at) && (expiresAt === null || expiresAt > at),
  )

/** A row and those that it replaced because only its terms changed, the latest first. */
export function chainOf(row: HistoryRow, rows: readonly HistoryRow[]): HistoryRow[] {
  const chain = [row]
  for (let last = row; ; ) {
    const before = rows.find(
      ({ id, source, endedWhy, endedAt, beganAt }) =>
        source === last.source &&
        endedWhy === 'restated' &&
        endedAt?.getTime() === last.beganAt.getTime() &&
        beganAt <= last.beganAt &&
        !chain.some((each) => each.id === id),
    )
    if (!before) return chain
    chain.push(before)
    last = before
  }
}

/** Who said that the access of a request exists in the app. */
export type SaidOfRequest = {
  is: 'connector' | 'person' | 'webhook'
  by: { id: string; name: string }
  from: Date
  at: Date
}

export type HoldingFacts = {
  /** In force at the moment, each with those that it replaced. */
  chains: readonly (readonly HistoryRow[])[]
  /** The latest first. */
  carried: readonly Carried[]
  readOf: (importId: string) => Read | undefined
  lastReadOf: (connectorId: string) => Date | undefined
  saidOf: (requestId: string) => SaidOfRequest | undefined
  isBuiltIn: boolean
  at: Date
}

export type Confirmed = {
  is: Confirmation
  at: Date | null
  by: { id: string; name: string } | null
  /** The task of a connector, or the import, whose events show it. */
  carried: Carried | null
  read: Read | null
}

const none = { by: null, at: null, carried: null, read: null }

/**
 * What is known of a holding in its app. Only what belongs to this holding counts: not what an earlier one led to, and not
 * a file that someone imported, whoever wrote it. What the app itself reported comes first.
 */
export function confirmationOf(facts: HoldingFacts): Confirmed {
  if (facts.isBuiltIn) return { ...none, is: 'enforced here' }
  return reported(facts) ?? carriedOut(facts) ?? said(facts) ?? underWay(facts) ?? imported(facts)
}

/** The app has it, by a sync of its connector: it stays until a later sync no longer finds it. */
function reported({ chains, readOf, lastReadOf }: HoldingFacts): Confirmed | null {
  for (const [row] of chains) {
    const read = row?.source === 'import' ? readOf(row.grantedBy) : undefined
    if (!row || !read || read.connectorId === '') continue
    const by = { id: read.connectorId, name: read.connectorName }
    const at = lastReadOf(read.connectorId) ?? row.beganAt
    return { ...none, is: 'app reported', by, at: at > row.beganAt ? at : row.beganAt, read }
  }
  return null
}

/** From when on the tasks of connectors are for this holding: since its grants, or since a request was to be provisioned. */
function beginningOf({ chains, saidOf }: HoldingFacts): Date | null {
  const times = chains.flatMap((chain) => {
    const first = chain.at(-1)
    if (!first || first.source === 'import') return []
    const asked = first.source === 'request' ? saidOf(first.grantedBy)?.from : undefined
    return [Math.min(first.beganAt.getTime(), asked?.getTime() ?? Number.POSITIVE_INFINITY)]
  })
  return times.length > 0 ? new Date(Math.min(...times)) : null
}

const isDone = (at: Date, { state, endedAt }: Carried): boolean => state === 'done' && endedAt !== null && endedAt <= at

/** The latest grant in the app for this holding, unless it was revoked there since. */
function carriedOut(facts: HoldingFacts): Confirmed | null {
  const since = beginningOf(facts)
  const last = facts.carried.find((task) => isDone(facts.at, task))
  if (!since || last?.kind !== 'grant' || last.createdAt < since) return null
  const by = { id: last.connectorId, name: last.connectorName }
  return { ...none, is: 'connector confirmed', by, at: last.endedAt, carried: last }
}

/** A person, a webhook or a connector ended the step that provisions the request for which it is held. */
function said({ chains, saidOf, at, carried }: HoldingFacts): Confirmed | null {
  const kinds = { connector: 'connector confirmed', person: 'person said', webhook: 'webhook confirmed' } as const
  for (const chain of chains)
    for (const { source, grantedBy } of chain) {
      const found = source === 'request' ? saidOf(grantedBy) : undefined
      if (!found || found.at > at) continue
      if (carried.some((task) => task.kind === 'revoke' && isDone(at, task) && (task.endedAt as Date) > found.at))
        continue
      return { ...none, is: kinds[found.is], by: found.by, at: found.at }
    }
  return null
}

const openStates = new Set(['queued', 'leased', 'unknown'])

/** A connector is to grant it and has not, or could not. */
function underWay(facts: HoldingFacts): Confirmed | null {
  const since = beginningOf(facts)
  const last = facts.carried[0]
  if (!since || last?.kind !== 'grant' || last.createdAt < since) return null
  const by = { id: last.connectorId, name: last.connectorName }
  // What ended after the moment was still under way then.
  const isOpen = openStates.has(last.state) || (last.endedAt !== null && last.endedAt > facts.at)
  if (isOpen) return { ...none, is: 'sent', by, at: last.createdAt, carried: last }
  return last.state === 'failed' ? { ...none, is: 'failed', by, at: last.endedAt, carried: last } : null
}

function imported({ chains, readOf }: HoldingFacts): Confirmed {
  for (const [row] of chains) {
    if (row?.source !== 'import') continue
    return { ...none, is: 'file said', at: row.beganAt, read: readOf(row.grantedBy) ?? null }
  }
  return { ...none, is: 'recorded only' }
}

const minute = (at: Date | null): string => (at ? `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC` : '')

/** The same in words. `app` is its name. */
export function confirmationWords({ is, at, by }: Pick<Confirmed, 'is' | 'at' | 'by'>, app: string): string {
  const name = by?.name ?? ''
  const through = name === '' ? 'its connector' : `the connector ${name}`
  switch (is) {
    case 'app reported':
      return `${app} has it: read by ${through}, the last time at ${minute(at)}`
    case 'connector confirmed':
      return `Confirmed by ${app} through ${through} at ${minute(at)}`
    case 'person said':
      return `${name || 'A person'} said at ${minute(at)} that it was done in ${app}`
    case 'webhook confirmed':
      return `Confirmed by the webhook${name === '' ? '' : ` ${name}`} at ${minute(at)}`
    case 'enforced here':
      return 'In effect: Bailiwick itself enforces it'
    case 'sent':
      return `Sent to ${through} at ${minute(at)}, not confirmed`
    case 'failed':
      return `Not done: ${through} could not grant it in ${app}`
    case 'file said':
      return `Imported from a file at ${minute(at)}; ${app} did not confirm it`
    case 'recorded only':
      return `Recorded in Bailiwick only; ${app} did not confirm it`
  }
}
