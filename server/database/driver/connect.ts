import { Socket } from 'node:net'
import { dirname, extname } from 'node:path'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { types } from './types.ts'

export type ConnectionOptions = pg.ClientConfig & { enableChannelBinding?: boolean }

/** Where to connect: the first host that responds and, if required, one that can be written to. */
export type Target = { hosts: readonly ConnectionOptions[]; isWritable: boolean }

/** By the path of a unix socket, `…/.s.PGSQL.5432`. */
export const socketOptions = ({
  path,
  user,
  database,
}: Record<'path' | 'user' | 'database', string>): ConnectionOptions => ({
  host: dirname(path),
  port: Number(extname(path).slice(1)),
  user,
  database,
})

// The messages of libpq for a lost connection, and of Citus for a lost node that was to commit: a coordinator reports
// both as internal errors.
const lostNode =
  /^(SSL SYSCALL error|SSL error|SSL connection has been closed|server closed the connection|could not (receive|send) |no connection to the server|connection not open|could not commit transaction for shard)/

/** Errors of `pg` whose message alone says that the connection is gone, or was not made, get a code like the others. */
export function withCode(error: Error & { code?: string }): Error {
  if (error.code === undefined && !(error instanceof RangeError || error instanceof TypeError))
    error.code = error.message.includes('timeout') ? 'CONNECT_TIMEOUT' : 'CONNECTION_CLOSED'
  if (error.code === 'XX000' && lostNode.test(error.message)) error.code = '08006'
  return error
}

/** `lost` exists from the start: a connection may be gone before anything could wait for it. */
export async function connect({ hosts, isWritable }: Target): Promise<{ client: pg.Client; lost: Promise<Error> }> {
  let failure: Error = new Error('There is no host to connect to.')
  for (const options of hosts) {
    // `pg` requires 'net' again for each socket that it creates itself, which loaders with hooks, as in tests, resolve
    // each time.
    const client = new pg.Client({ stream: () => new Socket(), ...options, pipeline: true, types })
    const lost = new Promise<Error>((resolve) => {
      client.on('error', resolve)
      client.on('end', () => resolve(new Error('it was closed')))
    })
    try {
      await client.connect()
      if (!isWritable || !(await isReadOnly(client))) return { client, lost }
      failure = Object.assign(new Error('The database is read-only.'), { code: 'CONNECTION_CLOSED' })
      await client.end()
    } catch (error) {
      failure = withCode(error as Error)
      abandon(client)
    }
  }
  throw failure
}

const isReadOnly = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  return rows[0]?.transaction_read_only === 'on'
}

export const wireOf = (client: pg.Client): pg.Connection =>
  (client as unknown as { connection: pg.Connection }).connection

export const streamOf = (client: pg.Client): Duplex => (wireOf(client) as unknown as { stream: Duplex }).stream

export const abandon = (client: pg.Client): void => void streamOf(client).destroy()
