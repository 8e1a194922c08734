import { described, flag, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import { channels } from '../kinds.ts'
import type { ChannelTest } from './channel-test.ts'
import type { CurrentChannel } from './current.ts'
import { isConfirmed, whyClosed } from './decide.ts'

export const ChannelMessage = message('settings.v1.NotificationChannel', {
  channel: oneOf(channels),
  source: described(
    oneOf(['', 'operator', 'organization']),
    'Who set it up: the operator of the server or the organization. Empty if it is not set up.',
  ),
  target: described(text(), 'Where messages are sent to: the mail server, or the host of the webhook.'),
  testedAt: described(timestamp(), 'When the last test message was sent with these settings.'),
  testedByUserId: text(),
  isAccepted: described(flag(), 'Whether it was accepted.'),
  reply: described(text(), 'What the mail server or the chat answered, or why it could not be reached.'),
  isCodeExpected: described(flag(), 'Whether its code can be entered now.'),
  isConfirmed: described(flag(), 'Whether somebody confirmed that a message with these settings arrived.'),
  confirmedAt: timestamp(),
  confirmedByUserId: text(),
})

const untested = { testedAt: null, testedByUserId: '', isAccepted: false, reply: '', isCodeExpected: false }
const unconfirmed = { isConfirmed: false, confirmedAt: null, confirmedByUserId: '' }

/** What is known of a channel; of tests, only those with the settings that are in force. */
export function viewChannel(
  channel: ChannelTest['channel'],
  current: CurrentChannel | undefined,
  test: ChannelTest | null,
  now: Date,
) {
  if (!current) return { channel, source: '' as const, target: '', ...untested, ...unconfirmed }
  const { source, target, version } = current
  const isTested = test !== null && test.configuration === version
  return {
    channel,
    source,
    target,
    ...(isTested
      ? {
          testedAt: test.testedAt,
          testedByUserId: test.testedBy,
          isAccepted: test.isAccepted,
          reply: test.reply,
          isCodeExpected: whyClosed(test, version, now) === null,
        }
      : untested),
    ...(isConfirmed(test, version)
      ? { isConfirmed: true, confirmedAt: test?.confirmedAt ?? null, confirmedByUserId: test?.confirmedBy ?? '' }
      : unconfirmed),
  }
}
