import { slot } from './memory.ts'

/**
 * Work that is due, tenant by tenant: jobs, deliveries, messages. A room says how its work is claimed and performed; the loop, the turns
 * of tenants and the leases are those of server/engine/dispatch. Why: docs/decisions/0149-one-dispatcher.md.
 */
export type Dispatch<T extends DueTenant = DueTenant, W extends Work = Work> = {
  /** As in the log: `jobs`. */
  readonly name: string
  /** How much this process performs at once, and how much of it for one tenant. */
  readonly inAll: number
  readonly perTenant?: number
  /** After so long without a word from its process, work is taken up by another. */
  readonly leaseMs: number
  /** How long to rest between looks while there are changes: more and more rarely. */
  readonly everyMs: { readonly least: number; readonly most: number }
  /** For how long tenants have their turns before it is asked again who has work: always asked, if not set. */
  readonly turnsMs?: number
  /** Looks again at once when something was found, and whenever something has ended. */
  readonly isPrompt?: true
  /** How long what is under way may go on when the server stops: as long as the server allows, if not set. */
  readonly graceMs?: number
  /** Tenants that have work. `after` is the one that had the last turn: who lists only some of them begins behind it. */
  listDue(look: Look & { readonly after: number }): Promise<readonly T[]>
  /** When there is something to do that no change tells of; of what is due before a time. */
  nextDue(before: Date): Promise<Date | null>
  /** Takes work of a tenant under leases of their own, so that no two processes perform the same. */
  claim(tenant: T, turn: Turn): Promise<readonly W[]>
  /** Performs it and writes what came of it, unless its lease is another's by then. Aborted with `LeaseLost` or `Stopping`. */
  perform(attempt: Attempt<T, W>): Promise<void>
  /** Work that has a place beside the others, as that of slow receivers. */
  isBeside?(work: W): boolean
  /** Renews leases; answers the ids of those that still hold. Without it, leases are longer than the work takes. */
  renew?(tenant: T, works: readonly W[]): Promise<readonly string[]>
  /** Whether its lease is renewed at the moment: always, if not set. */
  isRenewed?(work: W): boolean
  /** Called with the signals when the server stops: ends what does not heed them. */
  interrupt?(): void
  /** When everything has ended. */
  close?(): void
}

export type DueTenant = { readonly id: number }
export type Work = { readonly id: string }
export type Attempt<T extends DueTenant, W extends Work> = {
  readonly tenant: T
  readonly work: W
  readonly abort: AbortController
}
export type Look = {
  /** False just after a jump of the clock: whoever has the work did not have the time to renew its lease. */
  readonly mayTakeOver: boolean
}
export type Turn = Look & { readonly countMax: number }

/** Another process has the work: whatever this one has not committed must not be committed. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** The reason of a signal when the server stops. */
export class Stopping extends Error {
  override name = 'Stopping'
}

/** Has the dispatcher of this process look at once; of work of other processes it hears a moment later. */
export const dispatchBells = slot(() => {
  const bells = new Map<string, () => void>()
  return {
    ring: (name: string): void => bells.get(name)?.(),
    onRing: (name: string, ring: () => void): void => void bells.set(name, ring),
  }
})
