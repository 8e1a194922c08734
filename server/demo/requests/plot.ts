import type { Chapter, Story } from '#rooms/governance/tasks/index.ts'

/** What somebody does, and how many hours after what came before. */
export type Then = readonly [does: Chapter['does'], hours: number, comment?: string, by?: 'requester']

/** A request, told by what it is for and who asks rather than by ids. */
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
  happens?: readonly Then[]
  /** Whether its time is over, and the access ended. */
  hasEnded?: boolean
}

export const asked = (
  what: string,
  who: string,
  daysAgo: number,
  why: string,
  more: Omit<Plot, 'what' | 'who' | 'daysAgo' | 'why'> = {},
): Plot => ({ what, who, daysAgo, why, ...more })

export const approve = (hours: number, comment = ''): Then => ['approve', hours, comment]
export const deny = (hours: number, comment: string): Then => ['deny', hours, comment]
export const cancel = (hours: number, comment: string): Then => ['close', hours, comment, 'requester']
export const remark = (hours: number, comment: string): Then => ['comment', hours, comment]
