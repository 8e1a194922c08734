/** A wait is measured in so many steps. */
const stepsMax = 8

export type Wait = {
  /** How long it has been so far, as far as it counts. */
  readonly ms: number
  stop(): void
}

/**
 * Waits for somebody else, and gives up after `limitMs` of time in which this process was able to hear them. Measured in steps: where the
 * machine is busy, or the event loop, a timer comes late, and a step that comes late counts as one that did not. What has come
 * meanwhile is heard before anything is given up.
 */
export function startWait(limitMs: number, giveUp: () => void): Wait {
  const stepMs = limitMs / stepsMax
  let steps = 0
  let steppedAt = performance.now()
  let immediate: NodeJS.Immediate | undefined
  // After the sockets were read: in a turn of the event loop, timers come before them.
  const heardAll = (): void => {
    immediate = setImmediate(giveUp)
  }
  const step = (): void => {
    steps++
    steppedAt = performance.now()
    if (steps === stepsMax) heardAll()
    else timer = setTimeout(step, stepMs)
  }
  let timer = setTimeout(step, stepMs)
  return {
    get ms() {
      return steps * stepMs + (steps === stepsMax ? 0 : Math.min(performance.now() - steppedAt, stepMs))
    },
    stop() {
      clearTimeout(timer)
      clearImmediate(immediate)
    },
  }
}
