/**
 * A reply that is no JSON message but a file of any length: it is sent piece by piece, as fast as the client takes it, so that its
 * length is no matter of memory. What a route with `download` answers.
 */
export class Download {
  readonly type: string
  /** What the file is called where it is kept. */
  readonly name: string
  readonly pieces: AsyncIterable<string>

  constructor(type: string, name: string, pieces: AsyncIterable<string>) {
    this.type = type
    this.name = name
    this.pieces = pieces
  }
}
