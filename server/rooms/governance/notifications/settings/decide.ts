import { type Channel, type Kind, kinds, weekdays } from '../kinds.ts'
import type { ChannelSettings, Effective, OrganisationSettings, PersonalSettings } from './settings.ts'

/** A chat has many readers: by default it only gets notifications that require action. */
const inChatAtFirst: ReadonlySet<Kind> = new Set(['approvalNeeded', 'provisioningRequest', 'connectorIssues', 'system'])

const atFirst = (channel: Channel): ChannelSettings => ({
  enabled: channel === 'email',
  kinds: Object.fromEntries(
    kinds.map((kind) => [kind, { enabled: channel === 'email' || inChatAtFirst.has(kind), locked: false }]),
  ) as ChannelSettings['kinds'],
  digest: { enabled: false, locked: false, frequency: 'DAILY', day: 'MONDAY' },
})

/** The defaults, if an organization has not chosen anything else. */
const organisationAtFirst: OrganisationSettings = {
  email: atFirst('email'),
  slack: atFirst('slack'),
  teams: atFirst('teams'),
}

/** The stored settings, completed with defaults for what the program has added since. */
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
 * The effective settings of a person's mail: their own, except for what the organization locked. If either has turned mail
 * off, only system notices are sent: those are always on.
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

/** Whether a kind of notification is posted to a chat. */
export const isInChat = ({ enabled, kinds: chosen }: ChannelSettings, kind: Kind): boolean =>
  enabled && (kind === 'system' || chosen[kind].enabled)

/** The hour (UTC) at which digests are sent: before the day begins in Europe, and the night before in America. */
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
