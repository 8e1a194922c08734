import type { ChannelTest } from './channel-test.ts'

/** How long the code of a test message can be entered, and how many wrong ones. */
const codeMs = 3_600_000
const wrongCodesMax = 5

/** Why no code can be entered for a test; null if one can. */
export function whyClosed(
  test: Pick<ChannelTest, 'codeMac' | 'isAccepted' | 'testedAt' | 'wrongCodes' | 'configuration'> | null,
  version: string,
  now: Date,
): string | null {
  if (!test) return 'there is no test message: send one first'
  if (test.configuration !== version) return 'the settings were changed after the test: send another test message'
  if (!test.isAccepted) return 'the last test message was not accepted: send another one'
  if (!test.codeMac) return 'the code was used: send another test message'
  if (test.wrongCodes >= wrongCodesMax) return 'too many wrong codes were entered: send another test message'
  if (now.getTime() - test.testedAt.getTime() > codeMs) return 'the code has expired: send another test message'
  return null
}

/** Six digits, however they are grouped. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '')

/** Whether somebody confirmed a message with the settings that are in force. */
export const isConfirmed = (test: Pick<ChannelTest, 'confirmedConfiguration'> | null, version: string): boolean =>
  test !== null && test.confirmedConfiguration === version
