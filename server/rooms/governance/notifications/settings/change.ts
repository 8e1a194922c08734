import { fieldsToChange } from '#kernel/masks.ts'
import type { FieldViolation } from '#kernel/refusals.ts'
import { type Channel, channels, type Kind, kinds, type weekdays } from '../kinds.ts'
import type { ChannelSettings, Digest, OrganisationSettings, PersonalSettings, Switch } from './settings.ts'
import { allLocked, type Sent, type SentChannel, type SentDigest } from './view.ts'

const channelFields = ['enabled', ...kinds, 'digest'] as const
const switchFields = ['enabled', 'locked'] as const
const digestFields = ['enabled', 'locked', 'frequency', 'dayOfWeek'] as const

type Problems = FieldViolation[]

/** Fields that were sent are changed; the others are unchanged. */
const sentOf = <const N extends string>(value: object | null, names: readonly N[]): ReadonlySet<N> =>
  value ? fieldsToChange(value, '', names) : new Set()

function switched(before: Switch, sent: Switch | null): Switch {
  const names = sentOf(sent, switchFields)
  return {
    enabled: sent && names.has('enabled') ? sent.enabled : before.enabled,
    locked: sent && names.has('locked') ? sent.locked : before.locked,
  }
}

function digested(before: Digest, sent: SentDigest | null): Digest {
  const names = sentOf(sent, digestFields)
  if (!sent) return before
  const frequency = sent.frequency.replace('DIGEST_FREQUENCY_', '')
  const day = sent.dayOfWeek.replace('WEEKDAY_', '')
  return {
    enabled: names.has('enabled') ? sent.enabled : before.enabled,
    locked: names.has('locked') ? sent.locked : before.locked,
    frequency: frequency === 'UNSPECIFIED' ? before.frequency : (frequency as Digest['frequency']),
    day: day === 'UNSPECIFIED' ? before.day : (day as (typeof weekdays)[number]),
  }
}

function channelAfter(before: ChannelSettings, sent: SentChannel): ChannelSettings {
  const names = sentOf(sent, channelFields)
  return {
    enabled: names.has('enabled') ? sent.enabled : before.enabled,
    kinds: Object.fromEntries(
      kinds.map((kind) => [kind, names.has(kind) ? switched(before.kinds[kind], sent[kind]) : before.kinds[kind]]),
    ) as ChannelSettings['kinds'],
    digest: names.has('digest') ? digested(before.digest, sent.digest) : before.digest,
  }
}

const alwaysOn = (channel: Channel, sent: SentChannel): Problems =>
  sent.system && sentOf(sent.system, switchFields).has('enabled') && !sent.system.enabled
    ? [{ field: `channelSettings.${channel}.system.enabled`, description: 'is always on' }]
    : []

const sentChannels = (sent: Sent): [Channel, SentChannel][] =>
  channels.flatMap((channel) => {
    const one = sent[channel] as SentChannel | null
    return one ? [[channel, one] as [Channel, SentChannel]] : []
  })

/** The organization's settings after an update, or what is wrong with it. */
export function changeOrganisation(before: OrganisationSettings, sent: Sent): OrganisationSettings | Problems {
  const problems = sentChannels(sent).flatMap(([channel, one]) => alwaysOn(channel, one))
  if (problems.length > 0) return problems
  return Object.fromEntries(
    channels.map((channel) => {
      const one = sent[channel] as SentChannel | null
      return [channel, one ? channelAfter(before[channel], one) : before[channel]]
    }),
  ) as OrganisationSettings
}

/**
 * Problems of a person's update that tries to change what only the organization can. Sending back what was read is allowed.
 */
function beyondOwn(channel: Channel, usual: ChannelSettings, sent: SentChannel): Problems {
  const at = (field: string): string => `channelSettings.${channel}.${field}`
  const after = channelAfter(usual, sent)
  const problems: Problems = []
  const isChat = channel !== 'email'
  const reason = isChat ? 'can only be set for the organization' : 'is locked by the organization'
  if (isChat && after.enabled !== usual.enabled) problems.push({ field: at('enabled'), description: reason })
  for (const kind of kinds.filter((each) => each !== 'system')) {
    const { enabled, locked } = after.kinds[kind]
    if (locked !== usual.kinds[kind].locked)
      problems.push({ field: at(`${kind}.locked`), description: 'is set by the organization' })
    else if (locked && enabled !== usual.kinds[kind].enabled)
      problems.push({ field: at(`${kind}.enabled`), description: reason })
  }
  const { locked, ...digest } = after.digest
  const { locked: isLocked, ...usualDigest } = usual.digest
  if (locked !== isLocked) problems.push({ field: at('digest.locked'), description: 'is set by the organization' })
  else if (locked && JSON.stringify(digest) !== JSON.stringify(usualDigest))
    problems.push({ field: at('digest'), description: reason })
  return problems
}

/** A person's settings after an update, or what is wrong with it. */
export function changePersonal(
  organisation: OrganisationSettings,
  before: PersonalSettings,
  sent: Sent,
): PersonalSettings | Problems {
  const problems = sentChannels(sent).flatMap(([channel, one]) => [
    ...alwaysOn(channel, one),
    ...beyondOwn(channel, channel === 'email' ? organisation.email : allLocked(organisation[channel]), one),
  ])
  if (problems.length > 0) return problems
  const email = sent.email as SentChannel | null
  if (!email) return before
  const names = sentOf(email, channelFields)
  const own: Partial<Record<Kind, boolean>> = { ...before.kinds }
  for (const kind of kinds) {
    const one = names.has(kind) ? email[kind] : null
    if (one && kind !== 'system' && !organisation.email.kinds[kind].locked && sentOf(one, switchFields).has('enabled'))
      own[kind] = one.enabled
  }
  const { locked: isDigestLocked, ...usualDigest } = organisation.email.digest
  const digest = { ...(before.digest ?? usualDigest), locked: isDigestLocked }
  const { locked: _locked, ...after } = digested(digest, email.digest)
  return {
    ...before,
    // If the organization has turned mail off, nobody can turn it on, but turning it off is saved for later.
    ...(names.has('enabled') && (organisation.email.enabled || !email.enabled) && { enabled: email.enabled }),
    kinds: own,
    ...(names.has('digest') && !isDigestLocked && { digest: after }),
  }
}
