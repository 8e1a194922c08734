export type ScimFailure = {
  /** 0 if there was no reply. */
  status: number
  scimType: string
  /** How long the app asks to wait; null if it does not say. */
  retryAfterMs: number | null
  /** Whether the app may have done what was requested. */
  mayBeDone: boolean
  /** Whether the app could not be reached at all, which may be temporary. */
  isUnreached: boolean
  /** Whether the reply is larger than it may be. */
  isTooLarge: boolean
}

/** Why a SCIM request failed, as a message for people: without the token, even if the app copies it into a reply. */
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
