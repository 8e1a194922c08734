/** A wait is measured in this many steps. */
const stepsMax = 8

export type Wait = {
  /** How long it has been so far, as far as it counts. */
  readonly ms: number
  stop(): void
}

/**
 * Waits for another process, and gives up after `limitMs` of time in which this process could have received something.
 * Measured in steps: if the machine or the event loop is busy, a timer is late, and a late step counts as one that was
 * not. What has arrived in the meantime is read before the wait is given up.
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
