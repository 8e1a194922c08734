import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { type Config, UsageError } from '#server/settings/config.ts'

export function whyNotListening(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return new UsageError(`${host}:${port} is in use; choose another --port`)
  if (code === 'EACCES') return new UsageError(`port ${port} is not allowed for this user; choose another --port`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new UsageError(`--host ${host} is not an address of this machine`)
  return error
}

/** Answers the port that can be listened on. */
export async function assertFree({ host, port, metricsPort }: Config): Promise<number> {
  const free = await tryListening(host, port).catch((error: unknown) => {
    throw whyNotListening(error, { host, port })
  })
  if (metricsPort === null) return free
  await tryListening('127.0.0.1', metricsPort).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? metricsPortTaken(metricsPort) : error
  })
  return free
}

export const metricsPortTaken = (port: number): UsageError => new UsageError(`--metrics-port ${port} is in use`)

function tryListening(host: string, port: number): Promise<number> {
  const server = createNetServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const found = (server.address() as AddressInfo).port
      server.close(() => resolve(found))
    })
  })
}
