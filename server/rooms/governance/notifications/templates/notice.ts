/** What a message says, in whichever form it is written: as text, as HTML, in a chat. All of it is plain text. */
export type Notice = {
  subject: string
  title: string
  lines: readonly string[]
  /** What somebody wrote, in their own words. */
  quote: { by: string; text: string } | null
  facts: readonly { name: string; value: string }[]
  /** Of a message that tells of several things. */
  items: readonly { title: string; detail: string; url: string }[]
  /** How many more there are than `items` shows. */
  more: number
  action: { label: string; url: string }
  /** Why its reader gets it. */
  why: string
}

/** Where its reader is: what links begin with, and who sends. */
export type Place = { origin: string; organisation: string }

export const settingsUrl = ({ origin }: Place): string => `${origin}/settings/notifications`
