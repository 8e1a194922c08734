export type FailureKind =
  /** The address, or the scheme, is not one that may be called. */
  'forbidden' | 'unresolved' | 'unreachable' | 'certificate' | 'timeout' | 'too large' | 'broken' | 'aborted'

/**
 * Why a request to another host came to nothing, in words for whoever set the address. They name the host, and neither path nor query
 * nor header, where secrets are.
 */
export class OutgoingFailed extends Error {
  override name = 'OutgoingFailed'
  readonly kind: FailureKind
  /** Whether the host may have got the request: then nobody knows what became of it. */
  readonly mayHaveArrived: boolean

  constructor(kind: FailureKind, message: string, mayHaveArrived: boolean) {
    super(message)
    this.kind = kind
    this.mayHaveArrived = mayHaveArrived
  }
}
