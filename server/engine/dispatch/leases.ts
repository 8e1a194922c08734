import { type Attempt, type Dispatch, type DueTenant, LeaseLost, type Work } from '#kernel/dispatch.ts'

/** Until when the lease holds for certain, by the monotonic clock. */
export type Running<T extends DueTenant, W extends Work> = Attempt<T, W> & { leaseUntilMs: number }

/** Renews the leases of what runs. What cannot be renewed in time is told to stop: another process may have it by now. */
export function keepLeases<T extends DueTenant, W extends Work>(
  { name, leaseMs, renew, isRenewed = () => true }: Dispatch<T, W>,
  running: ReadonlyMap<Running<T, W>, unknown>,
): { stop(): void } {
  if (!renew) return { stop() {} }
  const lose = ({ abort, work }: Running<T, W>): void =>
    abort.abort(new LeaseLost(`the lease of ${work.id} (${name}) was lost`))
  // Nor of what was told to stop, so that another process may have it.
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
      // While the database does not answer, leases hold until they end. What has ended meanwhile has lost nothing.
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
