/**
 * A reply that is not a JSON message but a file of any length: it is sent piece by piece, as fast as the client reads
 * it, so that it may be larger than the memory. What a route with `download` returns.
 */
export class Download {
  readonly type: string
  /** The name under which clients save the file. */
  readonly name: string
  readonly pieces: AsyncIterable<string>

  constructor(type: string, name: string, pieces: AsyncIterable<string>) {
    this.type = type
    this.name = name
    this.pieces = pieces
  }
}
