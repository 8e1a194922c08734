import { connect } from 'node:net'

/** A request as bytes; what is asked for again and again is made once. */
export function requestBytes(
  method: string,
  path: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): Buffer {
  const all = { host: 'localhost', ...(body && { 'content-type': 'application/json' }), ...headers }
  const length = body || method !== 'GET' ? `content-length: ${Buffer.byteLength(body)}\r\n` : ''
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`)
}

export type Load = {
  port: number
  /** One request after the other on each; kept alive. */
  connections: number
  durationMs: number
  /** The next request to send; the same bytes each time, or others. */
  next: () => Buffer
  /** Called with each answer where someone wants to read it. */
  onAnswer?: (answer: Buffer) => void
}
export type Loaded = {
  answers: number
  perSecond: number
  medianMs: number
  p99Ms: number
  statuses: Map<number, number>
}

const headEnd = Buffer.from('\r\n\r\n')
const samplesMax = 200_000

/** Where an answer ends in what was received, or -1 while it is not whole. */
function endOf(received: Buffer): number {
  const at = received.indexOf(headEnd)
  if (at < 0) return -1
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.toString('latin1', 0, at))?.[1]
  if (length === undefined) throw new Error(`an answer without a Content-Length: ${received.toString('latin1', 0, at)}`)
  const end = at + headEnd.length + Number(length)
  return end <= received.length ? end : -1
}

/** Sends requests over a fixed number of kept connections for a while, as fast as they are answered. */
export async function load({ port, connections, durationMs, next, onAnswer }: Load): Promise<Loaded> {
  const statuses = new Map<number, number>()
  const samples = new Float64Array(samplesMax)
  let answers = 0
  const begin = performance.now()
  const deadline = begin + durationMs

  const drive = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let received: Buffer | null = null
      let knownLength = 0
      let sentAt = 0
      const send = (): void => {
        sentAt = performance.now()
        socket.write(next())
      }
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection')))
      socket.on('data', (chunk: Buffer) => {
        received = received ? Buffer.concat([received, chunk]) : chunk
        // Answers of one length follow each other: reading each head again would measure ourselves.
        const end =
          received.length === knownLength && received.toString('latin1', 9, 12) === '200'
            ? knownLength
            : endOf(received)
        if (end < 0) return
        if (end !== received.length) return void socket.destroy(new Error('more than one answer'))
        knownLength = end
        const status = Number(received.toString('latin1', 9, 12))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        onAnswer?.(received)
        received = null
        const now = performance.now()
        samples[answers++ % samplesMax] = now - sentAt
        if (now < deadline) return send()
        socket.removeAllListeners('close')
        socket.end()
        resolve()
      })
    })

  await Promise.all(Array.from({ length: connections }, drive))
  const seconds = (performance.now() - begin) / 1000
  const sorted = samples.subarray(0, Math.min(answers, samplesMax)).toSorted()
  const quantile = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0
  return { answers, perSecond: answers / seconds, medianMs: quantile(0.5), p99Ms: quantile(0.99), statuses }
}
