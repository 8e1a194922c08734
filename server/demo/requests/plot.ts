import type { Chapter, Story } from '#rooms/governance/tasks/index.ts'

/** What somebody does, and how many hours after what came before. */
export type Act = readonly [does: Chapter['does'], hours: number, comment?: string, by?: 'requester']

/** A request, described by its entitlement and requester rather than by ids. */
export type Plot = {
  what: string
  /** The title of the person; `owner` is who founded the tenant. */
  who: string
  daysAgo: number
  why: string
  /** Which of those with the title who do not hold it. */
  nth?: number
  days?: number
  answers?: Story['answers']
  isEmergency?: boolean
  acts?: readonly Act[]
  /** Whether its time has ended, and the access ended. */
  hasEnded?: boolean
}

export const asked = (
  what: string,
  who: string,
  daysAgo: number,
  why: string,
  more: Omit<Plot, 'what' | 'who' | 'daysAgo' | 'why'> = {},
): Plot => ({ what, who, daysAgo, why, ...more })

export const approve = (hours: number, comment = ''): Act => ['approve', hours, comment]
export const deny = (hours: number, comment: string): Act => ['deny', hours, comment]
export const cancel = (hours: number, comment: string): Act => ['close', hours, comment, 'requester']
export const remark = (hours: number, comment: string): Act => ['comment', hours, comment]
