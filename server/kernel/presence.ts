import { described, oneOf } from './wire.ts'

const presences = ['PRESENCE_UNSPECIFIED', 'PRESENCE_SOME', 'PRESENCE_NONE'] as const

/** A filter for objects that have something, or do not have it; unset, for both. */
export const presenceField = (description: string) => described(oneOf(presences), description)

export const presenceOf = (asked: (typeof presences)[number]): boolean | null =>
  asked === 'PRESENCE_UNSPECIFIED' ? null : asked === 'PRESENCE_SOME'
