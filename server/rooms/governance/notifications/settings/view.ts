import { updatable } from '#kernel/masks.ts'
import { described, flag, type MessageOf, message, oneOf, readOnly } from '#kernel/wire.ts'
import { type Channel, type Kind, kinds } from '../kinds.ts'
import { effective } from './decide.ts'
import type { ChannelSettings, Digest, OrganisationSettings, PersonalSettings } from './settings.ts'

const switchFields = {
  enabled: flag(),
  locked: described(flag(), "Whether people cannot change it themselves: the organization's choice counts."),
}
const switchOf = (kind: Kind) => {
  const name = `settings.v1.${kind.charAt(0).toUpperCase()}${kind.slice(1)}Preference`
  return message(name, switchFields, kind === 'reviews' ? 'Nothing is sent yet: there are no access reviews.' : '')
}

const frequencies = ['DIGEST_FREQUENCY_UNSPECIFIED', 'DIGEST_FREQUENCY_DAILY', 'DIGEST_FREQUENCY_WEEKLY'] as const
const days = [
  'WEEKDAY_UNSPECIFIED',
  'WEEKDAY_MONDAY',
  'WEEKDAY_TUESDAY',
  'WEEKDAY_WEDNESDAY',
  'WEEKDAY_THURSDAY',
  'WEEKDAY_FRIDAY',
  'WEEKDAY_SATURDAY',
  'WEEKDAY_SUNDAY',
] as const

const DigestMessage = message('settings.v1.DigestPreference', {
  enabled: described(flag(), 'Whether notifications are collected and sent together, except system notifications.'),
  locked: flag(),
  frequency: described(oneOf(frequencies), 'How often. Digests are sent at 06:00 UTC.'),
  dayOfWeek: described(oneOf(days), 'On which day a weekly digest is sent.'),
})

const preferences = Object.fromEntries(kinds.map((kind) => [kind, updatable(switchOf(kind))])) as Record<
  Kind,
  ReturnType<typeof updatable<typeof switchFields>>
>

const enabled = described(flag(), 'Whether email is sent. System notifications are always sent.')
const EmailMessage = message('settings.v1.EmailChannelSettings', {
  enabled,
  ...preferences,
  digest: updatable(DigestMessage),
})
const chatFields = {
  enabled: described(flag(), 'Whether anything is posted to the channel.'),
  isConfigured: readOnly(described(flag(), 'Whether an incoming webhook is set for the channel.')),
  ...preferences,
  digest: updatable(DigestMessage),
}
const SlackMessage = message('settings.v1.SlackChannelSettings', chatFields)
const TeamsMessage = message('settings.v1.MSTeamsChannelSettings', chatFields)

export const ChannelsMessage = message('settings.v1.ChannelSettings', {
  email: updatable(EmailMessage),
  slack: updatable(SlackMessage),
  teams: updatable(TeamsMessage),
})
export type Sent = NonNullable<ReturnType<typeof updatable<(typeof ChannelsMessage)['fields']>>['unset']>
export type SentChannel = MessageOf<(typeof SlackMessage)['fields']>
export type SentDigest = MessageOf<(typeof DigestMessage)['fields']>

const viewDigest = ({ frequency, day, ...digest }: Digest) => ({
  ...digest,
  frequency: `DIGEST_FREQUENCY_${frequency}` as (typeof frequencies)[number],
  dayOfWeek: `WEEKDAY_${day}` as (typeof days)[number],
})

const viewChannel = ({ enabled: isOn, kinds: chosen, digest }: ChannelSettings) => ({
  enabled: isOn,
  ...chosen,
  // It cannot be turned off.
  system: { enabled: true, locked: true },
  digest: viewDigest(digest),
})

export type Configured = Readonly<Record<Exclude<Channel, 'email'>, boolean>>

export const viewOrganisation = (settings: OrganisationSettings, configured: Configured) => ({
  channelSettings: {
    email: viewChannel(settings.email),
    slack: { ...viewChannel(settings.slack), isConfigured: configured.slack },
    teams: { ...viewChannel(settings.teams), isConfigured: configured.teams },
  },
})

/** A person's settings, and which are in effect. Chats belong to the organization: all of their settings are locked. */
export function viewPersonal(organisation: OrganisationSettings, own: PersonalSettings, configured: Configured) {
  const { email } = organisation
  const chosen: ChannelSettings = {
    enabled: email.enabled && (own.enabled ?? true),
    kinds: Object.fromEntries(
      kinds.map((kind) => {
        const { enabled: usual, locked } = email.kinds[kind]
        return [kind, { enabled: locked ? usual : (own.kinds?.[kind] ?? usual), locked }]
      }),
    ) as ChannelSettings['kinds'],
    digest: { ...effective(email, own).digest, locked: email.digest.locked },
  }
  return {
    channelSettings: {
      email: viewChannel(chosen),
      slack: { ...viewChannel(allLocked(organisation.slack)), isConfigured: configured.slack },
      teams: { ...viewChannel(allLocked(organisation.teams)), isConfigured: configured.teams },
    },
  }
}

export const allLocked = ({ enabled: isOn, kinds: chosen, digest }: ChannelSettings): ChannelSettings => ({
  enabled: isOn,
  kinds: Object.fromEntries(kinds.map((kind) => [kind, { ...chosen[kind], locked: true }])) as ChannelSettings['kinds'],
  digest: { ...digest, locked: true },
})
