import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type BuiltConsole, type ConsoleFile, type ConsoleWork, findOrBuild } from './console-build.ts'

/** The web console, as the server delivers it. */
export type ConsoleDoor = {
  /** Finds the build or starts it; also done by the first request for a page. */
  prepare(): Promise<void>
  /** The same, but waits only for a build that exists already. Returns whether one does. */
  find(): Promise<boolean>
  /** Whether a request that no route takes is for the console. */
  takes(request: FastifyRequest): boolean
  /** Whether a person opens a page, which the console shows once the server has started. */
  isOpening(request: FastifyRequest): boolean
  /** Until then. */
  answerStarting(reply: FastifyReply): FastifyReply
  answer(request: FastifyRequest, reply: FastifyReply): FastifyReply
  stop(): Promise<void>
}

// Paths that are never a page of the console.
const notPages = /^\/(?:api|auth|docs|healthz|readyz|assets)(?:\/|$)/
const pathOf = (url: string): string => url.split('?', 1)[0] as string

/** A person who opens an address, and not a program that checks what is there. */
const isNavigation = ({ method, headers, url }: FastifyRequest): boolean =>
  isRead(method) && !notPages.test(pathOf(url)) && (headers.accept?.includes('text/html') ?? false)
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

const retryMs = 30_000

export function openConsole(folders: readonly string[], log: Logger): ConsoleDoor {
  let work: ConsoleWork | null = null
  let preparing: Promise<void> | null = null
  let built: (BuiltConsole & { scripts: string }) | null = null
  let failedAt: number | null = null
  let isStopping = false

  function prepare(): Promise<void> {
    preparing ??= begin()
    return preparing
  }

  async function begin(): Promise<void> {
    work = findOrBuild(folders, log)
    try {
      const found = await work.built
      built = { ...found, scripts: scriptHashes(found.page) }
    } catch (error) {
      if (isStopping) return
      log.error({ err: error }, 'no console')
      failedAt = Date.now()
    }
  }

  return {
    prepare,
    async find() {
      const done = prepare()
      const isThere = (await work?.isThere) ?? false
      if (isThere) await done
      return isThere
    },
    takes: (request) =>
      isNavigation(request) || (isRead(request.method) && (built?.files.has(pathOf(request.url)) ?? false)),
    isOpening: isNavigation,
    answerStarting: (reply) => sendWait(reply, starting),
    answer(request, reply) {
      const file = built?.files.get(pathOf(request.url))
      if (file) return sendFile(request, reply, file)
      if (built) return sendPage(reply, built)
      if (failedAt !== null && Date.now() - failedAt > retryMs) {
        failedAt = null
        preparing = null
      }
      void prepare()
      return failedAt === null ? sendWait(reply, building) : sendFailed(reply)
    },
    async stop() {
      isStopping = true
      await work?.stop()
    },
  }
}

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const scriptHashes = (page: string): string =>
  [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script]) => digest(script as string)).join(' ')

const secured = (reply: FastifyReply, policy: string): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; ${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', permissions)

const permissions = [
  'publickey-credentials-get=(self)',
  'publickey-credentials-create=(self)',
  'clipboard-write=(self)',
  ...['camera', 'clipboard-read', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'].map(
    (name) => `${name}=()`,
  ),
].join(', ')

/** Each time with a new nonce, so never from a cache: a page of the day before would have the nonce of the day before. */
function sendPage(reply: FastifyReply, { page, scripts }: { page: string; scripts: string }): FastifyReply {
  const nonce = randomBytes(18).toString('base64')
  const policy = `script-src 'self' ${scripts}; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; frame-src 'self'`
  return secured(reply, policy).send(page.replace('{{nonce}}', nonce))
}

const isHashed = /^\/assets\//

/** Names of assets contain a hash of their content: what is under such a name never changes. */
function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding = (['br', 'gzip'] as const).find((name) => file[name] && new RegExp(`\\b${name}\\b`).test(accepted))
  if (encoding) reply.header('content-encoding', encoding)
  return reply
    .header('content-type', file.type)
    .header('vary', 'accept-encoding')
    .header('cross-origin-resource-policy', 'same-origin')
    .header(
      'cache-control',
      isHashed.test(request.url) ? 'public, max-age=31536000, immutable' : 'public, max-age=86400',
    )
    .send(encoding ? file[encoding] : file.plain)
}

const waitSeconds = 1
const style = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;padding:1rem}
h1{font-size:1.25rem;margin:0 0 .25rem}p{margin:0;opacity:.8}`
const styleHash = digest(style)
const note = (title: string, text: string, head = ''): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}
<title>${title} · Bailiwick</title><style>${style}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>
`
// Reloading keeps the fragment of the address, which may be the token of a sign-in link.
const again = `setTimeout(() => location.reload(), ${waitSeconds * 1000})`
const reloads = `<script>${again}</script><noscript><meta http-equiv="refresh" content="${waitSeconds}"></noscript>`
const building = note(
  'The console is being built',
  'This happens once, after an installation or an update, and takes some seconds. The console opens automatically.',
  reloads,
)
const starting = note('Bailiwick is starting', 'This page reloads.', reloads)
const failed = note(
  'The console could not be built',
  'The reason is in the server log. The API is available, and is documented at <a href="/docs">/docs</a>.',
)

const sendWait = (reply: FastifyReply, page: string): FastifyReply =>
  secured(
    reply.code(503).header('retry-after', waitSeconds),
    `style-src ${styleHash}; script-src ${digest(again)}`,
  ).send(page)

const sendFailed = (reply: FastifyReply): FastifyReply =>
  secured(reply.code(500), `style-src ${styleHash}`).send(failed)
