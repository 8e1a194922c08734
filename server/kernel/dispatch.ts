import { slot } from './memory.ts'

/**
 * Work that is due, by tenant: jobs, deliveries, messages. A room defines how its work is claimed and performed; the
 * loop, the turns of tenants and the leases are those of server/engine/dispatch. Why:
 * docs/decisions/0149-one-dispatcher.md.
 */
export type Dispatch<T extends DueTenant = DueTenant, W extends Work = Work> = {
  /** Its name in the log: `jobs`. */
  readonly name: string
  /** How much this process performs at once, and how much of it for one tenant. */
  readonly inAll: number
  readonly perTenant?: number
  /** After this time without a renewal, another process takes over the work. */
  readonly leaseMs: number
  /** How long to wait between checks while there are changes: the wait grows from `least` to `most`. */
  readonly everyMs: { readonly least: number; readonly most: number }
  /** How long the list of tenants with work is used before it is read again: always read again, if not set. */
  readonly turnsMs?: number
  /** Checks again at once when something was found, and whenever something has ended. */
  readonly isPrompt?: true
  /** How long running work may continue when the server stops: as long as the server allows, if not set. */
  readonly graceMs?: number
  /** Tenants that have work. `after` is the one that had the last turn: if only some are listed, start after it. */
  listDue(look: Look & { readonly after: number }): Promise<readonly T[]>
  /** When there is something to do that no change announces; of what is due before a time. */
  nextDue(before: Date): Promise<Date | null>
  /** Takes work of a tenant, each under its own lease, so that no two processes perform the same. */
  claim(tenant: T, turn: Turn): Promise<readonly W[]>
  /**
   * Performs it and writes the result, unless another process has its lease by then. Aborted with `LeaseLost` or
   * `Stopping`.
   */
  perform(attempt: Attempt<T, W>): Promise<void>
  /** Work that has a separate place, such as that of slow receivers. */
  isBeside?(work: W): boolean
  /** Renews leases; returns the ids of those that are still held. Without it, leases are longer than the work takes. */
  renew?(tenant: T, works: readonly W[]): Promise<readonly string[]>
  /** Whether its lease is currently renewed: always, if not set. */
  isRenewed?(work: W): boolean
  /** Called with the signals when the server stops: ends work that ignores them. */
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
  /** False just after a jump of the clock: the process that has the work could not yet renew its lease. */
  readonly mayTakeOver: boolean
}
export type Turn = Look & { readonly countMax: number }

/** Another process has the work: what this one has not committed must not be committed. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** The reason of a signal when the server stops. */
export class Stopping extends Error {
  override name = 'Stopping'
}

/** Has the dispatcher of this process check at once; it learns of work of other processes a moment later. */
export const dispatchBells = slot(() => {
  const bells = new Map<string, () => void>()
  return {
    ring: (name: string): void => bells.get(name)?.(),
    onRing: (name: string, ring: () => void): void => void bells.set(name, ring),
  }
})
