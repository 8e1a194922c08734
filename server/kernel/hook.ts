type Step<Args extends readonly unknown[], Result> = (...args: Args) => Promise<Result>

/** What a room needs done by rooms that import it, which it cannot import. */
export type Hook<Args extends readonly unknown[], Result = void> = {
  /** Runs the steps one after the other. */
  run(...args: Args): Promise<Result[]>
  /** Sets the steps; registry/hooks.ts does so before anything is changed. */
  connect(...steps: readonly Step<Args, Result>[]): void
}

export function hook<Args extends readonly unknown[], Result = void>(name: string): Hook<Args, Result> {
  let connected: readonly Step<Args, Result>[] | null = null
  return {
    async run(...args) {
      // Without them rows would be left behind.
      if (connected === null) throw new Error(`Nothing is connected to the hook ${name}.`)
      const results: Result[] = []
      for (const step of connected) results.push(await step(...args))
      return results
    },
    connect(...steps) {
      connected = steps
    },
  }
}
