/** The content of a message, independent of its form: text, HTML, or a chat post. All of it is plain text. */
export type Notice = {
  subject: string
  title: string
  lines: readonly string[]
  /** Text that someone wrote, quoted. */
  quote: { by: string; text: string } | null
  facts: readonly { name: string; value: string }[]
  /** Only in a message with several notifications. */
  items: readonly { title: string; detail: string; url: string }[]
  /** How many more there are than `items` shows. */
  more: number
  action: { label: string; url: string }
  /** Why its reader gets it. */
  why: string
}

/** The context of the reader: the beginning of links, and the name of the sender. */
export type Place = { origin: string; organisation: string }

export const settingsUrl = ({ origin }: Place): string => `${origin}/settings/notifications`
