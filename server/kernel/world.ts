import type { Logger } from 'pino'
import type { MailSettings } from './mail-settings.ts'
import type { OutgoingRules } from './outgoing/addresses.ts'
import type { Seals } from './seals.ts'
import type { Db } from './sql.ts'

/** What every action is given. Built by `main.ts` alone; tests build their own with another clock. */
export type World = {
  db: Db
  now: () => Date
  /** Where a server watches its clock; absent in commands, which end nothing by the time. */
  clock?: {
    /** Why what ends by the time waits; null while nothing does. */
    readonly doubt: string | null
    /** The time by which things may end: after a jump of the clock the earlier of what it says and of what has passed. */
    steadyNow(): Date
  }
  newId: () => string
  log: Log
  seals: Seals
  memory: Memory
  /** Tells the other workers of this server what they must not remember any longer. */
  tellWorkers?: (forgotten: Forgotten) => void
  settings: {
    clientSecret: { serviceDomain: string; hasVersion: boolean }
    tokenLifetimeSeconds: number
    /** Where the state of the system log is kept beside the database; nowhere when it is absent. */
    headsFile?: string
    /** Who is told where the system log ends. */
    witnesses?: readonly string[]
    /** How many access tokens a credential gets a minute, in the long run. */
    tokensPerMinute?: number
    /** How many processes of this server share the machine; one by default. */
    workers?: number
    /** The certificate that the server shows, in PEM; absent where it serves plain HTTP. */
    certificate?: string
    /** Which hosts the server may call; public ones by HTTPS where it is absent. */
    outgoing?: OutgoingRules
    /** The file that names the places to which the system log may be exported. */
    datasourcesFile?: string
    /** After how many days events may leave the database, once they are exported; never where it is absent. */
    systemlogRetentionDays?: number
    /** Which mail server takes messages; absent where the server sends none. */
    mail?: MailSettings
  }
}

/** For what ends, or is taken away, because its time has come: a clock that jumped forward ends nothing. */
export const steadyNow = ({ clock, now }: Pick<World, 'clock' | 'now'>): Date => clock?.steadyNow() ?? now()

/** What is forgotten, in whichever way its room understands. */
export type Forgotten = readonly (string | number)[]

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** What a server remembers between requests (caches, counters, batches): one of each for a world, made when first asked. */
export type Slot<T> = { readonly make: (world: World) => T }
export type Memory = <T>(slot: Slot<T>) => T
