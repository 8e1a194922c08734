import { serveTasks } from '#kernel/worker-tasks.ts'

const spin = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Work for workers.test.ts. */
serveTasks({
  // biome-ignore lint/correctness/useYield: some tasks are one step.
  *echo(given: unknown) {
    return given
  },
  *steps({ count, ms }: { count: number; ms: number }) {
    for (let step = 0; step < count; step++) {
      spin(ms)
      yield
    }
    return count
  },
  // biome-ignore lint/correctness/useYield: it has no end.
  *endless() {
    for (;;);
  },
  // biome-ignore lint/correctness/useYield: it has no end but one.
  *hoard() {
    const all: number[][] = []
    for (;;) all.push(Array.from({ length: 100_000 }, Math.random))
  },
  // biome-ignore lint/correctness/useYield: it fails at once.
  *fail() {
    throw new TypeError('wrong')
  },
  // biome-ignore lint/correctness/useYield: it ends its thread.
  *exit() {
    process.exit(3)
  },
})
