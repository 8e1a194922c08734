import type { ChatChannel, Kind, weekdays } from '../kinds.ts'

export type Switch = { enabled: boolean; locked: boolean }
export type Digest = {
  enabled: boolean
  locked: boolean
  frequency: 'DAILY' | 'WEEKLY'
  day: (typeof weekdays)[number]
}

/** What an organisation chose for a channel, whole. */
export type ChannelSettings = { enabled: boolean; kinds: Readonly<Record<Kind, Switch>>; digest: Digest }
export type OrganisationSettings = { email: ChannelSettings } & Readonly<Record<ChatChannel, ChannelSettings>>

/** What a person chose for their mail: only what differs from the organisation's choice, or may some day. */
export type PersonalSettings = {
  enabled?: boolean
  kinds?: Readonly<Partial<Record<Kind, boolean>>>
  digest?: Omit<Digest, 'locked'>
}

/** What counts for a person. */
export type Effective = { enabled: boolean; kinds: Readonly<Record<Kind, boolean>>; digest: Omit<Digest, 'locked'> }
