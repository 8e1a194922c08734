import { profilesAppId } from '#rooms/foundation/writes/index.ts'
import type { GrantSource } from '#rooms/records/grants/index.ts'
import type { Held, Options } from './removal.ts'

export const outcomes = ['ends', 'manual', 'rule', 'profile', 'directory', 'through'] as const
/** What happens to access: it ends, people remove it in the app, or something grants it that has to be changed first. */
export type Outcome = (typeof outcomes)[number]

/** How the rule of an entitlement applies to the person. */
export type RuleFact = { name: string; matches: boolean; isPaused: boolean; isExcluded: boolean }

export type Facts = {
  isEnabled: boolean
  options: Pick<Options, 'excludes' | 'disables'>
  rule: RuleFact | null
  /** Who makes a change in the app. */
  carrier: 'records' | 'connector' | 'people'
  /** Names of the access profiles that grant this and in which the person stays enrolled. */
  profiles: readonly string[]
}

/** Whether a rule would grant it again at once, regardless of what is ended here. */
export const grantsAgain = ({
  rule,
  isEnabled,
  options: { excludes, disables },
}: Omit<Facts, 'carrier' | 'profiles'>): boolean =>
  rule !== null && rule.matches && !rule.isPaused && !rule.isExcluded && isEnabled && !excludes && !disables

export type Judged = { outcome: Outcome; why: string }

/** What would happen to the access of one account, and why. */
export function judge(held: Held, facts: Facts): Judged {
  const { rule, carrier, profiles } = facts
  const sources = held.grants.map(({ source }) => source)
  if (grantsAgain(facts))
    return {
      outcome: 'rule',
      why: `The rule "${rule?.name}" grants this again unless the person is excluded from it or disabled.`,
    }
  if (sources.includes('directory'))
    return { outcome: 'directory', why: 'A directory grants this. Remove the person from the group in the directory.' }
  if (sources.includes('profile') && profiles.length > 0)
    return {
      outcome: 'profile',
      why: `The access profile "${profiles.join('", "')}" grants this, and the person stays enrolled.`,
    }
  if (held.throughName !== '' && sources.every((source) => source === 'import'))
    return {
      outcome: 'through',
      why: `The app grants this through "${held.throughName}". It ends at the sync after that is removed.`,
    }
  if (carrier === 'people' || !held.isTakenByRecord)
    return {
      outcome: 'manual',
      why: 'No connector removes this in the app. A task asks the responsible people to remove it; the grant is kept until then.',
    }
  if (carrier === 'connector') return { outcome: 'ends', why: 'The grant ends, and the connector is sent its removal.' }
  if (held.appId === profilesAppId) return { outcome: 'ends', why: 'The membership ends.' }
  return {
    outcome: 'ends',
    why: sources.includes('import')
      ? 'The grant ends here, and nobody is asked to change the app: remove the access there too, or the next import records it again.'
      : 'The grant ends here. Nobody is asked to remove the access in the app.',
  }
}

/** Whether the person has to be excluded from a rule so that ended access stays ended. */
export const isToExclude = ({ excludes }: Pick<Options, 'excludes'>, rule: RuleFact | null, held: Held): boolean =>
  excludes && rule !== null && !rule.isExcluded && (rule.matches || held.grants.some(({ source }) => source === 'rule'))

const bySource: { readonly [source: string]: string } = {
  rule: 'Its rule grants it again if it matches.',
  profile: 'Its access profile grants it again if the person is enrolled.',
  directory: 'Its directory grants it again.',
}

export type EndedRow = {
  source: string
  isThere: boolean
  isHeldAgain: boolean
  expiresAt: Date | null
}

type Given = { source: GrantSource; grantedBy: string; grantedAt: Date; expiresAt: Date | null }

/**
 * As it was. Access that the app had becomes a manual grant of the user who undoes it, so that a connector that removed it
 * there adds it again.
 */
export const grantedAgain = ({ source, grantedBy, grantedAt, expiresAt }: Given, userId: string) => ({
  ...(source === 'import' ? { source: 'manual' as const, grantedBy: userId } : { source, grantedBy, grantedAt }),
  ...(expiresAt && { expiresAt }),
})

/** Why access that a removal ended is not granted again by undoing it; null if it is. */
export function whyNotRestored({ source, isThere, isHeldAgain, expiresAt }: EndedRow, now: Date): string | null {
  if (!isThere) return 'The account, the entitlement or its app was deleted.'
  if (isHeldAgain) return 'It has been granted again.'
  if (expiresAt !== null && expiresAt <= now) return 'It has expired.'
  return bySource[source] ?? null
}
