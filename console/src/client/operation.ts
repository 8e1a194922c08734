/** One operation of the API, with the types of what it takes and answers. The constants are in ../api/operations.ts. */
export type Operation<Input, Reply> = {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Never there: it only carries the types. */
  readonly types?: { input(input: Input): void; reply: Reply }
}

/** A message as it is sent: what is left out, or null, is unset. */
export type Sent<T> = T extends (infer Item)[]
  ? Sent<Item>[]
  : T extends Record<string, unknown>
    ? { [K in keyof T]?: Sent<T[K]> | null | undefined }
    : T

/** What an operation answers. */
export type ReplyOf<O> = O extends Operation<never, infer Reply> ? Reply : never
