import type { Enforcements, EntitlementRef } from '../client/enforcement.ts'

/** What becomes in the apps of grants that end here: how many are sent to connectors, and how many are left to people. */
export type Reach = {
  count: number
  sent: number
  /** Nothing is connected that could remove them. */
  unconnected: number
  /** Requests for them go to people, webhooks or another entitlement, which are not asked now. */
  unasked: number
}

/** What ending some grants leads to in their apps, one for each entry; null until it is known. */
export function reachOf({ isKnown, of }: Enforcements, refs: readonly EntitlementRef[]): Reach | null {
  if (!isKnown) return null
  const reach = { count: refs.length, sent: 0, unconnected: 0, unasked: 0 }
  for (const ref of refs) {
    const found = of(ref)
    const by = found?.revocation?.by ?? found?.by ?? 'ENFORCED_BY_BAILIWICK'
    if (by === 'ENFORCED_BY_CONNECTOR') reach.sent++
    else if (by === 'ENFORCED_BY_NOBODY') reach.unconnected++
    else if (by !== 'ENFORCED_BY_BAILIWICK') reach.unasked++
  }
  return reach
}

export const grants = (count: number): string => `${count.toLocaleString()} ${count === 1 ? 'grant' : 'grants'}`

/** `12 of them`, `All of them`, `It`. */
function ofThem(some: number, count: number): string {
  if (some < count) return `${some.toLocaleString()} of them`
  return count === 1 ? 'It' : 'All of them'
}

/** `12 of them are sent to connectors.`, `31 of them must still be removed in apps that are not connected.` */
export function reachLines(reach: Reach | null): string[] {
  if (!reach) return []
  const { count, sent, unconnected, unasked } = reach
  const line = (some: number, words: string): string[] => (some > 0 ? [`${ofThem(some, count)} ${words}`] : [])
  return [
    ...line(sent, sent === 1 ? 'is sent to a connector.' : 'are sent to connectors.'),
    ...line(unconnected, 'must still be removed in apps that are not connected.'),
    ...line(unasked, 'must still be removed in their apps: nobody is asked to do it.'),
  ]
}

/** `Ended 43 grants in Bailiwick`, and what that leads to in the apps: for what has been done. */
export const endedWords = (count: number, reach: Reach | null): string =>
  [`Ended ${grants(count)} in Bailiwick.`, ...reachLines(reach)].join(' ')
