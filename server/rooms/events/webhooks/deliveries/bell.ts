import { slot } from '#kernel/memory.ts'

/** Has the sender of this process look at once; of what other processes have to send it hears a moment later. */
export const deliveryBell = slot(() => {
  let listener: () => void = () => {}
  return {
    ring: (): void => listener(),
    onRing: (told: () => void): void => void (listener = told),
  }
})
