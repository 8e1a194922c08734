import type { ChatChannel, Kind, weekdays } from '../kinds.ts'

export type Switch = { enabled: boolean; locked: boolean }
export type Digest = {
  enabled: boolean
  locked: boolean
  frequency: 'DAILY' | 'WEEKLY'
  day: (typeof weekdays)[number]
}

/** The complete settings of an organization for a channel. */
export type ChannelSettings = { enabled: boolean; kinds: Readonly<Record<Kind, Switch>>; digest: Digest }
export type OrganisationSettings = { email: ChannelSettings } & Readonly<Record<ChatChannel, ChannelSettings>>

/** A person's settings for their mail: only those that they have set themselves. */
export type PersonalSettings = {
  enabled?: boolean
  kinds?: Readonly<Partial<Record<Kind, boolean>>>
  digest?: Omit<Digest, 'locked'>
}

/** The effective settings of a person. */
export type Effective = { enabled: boolean; kinds: Readonly<Record<Kind, boolean>>; digest: Omit<Digest, 'locked'> }
