import type { Channel } from '../kinds.ts'

/** The last test message of a channel, and who confirmed that one arrived. */
export type ChannelTest = {
  channel: Channel
  /** The settings that were tested: other settings need another test. */
  configuration: string
  /** Null once it was used. */
  codeMac: Buffer | null
  testedBy: string
  testedAt: Date
  isAccepted: boolean
  /** What the mail server or the chat answered. */
  reply: string
  wrongCodes: number
  confirmedConfiguration: string | null
  confirmedBy: string | null
  confirmedAt: Date | null
}
