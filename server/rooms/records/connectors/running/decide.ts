/** How a program that has ended is started again. */
const firstWaitMs = 1_000
const waitMsMax = 600_000
/** Together with the waits, about two hours. */
export const failuresMax = 20
/** Whoever ran so long did not fail to start. */
const steadyMs = 600_000

/** How long to wait before it is started again, and how often it has failed in a row; no wait if it is given up. */
export function afterEnd(failuresBefore: number, ranMs: number): { failures: number; waitMs: number | null } {
  const failures = ranMs >= steadyMs ? 1 : failuresBefore + 1
  if (failures >= failuresMax) return { failures, waitMs: null }
  return { failures, waitMs: Math.min(firstWaitMs * 2 ** (failures - 1), waitMsMax) }
}
