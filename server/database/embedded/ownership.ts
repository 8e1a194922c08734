import { setTimeout as sleep } from 'node:timers/promises'
import { socketOptions } from '../driver/connect.ts'
import { Connection } from '../driver/connection.ts'
import { sqlOn } from '../driver/transaction.ts'
import { role } from './cluster.ts'
import type { Home } from './home.ts'
import { ownName } from './postmaster.ts'
import { ownerSetting } from './running.ts'

/** A server owns its data folder for long; an operator command owns it for a moment, or joins the server that has it. */
export type Purpose = 'serve' | 'command'
export type Holder = { purpose: Purpose; pid: number }

// 'bail', 1. Advisory locks belong to one database: this one is always taken in `postgres`.
const lockKey = [0x6261696c, 1] as const

/** Our own connection to the maintenance database. */
export type Session = {
  isOpen: () => boolean
  /** Whether the postmaster that responds was started by this process. */
  isOurs: () => Promise<boolean>
  findHolder: () => Promise<Holder | undefined>
  takeLock: () => Promise<boolean>
  databaseExists: () => Promise<boolean>
  createDatabase: () => Promise<void>
  end: () => Promise<void>
}

/** Connects, or returns why not. */
export async function connect(
  home: Home,
  purpose: Purpose,
  onClose: () => void = () => {},
): Promise<Session | { refusal: string }> {
  let isOpen = false
  const connection = new Connection(
    {
      hosts: [
        {
          ...socketOptions({ path: home.socketPath, user: role, database: 'postgres' }),
          connectionTimeoutMillis: 5_000,
          application_name: `bailiwick ${purpose} ${process.pid}`,
        },
      ],
      isWritable: false,
    },
    () => {
      if (!isOpen) return
      isOpen = false
      onClose()
    },
  )
  const sql = sqlOn(connection, () => Promise.resolve())
  const end = async (): Promise<void> => {
    isOpen = false
    await connection.close(1_000)
  }
  try {
    await sql`select 1`
    isOpen = true
  } catch (error) {
    await end()
    return { refusal: (error as Error).message }
  }
  return {
    isOpen: () => isOpen,
    end,
    async isOurs() {
      const [row] = await sql`select current_setting(${ownerSetting}, true) as owner`
      return row?.owner === ownName()
    },
    async findHolder() {
      const [row] = await sql<{ application_name: string }[]>`
        select a.application_name
        from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'advisory' and l.classid = ${lockKey[0]} and l.objid = ${lockKey[1]} and l.objsubid = 2
          and l.database = (select oid from pg_database where datname = 'postgres') and l.granted
        limit 1`
      if (!row) return undefined
      const [, holderPurpose, pid] = row.application_name.split(' ')
      return { purpose: holderPurpose === 'command' ? 'command' : 'serve', pid: Number(pid) }
    },
    async takeLock() {
      const [row] = await sql`select pg_try_advisory_lock(${lockKey[0]}::int, ${lockKey[1]}::int) as taken`
      return row?.taken === true
    },
    async databaseExists() {
      return (await sql`select 1 from pg_database where datname = ${role}`).length > 0
    },
    async createDatabase() {
      await sql.unsafe(`create database ${role}`)
    },
  }
}

/** Connects as soon as it is possible, as long as `isHopeful`. */
export async function connectWhenReady(
  home: Home,
  purpose: Purpose,
  isHopeful: () => boolean,
  onClose?: () => void,
): Promise<Session | undefined> {
  while (isHopeful()) {
    const session = await connect(home, purpose, onClose)
    if (!('refusal' in session)) return session
    await sleep(20)
  }
  return undefined
}
