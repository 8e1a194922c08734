import { readFile } from 'node:fs/promises'
import { OutgoingFailed } from '#kernel/outgoing/failed.ts'
import type { Outgoing, OutgoingReply } from '#kernel/outgoing/send.ts'
import { retryAfterMs } from '#kernel/retry.ts'
import { TargetFailed } from './target.ts'

/** A secret of a datasource, from its file: read each time, so that it can be replaced without a restart. */
export async function readSecret(id: string, file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new TargetFailed(
      `Datasource ${id}: its secret cannot be read (${error.code}). Ask the operator of this server to correct the file.`,
      { cause: error },
    )
  })
  const secret = text.trim()
  if (secret === '' || /[\r\n\0]/.test(secret))
    throw new TargetFailed(`Datasource ${id}: the file of its secret is empty or has several lines.`)
  return secret
}

/** A request that got no response, as a failure of the target. */
export const unsent = (id: string, error: unknown): unknown =>
  error instanceof OutgoingFailed ? new TargetFailed(`Datasource ${id}: ${error.message}`, { cause: error }) : error

type Posting = {
  id: string
  url: string
  tokenFile: string | null
  tokenHeader: string
  tokenScheme: string
}

const timeoutMs = 60_000
const replyBytesMax = 256 * 1024
const retryAfterMaxMs = 3_600_000

/** Posts a body to a collector. Any response but 2xx is a failure, with a message that says what to do. */
export async function postTo(
  outgoing: Outgoing,
  { id, url, tokenFile, tokenHeader, tokenScheme }: Posting,
  { body, headers, signal }: { body: Buffer; headers: Record<string, string>; signal: AbortSignal },
): Promise<OutgoingReply> {
  const token = tokenFile === null ? null : await readSecret(id, tokenFile)
  const reply = await outgoing
    .send({
      method: 'POST',
      url,
      headers: {
        ...headers,
        ...(token !== null && { [tokenHeader]: tokenScheme === '' ? token : `${tokenScheme} ${token}` }),
      },
      body,
      timeoutMs,
      replyBytesMax,
      signal,
    })
    .catch((error: unknown) => {
      throw unsent(id, error)
    })
  if (reply.status >= 200 && reply.status < 300) return reply
  const { host } = new URL(url)
  const afterMs = retryAfterMs(reply.headers['retry-after'], { nowMs: Date.now(), maxMs: retryAfterMaxMs }) ?? 0
  throw new TargetFailed(`Datasource ${id}: ${host} ${whyNot(reply.status)}`, { afterMs })
}

function whyNot(status: number): string {
  if (status === 401 || status === 403)
    return `refused the token (${status}). Ask the operator of this server to renew it.`
  if (status === 404 || status === 405)
    return `does not accept events at this address (${status}). Ask the operator of this server to correct it.`
  if (status === 413) return 'refused the request as too large (413). Raise the limit of the collector to 16 MB.'
  if (status === 415) return 'does not accept this format (415). Choose another compression for the export.'
  if (status >= 300 && status < 400)
    return `answered with a redirect (${status}), which is not followed. Ask the operator of this server to enter the final address.`
  if (status === 429) return 'asked to wait (429). It will be retried.'
  return `answered ${status}. It will be retried.`
}
