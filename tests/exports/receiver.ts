import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer }
/** Answers in place of the usual; false where the usual is to be done. */
export type Bend = (received: Received, response: ServerResponse) => boolean

export type Receiver = {
  url: string
  received: Received[]
  bend: Bend | null
  close(): Promise<void>
}

async function listen(
  answer: (received: Received, response: ServerResponse) => void,
): Promise<Pick<Receiver, 'url' | 'close'>> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      answer({ method, url, headers, body: Buffer.concat(pieces) }, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** A collector that takes everything, unless it is told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', received: [], bend: null, close: async () => {} }
  const open = await listen((received, response) => {
    if (receiver.bend?.(received, response)) return
    receiver.received.push(received)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  return Object.assign(receiver, open)
}

export type Storage = Receiver & { objects: Map<string, Buffer>; knowsConditions: boolean }

/** Storage that keeps objects in memory, as S3 does: path-style, with conditional writes. It believes every signature. */
export async function startStorage(): Promise<Storage> {
  const objects = new Map<string, Buffer>()
  const storage: Storage = { url: '', received: [], bend: null, objects, knowsConditions: true, close: async () => {} }
  const fail = (response: ServerResponse, status: number, code: string): void =>
    void response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
  const open = await listen((received, response) => {
    storage.received.push(received)
    if (storage.bend?.(received, response)) return
    const { method, headers, body } = received
    const url = decodeURIComponent(received.url)
    const found = objects.get(url)
    const isConditional = headers['if-none-match'] === '*'
    if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=KEY/'))
      return fail(response, 403, 'AccessDenied')
    if (method === 'PUT') {
      if (isConditional && !storage.knowsConditions) return fail(response, 501, 'NotImplemented')
      if (isConditional && found) return fail(response, 412, 'PreconditionFailed')
      objects.set(url, body)
      return void response.writeHead(200, { etag: '"x"' }).end()
    }
    if (!found) return fail(response, 404, 'NoSuchKey')
    return void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found)
  })
  return Object.assign(storage, open)
}

/** Answers everything with a status. */
export const answering =
  (status: number, headers: Record<string, string> = {}): Bend =>
  (_, response) => {
    response.writeHead(status, headers).end()
    return true
  }
