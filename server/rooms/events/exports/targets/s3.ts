import { createHash } from 'node:crypto'
import type { S3mini } from 's3mini'
import type { Outgoing } from '#kernel/outgoing/send.ts'
import type { S3Source } from '../datasources/datasource.ts'
import { otherFile } from './folder.ts'
import { readSecret, unsent } from './sending.ts'
import { type ArchiveTarget, fileBytesMax, TargetFailed } from './target.ts'

const timeoutMs = 60_000

/** Objects in S3-compatible storage. */
export async function s3Target(source: S3Source, outgoing: Outgoing, signal: AbortSignal): Promise<ArchiveTarget> {
  const client = await openClient(source, outgoing, signal)
  const keyOf = (name: string): string => (source.prefix === '' ? name : `${source.prefix}/${name}`)
  const read = (name: string): Promise<Buffer | null> =>
    client.getObjectResponse(keyOf(name)).then(
      async (reply) => (reply ? Buffer.from(await reply.arrayBuffer()) : null),
      (error: unknown) => {
        if (statusOf(error) === 404) return null
        throw failed(source, error)
      },
    )
  // A bucket with object lock requires a checksum. MD5 is supported by all storage; it only protects the transfer.
  const put = async (name: string, bytes: Buffer, condition: Record<string, string>): Promise<void> => {
    const headers: Record<string, string> = {
      ...condition,
      'content-md5': createHash('md5').update(bytes).digest('base64'),
    }
    await client.putObject(keyOf(name), new Uint8Array(bytes), 'application/octet-stream', undefined, headers)
  }
  return {
    isArchive: true,
    async store(name, bytes, isSame) {
      const isThere = async (): Promise<boolean> => {
        const found = await read(name)
        if (!found) return false
        if (found.equals(bytes) || (await isSame(found))) return true
        throw otherFile(source.id, name)
      }
      // Checked first: some storage ignores the condition of a write, and would replace the existing object.
      if (await isThere()) return
      try {
        await put(name, bytes, { 'if-none-match': '*' })
      } catch (error) {
        const status = statusOf(error)
        if (status === 412 && (await isThere())) return
        // The condition is not supported: 501, or 400 from some storage.
        if (status !== 501 && status !== 400) throw failed(source, error)
        await put(name, bytes, {}).catch((again: unknown) => {
          throw failed(source, again)
        })
      }
    },
    read,
    close() {},
  }
}

/** Loaded when first needed: most installations do not use it. */
async function openClient(source: S3Source, outgoing: Outgoing, signal: AbortSignal): Promise<S3mini> {
  const { S3mini: Client } = await import('s3mini')
  const secretAccessKey = await readSecret(source.id, source.secretAccessKeyFile)
  const url = new URL(source.endpoint)
  if (source.isPathStyle) url.pathname = `${url.pathname.replace(/\/$/, '')}/${source.bucket}`
  else url.hostname = `${source.bucket}.${url.hostname}`
  return new Client({
    accessKeyId: source.accessKeyId,
    secretAccessKey,
    region: source.region,
    endpoint: url.href,
    fetch: fetchBy(outgoing, signal),
  })
}

// Set by the sender.
const notPassedOn = new Set(['host', 'content-length'])

/** Requests signed by the client are sent by the server's own HTTP client, with its rules for addresses, sizes and times. */
const fetchBy =
  (outgoing: Outgoing, signal: AbortSignal): typeof fetch =>
  async (input, init) => {
    const headers = Object.entries((init?.headers ?? {}) as Record<string, string>)
    const body = init?.body as Uint8Array | string | null | undefined
    const reply = await outgoing.send({
      method: (init?.method ?? 'GET') as 'GET' | 'PUT',
      url: input instanceof Request ? input.url : input.toString(),
      headers: Object.fromEntries(headers.filter(([name]) => !notPassedOn.has(name.toLowerCase()))),
      ...(body !== undefined && body !== null && { body: typeof body === 'string' ? body : Buffer.from(body) }),
      timeoutMs,
      replyBytesMax: fileBytesMax,
      signal,
    })
    const said = Object.entries(reply.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    )
    const isBare = reply.status === 204 || reply.status === 205 || reply.status === 304
    return new Response(isBare ? null : new Uint8Array(reply.body), { status: reply.status, headers: said })
  }

const statusOf = (error: unknown): number => (error as { status?: number }).status ?? 0

const codes: Record<string, string> = {
  NoSuchBucket: 'the bucket does not exist. Ask the operator of this server to create it or to correct the setting.',
  AccessDenied:
    'access is denied. Ask the operator of this server to allow the key to put and get objects in the bucket, and to list the bucket.',
  InvalidAccessKeyId: 'the access key is unknown. Ask the operator of this server to correct it.',
  SignatureDoesNotMatch: 'the secret key is wrong. Ask the operator of this server to correct it.',
  RequestTimeTooSkewed: 'the clocks of this server and the storage differ. Ask the operator to correct them.',
  QuotaExceeded: 'the quota is used up. Ask the operator of the storage to raise it.',
  XMinioStorageFull: 'the storage is full. Ask its operator to free space.',
  InsufficientStorage: 'the storage is full. Ask its operator to free space.',
}

function failed(source: S3Source, error: unknown): unknown {
  if (error instanceof TargetFailed) return error
  const status = statusOf(error)
  if (status === 0) return unsent(source.id, error)
  const body = (error as { body?: string }).body ?? ''
  const code = /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(body)?.[1] ?? ''
  const why =
    codes[code] ??
    (status === 403
      ? codes['AccessDenied']
      : status === 507
        ? codes['InsufficientStorage']
        : status >= 300 && status < 400
          ? `the storage answered with a redirect (${status}), which is not followed. Ask the operator of this server to correct endpoint and region.`
          : `the storage answered ${status}${code === '' ? '' : ` (${code})`}. It will be retried.`)
  return new TargetFailed(`Datasource ${source.id}: ${why}`, { cause: error })
}
