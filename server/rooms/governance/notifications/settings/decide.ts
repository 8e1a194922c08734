import { type Channel, type Kind, kinds, weekdays } from '../kinds.ts'
import type { ChannelSettings, Effective, OrganisationSettings, PersonalSettings } from './settings.ts'

/** A chat is read by many: at first it is told only of what somebody has to do something about. */
const inChatAtFirst: ReadonlySet<Kind> = new Set(['approvalNeeded', 'provisioningRequest', 'connectorIssues', 'system'])

const atFirst = (channel: Channel): ChannelSettings => ({
  enabled: channel === 'email',
  kinds: Object.fromEntries(
    kinds.map((kind) => [kind, { enabled: channel === 'email' || inChatAtFirst.has(kind), locked: false }]),
  ) as ChannelSettings['kinds'],
  digest: { enabled: false, locked: false, frequency: 'DAILY', day: 'MONDAY' },
})

/** What holds where an organisation has chosen nothing else. */
const organisationAtFirst: OrganisationSettings = {
  email: atFirst('email'),
  slack: atFirst('slack'),
  teams: atFirst('teams'),
}

/** `kept` as it was stored, with what has been added to the program since. */
export function completed(kept: Partial<OrganisationSettings>): OrganisationSettings {
  const one = (channel: Channel): ChannelSettings => {
    const usual = organisationAtFirst[channel]
    const {
      enabled = usual.enabled,
      kinds: chosen = {},
      digest = {},
    } = (kept[channel] ?? {}) as Partial<ChannelSettings>
    return { enabled, kinds: { ...usual.kinds, ...chosen }, digest: { ...usual.digest, ...digest } }
  }
  return { email: one('email'), slack: one('slack'), teams: one('teams') }
}

/**
 * What counts for a person's mail: their own choice, but for what the organisation locked. Where either has switched mail off,
 * only notices of the system are sent: those are always on.
 */
export function effective(organisation: ChannelSettings, own: PersonalSettings): Effective {
  const enabled = organisation.enabled && (own.enabled ?? true)
  const isOn = (kind: Kind): boolean => {
    if (kind === 'system') return true
    const { enabled: usual, locked } = organisation.kinds[kind]
    return enabled && (locked ? usual : (own.kinds?.[kind] ?? usual))
  }
  const { locked, ...digest } = organisation.digest
  return {
    enabled,
    kinds: Object.fromEntries(kinds.map((kind) => [kind, isOn(kind)])) as Effective['kinds'],
    digest: locked ? digest : (own.digest ?? digest),
  }
}

/** Whether a chat is told of something. */
export const isInChat = ({ enabled, kinds: chosen }: ChannelSettings, kind: Kind): boolean =>
  enabled && (kind === 'system' || chosen[kind].enabled)

/** At this hour (UTC) digests are sent: before the day begins in Europe, and the night before in America. */
const digestHour = 6
const dayMs = 86_400_000

/** The first time for a digest after a moment. */
export function nextDigest({ frequency, day }: Pick<Effective['digest'], 'frequency' | 'day'>, after: Date): Date {
  const at = new Date(Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate(), digestHour))
  for (let days = 0; ; days++) {
    const next = new Date(at.getTime() + days * dayMs)
    if (next > after && (frequency === 'DAILY' || weekdays[next.getUTCDay()] === day)) return next
  }
}
