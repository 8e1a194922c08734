import { slot } from '#kernel/memory.ts'

/** Wakes the sender of this process; what other processes have sent is found by looking. */
export const deliveryBell = slot(() => {
  let listener: () => void = () => {}
  return {
    ring: (): void => listener(),
    onRing: (told: () => void): void => void (listener = told),
  }
})
