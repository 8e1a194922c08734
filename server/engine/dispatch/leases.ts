import { type Attempt, type Dispatch, type DueTenant, LeaseLost, type Work } from '#kernel/dispatch.ts'

/** `leaseUntilMs`: until when the lease certainly holds, by the monotonic clock. */
export type Running<T extends DueTenant, W extends Work> = Attempt<T, W> & { leaseUntilMs: number }

/**
 * Renews the leases of running work. Work whose lease is not renewed in time is aborted: another process may have it by now.
 */
export function keepLeases<T extends DueTenant, W extends Work>(
  { name, leaseMs, renew, isRenewed = () => true }: Dispatch<T, W>,
  running: ReadonlyMap<Running<T, W>, unknown>,
): { stop(): void } {
  if (!renew) return { stop() {} }
  const lose = ({ abort, work }: Running<T, W>): void =>
    abort.abort(new LeaseLost(`the lease of ${work.id} (${name}) was lost`))
  // Leases of aborted work are not renewed, so that another process can have it.
  const isKept = ({ work, abort }: Running<T, W>): boolean => !abort.signal.aborted && isRenewed(work)
  const renewOf = async (mine: readonly Running<T, W>[]): Promise<void> => {
    const [{ tenant }] = mine as [Running<T, W>]
    const leaseUntilMs = performance.now() + leaseMs
    const kept = await renew(
      tenant,
      mine.map(({ work }) => work),
    ).catch(() => null)
    for (const one of mine)
      if (kept?.includes(one.work.id)) one.leaseUntilMs = leaseUntilMs
      // While the database does not respond, leases hold until they end. Work that has ended meanwhile has lost nothing.
      else if (running.has(one) && isKept(one) && (kept || performance.now() >= one.leaseUntilMs)) lose(one)
  }
  let isBeating = false
  const beat = async (): Promise<void> => {
    if (isBeating) return
    isBeating = true
    await Promise.all(
      [...Map.groupBy([...running.keys()].filter(isKept), ({ tenant }) => tenant.id).values()].map(renewOf),
    )
    isBeating = false
  }
  const timer = setInterval(() => void beat(), leaseMs / 3)
  return { stop: () => clearInterval(timer) }
}
