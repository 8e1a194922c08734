import { serveTasks } from '#kernel/worker-tasks.ts'

const spin = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Work for workers.test.ts. */
serveTasks({
  *echo(given: unknown) {
    yield
    return given
  },
  *steps({ count, ms }: { count: number; ms: number }) {
    for (let step = 0; step < count; step++) {
      spin(ms)
      yield
    }
    return count
  },
  *endless() {
    yield
    for (;;);
  },
  *stall(ms: number) {
    yield
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    return 'done'
  },
  *hoard() {
    yield
    const all: number[][] = []
    for (;;) all.push(Array.from({ length: 100_000 }, Math.random))
  },
  *fail() {
    yield
    throw new TypeError('wrong')
  },
  *exit() {
    yield
    process.exit(3)
  },
})
