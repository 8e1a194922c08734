import type { Socket } from 'node:net'
import { blocksOf, networkOf } from '#kernel/networks.ts'
import type { Log } from '#kernel/world.ts'

export type Connections = {
  /** Accepts a new connection, or closes it if there are too many. */
  take(socket: Socket): boolean
  readonly count: number
  closeAll(): void
}

export type ConnectionParts = {
  limits: { all: number; perNetwork: number }
  /** Proxies, which have many clients. */
  trustedProxies: readonly string[]
  log: Log
  onRefused(why: 'all' | 'network'): void
}

const logAgainMs = 60_000
const loopback = ['127.0.0.0/8', '::1']

/** Counts connections, in all and from each network. The machine's own and those of trusted proxies count in all only. */
export function countConnections({ limits, trustedProxies, log, onRefused }: ConnectionParts): Connections {
  const open = new Set<Socket>()
  const byNetwork = new Map<string, number>()
  const isExempt = blocksOf([...loopback, ...trustedProxies])
  let refused = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  const refuse = (socket: Socket, why: 'all' | 'network', network: string): false => {
    socket.destroy()
    onRefused(why)
    refused++
    if (performance.now() - loggedAt > logAgainMs) {
      const limit = why === 'all' ? limits.all : limits.perNetwork
      log.warn({ refused, limit, ...(why === 'network' && { network }) }, `too many connections (${why})`)
      loggedAt = performance.now()
      refused = 0
    }
    return false
  }

  return {
    take(socket) {
      const address = socket.remoteAddress ?? ''
      if (open.size >= limits.all) return refuse(socket, 'all', '')
      const network = isExempt(address) ? null : networkOf(address)
      if (network !== null) {
        const count = byNetwork.get(network) ?? 0
        if (count >= limits.perNetwork) return refuse(socket, 'network', network)
        byNetwork.set(network, count + 1)
      }
      open.add(socket)
      socket.once('close', () => {
        open.delete(socket)
        if (network === null) return
        const left = (byNetwork.get(network) ?? 1) - 1
        if (left > 0) byNetwork.set(network, left)
        else byNetwork.delete(network)
      })
      return true
    },
    get count() {
      return open.size
    },
    closeAll() {
      for (const socket of open) socket.destroy()
    },
  }
}
