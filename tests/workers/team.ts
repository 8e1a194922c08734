import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from '../cli/command.ts'
import { isAlive, processes } from '../fixture/processes.ts'

export { isAlive } from '../fixture/processes.ts'

export type Line = Record<string, unknown> & { msg?: string; worker?: number; pid?: number; time: string }

/** What was logged so far, a parsed line each: each line of each worker has to be whole. */
export const logOf = ({ said }: Running): Line[] =>
  said()
    .stderr.split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)

/** The process that serves in each place now. */
export function servingPids(running: Running): Map<number, number> {
  const pids = new Map<number, number>()
  for (const { msg, worker, pid } of logOf(running))
    if (msg === 'a worker serves') pids.set(worker as number, pid as number)
  return pids
}

/** Whether a worker that does not serve waits to replace another. */
export function hasSpare(running: Running): boolean {
  const serving = [...servingPids(running).values()]
  return logOf(running).some(
    ({ msg, pid = 0 }) => msg === 'a spare worker is ready' && !serving.includes(pid) && isAlive(pid),
  )
}

/** Processes that were started by this one and live, but for the one that builds the console; or those of one program. */
export function childrenOf(pid: number, program = ''): number[] {
  return processes()
    .filter(({ parent, command }) => parent === pid && !command.includes('console/build') && command.includes(program))
    .map((child) => child.pid)
}

export type Sent = { id: string; beganAt: number; endedAt: number; failure: string | null; connection: number }

/** Sends requests one after the other on one connection, until it is told to stop or the connection is lost. */
export async function sendOn(
  url: string,
  connection: number,
  { isOver, requests = Number.POSITIVE_INFINITY }: { isOver(): boolean; requests?: number },
): Promise<Sent[]> {
  const { port } = new URL(url)
  const sent: Sent[] = []
  const openedAt = performance.now()
  const socket = connect(Number(port), '127.0.0.1')
  let failure: string | null = null
  let waiting: (() => void) | null = null
  let text = ''
  const fail = (why: string): void => {
    failure ??= why
    waiting?.()
  }
  socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
  socket.on('close', () => fail('closed'))
  socket.setEncoding('utf8').on('data', (more: string) => {
    text += more
    const [head = '', body] = text.split('\r\n\r\n', 2)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
    if (body !== undefined && body.length >= length) waiting?.()
  })
  for (let n = 0; n < requests && !isOver(); n++) {
    const id = `${connection}-${n}`
    text = ''
    const beganAt = n === 0 ? openedAt : performance.now()
    await new Promise<void>((resolve) => {
      waiting = resolve
      if (failure !== null) resolve()
      else socket.write(`GET /auth/v1/jwks HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${id}\r\n\r\n`)
    })
    waiting = null
    const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1]
    const why = failure ?? (status === '200' ? null : `status ${status}`)
    sent.push({ id, beganAt, endedAt: performance.now(), failure: why, connection })
    if (failure !== null) break
    // Ten of them at once are a load; as fast as they can they would leave no time for what is tested.
    await sleep(2)
  }
  socket.destroy()
  return sent
}
