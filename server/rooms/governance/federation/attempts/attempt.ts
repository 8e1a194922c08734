/** One attempt with a token at a trust, or several that are alike. */
export type Attempt = {
  id: string
  credentialId: string
  fingerprint: Buffer
  isAdmitted: boolean
  step: string
  reason: string
  detail: string
  /** JSON text; null if the token was not signed by the issuer. */
  claims: string | null
  omitted: readonly string[]
  sourceAddress: string
  times: number
  firstAt: Date
  lastAt: Date
}
