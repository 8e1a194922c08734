type Step<Args extends readonly unknown[]> = (...args: Args) => Promise<void>

/** What a room needs done by rooms below it, which it cannot import. */
export type Hook<Args extends readonly unknown[]> = {
  run: Step<Args>
  /** Says who does it; registry/hooks.ts does so before anything is changed. */
  connect(...steps: readonly Step<Args>[]): void
}

export function hook<Args extends readonly unknown[]>(name: string): Hook<Args> {
  let connected: readonly Step<Args>[] | null = null
  return {
    async run(...args) {
      // Without them rows would be left behind.
      if (connected === null) throw new Error(`Nothing is connected to the hook ${name}.`)
      for (const step of connected) await step(...args)
    },
    connect(...steps) {
      connected = steps
    },
  }
}
