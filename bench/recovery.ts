import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Claim } from './claim.ts'
import { load, requestBytes } from './load.ts'
import { operate, type Served, startOn } from './processes.ts'

/** What is ended by `kill -9`, and within how many seconds a request that writes is answered again. */
type Limit = { what: 'PostgreSQL' | 'the server'; secondsMax: number }

const connections = 32
const loadedMs = 5000

/** Where requests go: after a restart, to another port. */
type Target = { port: number; request: Buffer }

/** Asks for tokens, each of which writes an event. Connections that break are made again: clients do not give up. */
function press(target: Target): { end(): void } {
  let isOver = false
  const drive = (): void => {
    if (isOver) return
    const socket = connect({ port: target.port, host: '127.0.0.1', noDelay: true })
    const send = (): void => void (isOver ? socket.destroy() : socket.write(target.request))
    socket.on('connect', send)
    socket.on('data', send)
    socket.on('error', () => {})
    socket.on('close', () => setTimeout(drive, 50))
  }
  for (let n = 0; n < connections; n++) drive()
  return { end: () => (isOver = true) }
}

async function untilServed(target: Target): Promise<void> {
  for (;;) {
    const { port, request } = target
    const once = load({ port, connections: 1, durationMs: 0, next: () => request })
    const { statuses } = await once.catch(() => ({ statuses: new Map<number, number>() }))
    if (statuses.has(200)) return
    await sleep(20)
  }
}

const postmasterOf = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)

async function tokenRequest(dataDir: string): Promise<Buffer> {
  const words = ['credential', 'create', '--user', 'admin@localhost', '--name', 'bench', '--json']
  const { clientId, clientSecret } = JSON.parse(operate(dataDir, ...words)) as Record<string, string>
  const form = { grant_type: 'client_credentials', client_id: `${clientId}`, client_secret: `${clientSecret}` }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return requestBytes('POST', '/auth/v1/token', { headers, body: new URLSearchParams(form).toString() })
}

export const recoveryClaim = ({ what, secondsMax }: Limit): Claim => ({
  claim:
    `After kill -9 of ${what} while ${connections} clients ask for tokens, a token is issued again in less than ${secondsMax} s: ` +
    `the floor is one recovery in ${secondsMax} s.`,
  unit: 'recoveries in 1,000 s',
  ratioMin: 1,
  rounds: 7,
  isCold: true,
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'bailiwick-bench-'))
    chmodSync(folder, 0o755)
    const dataDir = join(folder, 'data')
    const begin = (): Promise<Served> => startOn(dataDir, '--empty', '--tokens-per-minute', '100000000')
    let served = await begin()
    const target: Target = { port: served.port, request: await tokenRequest(dataDir) }
    const pressed = press(target)
    return {
      subject: {
        async round() {
          await sleep(loadedMs)
          const killedAt = performance.now()
          if (what === 'PostgreSQL') process.kill(postmasterOf(dataDir), 'SIGKILL')
          else {
            process.kill(served.pid as number, 'SIGKILL')
            served = await begin()
            target.port = served.port
          }
          await untilServed(target)
          return 1_000_000 / (performance.now() - killedAt)
        },
        async stop() {
          pressed.end()
          await served.stop()
          rmSync(folder, { recursive: true, force: true })
        },
      },
      floor: { round: async () => 1000 / secondsMax, stop: async () => {} },
    }
  },
})
