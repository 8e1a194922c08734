import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { conditionMs } from '../fixture/patience.ts'
import type { TestServer } from '../fixture/server.ts'

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string }

export type Asked = {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Sends the body in chunks, without saying how long it is. */
  chunked?: boolean
}

/** One request on a connection of its own: headers go out as they are given. */
export function ask(url: string, { method = 'GET', headers = {}, body, chunked }: Asked = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(url, { method, agent: false, headers: { ...length, ...headers } }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        resolve({
          status: incoming.statusCode as number,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        })
      })
    })
    outgoing.on('error', reject)
    if (chunked && body !== undefined)
      for (let at = 0; at < body.length; at += 65_536) outgoing.write(body.slice(at, at + 65_536))
    outgoing.end(chunked ? undefined : body)
  })
}

export const askJson = (url: string, body: string | Buffer, more: Asked = {}): Promise<Reply> =>
  ask(url, { method: 'POST', ...more, body, headers: { 'content-type': 'application/json', ...more.headers } })

/** Puts bytes on a socket, and answers what comes back until the server closes it. */
export function talk(url: string, bytes: string | Buffer): Promise<Reply> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname, () => socket.write(bytes))
    let said = ''
    socket.setEncoding('utf8').on('data', (text: unknown) => (said += String(text)))
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', text = ''] = said.split(/\r\n\r\n(.*)/s)
      const [first = '', ...lines] = head.split('\r\n')
      const headers = lines.map((line) => line.split(': ', 2) as [string, string])
      resolve({
        status: Number(first.split(' ')[1]),
        headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
        text,
      })
    })
  })
}

async function until<T>(find: () => T | undefined | false): Promise<T> {
  const deadline = performance.now() + conditionMs
  for (;;) {
    const found = find()
    if (found) return found
    if (performance.now() > deadline) throw new Error(`Not within ${conditionMs} ms: ${find.toString()}`)
    await sleep(5)
  }
}

/** The log lines of a request; waits for the one that tells how it was answered, which is the last. */
export async function loggedFor(server: TestServer, reply: Reply): Promise<Record<string, unknown>[]> {
  const requestId = reply.headers['x-request-id']
  const lines = () => server.logged.filter((line) => line['requestId'] === requestId)
  await until(() => lines().some((line) => 'status' in line))
  await sleep(5)
  return lines()
}

export type Expected = { status: number; code: number; reason: string; fields?: string[] }

/** A refusal as every refusal is: its body, its request id, and one line in the log without a stack. */
export async function expectRefusal(server: TestServer, reply: Reply, expected: Expected): Promise<string> {
  const { status, code, reason, fields } = expected
  const body = JSON.parse(reply.text) as { code: number; message: string; details: Record<string, unknown>[] }
  expect({ status: reply.status, code: body.code, reason: body.details[0]?.['reason'] }).toEqual({
    status,
    code,
    reason,
  })
  expect(Object.keys(body)).toEqual(['code', 'message', 'details'])
  expect(body.message).toMatch(/^\S.*\S$/)
  expect(body.details[0]).toMatchObject({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', metadata: {} })
  expect(reply.headers['content-type']).toBe('application/json')
  expect(reply.headers['x-request-id']).toMatch(/^[\w.-]{8,64}$/)
  if (fields) {
    expect(body.details[1]?.['@type']).toBe('type.googleapis.com/google.rpc.BadRequest')
    const violations = body.details[1]?.['fieldViolations'] as { field: string; description: string }[]
    expect(violations.map(({ field }) => field)).toEqual(fields)
    for (const { field, description } of violations) {
      expect(description).not.toBe('')
      expect(body.message).toContain(field)
    }
  } else expect(body.details).toHaveLength(1)

  const lines = await loggedFor(server, reply)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ level: 'info', status })
  expect(JSON.stringify(lines[0])).not.toMatch(/stack|\bat \w+ \(/)
  return body.message
}
