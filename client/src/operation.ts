/** What is sent where. */
export type Sendable = {
  readonly id: string
  readonly method: string
  readonly path: string
  /** It changes something, and honours an Idempotency-Key: repeated with the same key it is done once. */
  readonly isKeyed?: true
}

/** One operation of the API, with the types of what it takes and answers. The constants are in api/operations.ts. */
export type Operation<Input, Reply> = Sendable & {
  /** Never there: it only carries the types. */
  readonly types?: { input(input: Input): void; reply: Reply }
}

/** An operation that answers with a page of a list. `items` is the field of the reply that has its items. */
export type PagedOperation<Input, Reply, Items extends string> = Operation<Input, Reply> & { readonly items: Items }

/** A message as it is sent: what is left out, or null, is unset. */
export type Sent<T> = T extends (infer Item)[]
  ? Sent<Item>[]
  : T extends Record<string, unknown>
    ? { [K in keyof T]?: Sent<T[K]> | null | undefined }
    : T

/** What an operation answers. */
export type ReplyOf<O> = O extends Operation<never, infer Reply> ? Reply : never
