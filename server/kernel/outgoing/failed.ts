export type FailureKind =
  /** The address, or the scheme, is not one that may be called. */
  'forbidden' | 'unresolved' | 'unreachable' | 'certificate' | 'timeout' | 'too large' | 'broken' | 'aborted'

/**
 * Why a request to another host failed, for the person who set the address. The text names the host, but neither path
 * nor query nor header, which may contain secrets.
 */
export class OutgoingFailed extends Error {
  override name = 'OutgoingFailed'
  readonly kind: FailureKind
  /** Whether the host may have received the request: then its outcome is unknown. */
  readonly mayHaveArrived: boolean

  constructor(kind: FailureKind, message: string, mayHaveArrived: boolean) {
    super(message)
    this.kind = kind
    this.mayHaveArrived = mayHaveArrived
  }
}
