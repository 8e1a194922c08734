/**
 * Reads of one transaction. Code loads what it needs where it needs it: each key is read once until `forget`, and keys
 * that are requested with `among` in one turn of the event loop are read by one statement.
 */
export class Loader {
  readonly #known = new Map<string, Promise<unknown>>()
  readonly #batches = new Map<string, { keys: string[]; found: Promise<ReadonlyMap<string, unknown>> }>()

  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key) as Promise<T> | undefined
    if (known) return known
    const answer = read()
    this.#known.set(key, answer)
    return answer
  }

  /** One of many: null if `readAll` does not find it. `kind` distinguishes such reads, and has one `readAll`. */
  among<T>(
    kind: string,
    key: string,
    readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<T | null> {
    return this.once(`${kind} ${key}`, async () => {
      const batch = this.#batches.get(kind) ?? this.#begin(kind, readAll)
      batch.keys.push(key)
      return ((await batch.found).get(key) as T | undefined) ?? null
    })
  }

  #begin<T>(kind: string, readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    const { promise: isTurnOver, resolve } = Promise.withResolvers<void>()
    const keys: string[] = []
    const found = isTurnOver.then(() => {
      this.#batches.delete(kind)
      return readAll(keys)
    })
    process.nextTick(resolve)
    const batch = { keys, found }
    this.#batches.set(kind, batch)
    return batch
  }

  /** What was written in the meantime may have changed it. */
  forget(): void {
    this.#known.clear()
  }
}
