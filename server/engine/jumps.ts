import type { Clock } from './clock.ts'

const everyMs = 1_000
const jumpMsMin = 500

/**
 * Timers count the time for which this machine runs. What is due at a time of the clock is looked at again when the clock has moved
 * otherwise: when it was set, or the machine was suspended.
 */
export function wakeOnJumps(
  { now, monotonicMs }: Pick<Clock, 'now' | 'monotonicMs'>,
  wake: () => void,
): { stop(): void } {
  const ahead = (): number => now().getTime() - monotonicMs()
  let last = ahead()
  const timer = setInterval(() => {
    const next = ahead()
    if (Math.abs(next - last) >= jumpMsMin) wake()
    last = next
  }, everyMs).unref()
  return { stop: () => clearInterval(timer) }
}
