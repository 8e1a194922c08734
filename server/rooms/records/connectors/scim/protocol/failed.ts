export type ScimFailure = {
  /** 0 where there was no reply. */
  status: number
  scimType: string
  /** How long the app asks to wait; null where it does not say. */
  retryAfterMs: number | null
  /** Whether the app may have done what it was asked for. */
  mayBeDone: boolean
  /** Whether the app could not be reached at all, which may pass. */
  isUnreached: boolean
  /** Whether the reply is larger than it may be. */
  isTooLarge: boolean
}

/** Why a request by SCIM came to nothing, in words for people: without the token, whoever writes it into a reply. */
export class ScimFailed extends Error {
  override name = 'ScimFailed'
  readonly is: ScimFailure

  constructor(message: string, is: Partial<ScimFailure> = {}) {
    super(message)
    this.is = {
      status: 0,
      scimType: '',
      retryAfterMs: null,
      mayBeDone: false,
      isUnreached: false,
      isTooLarge: false,
      ...is,
    }
  }
}
