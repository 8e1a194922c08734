/** For how long something was granted to someone who requested it. */
export type Granted = { userId: string; seconds: number; isPeer: boolean }

export type Suggested = { seconds: number; by: 'peers' | 'others' | 'length' }

const hour = 3600
const day = 24 * hour
/** What is suggested if too few people have requested it. */
const lengths = [hour, 4 * hour, 8 * hour, day, 7 * day, 30 * day]

// Fewer people would tell for how long one of them has it.
const peopleMin = 3

/** The duration that most of these people got; the shorter one of two that are as frequent. Null for too few people. */
function mostFrequent(granted: readonly Granted[]): number | null {
  if (new Set(granted.map(({ userId }) => userId)).size < peopleMin) return null
  const people = new Map<number, Set<string>>()
  for (const { seconds, userId } of granted) people.set(seconds, (people.get(seconds) ?? new Set()).add(userId))
  const [most] = [...people].toSorted(([a, of], [b, others]) => others.size - of.size || a - b)
  return most?.[0] ?? null
}

/**
 * The duration that a request begins with: what most peers got, else most others, else a usual length of at most 30 days.
 * Never the maximum, which nobody chose, unless that is an hour or less.
 */
export function suggestedOf(granted: readonly Granted[], maxSeconds: number | null): Suggested {
  const max = maxSeconds ?? Number.POSITIVE_INFINITY
  const shorter = granted.filter(({ seconds }) => seconds < max)
  const ofPeers = mostFrequent(shorter.filter(({ isPeer }) => isPeer))
  if (ofPeers !== null) return { seconds: ofPeers, by: 'peers' }
  const ofOthers = mostFrequent(shorter)
  if (ofOthers !== null) return { seconds: ofOthers, by: 'others' }
  return { seconds: lengths.findLast((seconds) => seconds < max) ?? max, by: 'length' }
}
