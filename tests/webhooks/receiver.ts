import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../fixture/access.ts'

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; text: string; body: Json }
/** What a receiver does with a request: replies with a status and a body, or does something else with the response. */
type Does = (
  received: Received,
  response: ServerResponse,
) => readonly [status: number, body?: unknown, headers?: Record<string, string>] | null

export type Receiver = {
  url: string
  host: string
  received: Received[]
  does: Does
  close(): Promise<void>
}

/** A receiver of webhooks that does what a test says. Unless told otherwise it replies 200 with nothing. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { method = '', url: path = '', headers } = request
      const received: Received = { method, path, headers, text, body: JSON.parse(text) as Json }
      receiver.received.push(received)
      const reply = receiver.does(received, response)
      if (!reply) return
      const [status, body, more = {}] = reply
      const sent = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(sent)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    host: `127.0.0.1:${port}`,
    received: [],
    does: () => [200],
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
