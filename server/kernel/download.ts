/** Text, or bytes of a file that is not text. */
export type Piece = string | Uint8Array

/**
 * A reply that is not a JSON message but a file of any length: it is sent piece by piece, as fast as the client reads
 * it, so that it may be larger than the memory. What a route with `download` returns.
 */
export class Download {
  readonly type: string
  /** The name under which clients save the file. */
  readonly name: string
  readonly pieces: AsyncIterable<Piece>

  constructor(type: string, name: string, pieces: AsyncIterable<Piece>) {
    this.type = type
    this.name = name
    this.pieces = pieces
  }
}
