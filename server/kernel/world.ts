import type { Logger } from 'pino'
import type { MailSettings } from './mail-settings.ts'
import type { OutgoingRules } from './outgoing/addresses.ts'
import type { Seals } from './seals.ts'
import type { Db } from './sql.ts'

/** What every action is given. Built only by `main.ts`; tests build their own with another clock. */
export type World = {
  db: Db
  now: () => Date
  /** Checks the clock of a server; absent in commands, which end nothing because of the time. */
  clock?: {
    /** Why nothing is ended because of the time at present; null if that is not so. */
    readonly doubt: string | null
    /**
     * The time by which things may end: after a jump of the clock, the earlier of what the clock shows and what has
     * passed.
     */
    steadyNow(): Date
  }
  newId: () => string
  log: Log
  seals: Seals
  memory: Memory
  /** Notifies the other workers of this server of what they must forget. */
  notifyWorkers?: (forgotten: Forgotten) => void
  settings: {
    clientSecret: { serviceDomain: string; hasVersion: boolean }
    tokenLifetimeSeconds: number
    /** The file, outside the database, with the state of the system log; none if absent. */
    headsFile?: string
    /** Where the ends of the chains of the system log are reported: `stdout`, URLs or files. */
    witnesses?: readonly string[]
    /** How many access tokens a credential gets per minute, on average. */
    tokensPerMinute?: number
    /** How many processes of this server share the machine; one by default. */
    workers?: number
    /** The certificate that the server uses, in PEM; absent if it serves plain HTTP. */
    certificate?: string
    /** Which hosts the server may call; public ones by HTTPS if absent. */
    outgoing?: OutgoingRules
    /** The file that names the places to which the system log may be exported. */
    datasourcesFile?: string
    /** After how many days events may be removed from the database, once they are exported; never if absent. */
    systemlogRetentionDays?: number
    /** The mail server for messages; absent if the server sends none. */
    mail?: MailSettings
  }
}

/** The time for what ends, or is revoked, when it expires: a clock that jumped forward ends nothing. */
export const steadyNow = ({ clock, now }: Pick<World, 'clock' | 'now'>): Date => clock?.steadyNow() ?? now()

/** What is to be forgotten, in a form that its room defines. */
export type Forgotten = readonly (string | number)[]

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** What a server remembers between requests (caches, counters, batches): one of each per world, created when first used. */
export type Slot<T> = { readonly make: (world: World) => T }
export type Memory = <T>(slot: Slot<T>) => T
