import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Got = { path: string; id: string; headers: IncomingHttpHeaders; body: string; answered: number }
/** What it does in place of answering 204; a status is answered, `hang` is no answer until `letGo`. */
export type Behaviour = (got: Got, response: ServerResponse) => number | 'hang' | 'own'

/** A receiver of events, and the ledger of what it got. */
export type Receiver = {
  url(path: string): string
  ledger: Got[]
  /** By path. */
  behave: Map<string, Behaviour>
  /** The ids that came to a path, in their order; with repeats. */
  ids(path: string): string[]
  /** The ids that it acknowledged. */
  acknowledged(path: string): string[]
  /** Answers what hangs. */
  letGo(status?: number): void
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const ledger: Got[] = []
  const behave = new Map<string, Behaviour>()
  let hanging: { response: ServerResponse; got: Got }[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const path = new URL(request.url ?? '/', 'http://receiver').pathname
      const id = String(request.headers['bailiwick-message-id'])
      const got: Got = { path, id, headers: request.headers, body: Buffer.concat(pieces).toString(), answered: 0 }
      ledger.push(got)
      const does = behave.get(path)?.(got, response) ?? 204
      if (does === 'hang') return void hanging.push({ response, got })
      if (does === 'own') return
      got.answered = does
      response.writeHead(does).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    ledger,
    behave,
    ids: (path) => ledger.filter((got) => got.path === path).map(({ id }) => id),
    acknowledged: (path) =>
      ledger.filter((got) => got.path === path && got.answered >= 200 && got.answered < 300).map(({ id }) => id),
    letGo(status = 204) {
      for (const { response, got } of hanging) {
        got.answered = status
        response.writeHead(status).end()
      }
      hanging = []
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** The signature of Standard Webhooks, by the specification and not by the server's code. */
export const signatureBy = (secret: string, { headers, body }: Pick<Got, 'headers' | 'body'>): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${String(headers['bailiwick-message-id'])}.${String(headers['bailiwick-message-timestamp'])}.${body}`)
    .digest('base64')}`
