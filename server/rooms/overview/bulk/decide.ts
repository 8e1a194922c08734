import type { GrantSource } from '#rooms/records/grants/index.ts'

/** Why access is not revoked here: what grants it would only grant it again. Null where it can be. */
export function whyNotRevoked(sources: readonly GrantSource[]): string | null {
  if (sources.includes('rule'))
    return 'A rule grants this access and would grant it again. Change the rule, or exclude the person from it.'
  if (sources.includes('profile'))
    return 'An access profile grants this access and would grant it again. Remove the person from the profile.'
  return null
}

/** What is worth knowing of a grant before it is revoked. */
export const noteOf = (sources: readonly GrantSource[]): string =>
  sources.includes('import') || sources.includes('directory')
    ? 'It was imported. It comes back with the next import unless it is also removed in the app.'
    : ''

const shareMax = 0.2
const fromHeld = 20

/** How many have to be counted to decide whether `count` is a large share. */
export const countedFor = (count: number): number => Math.max(fromHeld, Math.ceil(count / shareMax)) + 1

/** As for syncs and drift: to remove more than a fifth, of at least 20, must be confirmed. */
export const isMuch = (count: number, held: number): boolean => held >= fromHeld && count > held * shareMax
