const worksMs = 10

/** For long work in small steps on the event loop: called between two of them, it lets other work run now and then. */
export function breather(): () => Promise<void> | undefined {
  let until = performance.now() + worksMs
  return () => {
    if (performance.now() < until) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        until = performance.now() + worksMs
        resolve()
      }),
    )
  }
}
