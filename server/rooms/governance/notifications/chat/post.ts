import { slot } from '#kernel/memory.ts'
import { strictRules } from '#kernel/outgoing/addresses.ts'
import { OutgoingFailed } from '#kernel/outgoing/failed.ts'
import { type Outgoing, openOutgoing } from '#kernel/outgoing/send.ts'
import { retryAfterMs } from '#kernel/retry.ts'
import type { World } from '#kernel/world.ts'
import type { ChatChannel } from '../kinds.ts'
import type { Notice } from '../templates/notice.ts'
import { payloadFor } from './payload.ts'

const timeoutMs = 15_000
const replyBytesMax = 64 * 1024
const retryAfterMaxMs = 3_600_000

const chatDoor = slot(({ settings }): Outgoing => openOutgoing(settings.outgoing ?? strictRules))

/** The result of posting a message to a chat. `mayRetry`: it may be accepted later. */
export type Posted = { isSent: true } | { isSent: false; mayRetry: boolean; error: string; afterMs: number }

const failed = (error: string, mayRetry: boolean, afterMs = 0): Posted => ({ isSent: false, mayRetry, error, afterMs })

/** Posts to an incoming webhook. Errors name the host and not the address, which is a secret. */
export async function postToChat(
  world: World,
  channel: ChatChannel,
  url: string,
  notice: Notice,
  signal?: AbortSignal,
): Promise<Posted> {
  try {
    const { status, headers } = await world.memory(chatDoor).send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(payloadFor(channel, notice)),
      timeoutMs,
      replyBytesMax,
      signal,
    })
    if (status >= 200 && status < 300) return { isSent: true }
    const host = new URL(url).host
    if (status === 429 || status >= 500)
      return failed(
        `${host} answered ${status}.`,
        true,
        retryAfterMs(headers['retry-after'], { nowMs: world.now().getTime(), maxMs: retryAfterMaxMs }) ?? 0,
      )
    // A webhook that was deleted or disabled in the chat: an administrator has to set another one.
    return failed(`${host} answered ${status}. Set the webhook of this channel again.`, false)
  } catch (error) {
    if (error instanceof OutgoingFailed) return failed(error.message, error.kind !== 'forbidden')
    throw error
  }
}
